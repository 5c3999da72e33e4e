import type { BackupProgress } from '../../../src-shared/contract/vault-backups.ts';

/** Phases of each task in their order, each with its share of the time. */
const SHARES: Record<BackupProgress['task'], readonly (readonly [BackupProgress['phase'], number])[]> = {
  backup: [
    ['database', 0.1],
    ['files', 0.4],
    ['verify', 0.45],
    ['tidy', 0.05],
  ],
  verify: [['verify', 1]],
  drill: [
    ['unpack', 0.6],
    ['check', 0.4],
  ],
  restore: [['unpack', 1]],
};

/** How much of a task is done, 0–1; phases that it does not have count as not begun. */
export function shareDone({
  task,
  phase,
  done,
  total,
}: Pick<BackupProgress, 'task' | 'phase' | 'done' | 'total'>): number {
  let before = 0;
  for (const [name, share] of SHARES[task]) {
    if (name === phase) return before + share * (total > 0 ? Math.min(1, done / total) : 0);
    before += share;
  }
  return 0;
}

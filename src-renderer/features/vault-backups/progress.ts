import type { BackupProgress } from '../../../src-shared/contract/vault-backups.ts';

/** The phases of each task with their share of its time. */
const PHASE_SHARES: Record<BackupProgress['task'], readonly (readonly [BackupProgress['phase'], number])[]> = {
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

/** The progress of a task, 0–1; 0 for unknown phases. */
export function shareDone({
  task,
  phase,
  done,
  total,
}: Pick<BackupProgress, 'task' | 'phase' | 'done' | 'total'>): number {
  let before = 0;
  for (const [name, share] of PHASE_SHARES[task]) {
    if (name === phase) return before + share * (total > 0 ? Math.min(1, done / total) : 0);
    before += share;
  }
  return 0;
}

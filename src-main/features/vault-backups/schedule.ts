import { Cron } from 'croner';
import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';

/**
 * Returns the time of the next scheduled backup, ms since the epoch, in the time zone of this machine; null if none is
 * planned. `last` is when the previous one started, or when the plan was made. A backup that was missed while the
 * machine slept is in the past and due at once.
 */
export function nextDue(
  { every, at, folder }: Pick<BackupPlan, 'every' | 'at' | 'folder'>,
  last: number,
): number | null {
  if (every === 'off' || folder === null) return null;
  const [hour, minute] = at.split(':').map(Number);
  const pattern = `${minute} ${hour} * * ${every === 'week' ? 'SUN' : '*'}`;
  return new Cron(pattern, { paused: true }).nextRun(new Date(last))?.getTime() ?? null;
}

/** The civil date of a timestamp in the time zone of this machine. */
export function localDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

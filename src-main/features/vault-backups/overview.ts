import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupOverview, BackupPlan, BackupProgress } from '../../../src-shared/contract/vault-backups.ts';
import { fromTimestamp, toTimestamp } from '../../platform/kernel/clock.ts';
import type { BackupRepository } from './repository.ts';
import { nextDue } from './schedule.ts';
import { snapshotFile, snapshotNames, timeOfName } from './snapshot-list.ts';
import { freeBytesOf, SNAPSHOTS, targetState, type Target } from './target.ts';

const DEFAULT_PLAN: Omit<BackupPlan, 'folder'> = {
  every: 'day',
  at: '03:30',
  keep_daily: 7,
  keep_weekly: 5,
  keep_monthly: 12,
  include_secrets: false,
};

/** Where backups go; null before a folder was chosen. */
export const targetOf = (repository: BackupRepository): Target | null =>
  repository.recall('backup.plan')?.target ?? null;

/** The stored plan, or the default one without a folder. */
export const planOf = (repository: BackupRepository): BackupPlan => ({
  ...DEFAULT_PLAN,
  ...repository.recall('backup.plan')?.plan,
  folder: targetOf(repository)?.folder ?? null,
});

/** Time of the next scheduled backup, ms since the epoch; null if none is planned. */
export function nextBackupAt(repository: BackupRepository): number | null {
  const since = repository.recall('backup.plan')?.since;
  if (since === undefined) return null;
  const last = Math.max(fromTimestamp(since), fromTimestamp(repository.lastScheduled() ?? since));
  return nextDue(planOf(repository), last);
}

/** What the page of backups shows. Lists that differ from the folder are corrected unless a backup runs. */
export function overviewOf(
  repository: BackupRepository,
  running: BackupProgress | null,
): Omit<BackupOverview, 'is_encrypted'> {
  const target = targetOf(repository);
  const state = targetState(target);
  const folder = state === 'ready' && target ? join(target.folder, SNAPSHOTS) : null;
  if (folder !== null && !running) reconcile(repository, folder);
  const items = repository.list().map(({ kind: _kind, ...row }) => ({
    ...row,
    present: folder !== null && existsSync(snapshotFile(folder, row.name)),
  }));
  const next = nextBackupAt(repository);
  return {
    plan: planOf(repository),
    target: { state, free_bytes: freeBytesOf(state === 'ready' ? target : null) },
    running,
    items,
    last_verified_at: lastVerified(items, state === 'ready'),
    next_at: next === null ? null : toTimestamp(next),
    last_drill: repository.recall('backup.last_drill'),
    last_error: repository.recall('backup.last_error'),
  };
}

/** Start of the newest verified backup. If the folder is unavailable, its backups count as present. */
const lastVerified = (items: BackupOverview['items'], isFolderReady: boolean): string | null =>
  items.find(
    (item) =>
      item.status === 'done' &&
      item.error_code === null &&
      item.verified_at !== null &&
      (item.present || !isFolderReady),
  )?.started_at ?? null;

/**
 * Adds backups in the folder that the database does not contain (as after a restore), and completes interrupted rows.
 */
function reconcile(repository: BackupRepository, folder: string): void {
  const knownNames = repository.names();
  const interrupted = new Map(
    repository
      .list()
      .filter((row) => row.error_code === 'backup.interrupted')
      .map((row) => [row.name, row.id]),
  );
  for (const name of snapshotNames(folder)) {
    if (!knownNames.has(name)) repository.adopt(name, timeOfName(name));
    const id = interrupted.get(name);
    if (id !== undefined) repository.set(id, { status: 'done', error_code: null });
  }
}

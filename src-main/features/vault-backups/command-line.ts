import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Secrets } from '../../platform/secrets/service.ts';
import { BackupDamaged, DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { createPaths } from '../../platform/vault/paths.ts';
import { KEY_FILE } from '../../platform/vault/layout.ts';
import { restoreInto, type RestoreResult, type UnlockRestored } from '../../platform/vault/restore.ts';
import { readKeyFileAt } from '../../platform/vault/unlock-vault.ts';
import { targetOf } from './overview.ts';
import { createBackupRepository } from './repository.ts';
import { readSnapshot, snapshotFile, snapshotNames } from './snapshot-list.ts';
import { openStore } from './store.ts';
import { claimTarget, OBJECTS, SNAPSHOTS, targetState } from './target.ts';
import { freeName, writeBackup, type TaskDeps } from './tasks.ts';
import { unpack } from './unpack.ts';

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
/** Whether the path is a backup folder or the list of one backup; any other path is an archive. */
export const isSnapshotPath = (path: string): boolean => isFolder(path) || path.endsWith('.json');

export interface BackUpInput {
  db: Database;
  root: string;
  folder: string;
  clock: Clock;
  ids: () => string;
  files: FileWorker;
  secrets: Secrets;
}

/** Creates a backup in a folder, which may be the configured one. Returns its name and size. */
export async function backUpInto({
  db,
  root,
  folder,
  clock,
  ids,
  files,
  secrets,
}: BackUpInput): Promise<{ name: string; files: number; bytes: number }> {
  const repository = createBackupRepository(db);
  const real = createPaths(root).root;
  const place = claimTarget(folder, real, ids());
  const restart = (): never => {
    throw new Error('a command has nothing to restart');
  };
  const deps: TaskDeps = { db, root: real, clock, ids, files, secrets, repository, restart };
  const id = repository.begin(freeName(deps, place, toTimestamp(clock.now())), false, toTimestamp(clock.now()));
  // The running program applies the retention, so all scheduled backups are kept here.
  const plan = {
    folder: place.folder,
    every: 'off',
    at: '00:00',
    keep_daily: Infinity,
    keep_weekly: 0,
    keep_monthly: 0,
    include_secrets: false,
  } as const;
  await writeBackup(deps, { id, place, plan, signal: new AbortController().signal, report: () => undefined });
  const row = repository.get(id);
  return { name: row?.name ?? '', files: row?.files ?? 0, bytes: row?.size ?? 0 };
}

/**
 * Restores a backup of a folder: that of the given list, or the newest. Throws `BackupDamaged`, `VaultNotEmpty`,
 * `NewerDatabaseError`.
 */
export async function restoreSnapshot({
  path,
  root,
  replace,
  ids,
  files,
  unlock,
}: {
  path: string;
  root: string;
  replace: boolean;
  ids: () => string;
  files: FileWorker;
  unlock: UnlockRestored;
}): Promise<RestoreResult> {
  const list = isFolder(path) ? newestIn(path) : path;
  const store = openStore({ folder: join(dirname(dirname(list)), OBJECTS), files, ids });
  const snapshot = readSnapshot(list);
  return restoreInto({ root, replace, uniqueName: ids().slice(0, 8) }, async (folder) => {
    const keys = snapshot.files.find((file) => file.path === KEY_FILE);
    // Asked for before anything is unpacked, because that takes long.
    if (keys) await unlock(folder, readKeyFileAt(store.pathOf(keys.sha256)));
    await unpack({ store, files, signal: new AbortController().signal, report: () => undefined }, snapshot, folder);
    return snapshot.files.filter(({ path: inVault }) => ![DATABASE_ENTRY, KEY_FILE].includes(inVault)).length;
  });
}

function newestIn(folder: string): string {
  const lists = join(folder, SNAPSHOTS);
  const name = isFolder(lists) ? snapshotNames(lists).at(-1) : undefined;
  if (name === undefined) throw new BackupDamaged(`${folder} contains no backup`);
  return snapshotFile(lists, name);
}

/** How many backups of the configured folder anybody can read, because the vault was not encrypted then. */
export function countPlainBackups(db: Database): { count: number; folder: string } {
  const target = targetOf(createBackupRepository(db));
  if (target === null || targetState(target) === 'absent') return { count: 0, folder: target?.folder ?? '' };
  const lists = join(target.folder, SNAPSHOTS);
  const isPlain = (name: string): boolean => {
    try {
      return readSnapshot(snapshotFile(lists, name)).key === undefined;
    } catch {
      // A list that can't be read may still name files that can.
      return true;
    }
  };
  return { count: isFolder(lists) ? snapshotNames(lists).filter(isPlain).length : 0, folder: target.folder };
}

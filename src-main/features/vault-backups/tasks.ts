import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { NewerDatabaseError, type Database } from '../../platform/database/connection.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure, translateFsError } from '../../platform/kernel/errors.ts';
import { keyIdOf, lendVaultKeys, setVaultKeys } from '../../platform/kernel/process-keys.ts';
import type { Secrets } from '../../platform/secrets/service.ts';
import { syncFile, syncFolder } from '../../platform/vault/atomic.ts';
import { BackupDamaged } from '../../platform/vault/backup-format.ts';
import { createFileWorker, type FileWorker } from '../../platform/vault/file-worker.ts';
import { FOLDERS, KEY_FILE } from '../../platform/vault/layout.ts';
import { lockVault, VaultInUse } from '../../platform/vault/lock.ts';
import { dropLocal, replaceVault } from '../../platform/vault/restore.ts';
import { writeVaultFile } from '../../platform/vault/vault-files.ts';
import type { BackupRepository, BackupRow } from './repository.ts';
import { expired } from './retention.ts';
import { localDate } from './schedule.ts';
import {
  readSnapshot,
  removeSnapshot,
  sizeOf,
  snapshotFile,
  snapshotName,
  snapshotNames,
  writeSnapshot,
  type Snapshot,
} from './snapshot-list.ts';
import { openStore, type ObjectStore } from './store.ts';
import { OBJECTS, SNAPSHOTS, type Target } from './target.ts';
import { restoreTemporarily, unpack } from './unpack.ts';
import { damagedFiles, writeFiles, type Report } from './write.ts';

export interface TaskDeps {
  db: Database;
  /** Absolute, links resolved. */
  root: string;
  clock: Clock;
  ids: () => string;
  files: FileWorker;
  secrets: Secrets;
  repository: BackupRepository;
  /** Stops the core, runs the step while the vault is closed, and restarts. */
  restart(step: RestartStep): void;
}

/** A step that runs while the vault is closed, and its reversal if the program can't start afterwards. */
export interface RestartStep {
  apply(): void;
  undo(): void;
}

interface Control {
  place: Target;
  signal: AbortSignal;
  report: Report;
}
type WriteTask = Control & { id: number; plan: BackupPlan };
type BackupTask = Control & { row: BackupRow };

/** The code under which a task's failure is remembered. */
export function codeOf(raw: unknown): ErrorCode {
  const error = translateFsError(raw);
  if (error instanceof BackupDamaged) return 'backup.damaged';
  if (error instanceof NewerDatabaseError) return 'backup.newer_version';
  if (!(error instanceof Failure)) return 'backup.failed';
  if (error.code === 'server.disk_full') return 'backup.disk_full';
  return error.code === 'server.read_only' ? 'backup.folder_read_only' : error.code;
}

const now = ({ clock }: TaskDeps): string => toTimestamp(clock.now());
const snapshotFolder = (place: Target): string => join(place.folder, SNAPSHOTS);
const storeOf = ({ files, ids }: TaskDeps, place: Target): ObjectStore =>
  openStore({ folder: join(place.folder, OBJECTS), files, ids });
const readList = (place: Target, name: string): Snapshot => readSnapshot(snapshotFile(snapshotFolder(place), name));

/** Locks the backup folder, so that two programs do not clean it up at the same time. */
async function withLock<T>(place: Target, work: () => T | Promise<T>): Promise<T> {
  let unlock: () => void;
  try {
    unlock = lockVault(place.folder);
  } catch (error) {
    throw error instanceof VaultInUse ? fail('backup.busy', undefined, error) : error;
  }
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** A name that no backup uses yet. */
export function freeName({ repository }: TaskDeps, place: Target, timestamp: string): string {
  const base = snapshotName(timestamp);
  const usedNames = new Set([...repository.names(), ...snapshotNames(snapshotFolder(place))]);
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!usedNames.has(name)) return name;
  }
}

/** Deletes backups and the objects that no other backup references. */
export const removeBackups = (
  deps: TaskDeps,
  place: Target,
  rows: readonly Pick<BackupRow, 'id' | 'name'>[],
): Promise<void> => withLock(place, () => removeLocked(deps, place, rows));

async function removeLocked(
  deps: TaskDeps,
  place: Target,
  rows: readonly Pick<BackupRow, 'id' | 'name'>[],
): Promise<void> {
  for (const { name } of rows) removeSnapshot(snapshotFolder(place), name);
  deps.repository.remove(rows.map((row) => row.id));
  await removeUnreferenced(deps, place);
}

/** Removes unreferenced objects. If a list can't be read, all objects remain, because it may reference any of them. */
async function removeUnreferenced(deps: TaskDeps, place: Target): Promise<void> {
  const referenced = new Set<string>();
  for (const name of snapshotNames(snapshotFolder(place))) {
    try {
      for (const file of readList(place, name).files) referenced.add(file.sha256);
      // Yields between lists, since reading one of a large vault takes a while.
      await yieldToEventLoop();
    } catch {
      return;
    }
  }
  storeOf(deps, place).removeAllBut(referenced);
}

/** Removes scheduled backups that the plan no longer retains, and earlier failures, which a success makes obsolete. */
async function applyRetention(deps: TaskDeps, place: Target, plan: BackupPlan): Promise<void> {
  const { repository } = deps;
  // Backups in a previously configured folder are not touched.
  const present = new Set(snapshotNames(snapshotFolder(place)));
  const scheduled = repository
    .list()
    .filter((row) => row.scheduled && row.status === 'done' && present.has(row.name))
    .map((row) => ({ id: row.id, name: row.name, date: localDate(fromTimestamp(row.started_at)) }));
  const removable = new Set(expired(scheduled, plan));
  await removeLocked(
    deps,
    place,
    scheduled.filter((row) => removable.has(row.id)),
  );
  const failed = repository.list().filter((row) => row.scheduled && row.status === 'failed');
  repository.remove(failed.map((row) => row.id));
}

/** The newest backup of the folder. Without one, files without a row are read again. */
function previousSnapshot(place: Target): Snapshot | null {
  const name = snapshotNames(snapshotFolder(place)).at(-1);
  try {
    return name === undefined ? null : readList(place, name);
  } catch {
    return null;
  }
}

/** Writes a backup and removes those that the plan no longer retains. */
export async function writeBackup(deps: TaskDeps, task: WriteTask): Promise<void> {
  const { repository } = deps;
  try {
    await withLock(task.place, () => writeLocked(deps, task));
  } catch (error) {
    if (repository.get(task.id)?.status === 'running')
      repository.set(task.id, {
        status: 'failed',
        error_code: task.signal.aborted ? 'backup.interrupted' : codeOf(error),
        finished_at: now(deps),
      });
    throw error;
  }
}

async function writeLocked(deps: TaskDeps, { id, place, plan, signal, report }: WriteTask): Promise<void> {
  const { root, ids, secrets, repository } = deps;
  const name = repository.get(id)?.name ?? '';
  const keysFile = plan.include_secrets ? join(root, FOLDERS.tmp, `${ids()}.keys`) : null;
  try {
    if (keysFile) writeVaultFile(keysFile, Buffer.from(secrets.exportKeys()), ids());
    const previous = previousSnapshot(place);
    const snapshot = await writeFiles({ ...deps, store: storeOf(deps, place), signal, report, keysFile, previous });
    signal.throwIfAborted();
    writeSnapshot(snapshotFolder(place), name, snapshot, ids());
    repository.set(id, {
      status: 'done',
      files: snapshot.files.length - 1,
      size: sizeOf(snapshot),
      finished_at: now(deps),
      verified_at: now(deps),
    });
    report('tidy', 0, 1);
    await applyRetention(deps, place, plan);
  } finally {
    if (keysFile) rmSync(keysFile, { force: true });
  }
}

/** Reads every object of a backup. @throws `backup.damaged` */
export async function verifyBackup(deps: TaskDeps, { row, place, signal, report }: BackupTask): Promise<void> {
  const { repository } = deps;
  try {
    const snapshot = readList(place, row.name);
    const damaged = await damagedFiles({ store: storeOf(deps, place), signal, report }, snapshot);
    if (damaged.length > 0) throw fail('backup.damaged');
    repository.set(row.id, {
      verified_at: now(deps),
      error_code: null,
      files: snapshot.files.length - 1,
      size: sizeOf(snapshot),
    });
  } catch (error) {
    if (!signal.aborted && codeOf(error) === 'backup.damaged') repository.set(row.id, { error_code: 'backup.damaged' });
    throw error;
  }
}

/** Restores a backup into a temporary folder, checks it there and stores the result. */
export async function drillBackup(deps: TaskDeps, { row, place, signal, report }: BackupTask): Promise<void> {
  const { root, ids, repository } = deps;
  const snapshot = readList(place, row.name);
  const folder = `${root}.drill-${ids().slice(0, 8)}`;
  const result = await withKeysIn(deps, snapshot, folder, (files) =>
    restoreTemporarily({ store: storeOf(deps, place), files, signal, report }, snapshot, folder),
  );
  repository.remember(
    'backup.last_drill',
    { backup_id: row.id, name: row.name, at: now(deps), ok: result.faults === 0, ...result },
    now(deps),
  );
}

/** Lets the database of a backup be opened in a folder. Throws `backup.other_password`, `backup.not_encrypted`. */
async function withKeysIn<T>(
  { root, clock, files }: TaskDeps,
  { key }: Snapshot,
  folder: string,
  work: (files: FileWorker) => Promise<T>,
): Promise<T> {
  const own = keyIdOf(root);
  if (key !== undefined && key !== own) throw fail('backup.other_password');
  if (key === undefined && own !== null) throw fail('backup.not_encrypted');
  if (own === null) return work(files);
  lendVaultKeys(root, folder);
  // Threads that run already don't get keys that are lent later.
  const fresh = createFileWorker(clock);
  try {
    return await work(fresh);
  } finally {
    await fresh.close();
    setVaultKeys(folder, null);
  }
}

/** Unpacks a backup beside the vault and restarts with it in the vault's place. */
export async function restoreAndRestart(deps: TaskDeps, { row, place, signal, report }: BackupTask): Promise<void> {
  const { root, ids } = deps;
  const uniqueName = ids().slice(0, 8);
  const unfinished = `${root}.restoring-${uniqueName}`;
  const snapshot = readList(place, row.name);
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    await withKeysIn(deps, snapshot, unfinished, async (files) => {
      await unpack({ store: storeOf(deps, place), files, signal, report }, snapshot, unfinished);
      dropLocal(unfinished);
    });
    // The password that is known now goes on, though the backup may be older than it.
    if (snapshot.key !== undefined) {
      copyFileSync(join(root, KEY_FILE), join(unfinished, KEY_FILE));
      syncFile(join(unfinished, KEY_FILE));
      syncFolder(unfinished);
    }
    signal.throwIfAborted();
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  let previous: string | null = null;
  deps.restart({
    apply: () => {
      previous = replaceVault({ root, unfinished, uniqueName });
    },
    // If the restored vault can't be moved into place or opened, the previous one is put back and the failed one
    // remains beside it.
    undo: () => {
      if (previous) replaceVault({ root, unfinished: previous, uniqueName: `failed-${uniqueName}` });
      else rmSync(unfinished, { recursive: true, force: true });
    },
  });
}

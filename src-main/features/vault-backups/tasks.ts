import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { NewerDatabaseError, type Database } from '../../platform/database/connection.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure, translateFsError } from '../../platform/kernel/errors.ts';
import type { Secrets } from '../../platform/secrets/service.ts';
import { writeFileAtomic } from '../../platform/vault/atomic.ts';
import { BackupDamaged } from '../../platform/vault/backup-format.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { FOLDERS } from '../../platform/vault/layout.ts';
import { lockVault, VaultInUse } from '../../platform/vault/lock.ts';
import { takePlace } from '../../platform/vault/restore.ts';
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
import { drill, unpack } from './unpack.ts';
import { damagedFiles, writeFiles, type Report } from './write.ts';

export interface TaskDeps {
  db: Database;
  root: string;
  clock: Clock;
  ids: () => string;
  files: FileWorker;
  secrets: Secrets;
  repository: BackupRepository;
  restart(step: RestartStep): void;
}

/** A step that runs while the vault is closed, and its reversal if the program cannot start afterwards. */
export interface RestartStep {
  apply(): void;
  undo(): void;
}

interface Control {
  place: Target;
  signal: AbortSignal;
  report: Report;
}
type OfBackup = Control & { row: BackupRow };

/** The code under which a task's failure is remembered. */
export function codeOf(raw: unknown): ErrorCode {
  const error = translateFsError(raw);
  if (error instanceof BackupDamaged) return 'backup.damaged';
  if (error instanceof NewerDatabaseError) return 'backup.newer_version';
  if (!(error instanceof Failure)) return 'backup.failed';
  if (error.code === 'server.disk_full') return 'backup.disk_full';
  return error.code === 'server.read_only' ? 'backup.folder_read_only' : error.code;
}

/** The long-running backup tasks. Each resolves, throws, or ends on the abort signal. */
export function createTasks(deps: TaskDeps) {
  const { root, clock, ids, files, secrets, repository } = deps;
  const now = (): string => toTimestamp(clock.now());
  const listsOf = (place: Target): string => join(place.folder, SNAPSHOTS);
  const storeOf = (place: Target): ObjectStore => openStore({ folder: join(place.folder, OBJECTS), files, ids });
  const read = (place: Target, name: string): Snapshot => readSnapshot(snapshotFile(listsOf(place), name));

  /** Locks the backup folder, so that two programs do not clean it up at the same time. */
  async function alone<T>(place: Target, work: () => T | Promise<T>): Promise<T> {
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

  /**
   * Removes unreferenced objects. If a list cannot be read, all objects are kept, because it may reference any of them.
   */
  async function sweep(place: Target): Promise<void> {
    const wanted = new Set<string>();
    for (const name of snapshotNames(listsOf(place))) {
      try {
        for (const file of read(place, name).files) wanted.add(file.sha256);
        // Yields between lists, since reading one of a large vault takes a while.
        await turnOfOthers();
      } catch {
        return;
      }
    }
    storeOf(place).sweep(wanted);
  }

  async function remove(place: Target, rows: readonly Pick<BackupRow, 'id' | 'name'>[]): Promise<void> {
    for (const { name } of rows) removeSnapshot(listsOf(place), name);
    repository.remove(rows.map((row) => row.id));
    await sweep(place);
  }

  async function retire(place: Target, plan: BackupPlan): Promise<void> {
    // Backups of an earlier folder are left alone.
    const here = new Set(snapshotNames(listsOf(place)));
    const scheduled = repository
      .list()
      .filter((row) => row.scheduled && row.status === 'done' && here.has(row.name))
      .map((row) => ({ id: row.id, name: row.name, date: localDate(fromTimestamp(row.started_at)) }));
    const gone = new Set(expired(scheduled, plan));
    await remove(
      place,
      scheduled.filter((row) => gone.has(row.id)),
    );
    // Earlier failures are obsolete after a success.
    repository.remove(
      repository
        .list()
        .filter((row) => row.scheduled && row.status === 'failed')
        .map((row) => row.id),
    );
  }

  function before(place: Target): Snapshot | null {
    const name = snapshotNames(listsOf(place)).at(-1);
    try {
      return name === undefined ? null : read(place, name);
    } catch {
      // Without the earlier list, files without a row are read again.
      return null;
    }
  }

  async function writeAlone({
    id,
    place,
    plan,
    signal,
    report,
  }: Control & { id: number; plan: BackupPlan }): Promise<void> {
    const name = repository.get(id)?.name ?? '';
    const keysFile = plan.include_secrets ? join(root, FOLDERS.tmp, `${ids()}.keys`) : null;
    try {
      if (keysFile) writeFileAtomic(keysFile, secrets.exportKeys(), ids());
      const snapshot = await writeFiles({
        ...deps,
        store: storeOf(place),
        signal,
        report,
        keysFile,
        before: before(place),
      });
      signal.throwIfAborted();
      writeSnapshot(listsOf(place), name, snapshot, ids());
      repository.set(id, {
        status: 'done',
        files: snapshot.files.length - 1,
        size: sizeOf(snapshot),
        finished_at: now(),
        verified_at: now(),
      });
      report('tidy', 0, 1);
      await retire(place, plan);
    } finally {
      if (keysFile) rmSync(keysFile, { force: true });
    }
  }

  return {
    remove: (place: Target, rows: readonly Pick<BackupRow, 'id' | 'name'>[]): Promise<void> =>
      alone(place, () => remove(place, rows)),
    /** A name that no backup has yet. */
    freeName(place: Target, timestamp: string): string {
      const base = snapshotName(timestamp);
      const taken = new Set([...repository.names(), ...snapshotNames(listsOf(place))]);
      for (let n = 1; ; n += 1) {
        const name = n === 1 ? base : `${base}-${n}`;
        if (!taken.has(name)) return name;
      }
    },
    async write(task: Control & { id: number; plan: BackupPlan }): Promise<void> {
      try {
        await alone(task.place, () => writeAlone(task));
      } catch (error) {
        if (repository.get(task.id)?.status === 'running')
          repository.set(task.id, {
            status: 'failed',
            error_code: task.signal.aborted ? 'backup.interrupted' : codeOf(error),
            finished_at: now(),
          });
        throw error;
      }
    },
    async verify({ row, place, signal, report }: OfBackup): Promise<void> {
      try {
        const snapshot = read(place, row.name);
        if ((await damagedFiles({ store: storeOf(place), signal, report }, snapshot)).length > 0)
          throw fail('backup.damaged');
        repository.set(row.id, {
          verified_at: now(),
          error_code: null,
          files: snapshot.files.length - 1,
          size: sizeOf(snapshot),
        });
      } catch (error) {
        if (!signal.aborted && codeOf(error) === 'backup.damaged')
          repository.set(row.id, { error_code: 'backup.damaged' });
        throw error;
      }
    },
    async drill({ row, place, signal, report }: OfBackup): Promise<void> {
      const result = await drill(
        { store: storeOf(place), files, signal, report },
        read(place, row.name),
        `${root}.drill-${ids().slice(0, 8)}`,
      );
      repository.remember(
        'backup.last_drill',
        { backup_id: row.id, name: row.name, at: now(), ok: result.faults === 0, ...result },
        now(),
      );
    },
    async restore({ row, place, signal, report }: OfBackup): Promise<void> {
      const uniqueName = ids().slice(0, 8);
      const unfinished = `${root}.restoring-${uniqueName}`;
      mkdirSync(unfinished, { mode: 0o700 });
      try {
        await unpack({ store: storeOf(place), files, signal, report }, read(place, row.name), unfinished);
        signal.throwIfAborted();
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        throw error;
      }
      let aside: string | null = null;
      deps.restart({
        apply: () => {
          aside = takePlace({ root, unfinished, uniqueName });
        },
        // The restored vault could not take the place, or not be opened: the one of before comes back, and what failed
        // is kept beside it.
        undo: () => {
          if (aside) takePlace({ root, unfinished: aside, uniqueName: `failed-${uniqueName}` });
          else rmSync(unfinished, { recursive: true, force: true });
        },
      });
    },
  };
}

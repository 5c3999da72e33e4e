import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type {
  BackupOverview,
  BackupPlan,
  BackupProgress,
  BACKUP_TASKS,
} from '../../../src-shared/contract/vault-backups.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import { openDatabase, type Database } from '../../platform/database/connection.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { withoutSecrets, type Secrets } from '../../platform/secrets/service.ts';
import type { BytesReply } from '../../platform/http/bytes.ts';
import { DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { FOLDERS } from '../../platform/vault/layout.ts';
import { createBackupRepository } from './repository.ts';
import { nextDue } from './schedule.ts';
import { KEYS_ENTRY, snapshotFile, snapshotNames, timeOfName } from './snapshot-list.ts';
import { claimTarget, freeBytesOf, requireTarget, SNAPSHOTS, targetState, type Target } from './target.ts';
import { codeOf, createTasks, type RestartStep } from './tasks.ts';

export type { RestartStep };
/** Backups from the command line, without a running server. */
export { backUpInto, isSnapshotPath, restoreSnapshot } from './command-line.ts';

export interface VaultBackupDeps {
  db: Database;
  audit: Pick<Audit, 'record'>;
  /** Absolute, links resolved. */
  root: string;
  clock: Clock;
  log: Log;
  ids: () => string;
  files: FileWorker;
  secrets: Secrets;
  announce(message: LiveMessage): void;
  /** Stops the core, runs the step while the vault is closed, and restarts. */
  restart(step: RestartStep): void;
}

export type VaultBackups = ReturnType<typeof createVaultBackups>;
type Task = (typeof BACKUP_TASKS)[number];

const STANDARD: Omit<BackupPlan, 'folder'> = {
  every: 'day',
  at: '03:30',
  keep_daily: 7,
  keep_weekly: 5,
  keep_monthly: 12,
  include_secrets: false,
};
/** How often the schedule is checked, which also detects a computer that woke up or a disk that was plugged in. */
const SCHEDULE_CHECK_MS = 60_000;

/** Vault backups: plan, list, and one background task at a time. */
export function createVaultBackups(deps: VaultBackupDeps) {
  const { db, audit, root, clock, log, ids, files, announce } = deps;
  const repository = createBackupRepository(db);
  const tasks = createTasks({ ...deps, repository });
  const now = (): string => toTimestamp(clock.now());
  const stopping = new AbortController();
  let running: { progress: BackupProgress; stop: AbortController; ended: Promise<void> } | null = null;

  const memory = () => repository.recall('backup.plan');
  const target = (): Target | null => memory()?.target ?? null;
  const plan = (): BackupPlan => ({ ...STANDARD, ...memory()?.plan, folder: target()?.folder ?? null });
  function nextAt(): number | null {
    const since = memory()?.since;
    return since === undefined
      ? null
      : nextDue(plan(), Math.max(fromTimestamp(since), fromTimestamp(repository.lastScheduled() ?? since)));
  }

  /** Adds backups of the folder that the database does not know, as after a restore, and completes interrupted rows. */
  function reconcile({ folder }: Target): void {
    const known = repository.names();
    const interrupted = new Map(
      repository
        .list()
        .filter((row) => row.error_code === 'backup.interrupted')
        .map((row) => [row.name, row.id]),
    );
    for (const name of snapshotNames(join(folder, SNAPSHOTS))) {
      if (!known.has(name)) repository.adopt(name, timeOfName(name));
      const id = interrupted.get(name);
      if (id !== undefined) repository.set(id, { status: 'done', error_code: null });
    }
  }

  function overview(): BackupOverview {
    const place = target();
    const state = targetState(place);
    if (state === 'ready' && place && !running) reconcile(place);
    const items = repository.list().map(({ kind: _kind, ...row }) => ({
      ...row,
      present: state === 'ready' && place !== null && existsSync(snapshotFile(join(place.folder, SNAPSHOTS), row.name)),
    }));
    const next = nextAt();
    return {
      plan: plan(),
      target: { state, free_bytes: freeBytesOf(state === 'ready' ? place : null) },
      running: running?.progress ?? null,
      items,
      last_verified_at:
        items.find(
          (item) =>
            item.status === 'done' &&
            item.error_code === null &&
            item.verified_at !== null &&
            (item.present || state !== 'ready'),
        )?.started_at ?? null,
      next_at: next === null ? null : toTimestamp(next),
      last_drill: repository.recall('backup.last_drill'),
      last_error: repository.recall('backup.last_error'),
    };
  }

  /** Starts a task; its outcome is stored and announced. */
  function begin(
    task: Task,
    backupId: number,
    work: (control: {
      signal: AbortSignal;
      report: (phase: BackupProgress['phase'], done: number, total: number) => void;
    }) => Promise<void>,
  ): void {
    const stop = new AbortController();
    const progress: BackupProgress = { task, backup_id: backupId, phase: 'database', done: 0, total: 1 };
    const report = (phase: BackupProgress['phase'], done: number, total: number): void => {
      if (!running) return;
      running.progress = { ...running.progress, phase, done, total };
      announce({ kind: 'backup', progress: running.progress });
    };
    const ended = work({ signal: stop.signal, report })
      .then(
        () => {
          // After a restore this vault runs again only if the restored one could not be opened.
          if (task === 'restore') repository.remember('backup.last_error', 'backup.failed', now());
          else repository.forget('backup.last_error');
        },
        (err: unknown) => {
          if (!stop.signal.aborted) log.error({ err, task }, 'a task with backups did not succeed');
          repository.remember('backup.last_error', stop.signal.aborted ? 'backup.interrupted' : codeOf(err), now());
        },
      )
      .finally(() => {
        running = null;
        announce({ kind: 'backup', progress: null });
      });
    running = { progress, stop, ended };
    announce({ kind: 'backup', progress });
  }

  const requireIdle = (): void => {
    if (running) throw fail('backup.busy');
  };
  function requireBackup(id: number) {
    requireIdle();
    const row = repository.get(id);
    if (!row || row.status === 'running') throw fail('backup.not_found');
    const place = requireTarget(target());
    if (!existsSync(snapshotFile(join(place.folder, SNAPSHOTS), row.name))) throw fail('backup.not_found');
    return { row, place };
  }

  /** Records a scheduled backup with its outcome in the audit log. */
  function note(id: number): void {
    const row = repository.get(id);
    audit.record(
      {
        action: 'backup.create',
        resourceType: 'backup',
        resourceId: id,
        details: { scheduled: true, status: row?.status ?? 'failed', ...(row?.error_code && { code: row.error_code }) },
      },
      SYSTEM_ACTOR,
    );
  }

  function run(scheduled: boolean): void {
    requireIdle();
    const place = requireTarget(target());
    const id = repository.begin(tasks.freeName(place, now()), scheduled, now());
    begin('backup', id, (control) =>
      tasks.write({ id, place, plan: plan(), ...control }).finally(() => {
        if (scheduled) note(id);
      }),
    );
  }

  async function halt(): Promise<void> {
    running?.stop.abort();
    await running?.ended;
  }

  async function watch(): Promise<void> {
    while (await clock.sleep(SCHEDULE_CHECK_MS, stopping.signal)) {
      try {
        const due = nextAt();
        if (due !== null && due <= clock.now() && !running && targetState(target()) === 'ready') run(true);
      } catch (err) {
        log.error({ err }, 'a scheduled backup could not be begun');
      }
    }
  }

  return {
    overview,
    savePlan({ folder, ...wanted }: BackupPlan): BackupOverview {
      requireIdle();
      const before = target();
      // The current folder may be unavailable; the rest of the plan can still change.
      const placeAt = (path: string) => (path === before?.folder ? before : claimTarget(path, root, ids()));
      const place = folder === null ? null : placeAt(folder);
      repository.remember('backup.plan', { plan: wanted, target: place, since: now() }, now());
      return overview();
    },
    run(): BackupOverview {
      run(false);
      return overview();
    },
    async stop(): Promise<BackupOverview> {
      await halt();
      return overview();
    },
    verify(id: number): BackupOverview {
      const { row, place } = requireBackup(id);
      begin('verify', id, (control) => tasks.verify({ row, place, ...control }));
      return overview();
    },
    drill(id: number): BackupOverview {
      const { row, place } = requireBackup(id);
      begin('drill', id, (control) => tasks.drill({ row, place, ...control }));
      return overview();
    },
    restore(id: number): BackupOverview {
      const { row, place } = requireBackup(id);
      begin('restore', id, (control) => tasks.restore({ row, place, ...control }));
      return overview();
    },
    async remove(id: number): Promise<BackupOverview> {
      requireIdle();
      const row = repository.get(id);
      if (!row) throw fail('backup.not_found');
      await tasks.remove(requireTarget(target()), [row]);
      return overview();
    },
    /** A consistent copy of the database in a temporary file, which is deleted after it was sent. */
    async download(secretsToo: boolean, signal: AbortSignal): Promise<BytesReply> {
      const copy = join(root, FOLDERS.tmp, `${ids()}.db`);
      const release = (): void => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
      };
      try {
        await files.copyDatabase(join(root, DATABASE_ENTRY), copy, signal);
        if (!secretsToo) {
          const opened = openDatabase(copy);
          try {
            // Deleted secrets must not remain in free pages of the file.
            opened.sqlite.pragma('secure_delete = ON');
            withoutSecrets(opened);
          } finally {
            opened.close();
          }
        }
      } catch (error) {
        release();
        throw error;
      }
      return {
        kind: 'file',
        path: copy,
        type: 'application/vnd.sqlite3',
        etag: ids(),
        filename: `hearth-${now().slice(0, 10)}.db`,
        disposition: 'attachment',
        release,
      };
    },
    /** Called at startup: marks unfinished tasks as interrupted and starts the schedule. */
    start(): void {
      repository.failRunning('backup.interrupted', now());
      removeDrills(root);
      void watch();
    },
    async close(): Promise<void> {
      stopping.abort();
      await halt();
    },
  };
}

/** Imports the keys of secrets that came with a restored vault; called before any secret is read. */
export function adoptKeys(root: string, secrets: Secrets): void {
  const file = join(root, KEYS_ENTRY);
  if (!existsSync(file)) return;
  secrets.importKeys(readFileSync(file, 'utf8'));
  rmSync(file);
}

/** Removes the folders of restore tests that were killed. */
function removeDrills(root: string): void {
  for (const name of readdirSync(dirname(root)))
    if (name.startsWith(`${basename(root)}.drill-`))
      rmSync(join(dirname(root), name), { recursive: true, force: true });
}

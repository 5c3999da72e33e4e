import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BackupOverview, BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import { openDatabase } from '../../platform/database/connection.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { keyIdOf } from '../../platform/kernel/process-keys.ts';
import { withoutSecrets, type Secrets } from '../../platform/secrets/service.ts';
import type { BytesReply } from '../../platform/http/bytes.ts';
import { DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import { FOLDERS } from '../../platform/vault/layout.ts';
import { readVaultFile } from '../../platform/vault/vault-files.ts';
import { listFolders, makeFolder } from './folders.ts';
import { nextBackupAt, overviewOf, planOf, targetOf } from './overview.ts';
import { createBackupRepository, type BackupRow } from './repository.ts';
import { TaskRunner, type RunnerDeps } from './running-task.ts';
import { KEYS_ENTRY, snapshotFile } from './snapshot-list.ts';
import { claimTarget, requireTarget, SNAPSHOTS, targetState, type Target } from './target.ts';
import {
  drillBackup,
  freeName,
  removeBackups,
  restoreAndRestart,
  verifyBackup,
  writeBackup,
  type RestartStep,
  type TaskDeps,
} from './tasks.ts';

export type { RestartStep };
/** Backups from the command line, without a running server. */
export { backUpInto, countPlainBackups, isSnapshotPath, restoreSnapshot } from './command-line.ts';

export interface VaultBackupDeps extends Omit<TaskDeps, 'repository'>, Omit<RunnerDeps, 'repository'> {
  audit: Pick<Audit, 'record'>;
}

interface Deps extends VaultBackupDeps, TaskDeps {
  runner: TaskRunner;
}

export type VaultBackups = ReturnType<typeof createVaultBackups>;

/** How often the schedule is checked, which also detects a computer that woke up or a disk that was plugged in. */
const SCHEDULE_CHECK_MS = 60_000;

/** Vault backups: plan, list, and one background task at a time. */
export function createVaultBackups(dependencies: VaultBackupDeps) {
  const repository = createBackupRepository(dependencies.db);
  const runner = new TaskRunner({ ...dependencies, repository });
  const deps: Deps = { ...dependencies, repository, runner };
  const stopping = new AbortController();
  return {
    overview: () => currentOverview(deps),
    folders: listFolders,
    makeFolder: (path: string) => makeFolder(path, deps.root),
    savePlan: (plan: BackupPlan) => savePlan(deps, plan),
    run: () => runNow(deps),
    isRunning: () => runner.progress !== null,
    stop: () => stopTask(deps),
    verify: (id: number) => beginTask(deps, 'verify', id),
    drill: (id: number) => beginTask(deps, 'drill', id),
    restore: (id: number) => beginTask(deps, 'restore', id),
    remove: (id: number) => removeBackup(deps, id),
    download: (withSecrets: boolean, signal: AbortSignal) => downloadDatabase(deps, withSecrets, signal),
    /** Called at startup: marks unfinished tasks as interrupted and starts the schedule. */
    start(): void {
      repository.failRunning('backup.interrupted', now(deps));
      removeDrills(deps.root);
      void watchSchedule(deps, stopping.signal);
    },
    async close(): Promise<void> {
      stopping.abort();
      await runner.halt();
    },
  };
}

const now = ({ clock }: Deps): string => toTimestamp(clock.now());
const currentOverview = ({ repository, runner, root }: Deps): BackupOverview => ({
  ...overviewOf(repository, runner.progress),
  is_encrypted: keyIdOf(root) !== null,
});

function savePlan(deps: Deps, { folder, ...plan }: BackupPlan): BackupOverview {
  const { repository, runner, root, ids } = deps;
  runner.requireIdle();
  const before = targetOf(repository);
  // The current folder may be unavailable; the rest of the plan can still change.
  const targetAt = (path: string) => (path === before?.folder ? before : claimTarget(path, root, ids()));
  const target = folder === null ? null : targetAt(folder);
  repository.remember('backup.plan', { plan, target, since: now(deps) }, now(deps));
  return currentOverview(deps);
}

function beginBackup(deps: Deps, scheduled: boolean): void {
  const { repository, runner } = deps;
  runner.requireIdle();
  const place = requireTarget(targetOf(repository));
  const id = repository.begin(freeName(deps, place, now(deps)), scheduled, now(deps));
  runner.begin('backup', id, (control) =>
    writeBackup(deps, { id, place, plan: planOf(repository), ...control }).finally(() => {
      if (scheduled) recordScheduled(deps, id);
    }),
  );
}

function runNow(deps: Deps): BackupOverview {
  beginBackup(deps, false);
  return currentOverview(deps);
}

async function stopTask(deps: Deps): Promise<BackupOverview> {
  await deps.runner.halt();
  return currentOverview(deps);
}

const TASKS = { verify: verifyBackup, drill: drillBackup, restore: restoreAndRestart };

/** Starts a task on an existing backup. */
function beginTask(deps: Deps, task: keyof typeof TASKS, id: number): BackupOverview {
  const { row, place } = requireBackup(deps, id);
  deps.runner.begin(task, id, (control) => TASKS[task](deps, { row, place, ...control }));
  return currentOverview(deps);
}

async function removeBackup(deps: Deps, id: number): Promise<BackupOverview> {
  deps.runner.requireIdle();
  const row = deps.repository.get(id);
  if (!row) throw fail('backup.not_found');
  await removeBackups(deps, requireTarget(targetOf(deps.repository)), [row]);
  return currentOverview(deps);
}

function requireBackup({ repository, runner }: Deps, id: number): { row: BackupRow; place: Target } {
  runner.requireIdle();
  const row = repository.get(id);
  if (!row || row.status === 'running') throw fail('backup.not_found');
  const place = requireTarget(targetOf(repository));
  if (!existsSync(snapshotFile(join(place.folder, SNAPSHOTS), row.name))) throw fail('backup.not_found');
  return { row, place };
}

/** Records a scheduled backup with its outcome in the audit log. */
function recordScheduled({ repository, audit }: Deps, id: number): void {
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

/** Starts each backup when it is due and its folder is available. */
async function watchSchedule(deps: Deps, stopping: AbortSignal): Promise<void> {
  const { repository, runner, clock, log } = deps;
  while (await clock.sleep(SCHEDULE_CHECK_MS, stopping)) {
    try {
      const due = nextBackupAt(repository);
      const isDue = due !== null && due <= clock.now();
      if (isDue && !runner.progress && targetState(targetOf(repository)) === 'ready') beginBackup(deps, true);
    } catch (err) {
      log.error({ err }, 'a scheduled backup could not start');
    }
  }
}

/** A consistent copy of the database in a temporary file, which is deleted after it was sent. */
async function downloadDatabase(deps: Deps, withSecrets: boolean, signal: AbortSignal): Promise<BytesReply> {
  const { root, ids, files } = deps;
  // It would have the key of the vault, which other programs can't use, or be readable on the disk.
  if (keyIdOf(root) !== null) throw fail('backup.download_encrypted');
  const copy = join(root, FOLDERS.tmp, `${ids()}.db`);
  const release = (): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  };
  try {
    await files.copyDatabase(join(root, DATABASE_ENTRY), copy, signal);
    if (!withSecrets) eraseSecrets(copy);
  } catch (error) {
    release();
    throw error;
  }
  return {
    kind: 'file',
    path: copy,
    type: 'application/vnd.sqlite3',
    etag: ids(),
    filename: `hearth-${now(deps).slice(0, 10)}.db`,
    disposition: 'attachment',
    release,
  };
}

function eraseSecrets(file: string): void {
  const db = openDatabase(file);
  try {
    // Deleted secrets must not remain in free pages of the file.
    db.sqlite.pragma('secure_delete = ON');
    withoutSecrets(db);
  } finally {
    db.close();
  }
}

/** Imports the keys that were restored together with a vault; called before any secret is read. */
export function adoptKeys(root: string, secrets: Secrets): void {
  const file = join(root, KEYS_ENTRY);
  if (!existsSync(file)) return;
  secrets.importKeys(readVaultFile(file).toString());
  rmSync(file);
}

/** Removes the folders of restore tests that were interrupted. */
function removeDrills(root: string): void {
  for (const name of readdirSync(dirname(root)))
    if (name.startsWith(`${basename(root)}.drill-`))
      rmSync(join(dirname(root), name), { recursive: true, force: true });
}

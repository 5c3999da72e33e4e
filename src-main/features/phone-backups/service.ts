import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ArtifactIndex } from '../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { readOrMakePrivate } from '../../platform/config/private-file.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { BackupCatalog } from './catalog.ts';
import { defaultBackupFolder } from './default-folder.ts';
import { createIndexJobs, type IndexJobs, type IndexRequest } from './index-jobs.ts';
import { createInfoReader } from './info-reader.ts';
import { OpenBackupQueries } from './open-backup-queries.ts';
import { createPhoneBackupRepository, type PhoneBackupRepository } from './repository.ts';
import { createSandbox } from './sandbox.ts';
import { createSessions, TTL_SECONDS, type Sessions } from './sessions.ts';
import { summaryOf } from './summaries.ts';

export type { BackupFolder } from './catalog.ts';

export interface PhoneBackupDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** The vault. */
  root: string;
  basePath: string;
  tempPath: string;
  apiToken: string;
  /** Estimates how much a small image looks like a printed page, 0 to 1. */
  documentLikelihood(data: Uint8Array): Promise<number | null>;
}

export type PhoneBackups = ReturnType<typeof createPhoneBackups>;

interface Context {
  catalog: BackupCatalog;
  repository: PhoneBackupRepository;
  sessions: Sessions;
  jobs: IndexJobs;
  baseDirectory: string;
  now: () => string;
}

/** Finds, unlocks, browses and indexes phone backups. Hearth never writes to a backup. */
export function createPhoneBackups(deps: PhoneBackupDeps) {
  const { clock, root } = deps;
  const now = (): string => toTimestamp(clock.now());
  const baseDirectory = deps.basePath === '' ? defaultBackupFolder() : deps.basePath;
  const repository = createPhoneBackupRepository(deps.db);
  const infoReader = createInfoReader(clock);
  const catalog = new BackupCatalog(repository, infoReader, baseDirectory, now);
  const sandbox = createSandbox(deps.tempPath, clock);
  const sessions = createSessions({ clock, sandbox });
  const jobs = createJobs(deps, repository, now);
  const queries = new OpenBackupQueries({
    sessions,
    jobs,
    repository,
    documentLikelihood: deps.documentLikelihood,
  });
  const context: Context = { catalog, repository, sessions, jobs, baseDirectory, now };
  return {
    apiToken: apiTokenOf(deps.apiToken, root),
    baseDirectory,
    queries,
    folders: () => catalog.folders(),
    foldersIn: (folder: string) => BackupCatalog.foldersIn(folder),
    ...catalogActions(context),
    ...sessionActions(context),
    ...indexActions(context),
    ...documentActions(context),
    async close() {
      await jobs.close();
      await sessions.close();
      await infoReader.close();
      sandbox.close();
    },
  };
}

const apiTokenOf = (configured: string, root: string): string =>
  configured === ''
    ? readOrMakePrivate(join(root, 'api-token.key'), () => randomBytes(32).toString('base64url')).trim()
    : configured;

function createJobs({ root, clock, log }: PhoneBackupDeps, repository: PhoneBackupRepository, now: () => string) {
  const jobs = createIndexJobs({
    folder: join(root, 'cache', 'phone'),
    clock,
    log,
    onEnd: (id, outcome) => {
      if (outcome === 'cancelled') return;
      const isDone = outcome === 'done';
      repository.set(id, { index_failed: !isDone, ...(isDone && { last_indexed_at: now() }) });
    },
  });
  jobs.removeAllBut(repository.list().map(({ id }) => id));
  return jobs;
}

function catalogActions({ catalog, repository, sessions, jobs, baseDirectory }: Context) {
  const discovered = () => ({
    backups: repository.list().map((row) => summaryOf(row, { jobs, sessions })),
    base_directory: baseDirectory,
    folder_state: catalog.folderState,
  });
  return {
    async list() {
      await catalog.scanOnce();
      if (repository.list().length > 0) sessions.prepare();
      return discovered();
    },
    async refresh() {
      await catalog.scan();
      return discovered();
    },
    async forget(id: string): Promise<void> {
      catalog.requireBackup(id);
      await sessions.lockAll(id);
      await jobs.remove(id);
      repository.remove(id);
    },
  };
}

const sessionActions = ({ catalog, repository, sessions, now }: Context) => ({
  async unlock(id: string, password: string, signal?: AbortSignal) {
    const row = catalog.requireBackup(id);
    if (row.is_missing) throw fail('phone.not_found');
    const session_token = await sessions.unlock(row, password, signal);
    repository.set(id, { decrypted_at: now() });
    return { session_token, ttl_seconds: TTL_SECONDS };
  },
  async lock(id: string, session: string | null) {
    if (session !== null) catalog.requireBackup(id);
    await sessions.lock(session, id);
    return { status: 'LOCKED' as const };
  },
  lockAll: () => sessions.lockAll(),
});

const indexActions = ({ catalog, repository, sessions, jobs }: Context) => ({
  index(id: string, session: string | null, request: IndexRequest) {
    const thread = sessions.use(session, id);
    return jobs.start(id, thread, request, (work) => sessions.keepOpen(thread, work));
  },
  indexState: (id: string) => jobs.state(catalog.requireBackup(id).id),
  indexCancel: (id: string) => jobs.cancel(catalog.requireBackup(id).id),
  async indexRemove(id: string): Promise<void> {
    await jobs.remove(catalog.requireBackup(id).id);
    repository.set(id, { last_indexed_at: null, index_failed: false });
  },
  /** The index of a backup, which serves the endpoints of `ARTIFACT_TABLE`. */
  artifactIndex: (id: string): ArtifactIndex => ({
    reader: jobs.reader(catalog.requireBackup(id).id),
    notFound: () => {
      throw fail('phone.row_not_found');
    },
  }),
});

const documentActions = ({ catalog, repository, now }: Context) => ({
  /** The device and time of a backup, stored as the origin of an imported file. */
  describe(id: string): { device: string; backedUpAt: string | null } {
    const row = catalog.requireBackup(id);
    return { device: row.device_name ?? row.product_name ?? id, backedUpAt: row.last_backup_at };
  },
  /** Records which document a file became, also for a backup that only the page has read. */
  remember: (id: string, fileId: string, documentId: number): void =>
    repository.remember(id, fileId, documentId, now()),
  sentDocuments: repository.sentDocuments,
});

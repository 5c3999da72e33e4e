import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import type { RangedReply } from '../../platform/http/bytes.ts';
import type { BackupSummary, ManifestEntry } from '../../../src-shared/contract/phone-backups/service.ts';
import { createImageClassifier } from '../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import { suggest } from '../../../src-shared/ios-backup/artifacts/suggestions.ts';
import { maskIdentifier, type BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import { readOrMakePrivate } from '../../platform/config/private-file.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { ArtifactIndex } from '../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { contentTypeOf, HEAD } from './content-type.ts';
import { defaultBackupFolder } from './default-folder.ts';
import { nodeBackupFiles } from './adapters/files.ts';
import { backupsIn, discover, type Found, type FolderState } from './discover.ts';
import { createIndexJobs } from './index-jobs.ts';
import type { OpenThread } from './open-thread.ts';
import { createPhoneBackupRepository, type PhoneBackupRow } from './repository.ts';
import { createSandbox } from './sandbox.ts';
import type { ThreadCalls } from './thread-requests.ts';
import { createSessions, TTL_SECONDS } from './sessions.ts';
import { rowsWithFiles } from '../../../src-shared/ios-backup/artifacts/index-store/rows-with-files.ts';
import { smallFileReader } from './suggestions.ts';
import { createLimiter } from './concurrency-limit.ts';

export interface PhoneBackupDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** The vault. */
  root: string;
  basePath: string;
  tempPath: string;
  apiToken: string;
  /** How much a small picture looks like a page of print, 0 to 1. */
  documentLikelihood(data: Uint8Array): Promise<number | null>;
}

/** The folder of a backup, for a reader that is not this service. */
export interface BackupFolder {
  id: string;
  /** Absolute; for this computer's programs only. */
  path: string;
  /** Reads it, and nothing beside it. */
  files: BackupFiles;
}

export type PhoneBackups = ReturnType<typeof createPhoneBackups>;

/** Files that are decrypted into the sandbox at the same time: each has pieces of some megabytes on their way. */
const EXTRACTIONS = 4;
const KINDS = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;

/** Phone backups: found, opened, browsed and indexed; never written to. */
export function createPhoneBackups({
  db,
  clock,
  log,
  root,
  basePath,
  tempPath,
  apiToken,
  documentLikelihood,
}: PhoneBackupDeps) {
  const base = basePath === '' ? defaultBackupFolder() : basePath;
  const token =
    apiToken === ''
      ? readOrMakePrivate(join(root, 'api-token.key'), () => randomBytes(32).toString('base64url')).trim()
      : apiToken;
  const repository = createPhoneBackupRepository(db);
  const sandbox = createSandbox(tempPath, clock);
  const extraction = createLimiter(EXTRACTIONS);
  const classify = createImageClassifier(documentLikelihood);
  const now = (): string => toTimestamp(clock.now());
  const sessions = createSessions({ clock, sandbox, changed: () => undefined });
  const jobs = createIndexJobs({
    folder: join(root, 'cache', 'phone'),
    clock,
    log,
    ended: (id, outcome) => {
      if (outcome !== 'cancelled')
        repository.set(id, {
          index_failed: outcome === 'failed',
          ...(outcome === 'done' && { last_indexed_at: now() }),
        });
    },
  });
  jobs.removeAllBut(repository.list().map(({ id }) => id));

  const mustGet = (id: string): PhoneBackupRow => {
    const row = repository.get(id);
    if (!row) throw fail('phone.not_found');
    return row;
  };

  function statusOf(row: PhoneBackupRow): BackupSummary['status'] {
    if (row.is_missing) return 'MISSING';
    if (jobs.isRunning(row.id)) return 'INDEXING';
    if (row.index_failed) return 'FAILED';
    if (row.last_indexed_at !== null) return 'INDEXED';
    if (sessions.isOpen(row.id)) return 'UNLOCKED';
    return row.is_encrypted ? 'LOCKED' : 'DISCOVERED';
  }

  function summaryOf(row: PhoneBackupRow): BackupSummary {
    const { artifacts } = jobs.state(row.id);
    const running = artifacts.find((line) => line.status === 'running');
    return {
      id: row.id,
      ios_identifier: row.id,
      display_name: row.display_name ?? row.device_name ?? row.id,
      device_name: row.device_name,
      product_version: row.product_version,
      product_type: row.product_type,
      product_name: row.product_name,
      serial_number: maskIdentifier(row.serial_number),
      phone_number: maskIdentifier(row.phone_number),
      is_encrypted: row.is_encrypted,
      is_full_backup: row.is_full_backup,
      status: statusOf(row),
      decryption_status: sessions.isOpening(row.id) ? 'DECRYPTING' : sessions.isOpen(row.id) ? 'DECRYPTED' : 'PENDING',
      size_bytes: row.size_bytes,
      last_backup_at: row.last_backup_at,
      last_modified_at: row.last_modified_at,
      last_indexed_at: row.last_indexed_at,
      decrypted_at: row.decrypted_at,
      indexing_progress: artifacts.reduce((sum, line) => sum + line.rows, 0),
      indexing_total: artifacts.reduce((sum, line) => sum + Math.max(line.total ?? 0, line.rows), 0),
      indexing_artifact: running?.artifact ?? null,
      problems: row.problems as BackupSummary['problems'],
    };
  }

  const rowOf = ({ id, folder, info, problems, sizeBytes, modifiedAt }: Found) => ({
    id,
    folder,
    display_name: info?.displayName ?? null,
    device_name: info?.deviceName ?? null,
    product_version: info?.productVersion ?? null,
    product_type: info?.productType ?? null,
    product_name: info?.productName ?? null,
    serial_number: info?.serialNumber ?? null,
    phone_number: info?.phoneNumber ?? null,
    is_encrypted: info?.encrypted ?? false,
    is_full_backup: info?.isFullBackup ?? null,
    size_bytes: sizeBytes,
    problems,
    last_backup_at: info?.lastBackupAt ? toTimestamp(info.lastBackupAt.getTime()) : null,
    last_modified_at: modifiedAt > 0 ? toTimestamp(modifiedAt) : null,
    found_at: now(),
  });

  let folderState: FolderState | null = null;
  let scanning: Promise<void> | null = null;
  /** Two at once are one. */
  const scan = (): Promise<void> => {
    scanning ??= (async () => {
      const { state, found } = await discover(base);
      folderState = state;
      repository.replaceFound(found.map(rowOf));
    })().finally(() => {
      scanning = null;
    });
    return scanning;
  };
  const discovered = () => ({
    backups: repository.list().map(summaryOf),
    base_directory: base,
    folder_state: folderState ?? 'readable',
  });

  /** An entry of an open backup as bytes that are decrypted as they are asked for. */
  async function contentOf(
    thread: OpenThread,
    fileId: string,
  ): Promise<RangedReply & { entry: Awaited<ReturnType<typeof look>> }> {
    const entry = await look(thread, fileId);
    const head = await thread.call('range', { fileId, start: 0, end: Math.min(HEAD, entry.contentSize) });
    return {
      kind: 'ranged',
      type: await contentTypeOf(head),
      size: entry.contentSize,
      filename: entry.relativePath.split('/').at(-1) || fileId,
      entry,
      read: (start, end) => thread.call('range', { fileId, start, end }),
      whole: (signal) =>
        extraction(async () => {
          if (signal.aborted) throw fail('request.aborted');
          const folder = sandbox.make('file');
          const release = (): Promise<void> => sandbox.remove(folder);
          try {
            const path = join(folder, 'content');
            await thread.call('extract', { fileId, path }, { signal });
            return { path, release };
          } catch (error) {
            await release();
            throw error;
          }
        }),
    };
  }
  const look = (thread: OpenThread, fileId: string) => thread.call('entry', { fileId });

  const scanWhereEmpty = async (): Promise<void> => {
    if (folderState === null && repository.list().length === 0) await scan();
  };

  return {
    apiToken: token,
    baseDirectory: base,
    /** Where the backups that are known stand. */
    async folders(): Promise<BackupFolder[]> {
      await scanWhereEmpty();
      return repository
        .list()
        .filter(({ is_missing: isMissing }) => !isMissing)
        .map(({ id, folder: path }) => ({ id, path, files: nodeBackupFiles(path) }));
    },
    /** Those in another folder, which a person chose; the service does not learn them. */
    async foldersIn(folder: string): Promise<BackupFolder[]> {
      return (await backupsIn(folder)).map((path) => ({ id: basename(path), path, files: nodeBackupFiles(path) }));
    },
    async list() {
      await scanWhereEmpty();
      if (repository.list().length > 0) sessions.prepare();
      return discovered();
    },
    async refresh() {
      await scan();
      return discovered();
    },
    async forget(id: string): Promise<void> {
      mustGet(id);
      await sessions.lockAll(id);
      await jobs.remove(id);
      repository.remove(id);
    },
    async unlock(id: string, password: string, signal?: AbortSignal) {
      const row = mustGet(id);
      if (row.is_missing) throw fail('phone.not_found');
      const session_token = await sessions.unlock(row, password, signal);
      repository.set(id, { decrypted_at: now() });
      return { session_token, ttl_seconds: TTL_SECONDS };
    },
    async lock(id: string, session: string | null) {
      if (session !== null) mustGet(id);
      await sessions.lock(session, id);
      return { status: 'LOCKED' as const };
    },
    lockAll: () => sessions.lockAll(),
    async files(
      id: string,
      session: string | null,
      {
        domain,
        path_like,
        limit,
        offset,
      }: { domain?: string | undefined; path_like?: string | undefined; limit: number; offset: number },
    ) {
      const { items, total } = await sessions.use(session, id).call('entries', {
        limit,
        offset,
        ...(domain !== undefined && { domain }),
        ...(path_like !== undefined && { pathLike: path_like }),
      });
      return { items: items.map(toEntry), total, limit, offset };
    },
    async domains(id: string, session: string | null) {
      const counts = await sessions.use(session, id).call('domains', undefined);
      return { domains: counts.map(({ domain }) => domain), counts };
    },
    file: (id: string, fileId: string, session: string | null) => contentOf(sessions.use(session, id), fileId),
    async suggestions(id: string, session: string | null, { limit, offset }: { limit: number; offset: number }) {
      const thread = sessions.use(session, id);
      // Only who asks for the beginning makes it look further: what stands on later pages stays where it was.
      const all = await suggest({
        rows: rowsWithFiles(jobs.reader(id)),
        entries: (query) => thread.call('entries', query),
        sent: repository.sent(id),
        classify: (pictures) => classify(id, smallFileReader(thread), offset === 0 ? pictures : []),
      });
      return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
    },
    integrity: (id: string, session: string | null, act: 'start' | 'state' | 'cancel') =>
      sessions.use(session, id).call('integrity', { act }),
    integrityFindings: (id: string, session: string | null, wanted: ThreadCalls['integrityFindings']['ask']) =>
      sessions.use(session, id).call('integrityFindings', wanted),
    contactPicture: async (id: string, session: string | null, identifier: string) => ({
      picture: await sessions.use(session, id).call('contactPicture', { identifier }),
    }),
    index(id: string, session: string | null, wanted: Parameters<typeof jobs.start>[2]) {
      const thread = sessions.use(session, id);
      return jobs.start(id, thread, wanted, (work) => sessions.during(thread, work));
    },
    indexState: (id: string) => jobs.state(mustGet(id).id),
    indexCancel: (id: string) => jobs.cancel(mustGet(id).id),
    async indexRemove(id: string): Promise<void> {
      await jobs.remove(mustGet(id).id);
      repository.set(id, { last_indexed_at: null, index_failed: false });
    },
    artifactIndex: (id: string): ArtifactIndex => ({
      reader: jobs.reader(mustGet(id).id),
      notFound: () => {
        throw fail('phone.row_not_found');
      },
    }),
    /** Of a device and a day: where a file came from, as a person reads it. */
    describe(id: string): { device: string; backedUpAt: string | null } {
      const row = mustGet(id);
      return { device: row.device_name ?? row.product_name ?? id, backedUpAt: row.last_backup_at };
    },
    /** A file of a backup, also of one that only a page reads, is this document. */
    remember: (id: string, fileId: string, documentId: number): void =>
      repository.remember(id, fileId, documentId, now()),
    sentDocuments: repository.sentDocuments,
    async close() {
      await jobs.close();
      await sessions.close();
      sandbox.close();
    },
  };
}

function toEntry({
  fileId,
  domain,
  relativePath,
  size,
  modifiedAt,
  kind,
  flags,
  protectionClass,
}: {
  fileId: string;
  domain: string;
  relativePath: string;
  size: number | null;
  modifiedAt: number | null;
  kind: keyof typeof KINDS;
  flags: number;
  protectionClass: number | null;
}): ManifestEntry {
  const ms = modifiedAt === null ? Number.NaN : modifiedAt * 1000;
  return {
    file_id: fileId,
    domain,
    relative_path: relativePath,
    size: size ?? 0,
    mtime: ms > 0 && ms < 8e15 ? toTimestamp(ms) : null,
    kind: KINDS[kind],
    flags,
    protection_class: protectionClass,
  };
}

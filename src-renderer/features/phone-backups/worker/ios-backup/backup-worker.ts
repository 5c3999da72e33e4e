import { artifactSource } from '../../../../../src-shared/ios-backup/artifacts/backup-source.ts';
import { listArtifact } from '../../../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { toMeasurements, type Measurement } from '../../../../../src-shared/ios-backup/artifacts/measurements.ts';
import { READERS } from '../../../../../src-shared/ios-backup/artifacts/readers.ts';
import {
  BackupError,
  cachedSource,
  maskIdentifier,
  openBackup,
  webCrypto,
  type Backup,
  type BackupFiles,
  type BackupInfo,
} from '../../../../../src-shared/ios-backup/index.ts';
import { ArtifactStore } from './artifact-store.ts';
import { documentLikelihood } from './document-likelihood.ts';
import { findBackups, folderOfFiles, folderOfHandle } from './folders.ts';
import { createHandlers, indexOf, type Handlers, type OpenBackup } from './handlers.ts';
import type {
  DiscoveredBackup,
  ErrorMessage,
  FileInfo,
  FromWorker,
  HealthSelection,
  SearchLocation,
  QueryName,
  QueryRequest,
  RemoteFile,
  TableView,
  WorkerApi,
  WorkerCall,
} from './protocol.ts';
import { remoteSource } from './remote-source.ts';
import { shellFiles } from './shell-files.ts';
import { openMemoryDatabase } from './sqlite/memory-database.ts';
import { createSqliteReader } from './sqlite/reader.ts';
import { createSuggestions } from './suggestions.ts';
import { viewTable } from './table-view.ts';

interface UnlockedState extends OpenBackup {
  files: BackupFiles;
  handlers: Handlers;
}
/** The newest samples of one type that are converted to measurements. */
const MAX_SAMPLES = 1_000_000;
/** Names of the browser's errors for a folder that may not be read or no longer exists. */
const UNREADABLE_ERRORS = ['NotAllowedError', 'NotFoundError', 'NotReadableError', 'SecurityError'];

/** Converts an error to the message that is sent to the page. */
export function toErrorMessage(cause: unknown): ErrorMessage {
  if (cause instanceof BackupError) return { code: cause.code, params: cause.params };
  const isUnreadable = cause instanceof Error && UNREADABLE_ERRORS.includes(cause.name);
  return { code: isUnreadable ? 'unreadable' : 'fault', params: {} };
}

/** Implements `WorkerApi`. At most one backup is open. */
export class BackupWorker {
  readonly #send: (message: FromWorker) => void;
  readonly #discovered = new Map<string, { backup: Backup; files: BackupFiles }>();
  #sqlite: ReturnType<typeof createSqliteReader> | null = null;
  #open: UnlockedState | null = null;
  readonly #runningQueries = new Map<number, AbortController>();

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  async handle({ id, call, args }: WorkerCall): Promise<unknown> {
    if (call !== 'query') return (this[call] as (...values: unknown[]) => unknown)(...args);
    const controller = new AbortController();
    this.#runningQueries.set(id, controller);
    try {
      return await this.query(...args, controller.signal);
    } finally {
      this.#runningQueries.delete(id);
    }
  }

  /** Cancels a query; a search stops at its next rows. */
  cancel(id: number): void {
    this.#runningQueries.get(id)?.abort();
  }

  async discover(location: SearchLocation): Promise<DiscoveredBackup[]> {
    const folders =
      location.kind === 'shell'
        ? location.folders.map(({ name, port }) => ({ id: name, files: this.#shellFiles(port) }))
        : await findBackups(
            location.kind === 'handle' ? folderOfHandle(location.handle) : folderOfFiles(location.files),
          );
    return Promise.all(folders.map(({ id, files }) => this.#describe(id, files)));
  }

  /** Locks the backup when the shell closes the port of its folder, whether or not the page learns of it. */
  #shellFiles(port: MessagePort): BackupFiles {
    const files = shellFiles(port, () => {
      if (this.#open?.files === files) void this.#close();
    });
    return files;
  }

  async #describe(id: string, files: BackupFiles): Promise<DiscoveredBackup> {
    try {
      const backup = await openBackup({
        files,
        crypto: webCrypto,
        sqlite: { open: async (...sources) => (await this.#sqliteReader()).open(...sources) },
      });
      this.#discovered.set(id, { backup, files });
      return describeBackup(id, backup.info);
    } catch (cause) {
      const failure = cause instanceof BackupError ? cause.code : 'damaged_manifest';
      return { ...UNREADABLE_BACKUP, id, failure };
    }
  }

  async unlock(id: string, password: string): Promise<ReturnType<WorkerApi['unlock']>> {
    const discovered = this.#discovered.get(id);
    if (!discovered) throw new BackupError('not_a_backup');
    await this.#close();
    this.#send({ progress: { step: 'keys', rows: 0 } });
    const backup = await discovered.backup.unlock(password, {
      onRows: (rows) => this.#send({ progress: { step: 'manifest', rows } }),
    });
    const source = artifactSource(backup, discovered.files);
    const store = new ArtifactStore(source, Object.values(READERS), openMemoryDatabase);
    const open = { backup, source, store, suggestions: createSuggestions(backup, store, documentLikelihood) };
    this.#open = { ...open, files: discovered.files, handlers: createHandlers(open) };
    return { entries: backup.entryCount };
  }

  async query(name: QueryName, request: QueryRequest<QueryName>, signal?: AbortSignal): Promise<unknown> {
    const handler = this.#unlocked().handlers[name] as (
      request: QueryRequest<QueryName>,
      signal?: AbortSignal,
    ) => unknown;
    return handler(request, signal);
  }

  async measurements({ types, sources, daily }: HealthSelection): Promise<Measurement[]> {
    const index = indexOf(await this.#unlocked().store.reader('health'));
    const samples = types.flatMap(
      (type) => listArtifact(index, 'health', { type, limit: MAX_SAMPLES, offset: 0 }).items,
    );
    const byType = Map.groupBy(
      samples.filter(({ source }) => sources === undefined || sources.includes(source ?? '')),
      ({ type }) => type,
    );
    return [...byType].flatMap(([type, rows]) => toMeasurements(type, rows, daily ? 'daily' : 'each'));
  }

  async fileInfo(fileId: string): Promise<FileInfo> {
    const { backup } = this.#unlocked();
    const { relativePath, domain, modifiedAt } = await backup.entry(fileId);
    const { size } = await backup.content(fileId);
    return { size, relativePath, domain, modifiedAt, filename: relativePath.split('/').at(-1) ?? fileId };
  }

  async bytes(fileId: string, start: number, end: number): Promise<Uint8Array> {
    const content = await this.#unlocked().backup.content(fileId);
    return content.read(Math.min(start, content.size), Math.min(end, content.size));
  }

  async tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    const { backup } = this.#unlocked();
    const { domain, relativePath } = await backup.entry(fileId);
    const database = await backup.openDatabase(domain, relativePath);
    try {
      return await viewTable(database, table, offset);
    } finally {
      await database.close();
    }
  }

  async remoteTables(file: RemoteFile, table: string | null, offset: number): Promise<TableView> {
    const source = cachedSource(remoteSource(file));
    const database = await (await this.#sqliteReader()).open(source);
    try {
      return await viewTable(database, table, offset);
    } finally {
      await database.close();
      source.wipe();
    }
  }

  async lock(): Promise<null> {
    await this.#close();
    return null;
  }

  /** Overwrites or releases keys, rows and all database pages. */
  async #close(): Promise<void> {
    const open = this.#open;
    const sqlite = this.#sqlite;
    this.#open = null;
    if (!open) return;
    this.#sqlite = null;
    await open.store.wipe();
    await open.backup.lock();
    await (await sqlite)?.wipe();
  }

  #unlocked(): UnlockedState {
    if (!this.#open) throw new BackupError('locked');
    return this.#open;
  }

  #sqliteReader(): ReturnType<typeof createSqliteReader> {
    this.#sqlite ??= createSqliteReader();
    return this.#sqlite;
  }
}

function describeBackup(id: string, info: BackupInfo): DiscoveredBackup {
  const problems = [
    ...info.problems,
    ...(info.manifest === 'mbdb' ? ['old_format'] : []),
    ...(info.isFullBackup === false ? ['not_full'] : []),
  ];
  return {
    id,
    serialNumber: maskIdentifier(info.serialNumber),
    phoneNumber: maskIdentifier(info.phoneNumber),
    deviceName: info.deviceName,
    productVersion: info.productVersion,
    productType: info.productType,
    productName: info.productName,
    isEncrypted: info.encrypted,
    isFullBackup: info.isFullBackup,
    lastBackupAt: info.lastBackupAt && info.lastBackupAt.toISOString().slice(0, 19),
    problems,
    failure: null,
  };
}

const UNREADABLE_BACKUP: Omit<DiscoveredBackup, 'id' | 'failure'> = {
  serialNumber: null,
  phoneNumber: null,
  deviceName: null,
  productVersion: null,
  productType: null,
  productName: null,
  isEncrypted: false,
  isFullBackup: null,
  lastBackupAt: null,
  problems: [],
};

import { artifactSource } from '../../../../../src-shared/ios-backup/artifacts/backup-source.ts';
import { READERS } from '../../../../../src-shared/ios-backup/artifacts/readers.ts';
import {
  BackupError,
  cachedSource,
  masked,
  openBackup,
  webCrypto,
  type Backup,
  type BackupFiles,
  type UnlockedBackup,
} from '../../../../../src-shared/ios-backup/index.ts';
import { measurementsOf, type Measured } from '../../../../../src-shared/ios-backup/artifacts/measurements.ts';
import { createAnswers } from './handlers.ts';
import { ArtifactStore } from './artifact-store.ts';
import { findBackups, folderOfFiles, folderOfHandle } from './folders.ts';
import type {
  Asked,
  Call,
  Calls,
  FileFacts,
  Found,
  HealthWanted,
  Place,
  Question,
  RemoteFile,
  Reported,
  TableView,
  WireError,
} from './protocol.ts';
import { remoteSource } from './remote-source.ts';
import { shellFiles } from './shell-files.ts';
import { paperShare } from './document-likelihood.ts';
import { createSuggestions } from './suggestions.ts';
import { artifactLists } from '../../../../../src-shared/ios-backup/artifacts/index-store/lists.ts';
import { openMemoryDatabase } from './sqlite/memory-database.ts';
import { createSqliteReader } from './sqlite/reader.ts';
import { viewTable } from './table-view.ts';

interface Open {
  files: BackupFiles;
  backup: UnlockedBackup;
  store: ArtifactStore;
  answers: ReturnType<typeof createAnswers>;
}
/** Samples of one type that are looked at; the newest. */
const MOST_SAMPLES = 1_000_000;
/** What the browser calls it when a folder may not be read, or is no longer there. */
const UNREADABLE = ['NotAllowedError', 'NotFoundError', 'NotReadableError', 'SecurityError'];

/** Everything that can be asked of the worker; one backup is open at a time. */
export class Desk {
  readonly #tell: (message: Reported) => void;
  readonly #found = new Map<string, { backup: Backup; files: BackupFiles }>();
  #sqlite: ReturnType<typeof createSqliteReader> | null = null;
  #open: Open | null = null;
  readonly #asked = new Map<number, AbortController>();

  constructor(tell: (message: Reported) => void) {
    this.#tell = tell;
  }

  /** An error as it goes over the border: its code with its data. */
  static wire(cause: unknown): WireError {
    if (cause instanceof BackupError) return { code: cause.code, params: cause.params };
    return { code: cause instanceof Error && UNREADABLE.includes(cause.name) ? 'unreadable' : 'fault', params: {} };
  }

  async answer({ id, call, args }: Call): Promise<unknown> {
    if (call !== 'ask') return (this[call] as (...values: unknown[]) => unknown)(...args);
    const asked = new AbortController();
    this.#asked.set(id, asked);
    try {
      return await this.ask(...args, asked.signal);
    } finally {
      this.#asked.delete(id);
    }
  }

  /** Nobody waits for this answer any more: a search stops at its next rows. */
  cancel(id: number): void {
    this.#asked.get(id)?.abort();
  }

  async discover(place: Place): Promise<Found[]> {
    const folders =
      place.kind === 'shell'
        ? place.folders.map(({ name, port }) => ({ name, files: this.#filesOf(port) }))
        : await findBackups(place.kind === 'handle' ? folderOfHandle(place.handle) : folderOfFiles(place.files));
    return Promise.all(folders.map(({ name, files }) => this.#describe(name, files)));
  }

  /** When the shell closes the port of the backup that is open, keys and pages go as well, whether or not the page was told. */
  #filesOf(port: MessagePort): BackupFiles {
    const files = shellFiles(port, () => {
      if (this.#open?.files === files) void this.#close();
    });
    return files;
  }

  async #describe(id: string, files: BackupFiles): Promise<Found> {
    try {
      const backup = await openBackup({
        files,
        crypto: webCrypto,
        sqlite: { open: async (...sources) => (await this.#reader()).open(...sources) },
      });
      this.#found.set(id, { backup, files });
      const {
        deviceName,
        productVersion,
        productType,
        productName,
        serialNumber,
        phoneNumber,
        encrypted,
        isFullBackup,
        lastBackupAt,
        manifest,
      } = backup.info;
      const problems = [
        ...backup.info.problems,
        ...(manifest === 'mbdb' ? ['old_format'] : []),
        ...(isFullBackup === false ? ['not_full'] : []),
      ];
      return {
        id,
        serialNumber: masked(serialNumber),
        phoneNumber: masked(phoneNumber),
        deviceName,
        productVersion,
        productType,
        productName,
        isEncrypted: encrypted,
        isFullBackup,
        lastBackupAt: lastBackupAt && lastBackupAt.toISOString().slice(0, 19),
        problems,
        failure: null,
      };
    } catch (cause) {
      return {
        id,
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
        failure: cause instanceof BackupError ? cause.code : 'damaged_manifest',
      };
    }
  }

  async unlock(id: string, passphrase: string): Promise<ReturnType<Calls['unlock']>> {
    const known = this.#found.get(id);
    if (!known) throw new BackupError('not_a_backup');
    await this.#close();
    this.#tell({ progress: { step: 'keys', rows: 0 } });
    const backup = await known.backup.unlock(passphrase, {
      onRows: (rows) => this.#tell({ progress: { step: 'manifest', rows } }),
    });
    const source = artifactSource(backup, known.files),
      store = new ArtifactStore(source, Object.values(READERS), openMemoryDatabase);
    this.#open = {
      files: known.files,
      backup,
      store,
      answers: createAnswers(backup, source, store, createSuggestions(backup, store, paperShare)),
    };
    return { entries: backup.entryCount };
  }

  async ask(name: Question, asked: Asked<Question>, signal?: AbortSignal): Promise<unknown> {
    return (this.#opened().answers[name] as (asked: Asked<Question>, signal?: AbortSignal) => unknown)(asked, signal);
  }

  async measurements({ types, sources, daily }: HealthWanted): Promise<Measured[]> {
    const lists = artifactLists(await this.#opened().store.reader('health'), () => {
      throw new BackupError('unknown_entry');
    });
    const samples = types.flatMap((type) => lists.samples({ type, limit: MOST_SAMPLES, offset: 0 }).items);
    const byType = Map.groupBy(
      samples.filter(({ source }) => sources === undefined || sources.includes(source ?? '')),
      ({ type }) => type,
    );
    return [...byType].flatMap(([type, rows]) => measurementsOf(type, rows, daily ? 'daily' : 'each'));
  }

  async facts(fileId: string): Promise<FileFacts> {
    const { backup } = this.#opened();
    const { relativePath, domain, modifiedAt } = await backup.entry(fileId);
    const { size } = await backup.content(fileId);
    return { size, relativePath, domain, modifiedAt, filename: relativePath.split('/').at(-1) ?? fileId };
  }

  async bytes(fileId: string, start: number, end: number): Promise<Uint8Array> {
    const content = await this.#opened().backup.content(fileId);
    return content.read(Math.min(start, content.size), Math.min(end, content.size));
  }

  async tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    const { backup } = this.#opened();
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
    const database = await (await this.#reader()).open(source);
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

  /** Keys, rows and every page of a database are overwritten or let go. */
  async #close(): Promise<void> {
    const open = this.#open,
      sqlite = this.#sqlite;
    this.#open = null;
    if (!open) return;
    this.#sqlite = null;
    await open.store.wipe();
    await open.backup.lock();
    await (await sqlite)?.wipe();
  }

  #opened(): Open {
    if (!this.#open) throw new BackupError('locked');
    return this.#open;
  }

  #reader(): ReturnType<typeof createSqliteReader> {
    this.#sqlite ??= createSqliteReader();
    return this.#sqlite;
  }
}

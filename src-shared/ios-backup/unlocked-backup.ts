import { blobSource, decryptedSource, toContent, wholeBlocksSource, type Content } from './content.ts';
import { BackupError } from './errors.ts';
import { cachedSource, type CachedSource } from './format/cached-source.ts';
import { restrictToStoredTables } from './format/stored-tables.ts';
import { checkIntegrity, type IntegrityReport } from './integrity.ts';
import { isSafeFileId, type Entry, type EntryDetail } from './manifest/entry.ts';
import type { DomainCount, EntryPage, EntryQuery } from './manifest/entry-index.ts';
import type { FileKeys } from './manifest/file-keys.ts';
import type { FileRecord } from './manifest/file-record.ts';
import type { Manifest } from './manifest/manifest.ts';
import { isSqlite } from './manifest/manifest-db.ts';
import type { BackupPorts, ByteSource, SqliteDatabase } from './ports.ts';
import { isStoredPlain, type Storage } from './stored-form.ts';

/** Number of files that show whether a backup is decrypted. */
const MAX_SAMPLES = 64;

/** An open backup: entries, bytes and databases. After `lock`, every call throws `locked`. */
export class UnlockedBackup {
  private readonly ports: BackupPorts;
  private readonly keys: FileKeys;
  private readonly manifest: Manifest;
  private readonly storage: Storage;
  private readonly closers = new Set<() => Promise<void> | void>();
  private isLocked = false;

  constructor(
    ports: BackupPorts,
    {
      keys,
      manifest,
      storage,
      cache,
    }: { keys: FileKeys; manifest: Manifest; storage: Storage; cache: CachedSource | null },
  ) {
    this.ports = ports;
    this.keys = keys;
    this.manifest = manifest;
    this.storage = storage;
    if (cache) this.closers.add(() => cache.wipe());
  }

  get locked(): boolean {
    return this.isLocked;
  }

  /** The number of entries in the manifest, of any kind. */
  get entryCount(): number {
    this.assertOpen();
    return this.manifest.index.count;
  }

  /** A page of entries, ordered by domain, relative path. */
  async entries(query: EntryQuery = {}): Promise<EntryPage> {
    this.assertOpen();
    const page = await this.manifest.index.page(query);
    this.assertOpen();
    return page;
  }

  /** Lists all domains in order, with the number and size of their files. */
  domains(): DomainCount[] {
    this.assertOpen();
    return this.manifest.index.domains();
  }

  /** Returns an entry with all details. Throws `unknown_entry`. */
  async entry(fileId: string): Promise<EntryDetail> {
    const { entry, record } = await this.lookUp(fileId);
    return { ...entry, mode: record.mode, createdAt: record.createdAt, target: record.target };
  }

  /** Finds the entry at an exact domain and path; null if there is none. */
  find(domain: string, relativePath: string): Entry | null {
    this.assertOpen();
    return this.manifest.index.findPath(domain, relativePath);
  }

  /**
   * Opens the bytes of an entry; only its last block is read until they are requested. Throws `unknown_entry`,
   * `not_a_file`, `missing_blob`, `gone`, `needs_device`, `damaged_key`, `damaged_record`, `cut_file`.
   */
  async content(fileId: string): Promise<Content> {
    const { entry, record } = await this.lookUp(fileId);
    if (entry.kind !== 'file') throw new BackupError('not_a_file', { kind: entry.kind });
    return toContent(this.guarded(await this.source(entry, record)));
  }

  /**
   * Opens a database of the backup, with its write-ahead log if there is one. `lock` closes it unless the caller did.
   * Throws `unknown_entry`, the errors of `content`, and `damaged_file` unless it is a SQLite database.
   */
  async openDatabase(domain: string, relativePath: string): Promise<SqliteDatabase> {
    const entry = this.find(domain, relativePath);
    if (entry === null) throw new BackupError('unknown_entry');
    const cache = cachedSource(await this.content(entry.fileId));
    if (!(await isSqlite(cache))) throw new BackupError('damaged_file', { reason: 'not a SQLite database' });
    const wal = await this.writeAheadLog(domain, relativePath);
    const db = await this.ports.sqlite
      .open(cache, wal && wal.size > 0 ? wal : undefined)
      .then(restrictToStoredTables)
      .catch((error: unknown) => {
        throw error instanceof BackupError
          ? error
          : new BackupError('damaged_file', { reason: 'the database does not open' }, error);
      });
    const close = async (): Promise<void> => {
      this.closers.delete(close);
      await db.close();
      cache.wipe();
    };
    if (this.isLocked) await close();
    this.assertOpen();
    this.closers.add(close);
    return {
      query: (...args) => db.query(...args),
      batches: (...args) => db.batches(...args),
      columns: (table) => db.columns(table),
      close,
    };
  }

  /**
   * Compares the manifest with the files on disk: missing files, wrong sizes, and files unreadable here. Throws `gone`.
   */
  async integrity(onFiles?: (files: number) => void): Promise<IntegrityReport> {
    this.assertOpen();
    if (await this.isGone()) throw new BackupError('gone');
    return checkIntegrity(
      this.manifest.index,
      this.storage,
      this.ports.files,
      (fileId) => this.keyFault(fileId),
      (count) => {
        this.assertOpen();
        onFiles?.(count);
      },
    );
  }

  /**
   * Whether the backup is readable without keys although its files have some: another program decrypted them. Looks at
   * a few of them.
   */
  async isDecrypted(): Promise<boolean> {
    let looked = 0;
    for (const entry of this.manifest.index.byFolder()) {
      if (looked === MAX_SAMPLES) break;
      if (entry.kind !== 'file' || !isSafeFileId(entry.fileId)) continue;
      const blob = await this.blob(entry.fileId).catch(() => null);
      if (blob === null || blob.size === 0) continue;
      looked += 1;
      if (entry.encrypted && !(await isStoredPlain(blob, entry, 'without_keys'))) return false;
    }
    return looked > 0;
  }

  /** Wipes keys, index and decrypted pages, and closes databases. Can be called again. */
  async lock(): Promise<void> {
    if (this.isLocked) return;
    this.isLocked = true;
    this.keys.wipe();
    await Promise.allSettled([...this.closers].map((close) => close()));
    this.closers.clear();
    await this.manifest.close();
  }

  /** The write-ahead log of a database, without an incomplete last block; undefined if the backup has none. */
  private async writeAheadLog(domain: string, relativePath: string): Promise<ByteSource | undefined> {
    const log = this.find(domain, `${relativePath}-wal`);
    if (log === null) return undefined;
    const { entry, record } = await this.lookUp(log.fileId);
    try {
      return this.guarded(await this.source(entry, record, wholeBlocksSource));
    } catch (error) {
      if (error instanceof BackupError && error.code === 'missing_blob') return undefined;
      throw error;
    }
  }

  private async lookUp(fileId: string): Promise<{ entry: Entry; record: FileRecord }> {
    this.assertOpen();
    const entry = this.manifest.index.find(fileId);
    if (entry === null) throw new BackupError('unknown_entry');
    return { entry, record: await this.manifest.record(fileId) };
  }

  private async keyFault(fileId: string): Promise<'needs_device' | 'damaged_key' | null> {
    try {
      const { record } = await this.lookUp(fileId);
      if (record.encryptionKey !== null) await this.keys.of(fileId, record.encryptionKey);
      return null;
    } catch (error) {
      if (error instanceof BackupError && (error.code === 'needs_device' || error.code === 'damaged_key'))
        return error.code;
      throw error;
    }
  }

  /** An id that is not hexadecimal digits is treated as missing: no text of a manifest becomes a path. */
  private async source(
    { fileId, relativePath }: Entry,
    { encryptionKey, size }: FileRecord,
    decrypt = decryptedSource,
  ): Promise<ByteSource> {
    if (!isSafeFileId(fileId)) throw new BackupError('missing_blob');
    const blob = await this.blob(fileId);
    if (encryptionKey === null || (await isStoredPlain(blob, { relativePath, size }, this.storage))) return blob;
    return decrypt(blob, await this.keys.of(fileId, encryptionKey), size);
  }

  /** Blobs are in folders named by two digits; before iOS 10 all were in one folder. */
  private async blob(fileId: string): Promise<ByteSource> {
    const nested = `${fileId.slice(0, 2)}/${fileId}`;
    try {
      return await blobSource(this.ports.files, (await this.ports.files.size(nested)) === null ? fileId : nested);
    } catch (error) {
      // One missing file does not affect the others, but without its manifest the whole folder is unusable.
      if (error instanceof BackupError && error.code === 'missing_blob' && (await this.isGone()))
        throw new BackupError('gone', {}, error);
      throw error;
    }
  }

  /** Whether the backup's folder has disappeared since it was opened: its manifest is missing. */
  private async isGone(): Promise<boolean> {
    const sizes = await Promise.all(['Manifest.db', 'Manifest.mbdb'].map((name) => this.ports.files.size(name)));
    return sizes.every((size) => size === null);
  }

  private guarded(source: ByteSource): ByteSource {
    return {
      size: source.size,
      read: async (start, end) => {
        this.assertOpen();
        if (!(start >= 0 && start <= end && end <= source.size))
          throw new RangeError(`bytes ${start} to ${end} of ${source.size}`);
        return source.read(start, end);
      },
      ...(source.open && {
        open: async () => {
          this.assertOpen();
          const opened = await source.open!();
          return { ...this.guarded(opened), close: () => opened.close() };
        },
      }),
    };
  }

  private assertOpen(): void {
    if (this.isLocked) throw new BackupError('locked');
  }
}

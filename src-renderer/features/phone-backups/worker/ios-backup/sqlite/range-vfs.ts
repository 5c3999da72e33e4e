import * as VFS from '@journeyapps/wa-sqlite/src/VFS.js';
import type { ByteSource } from '../../../../../../src-shared/ios-backup/index.ts';

/** The memory of the Emscripten module; the buffer is replaced when it grows. */
export interface SqliteMemory {
  HEAPU8: Uint8Array;
  UTF8ToString: (address: number) => string;
}

const NO_BYTES: ByteSource = { size: 0, read: () => Promise.resolve(new Uint8Array()) };

/**
 * A read-only file system of SQLite over byte ranges: a database is opened by its name, and only the pages that a query
 * touches are read. Nothing can be created, written or deleted. `<name>-wal` is its log, empty if none was added.
 */
export class RangeVfs extends VFS.Base {
  readonly #files = new Map<string, ByteSource>();
  readonly #open = new Map<number, ByteSource>();
  readonly #failures = new WeakMap<ByteSource, unknown>();
  readonly #memory: SqliteMemory;

  constructor(name: string, module: SqliteMemory) {
    super(name, module);
    this.#memory = module;
  }

  add(name: string, source: ByteSource): void {
    this.#files.set(name, source);
  }
  drop(name: string): void {
    this.#files.delete(name);
  }
  /** Why a read of this file failed, if one did. */
  failureOf(name: string): unknown {
    const source = this.#files.get(name);
    return source && this.#failures.get(source);
  }

  override hasAsyncMethod(method: string): boolean {
    return method === 'xRead';
  }

  override xOpen(_pVfs: number, zName: number, pFile: number, flags: number, pOutFlags: number): number {
    const name = zName === 0 ? '' : this.#memory.UTF8ToString(zName);
    // A database in log mode does not open without its log.
    const source = this.#files.get(name) ?? (flags & VFS.SQLITE_OPEN_WAL ? NO_BYTES : undefined);
    if (!source) return VFS.SQLITE_CANTOPEN;
    this.#open.set(pFile, source);
    // SQLite always opens the log for writing, but accepts a read-only one.
    new DataView(this.#memory.HEAPU8.buffer).setInt32(
      pOutFlags,
      (flags & ~VFS.SQLITE_OPEN_READWRITE) | VFS.SQLITE_OPEN_READONLY,
      true,
    );
    return VFS.SQLITE_OK;
  }

  override xClose(pFile: number): number {
    this.#open.delete(pFile);
    return VFS.SQLITE_OK;
  }

  override async xRead(pFile: number, pData: number, length: number, low: number, high: number): Promise<number> {
    const source = this.#open.get(pFile);
    if (!source) return VFS.SQLITE_IOERR_READ;
    const start = Math.min(source.size, (low >>> 0) + high * 2 ** 32),
      end = Math.min(source.size, (low >>> 0) + high * 2 ** 32 + length);
    try {
      // The memory may grow while bytes are fetched, so its view is read afterwards.
      const bytes = await source.read(start, end);
      this.#memory.HEAPU8.set(bytes, pData);
      bytes.fill(0);
      if (bytes.length === length) return VFS.SQLITE_OK;
      this.#memory.HEAPU8.fill(0, pData + bytes.length, pData + length);
      return VFS.SQLITE_IOERR_SHORT_READ;
    } catch (cause) {
      this.#failures.set(source, cause);
      return VFS.SQLITE_IOERR_READ;
    }
  }

  override xFileSize(pFile: number, pSize: number): number {
    const source = this.#open.get(pFile);
    if (!source) return VFS.SQLITE_IOERR_FSTAT;
    new DataView(this.#memory.HEAPU8.buffer).setBigInt64(pSize, BigInt(source.size), true);
    return VFS.SQLITE_OK;
  }

  override xAccess(_pVfs: number, zName: number, _flags: number, pResult: number): number {
    new DataView(this.#memory.HEAPU8.buffer).setInt32(
      pResult,
      this.#files.has(this.#memory.UTF8ToString(zName)) ? 1 : 0,
      true,
    );
    return VFS.SQLITE_OK;
  }

  override xFullPathname(_pVfs: number, zName: number, size: number, zOut: number): number {
    const heap = this.#memory.HEAPU8;
    const end = heap.indexOf(0, zName);
    if (end - zName + 1 > size) return VFS.SQLITE_CANTOPEN;
    heap.copyWithin(zOut, zName, end + 1);
    return VFS.SQLITE_OK;
  }

  override xWrite(): number {
    return VFS.SQLITE_READONLY;
  }
  override xTruncate(): number {
    return VFS.SQLITE_READONLY;
  }
  override xDelete(): number {
    return VFS.SQLITE_READONLY;
  }
  override xSync(): number {
    return VFS.SQLITE_OK;
  }
  override xLock(): number {
    return VFS.SQLITE_OK;
  }
  override xUnlock(): number {
    return VFS.SQLITE_OK;
  }
  override xFileControl(): number {
    return VFS.SQLITE_NOTFOUND;
  }
  override xDeviceCharacteristics(): number {
    return VFS.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN;
  }
}

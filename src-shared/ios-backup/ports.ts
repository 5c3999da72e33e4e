/**
 * What a platform must provide so that the library can read a phone backup: files, SQLite and cryptography. Nothing
 * here writes. Node: src-main/features/phone-backups/adapters. Browser and worker: a directory handle, SQLite in
 * WebAssembly, and `webCrypto` of this folder.
 */

/** Random access to bytes of a known length. */
export interface ByteSource {
  readonly size: number;
  /**
   * Returns the bytes of [start, end), within [0, size], and throws if there are fewer. The array is the caller's own.
   */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Returns an array that `read` provided and that is no longer in use, so that its memory can be reused. */
  release?(bytes: Uint8Array): void;
  /** Keeps the underlying file open for many reads, until `close`. */
  open?(): Promise<OpenSource>;
}

export interface OpenSource extends ByteSource {
  /** Waits for pending reads. */
  close(): Promise<void>;
}

/**
 * The folder of one backup. Paths are relative with `/`; the library requests only fixed names (`Manifest.plist`, …)
 * and for `ab/ab…` blobs of lower-case hexadecimal digits, never for a path from a manifest. An adapter must refuse
 * every other path that leads out of the folder, links included.
 */
export interface BackupFiles {
  /** Lists the direct children of a folder (`''` is the root); an empty list when the folder does not exist. */
  list(folder: string): Promise<readonly BackupFile[]>;
  /** The size of a regular file; null if there is none. */
  size(path: string): Promise<number | null>;
  /**
   * Reads the bytes of [start, end), cut at the end of the file, into an array that is the caller's own and may be
   * wiped. Throws if the file does not exist.
   */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  /** Returns an array of `readRange` for reuse: fresh memory for every chunk costs as much as decrypting it. */
  release?(bytes: Uint8Array): void;
  /** Opens a file for many reads like `readRange`; the caller closes it. Throws when the file was deleted. */
  open?(path: string): Promise<OpenFile>;
}

export interface OpenFile {
  readRange(start: number, end: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface BackupFile {
  name: string;
  kind: 'file' | 'folder';
  /** In bytes; 0 for a folder. */
  size: number;
}

export type SqliteValue = null | number | bigint | string | Uint8Array;
/** A row by column names. Integers are numbers if exact, else bigints. */
export type SqliteRow = Record<string, SqliteValue>;

/** Opens SQLite databases for reading, on bytes that may be decrypted on demand. */
export interface SqliteReader {
  /**
   * Opens a database. `wal` is its write-ahead log; committed frames of it are part of the content. Throws when the
   * bytes are not a SQLite database. A reader never writes to the backup's folder, and deletes its own copies on close.
   */
  open(source: ByteSource, wal?: ByteSource): Promise<SqliteDatabase>;
}

export interface SqliteDatabase {
  /** Returns all rows of a statement, for results that are known to be small. */
  query(sql: string, params?: readonly SqliteValue[]): Promise<SqliteRow[]>;
  /**
   * Yields rows in batches, so that a large table is never in memory at once and other work can run between batches.
   */
  batches(sql: string, params?: readonly SqliteValue[], size?: number): AsyncIterable<SqliteRow[]>;
  /**
   * Column names of a table or view, in order; empty when it does not exist. Schemas differ by
   * release, so readers must not assume a column.
   */
  columns(table: string): Promise<string[]>;
  close(): Promise<void>;
}

/** One AES key, ready to decrypt CBC without padding. */
export interface CbcKey {
  /**
   * `data` is a multiple of 16 bytes; `iv` is 16: zeros at the start of a file, else the cipher block before `data`.
   */
  decrypt(iv: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /** Overwrites the key where the platform allows it; the key can't decrypt afterwards. */
  wipe(): void;
}

export interface BackupCrypto {
  /** PBKDF2 with HMAC, off the calling thread. */
  pbkdf2(
    hash: 'sha1' | 'sha256',
    password: Uint8Array,
    salt: Uint8Array,
    rounds: number,
    length: number,
  ): Promise<Uint8Array>;
  /** AES key unwrap (RFC 3394); null when its integrity check fails. */
  unwrapKey(wrappingKey: Uint8Array, wrapped: Uint8Array): Promise<Uint8Array | null>;
  /** Takes a copy of a key of 16, 24 or 32 bytes. */
  cbcKey(key: Uint8Array): Promise<CbcKey>;
  sha1(data: Uint8Array): Promise<Uint8Array>;
}

export interface BackupPorts {
  files: BackupFiles;
  sqlite: SqliteReader;
  crypto: BackupCrypto;
}

import Sqlite from 'better-sqlite3';
import { databaseKeyFor } from '../kernel/process-keys.ts';

/**
 * ChaCha20-Poly1305 for each page, the default of SQLite3 Multiple Ciphers: a changed page is noticed, and without AES
 * instructions it costs no more. The key is raw, so the library derives none from a password.
 */
const CIPHER = 'chacha20';
const rawKey = (key: Uint8Array): string => `"raw:${Buffer.from(key).toString('hex')}"`;

/**
 * Gives a new connection the key of its file, before any other statement; null for a file that is not encrypted. A wrong
 * key fails with `SQLITE_NOTADB` at the first read.
 */
export function useDatabaseKey(sqlite: Sqlite.Database, key: Uint8Array | null): void {
  if (key === null) return;
  sqlite.pragma(`cipher = '${CIPHER}'`);
  sqlite.pragma(`key = ${rawKey(key)}`);
  // What SQLite sorts in temporary files is not encrypted.
  sqlite.pragma('temp_store = MEMORY');
}

/** Opens a database of a vault with the key of that vault, if it is encrypted. */
export function openVaultDatabase(file: string, options: Sqlite.Options = {}): Sqlite.Database {
  const sqlite = new Sqlite(file, options);
  useDatabaseKey(sqlite, databaseKeyFor(file));
  return sqlite;
}

/** Encrypts an open database that is not in WAL mode under another key; null decrypts it. */
export function replaceKey(sqlite: Sqlite.Database, from: Uint8Array | null, to: Uint8Array | null): void {
  if (from === null) sqlite.pragma(`cipher = '${CIPHER}'`);
  sqlite.pragma(`rekey = ${to === null ? "''" : rawKey(to)}`);
}

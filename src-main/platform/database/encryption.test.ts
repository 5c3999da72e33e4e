import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useDatabaseKey } from './encryption.ts';

const KEY = new Uint8Array(32).fill(7);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-encryption-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Files that SQLite has open under names that it has deleted already. */
const temporary = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.includes('etilqs_') ? [path] : [];
    } catch {
      return [];
    }
  });

/** Sorts more than the cache holds, and looks which temporary files are open meanwhile. */
function sortMuch(key: Uint8Array | null): string[] {
  const db = new Sqlite(join(folder, key === null ? 'plain.db' : 'encrypted.db'));
  try {
    useDatabaseKey(db, key);
    db.pragma('cache_size = 10');
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)';
    const rows = db.prepare(`${numbers} SELECT i, hex(randomblob(100)) AS text FROM n ORDER BY text`).iterate();
    rows.next();
    const open = temporary();
    rows.return?.();
    return open;
  } finally {
    db.close();
  }
}

it.runIf(process.platform === 'linux')('sorts nothing of an encrypted database in temporary files', () => {
  expect(sortMuch(null).length).toBeGreaterThan(0);
  expect(sortMuch(KEY)).toEqual([]);
});

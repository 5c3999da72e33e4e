import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { createSqliteReader } from '../../src-renderer/features/phone-backups/worker/ios-backup/sqlite/reader.ts';
import type { ByteSource } from '../../src-shared/ios-backup/index.ts';

const wasmBinary = readFileSync(
  createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite-async.wasm'),
);

const folder = mkdtempSync(join(tmpdir(), 'hearth-wasm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (start, end) => Promise.resolve(Uint8Array.prototype.slice.call(bytes, start, end)),
});

function written(
  name: string,
  fill: (db: Database.Database) => void,
): { bytes: Uint8Array; wal: Uint8Array | undefined } {
  const path = join(folder, name),
    db = new Database(path);
  fill(db);
  const wal = db.pragma('journal_mode', { simple: true }) === 'wal' ? readFileSync(`${path}-wal`) : undefined;
  const bytes = readFileSync(path);
  db.close();
  return { bytes, wal };
}

describe('SQLite over byte ranges', () => {
  it('reads every kind of value as Node does', async () => {
    const fill = (db: Database.Database): void => {
      db.exec('CREATE TABLE t(a)');
      const insert = db.prepare('INSERT INTO t VALUES (?)');
      for (const value of [
        1,
        2 ** 45,
        9_007_199_254_740_993n,
        -1,
        1.5,
        null,
        '',
        'Zürich 🏔',
        'a\0b',
        Buffer.from([0, 1, 255]),
        Buffer.alloc(0),
      ])
        insert.run(value);
    };
    const { bytes } = written('values.db', fill);
    const db = await (await createSqliteReader({ wasmBinary })).open(sourceOf(bytes));
    expect((await db.query('SELECT a FROM t')).map(({ a }) => a)).toEqual([
      1,
      2 ** 45,
      9_007_199_254_740_993n,
      -1,
      1.5,
      null,
      '',
      'Zürich 🏔',
      'a\0b',
      new Uint8Array([0, 1, 255]),
      new Uint8Array(),
    ]);
    expect(await db.columns('t')).toEqual(['a']);
    expect(await db.columns('missing')).toEqual([]);
    expect(await db.query('SELECT a FROM t WHERE a = ? OR a = ?', ['Zürich 🏔', -1])).toHaveLength(2);
  });

  it('reads UTF-16 and rows that are only in the write-ahead log', async () => {
    const { bytes, wal } = written('wal.db', (db) => {
      db.exec("PRAGMA encoding='UTF-16le'; PRAGMA journal_mode=WAL; CREATE TABLE t(a TEXT)");
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.prepare('INSERT INTO t VALUES (?)').run('späte\0Zeile');
    });
    const reader = await createSqliteReader({ wasmBinary });
    expect(
      await (await reader.open(sourceOf(bytes), sourceOf(wal ?? new Uint8Array()))).query('SELECT a FROM t'),
    ).toEqual([{ a: 'späte\0Zeile' }]);
    expect(await (await reader.open(sourceOf(bytes))).query('SELECT a FROM t')).toEqual([]);
  });

  it('returns large tables in batches, runs two queries at once, and reads little of the file', async () => {
    const { bytes } = written('large.db', (db) => {
      db.exec('CREATE TABLE t(id INTEGER PRIMARY KEY, filler BLOB)');
      const insert = db.prepare('INSERT INTO t(filler) VALUES (?)');
      db.transaction(() => {
        for (let row = 0; row < 20_000; row++) insert.run(Buffer.alloc(1000));
      })();
    });
    let fetched = 0;
    const counting: ByteSource = {
      size: bytes.length,
      read: (start, end) => {
        fetched += end - start;
        return Promise.resolve(Uint8Array.prototype.slice.call(bytes, start, end));
      },
    };
    const db = await (await createSqliteReader({ wasmBinary })).open(counting);
    expect(await db.query('SELECT id FROM t WHERE id = ?', [15_000])).toEqual([{ id: 15_000 }]);
    expect(fetched).toBeLessThan(bytes.length / 20);
    const count = async (): Promise<number[]> => {
      const sizes: number[] = [];
      for await (const rows of db.batches('SELECT id FROM t', [], 7_000)) sizes.push(rows.length);
      return sizes;
    };
    expect(await Promise.all([count(), count()])).toEqual([
      [7_000, 7_000, 6_000],
      [7_000, 7_000, 6_000],
    ]);
  });

  it("can't write", async () => {
    const { bytes } = written('readonly.db', (db) => db.exec('CREATE TABLE t(a)'));
    const db = await (await createSqliteReader({ wasmBinary })).open(sourceOf(bytes));
    for (const sql of [
      'INSERT INTO t VALUES (1)',
      'DROP TABLE t',
      'CREATE TABLE u(a)',
      "ATTACH 'other.db' AS other",
      "VACUUM INTO 'copy.db'",
    ])
      await expect(db.query(sql)).rejects.toThrow(/damaged_file/);
  });

  it('reports bytes that are not a database, and passes on read errors', async () => {
    const reader = await createSqliteReader({ wasmBinary });
    await expect(
      reader.open(sourceOf(new TextEncoder().encode('no database at all'.repeat(100)))),
    ).rejects.toMatchObject({ code: 'damaged_file' });
    const { bytes } = written('gone.db', (db) => db.exec('CREATE TABLE t(a)'));
    await expect(
      reader.open({ size: bytes.length, read: () => Promise.reject(new Error('the disk was pulled out')) }),
    ).rejects.toThrow('the disk was pulled out');
  });

  it('erases its pages and rejects queries after it is wiped', async () => {
    const { bytes } = written('wiped.db', (db) => {
      db.exec("CREATE TABLE t(a); INSERT INTO t VALUES ('secret')");
    });
    const reader = await createSqliteReader({ wasmBinary });
    const db = await reader.open(sourceOf(bytes));
    expect(await db.query('SELECT a FROM t')).toEqual([{ a: 'secret' }]);
    await reader.wipe();
    await expect(db.query('SELECT a FROM t')).rejects.toMatchObject({ code: 'locked' });
  });
});

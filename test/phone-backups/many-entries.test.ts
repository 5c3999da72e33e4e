import Database from 'better-sqlite3';
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { backupShelf, BACKUP_PASSWORD } from '../support/phone-backups.ts';

const shelf = backupShelf();
afterAll(() => shelf.remove());

const COUNT = 100_000;
const ENDS = ['pdf', 'PDF', 'heic', 'jpg', 'plist', 'sqlite', 'ä', '🔑'];

/** Records are the archives of a phone for every thousandth entry only; writing them all would be most of the test. */
function* entries(): Generator<EntrySpec> {
  for (let i = 0; i < COUNT; i += 1) {
    yield {
      domain: `AppDomain-${['com.example', 'Ünïcode', '🔑', 'com.example.app'][i % 4]}.${i % 23}`,
      path: `Library/${(i * 7919) % 997}/${['file', 'Öl', '\uffee', '🔑'][i % 4]} ${i}.${ENDS[i % 8]}`,
      missing: true,
      size: i,
      ...(i % 1000 !== 0 && { record: null }),
    };
  }
}

describe('100 000 entries', () => {
  let backup: UnlockedBackup, db: Database.Database;
  const rows: number[] = [];

  beforeAll(async () => {
    const made = await shelf.make({ entries: entries() });
    backup = await (await made.open()).unlock(BACKUP_PASSWORD, { onRows: (count) => rows.push(count) });
    db = new Database(join(made.folder, 'Manifest.db'), { readonly: true });
  });

  const bySqlite = (where: string, params: unknown[], limit: number, offset: number) => ({
    ids: db
      .prepare(`SELECT fileID FROM Files WHERE ${where} ORDER BY domain, relativePath LIMIT ${limit} OFFSET ${offset}`)
      .pluck()
      .all(...params),
    total: db
      .prepare(`SELECT count(*) FROM Files WHERE ${where}`)
      .pluck()
      .get(...params),
  });

  it('report progress while they are read', () => {
    expect([rows.at(-1), backup.entryCount]).toEqual([COUNT, COUNT]);
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each([
    [{}, '1', []],
    [{ pathLike: '%.pdf' }, 'relativePath LIKE ?', ['%.pdf']],
    [{ pathLike: '%🔑%' }, 'relativePath LIKE ?', ['%🔑%']],
    [{ pathLike: 'library/9_/%' }, 'relativePath LIKE ?', ['library/9_/%']],
    [{ domain: 'AppDomain-Ünïcode.5' }, 'domain = ?', ['AppDomain-Ünïcode.5']],
    [
      { domain: 'AppDomain-com.example.4', pathLike: '%7%.P_F' },
      'domain = ? AND relativePath LIKE ?',
      ['AppDomain-com.example.4', '%7%.P_F'],
    ],
    [{ domain: 'none' }, 'domain = ?', ['none']],
  ] as const)('are paged as by SQLite: %j', async (query, where, params) => {
    for (const [limit, offset] of [
      [100, 0],
      [100, 100],
      [7, 49_999],
      [1000, 99_950],
      [0, 5],
    ] as const) {
      const { items, total } = await backup.entries({ ...query, limit, offset }),
        expected = bySqlite(where, [...params], limit, offset);
      expect({ ids: items.map(({ fileId }) => fileId), total }).toEqual(expected);
    }
  });

  it('are found by id and by path, with their records', async () => {
    for (let i = 0; i < COUNT; i += 1000) {
      const domain = `AppDomain-com.example.${i % 23}`,
        path = `Library/${(i * 7919) % 997}/file ${i}.pdf`;
      expect(await backup.entry(fileIdOf(domain, path))).toMatchObject({ domain, relativePath: path, size: i });
      expect(backup.find(domain, path)).toMatchObject({ fileId: fileIdOf(domain, path) });
    }
    expect([backup.find('AppDomain-com.example.0', 'nothing'), backup.find('none', 'nothing')]).toEqual([null, null]);
    await expect(backup.entry('f'.repeat(40))).rejects.toMatchObject({ code: 'unknown_entry' });
  });

  it('are counted by domain as SQLite counts them', () => {
    expect(backup.domains().map(({ domain, files }) => ({ domain, files }))).toEqual(
      db.prepare('SELECT domain, count(*) AS files FROM Files GROUP BY domain ORDER BY domain').all(),
    );
  });
});

it('a manifest with a write-ahead log is read with it', async () => {
  const { folder, open } = await shelf.make({ entries: [{ domain: 'D', path: 'a', content: 'x' }] }),
    path = join(folder, 'Manifest.db');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.prepare("INSERT INTO Files VALUES (?, 'D', 'b', 1, NULL)").run(fileIdOf('D', 'b'));
  copyFileSync(path, `${path}.copy`);
  copyFileSync(`${path}-wal`, `${path}.copy-wal`);
  db.close();
  renameSync(`${path}.copy`, path);
  renameSync(`${path}.copy-wal`, `${path}-wal`);
  expect((await (await open()).unlock()).entryCount).toBe(2);
  writeFileSync(`${path}-wal`, 'not a log');
  expect((await (await open()).unlock()).entryCount).toBe(1);
});

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { restrictToStoredTables } from '../../src-shared/ios-backup/format/stored-tables.ts';

const ENDLESS = 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i AS "ROWID", i AS text FROM r';

async function opened(schema: string) {
  const made = new Database(':memory:');
  made.exec(schema);
  const bytes = Uint8Array.from(made.serialize());
  made.close();
  return restrictToStoredTables(
    await nodeSqlite('/nonexistent').open({ size: bytes.length, read: async (start, end) => bytes.slice(start, end) }),
  );
}

describe('a database of a backup', () => {
  it('is not read through a view or a virtual table in place of a table', async () => {
    const db = await opened(
      `CREATE TABLE handle (id TEXT); INSERT INTO handle VALUES ('a'); CREATE VIEW message AS ` +
        `${ENDLESS}; CREATE VIEW "Odd name" AS ${ENDLESS}; CREATE VIRTUAL TABLE words USING fts5(text)`,
    );
    expect([
      await db.columns('message'),
      await db.columns('MESSAGE'),
      await db.columns('words'),
      await db.columns('handle'),
    ]).toEqual([[], [], [], ['id']]);
    for (const sql of [
      'SELECT * FROM message',
      'select h.id from handle as h left join Message as m on m.text = h.id',
      'SELECT id FROM handle WHERE id IN (SELECT text FROM "message")',
      'SELECT count(*) FROM "Odd name"',
      'SELECT * FROM words',
    ]) {
      await expect(db.query(sql)).rejects.toMatchObject({ code: 'damaged_file' });
      expect(() => db.batches(sql)).toThrow('damaged_file');
    }
    expect(await db.query('SELECT id AS message FROM handle')).toEqual([{ message: 'a' }]);
    await db.close();
  });

  it('is read unchanged when all its tables store rows', async () => {
    const db = await opened('CREATE TABLE message (text TEXT); INSERT INTO message VALUES (1)');
    expect([await db.columns('message'), await db.query('SELECT text FROM message')]).toEqual([
      ['text'],
      [{ text: '1' }],
    ]);
    await db.close();
  });
});

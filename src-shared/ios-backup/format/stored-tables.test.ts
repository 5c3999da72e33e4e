import { describe, expect, it } from 'vitest';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { restrictToStoredTables } from './stored-tables.ts';

/** A database whose schema has these views; it records the calls that reach it. */
function recording(views: readonly string[]): { db: SqliteDatabase; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const db: SqliteDatabase = {
    async query(sql, params) {
      if (sql.includes('sqlite_schema')) return views.map((name) => ({ name }));
      calls.push(['query', sql, params]);
      return [{ a: 1 }];
    },
    async *batches(sql, params, size): AsyncGenerator<SqliteRow[]> {
      calls.push(['batches', sql, params, size]);
      yield [{ a: 2 }];
    },
    async columns(table) {
      calls.push(['columns', table]);
      return ['a'];
    },
    async close() {
      calls.push(['close']);
    },
  };
  return { db, calls };
}

const REFUSAL = { code: 'damaged_file', params: { reason: 'a view replaces a table' } };

/** Returns the error of a call, so that its code and parameters can be compared. */
function errorOf(call: () => unknown): unknown {
  try {
    return { returned: call() };
  } catch (error) {
    return error;
  }
}

describe('restrictToStoredTables', () => {
  it('returns a database unchanged if all its tables store rows', async () => {
    const { db } = recording([]);
    expect(await restrictToStoredTables(db)).toBe(db);
  });

  it('passes statements on that read only stored tables', async () => {
    const { db, calls } = recording(['Message']);
    const restricted = await restrictToStoredTables(db);
    expect(await restricted.query('SELECT a FROM handle', [1])).toEqual([{ a: 1 }]);
    const rows: SqliteRow[][] = [];
    for await (const batch of restricted.batches('SELECT a FROM chat JOIN handle', [2], 50)) rows.push(batch);
    expect(rows).toEqual([[{ a: 2 }]]);
    expect(await restricted.columns('handle')).toEqual(['a']);
    await restricted.close();
    expect(calls).toEqual([
      ['query', 'SELECT a FROM handle', [1]],
      ['batches', 'SELECT a FROM chat JOIN handle', [2], 50],
      ['columns', 'handle'],
      ['close'],
    ]);
  });

  it.each([
    'SELECT * FROM Message',
    'select * from message',
    'SELECT * FROM "MESSAGE"',
    'SELECT * FROM handle LEFT JOIN message ON 1',
    'SELECT (SELECT max(a)\n  FROM\n  message) FROM handle',
    'SELECT * FROM "odd name"',
    'SELECT * FROM z$view',
  ])('refuses %j, which reads a view', async (sql) => {
    const { db, calls } = recording(['Message', 'Odd Name', 'Z$VIEW']);
    const restricted = await restrictToStoredTables(db);
    await expect(restricted.query(sql)).rejects.toMatchObject(REFUSAL);
    expect(errorOf(() => restricted.batches(sql))).toMatchObject(REFUSAL);
    expect(calls).toEqual([]);
  });

  it('is not misled by columns and parts of names', async () => {
    const { db } = recording(['message', 'a']);
    const restricted = await restrictToStoredTables(db);
    for (const sql of ['SELECT message, a FROM handle', 'SELECT 1 FROM messages JOIN a_b', 'SELECT xfrom message'])
      expect(await restricted.query(sql)).toEqual([{ a: 1 }]);
  });

  it('returns no columns of a view', async () => {
    const { db, calls } = recording(['Message']);
    const restricted = await restrictToStoredTables(db);
    expect([await restricted.columns('message'), await restricted.columns('MESSAGE')]).toEqual([[], []]);
    expect(calls).toEqual([]);
  });
});

import Sqlite from 'better-sqlite3';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from './connection.ts';
import { users } from './schema/index.ts';
import { createStatementCache, keepPlan } from './statement-cache.ts';

test('typed and handwritten queries prepare their statement once', () => {
  const db = openDatabase(':memory:');
  const prepare = vi.spyOn(db.sqlite, 'prepare');
  for (const id of [1, 2, 3]) {
    expect(db.orm.select().from(users).where(eq(users.id, id)).get()).toBeUndefined();
    expect(db.prepare('SELECT id FROM users WHERE id = ?').get(id)).toBeUndefined();
  }
  expect(prepare).toHaveBeenCalledTimes(2);
  db.close();
});

test('a statement that a typed query uses has no effect on the mode of a handwritten one', () => {
  const db = openDatabase(':memory:');
  const query = db.orm.select({ id: users.id }).from(users);
  const { sql } = query.toSQL();
  db.prepare(
    "INSERT INTO users (id, username, username_key, display_name, role, created_at) VALUES (7, 'a', 'a', 'A', 'admin', 'x')",
  ).run();
  expect(query.all()).toEqual([{ id: 7 }]);
  expect(db.prepare(sql).all()).toEqual([{ id: 7 }]);
  expect(query.all()).toEqual([{ id: 7 }]);
  db.close();
});

test('the statement that was used longest ago is forgotten first', () => {
  const prepare = vi.fn((sql: string) => ({ sql }));
  const cache = createStatementCache({ prepare: prepare as never }, 2);
  for (const sql of ['a', 'b', 'a', 'c', 'a', 'b']) cache.prepare(sql);
  expect(prepare.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b']);
});

test('a bound value changes no plan, and strings and comments stay as they are', () => {
  expect(keepPlan('SELECT a FROM t WHERE a = ? AND b=@b AND c >= :c AND d IS NOT ?1')).toBe(
    'SELECT a FROM t WHERE a = +? AND b=+@b AND c >= +:c AND d IS NOT ?1',
  );
  const literals = `SELECT '= ?', "a = ?" FROM t -- = ?\nWHERE a = '=$1'`;
  expect(keepPlan(literals)).toBe(literals);
});

test.each([7, 7.5, '7', '007', 'é', null, Buffer.from('7')])(
  'a column finds and stores %o as without a plus',
  (value) => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB)');
    const run = (sql: string, ...values: unknown[]): unknown =>
      sql.startsWith('SELECT')
        ? sqlite.prepare(keepPlan(sql)).all(...values)
        : sqlite.prepare(keepPlan(sql)).run(...values).changes;
    run('INSERT INTO t (a) VALUES (NULL)');
    run('UPDATE t SET a = ?, b = ?, c = ?, d = ?', value, value, value, value);
    const found = 'SELECT *, typeof(a), typeof(b), typeof(c), typeof(d) FROM t WHERE a = ? OR b = ? OR c = ? OR d = ?';
    const plain = sqlite.prepare(found).all(value, value, value, value);
    expect(run(found, value, value, value, value)).toEqual(plain);
    expect(plain).toHaveLength(value === null ? 0 : 1);
    sqlite.close();
  },
);

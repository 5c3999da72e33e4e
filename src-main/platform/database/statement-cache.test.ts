import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from './connection.ts';
import { users } from './schema/index.ts';
import { createStatementCache } from './statement-cache.ts';

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

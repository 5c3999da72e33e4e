import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const HOOK = new URL('./fast-drizzle-resolution.ts', import.meta.url).href;
/** What these modules export, and which files of the package were loaded for them. */
const exported = (before: string): unknown =>
  JSON.parse(
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `${before}
  const found = {};
  for (const name of ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/better-sqlite3', 'drizzle-orm/better-sqlite3/migrator']) found[name] = Object.entries(await import(name)).map(([key, value]) => key + ' ' + typeof value);
  const { eq } = await import('drizzle-orm'), { sqliteTable, text } = await import('drizzle-orm/sqlite-core'), { drizzle } = await import('drizzle-orm/better-sqlite3');
  const { default: Sqlite } = await import('better-sqlite3'), table = sqliteTable('t', { a: text() });
  found.sql = drizzle(new Sqlite(':memory:')).select().from(table).where(eq(table.a, 'x')).toSQL();
  process.stdout.write(JSON.stringify(found));`,
      ],
      { encoding: 'utf8', cwd: import.meta.dirname },
    ).stdout,
  ) as unknown;

it('finds the same modules as Node does by looking everything up', () => {
  const quick = exported(`(await import(${JSON.stringify(HOOK)})).resolveQuickly();`);
  expect(quick).toEqual(exported(''));
  expect(quick).toMatchObject({ sql: { sql: 'select "a" from "t" where "t"."a" = ?', params: ['x'] } });
});

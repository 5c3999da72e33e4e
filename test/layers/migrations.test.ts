import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../support/lint.ts';

// Within the project, because the schema imports its packages.
const folder = mkdtempSync(join(ROOT, 'node_modules', '.schema-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (...schema: string[]): { code: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-migrations.ts', ...schema], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
};

it('accepts the schema of the migrations', () => expect(check()).toEqual({ code: 0, output: '' }));

it('finds a table without a migration', () => {
  const schema = join(folder, 'schema.ts');
  writeFileSync(
    schema,
    "import { sqliteTable, text } from 'drizzle-orm/sqlite-core';\n" +
      "export * from '../../src-main/platform/database/schema/index.ts';\n" +
      "export const forgotten = sqliteTable('forgotten', { name: text('name') });\n",
  );
  const { code, output } = check(relative(ROOT, schema));
  expect(output).toContain('The schema has changed without a migration');
  expect(code).toBe(1);
});

it('fails where the schema cannot be read', () => expect(check('./no-schema.ts').code).toBe(1));

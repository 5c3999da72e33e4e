/**
 * The schema in TypeScript and the migrations in SQL say the same: generating again must give nothing new. A test names
 * another schema.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [schema = './src-main/platform/database/schema/index.ts'] = process.argv.slice(2);
// drizzle-kit puts `./` before the folder, and then ends with 0 when it finds none: no absolute path will do.
const copy = mkdtempSync(join(ROOT, 'node_modules', '.migrations-'));
try {
  cpSync(join(ROOT, 'src-main/platform/database/migrations'), copy, { recursive: true });
  const before = readdirSync(copy).length;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/drizzle-kit/bin.cjs'),
      'generate',
      '--dialect',
      'sqlite',
      '--schema',
      schema,
      '--out',
      relative(ROOT, copy).split('\\').join('/'),
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const added = readdirSync(copy).length - before;
  if (added > 0) {
    process.stderr.write('The schema has changed without a migration: run "npx drizzle-kit generate".\n');
    process.exitCode = 1;
  } else if (!stdout.includes('No schema changes')) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

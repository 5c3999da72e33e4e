/** The schema in TypeScript and the migrations in SQL say the same: generating again must give nothing new. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'hearth-migrations-'));
try {
  cpSync(join(ROOT, 'src-main/platform/database/migrations'), copy, { recursive: true });
  const before = readdirSync(copy).length;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/drizzle-kit/bin.cjs'),
      'generate',
      '--dialect',
      'sqlite',
      '--schema',
      './src-main/platform/database/schema/index.ts',
      '--out',
      copy,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const added = readdirSync(copy).length - before;
  if (status !== 0 || added !== 0) {
    process.stderr.write(
      added > 0
        ? 'The schema has changed without a migration: run "npx drizzle-kit generate".\n'
        : `${stdout}${stderr}`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

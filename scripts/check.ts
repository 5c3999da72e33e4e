/** `npm run check`: types per room, lint and walls, dead exports, generated files, migrations, and the five largest files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string): string =>
  join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const NODE = process.execPath;

const STEPS: readonly [name: string, command: string, args: string[]][] = [
  ...['src-shared', 'src-main', 'src-renderer', 'test', 'scripts'].map((room): [string, string, string[]] => [
    `types of ${room}`,
    bin('tsc'),
    ['-p', room],
  ]),
  ['types of preload', bin('tsc'), ['-p', 'src-main/app/desktop/preload.tsconfig.json']],
  ['types of quotes-workflow', bin('tsc'), ['-p', 'scripts/quotes-workflow.tsconfig.json']],
  [
    'lint and walls',
    bin('oxlint'),
    ['--deny-warnings', 'src-shared', 'src-main', 'src-renderer', 'test', 'scripts', 'resources'],
  ],
  ['dead exports and packages', bin('knip'), ['--no-progress']],
  ['lock of packages', NODE, ['scripts/check-lock.ts']],
  ['generated files', NODE, ['scripts/generate.ts', '--check']],
  ['settings page of the ticker', NODE, ['scripts/firmware-page.ts', '--check']],
  ['migrations', NODE, ['scripts/check-migrations.ts']],
];

let failed = 0;
for (const [name, command, args] of STEPS) {
  const shell = command.endsWith('.cmd');
  const { status, stdout, stderr, error } = spawnSync(shell ? `"${command}"` : command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell,
  });
  const ok = status === 0 && !error;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (ok) continue;
  failed += 1;
  process.stdout.write(`${error?.message ?? ''}${stdout}${stderr}\n`);
}
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');
const sizes = files
  .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length }))
  .sort((a, b) => b.lines - a.lines);
process.stdout.write(
  `largest files:\n${sizes
    .slice(0, 5)
    .map(({ file, lines }) => `  ${lines} ${file}`)
    .join('\n')}\n`,
);
process.exit(failed ? 1 : 0);

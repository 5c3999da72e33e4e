/**
 * `npm run format` formats every file in place; `-- --check` only says which are not. Names of files limit it to these.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const CPP = /^firmware\/.*\.(cpp|h)$/;
const GENERATED = /\/generated\//;
/** The clang-format of npm comes for these; elsewhere C++ is left as it is. */
const CLANG_FORMAT: Partial<Record<string, string>> = {
  'linux x64': 'linux_x64/clang-format',
  'darwin x64': 'darwin_x64/clang-format',
  'darwin arm64': 'darwin_x64/clang-format',
  'win32 x64': 'win32/clang-format.exe',
};

function runFormatter(command: string, args: readonly string[]): boolean {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status === 0 && !error) return true;
  process.stdout.write(`${error?.message ?? ''}${stdout}${stderr}`);
  return false;
}

function formatScripts(): boolean {
  const oxfmt = join(ROOT, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  const paths = positionals.length > 0 ? ['--no-error-on-unmatched-pattern', ...positionals] : ['.'];
  return runFormatter(process.execPath, [oxfmt, ...(values.check ? ['--check'] : []), ...paths]);
}

function formatFirmware(): boolean {
  const tracked = execFileSync('git', ['ls-files', 'firmware'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const files = (positionals.length > 0 ? positionals : tracked).filter(
    (file) => CPP.test(file) && !GENERATED.test(file) && existsSync(join(ROOT, file)),
  );
  const program = CLANG_FORMAT[`${process.platform} ${process.arch}`];
  if (files.length === 0) return true;
  if (!program) {
    process.stdout.write(`C++ is not formatted: there is no clang-format for ${process.platform} ${process.arch}.\n`);
    return true;
  }
  const path = join(ROOT, 'node_modules', 'clang-format', 'bin', program);
  return runFormatter(path, [...(values.check ? ['--dry-run', '--Werror'] : ['-i']), ...files]);
}

const areFormatted = [formatScripts(), formatFirmware()];
if (areFormatted.includes(false)) process.exitCode = 1;

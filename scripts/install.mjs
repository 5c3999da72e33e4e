// Runs on any Node from 20, before anything is installed: only built-in modules here.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The Node runtime that the project installs. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
/** npm writes this file as its last step; it lists the installed packages. */
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');

/** Installs the dependencies of package-lock.json unless exactly these are installed. */
export function install() {
  if (existsSync(INSTALLED) && existsSync(NODE) && isCurrent()) return;
  process.stdout.write('Installing what Hearth needs, which takes a minute or two.\n');
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
  installHooks();
}

/** Installs the hook that formats and lints staged files; skipped without git or a writable hooks folder. */
function installHooks() {
  if (process.env.CI || !existsSync(join(ROOT, '.git'))) return;
  spawnSync(NODE, [join(ROOT, 'node_modules', 'lefthook', 'bin', 'index.js'), 'install'], {
    cwd: ROOT,
    stdio: 'ignore',
  });
}

/** Packages for other platforms are optional and may be missing; every other one must have the right version. */
function isCurrent() {
  const wanted = packagesOf(join(ROOT, 'package-lock.json'));
  const present = packagesOf(INSTALLED);
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || (present[path] ? present[path].version === version : optional === true),
  );
}

const packagesOf = (lock) => JSON.parse(readFileSync(lock, 'utf8')).packages;

/** Runs a program with our standard output; ends this process with its exit code when it fails. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: command.endsWith('.cmd'),
  });
  if (error) {
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
    process.exit(1);
  }
  if (status !== 0) process.exit(status ?? 1);
}

// `npm start`: installs, builds and opens Hearth, with nothing but Node 20 and npm on the machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { install, NODE, ROOT, run } from './install.mjs';

install();
build();
const electron = findElectron();
const flags = process.argv.slice(2);
if (electron.path) run(NODE, ['--disable-warning=ExperimentalWarning', join('scripts', 'build-desktop.ts')]);
const entry = electron.path
  ? [electron.path, [join('dist', 'desktop'), ...flags]]
  : [NODE, ['src-main/app/serve.ts', ...flags]];
if (!electron.path)
  process.stdout.write(
    `No desktop window here: ${electron.why}\nHearth runs without one; open the address below in a browser.\n`,
  );
const child = spawn(entry[0], entry[1], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));

/** Builds the user interface when a source is newer than what was built. */
function build() {
  const built = join(ROOT, 'dist', 'renderer', 'index.html');
  const newest = Math.max(...['src-renderer', 'src-shared'].map((folder) => newestIn(join(ROOT, folder))));
  if (!existsSync(built) || statSync(built).mtimeMs < newest)
    run(NODE, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']);
}

function newestIn(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? newestIn(join(folder, entry.name)) : statSync(join(folder, entry.name)).mtimeMs,
    ),
  );
}

/** The path of the Electron program, or why there is none. */
function findElectron() {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return { path: null, why: 'there is no display.' };
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { path: null, why: 'its sandbox does not run for root.' };
  // Asked in our own Node: Electron's package needs a newer one than may run this script, and fetches its program the first time.
  const { stdout, stderr } = spawnSync(NODE, ['--print', "require('electron')"], { cwd: ROOT, encoding: 'utf8' });
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return existsSync(path)
    ? { path }
    : { path: null, why: `the desktop program could not be fetched (${stderr.trim().split('\n')[0]}).` };
}

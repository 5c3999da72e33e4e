// `npm start`: installs, builds and opens Hearth. Needs only Node 20 and npm on the machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { install, NODE, ROOT, run } from './install.mjs';

const flags = process.argv.slice(2);
// Installing and building take a while; programs that read JSON get nothing else.
if (!flags.includes('--json')) process.stdout.write('Starting Hearth.\n');
install();
buildRenderer();
const electron = findElectron();
if (electron.path) run(NODE, [join('scripts', 'build-desktop.ts')]);
else {
  run(NODE, [join('scripts', 'build-core.ts'), '--if-stale']);
  process.stdout.write(
    `Hearth can't open a desktop window: ${electron.why}\nOpen the address below in a browser instead.\n`,
  );
}
const entry = electron.path
  ? [electron.path, [join('dist', 'desktop'), ...flags]]
  : [NODE, [join('dist', 'core', 'serve.js'), ...flags]];
const child = spawn(entry[0], entry[1], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));

/** Builds the user interface when a source is newer than the build. */
function buildRenderer() {
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

/** The path of the Electron program, or the reason why it can't run here. */
function findElectron() {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return { path: null, why: 'there is no display.' };
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { path: null, why: 'the Electron sandbox does not run as root.' };
  // Electron's package needs a newer Node than this script may run in. It downloads its program on first use.
  const { stdout, stderr } = spawnSync(NODE, ['--print', "require('electron')"], { cwd: ROOT, encoding: 'utf8' });
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return existsSync(path)
    ? { path }
    : { path: null, why: `the desktop program could not be downloaded (${stderr.trim().split('\n')[0]}).` };
}

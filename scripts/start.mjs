// `npm start`: installs, builds and opens Hearth. Needs only Node 20 and npm on the machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { install, NODE, ROOT, run } from './install.mjs';

const flags = process.argv.slice(2);
// Programs that read JSON get nothing else.
const isQuiet = flags.includes('--json');
/** Says what takes a while. */
const say = (sentence) => {
  if (!isQuiet) process.stdout.write(`${sentence}\n`);
};
say('Starting Hearth.');
install();
buildRenderer();
const electron = findElectron();
if (electron.path) {
  say('Preparing the desktop window.');
  run(NODE, [join('scripts', 'build-desktop.ts'), '--if-stale']);
} else {
  run(NODE, [join('scripts', 'build-core.ts'), '--if-stale']);
  say(`Hearth can't open a desktop window: ${electron.why}\nOpen the address below in a browser instead.`);
}
const own = isQuiet ? flags : ['--log-to-file', ...flags];
const entry = electron.path
  ? [electron.path, [join('dist', 'desktop'), ...own]]
  : [NODE, [join('dist', 'core', 'serve.js'), ...own]];
const child = spawn(entry[0], entry[1], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));

/** Builds the user interface when a source is newer than the build. */
function buildRenderer() {
  const built = join(ROOT, 'dist', 'renderer', 'index.html');
  const newest = Math.max(...['src-renderer', 'src-shared'].map((folder) => newestIn(join(ROOT, folder))));
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  say('Building the user interface, which is needed once after an update and takes about 30 seconds.');
  for (const config of ['vite.config.ts', 'vite.share.config.ts'])
    run(NODE, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn']);
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

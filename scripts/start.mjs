// `npm start`: installs, builds and opens Hearth. Needs only Node 20 and npm on the machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addressIn, findAppWindow, openAppWindow } from './app-window.mjs';
import { buildPages } from './build-pages.mjs';
import { install, NODE, ROOT, run } from './install.mjs';

// `--window` opens the page in a window of Chromium where Electron can't run.
const flags = process.argv.slice(2).filter((flag) => flag !== '--window');
const wantsWindow = process.argv.includes('--window');
// Programs that read JSON get nothing else.
const isQuiet = flags.includes('--json');
/** Says what takes a while. */
const say = (sentence) => {
  if (!isQuiet) process.stdout.write(`${sentence}\n`);
};
say('Starting Hearth.');
install();
buildPages(say);
const electron = findElectron();
const own = isQuiet ? flags : ['--log-to-file', ...flags];
if (electron.path) {
  say('Preparing the desktop window.');
  run(NODE, [join('scripts', 'build-desktop.ts'), '--if-stale']);
  follow(spawn(electron.path, [join('dist', 'desktop'), ...own], { cwd: ROOT, stdio: 'inherit' }));
} else {
  say(`Hearth can't open its desktop window: ${electron.why} Open the address below in a browser instead.`);
  run(NODE, [join('scripts', 'build-core.ts'), '--if-stale']);
  serveHeadless();
}

/** Ends with the program, and ends it with this one. */
function follow(child) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
}

/** Starts the core without a window, and offers one of Chromium if that is installed. */
function serveHeadless() {
  const program = findAppWindow({
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
  });
  const isOffered = program !== null && !isQuiet && (wantsWindow || process.stdin.isTTY);
  const stdio = ['ignore', isOffered ? 'pipe' : 'inherit', 'inherit'];
  const child = spawn(NODE, [join('dist', 'core', 'serve.js'), ...own], { cwd: ROOT, stdio });
  follow(child);
  if (!isOffered) return;
  const open = (url) => openAppWindow(program, url, join(homedir(), '.cache', 'hearth-window'));
  createInterface({ input: child.stdout }).on('line', (line) => {
    say(line);
    const url = addressIn(line);
    if (url === null) return;
    if (wantsWindow) return open(url);
    say('Press Enter to open it in a window of its own.');
    createInterface({ input: process.stdin }).once('line', () => open(url));
  });
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
  if (existsSync(path)) return { path };
  const [reason = ''] = stderr.trim().split('\n');
  return { path: null, why: `the desktop program could not be downloaded (${reason.slice(0, 200)}).` };
}

// A window without the controls of a browser, where Electron can't run but Chromium is installed. Runs on any Node from
// 20, before anything is installed: only built-in modules here.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const ON_PATH = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const OF_SYSTEM = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((folder) => [
    `${folder}:Google\\Chrome\\Application\\chrome.exe`,
    `${folder}:Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
};

/**
 * The program that can show the window; null if there is none, no display, or the user is root, as whom its sandbox does
 * not run.
 */
export function findAppWindow({ platform, env, isRoot, exists = existsSync }) {
  const hasDisplay = platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (!hasDisplay || isRoot) return null;
  const fixed = (OF_SYSTEM[platform] ?? []).flatMap((path) => {
    const [, folder, rest] = /^([^:\\/]+):(.+)$/.exec(path) ?? [];
    if (folder === undefined) return [path];
    return env[folder] ? [`${env[folder]}\\${rest}`] : [];
  });
  const folders = platform === 'win32' ? [] : (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...fixed, ...ON_PATH.flatMap((name) => folders.map((folder) => join(folder, name)))].find(exists) ?? null;
}

/**
 * Opens the address in a window of its own, with a profile of its own, so that extensions of the person's browser don't
 * read records. The window outlives this program.
 */
export function openAppWindow(program, url, profile) {
  const flags = [`--app=${url}`, `--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check'];
  const child = spawn(program, flags, { stdio: 'ignore', detached: true });
  // It was there a moment ago; the address in the terminal still works.
  child.once('error', () => undefined);
  child.unref();
}

/**
 * The address in a line of the core's output; null in any other line.
 */
export const addressIn = (line) => /^Hearth listens on (http\S+)/.exec(line)?.[1] ?? null;

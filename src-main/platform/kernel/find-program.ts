import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { inheritedEnvironment } from './run-program.ts';

/** Where installers put programs that a desktop program does not find on its PATH. */
const USUAL_FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin'],
  linux: ['/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin', '/snap/bin', join(homedir(), '.local', 'bin')],
  win32: [
    'C:\\Program Files (x86)\\cloudflared',
    'C:\\Program Files\\cloudflared',
    'C:\\Windows\\System32\\OpenSSH',
    join(homedir(), 'AppData', 'Local', 'Microsoft', 'WinGet', 'Links'),
  ],
};
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];

/** The absolute path of an installed program, by its name or its path; null if there is none. */
export function findProgram(name: string): string | null {
  if (isAbsolute(name)) return isExecutable(name) ? name : null;
  if (/[\\/]/.test(name) || name === '') return null;
  const folders = [
    ...(inheritedEnvironment()['PATH'] ?? '').split(delimiter),
    ...(USUAL_FOLDERS[process.platform] ?? []),
  ];
  const paths = folders
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder in which Finder, iTunes and Apple Devices store backups; '' on systems that have none. */
export function defaultBackupFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'MobileSync', 'Backup');
  if (process.platform !== 'win32') return '';
  // The app from the Microsoft Store stores them in the user profile, iTunes in the roaming data.
  const ofStore = join(homedir(), 'Apple', 'MobileSync', 'Backup');
  return existsSync(ofStore)
    ? ofStore
    : join(homedir(), 'AppData', 'Roaming', 'Apple Computer', 'MobileSync', 'Backup');
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Finder, iTunes and Apple Devices put backups; '' on systems that have no such place. */
export function defaultBackupFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'MobileSync', 'Backup');
  if (process.platform !== 'win32') return '';
  // The app of the store keeps them in the profile, iTunes in the roaming data.
  const ofStore = join(homedir(), 'Apple', 'MobileSync', 'Backup');
  return existsSync(ofStore)
    ? ofStore
    : join(homedir(), 'AppData', 'Roaming', 'Apple Computer', 'MobileSync', 'Backup');
}

import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Makes a database file readable by its owner only before SQLite opens it: an empty one if it is missing. SQLite gives
 * its journals the mode of the database; those of earlier versions are changed. An existing file is not opened, since
 * closing it would release the locks of this process (fcntl(2)). Windows has no modes.
 */
export function ensurePrivateDatabase(path: string): void {
  ignoreErrors(() => closeSync(openSync(path, 'wx', OWNER_ONLY)));
  if (process.platform === 'win32') return;
  for (const file of [path, `${path}-wal`, `${path}-shm`]) ignoreErrors(() => chmodSync(file, OWNER_ONLY));
}

/** The file exists, or its file system has no modes; SQLite reports a file that can't be used. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

const OWNER_ONLY = 0o600;

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}`;
  try {
    const handle = openSync(temporary, 'w', OWNER_ONLY);
    try {
      // Goes on where the system writes only a part, as on a disk that becomes full.
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return temporary;
}

/**
 * Reads the file. If it is missing, it is created with the result of `first`, readable by its owner only; two processes
 * that start at the same time agree on one content.
 */
export function readOrMakePrivate(path: string, first: () => string): string {
  if (!existsSync(path)) {
    const temporary = writeTemporary(path, first());
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(temporary);
    }
  }
  return readFileSync(path, 'utf8');
}

/** Replaces the file atomically. */
export function replacePrivate(path: string, text: string): void {
  renameSync(writeTemporary(path, text), path);
}

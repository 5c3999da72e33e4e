import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { lstatOrNull } from './paths.ts';

/** Flushes renames and new names of a folder to disk. Windows has no such call, because NTFS journals them itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Flushes the bytes of a file to disk. */
export function syncFile(absolute: string): void {
  const handle = openSync(absolute, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates a folder and its missing parents with private permissions, and flushes the parent of each new one. Folders
 * are created one by one, because Node's recursive mkdir never returns where a folder can't be created (`/proc`).
 */
export function createFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory())
      throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' });
    return;
  }
  if (dirname(folder) !== folder) createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  syncFolder(dirname(folder));
}

/** Replaces or creates a file atomically and flushes it: readers see either the old or the new bytes. */
export function writeFileAtomic(absolute: string, bytes: Uint8Array | string, uniqueName: string): void {
  createFolder(dirname(absolute));
  const temporary = join(dirname(absolute), `.${uniqueName}.part`);
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      for (let written = 0; written < data.length;) written += writeSync(handle, data, written);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, absolute);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(absolute));
}

/** Removes a file if it exists and flushes its folder. */
export function removeFile(absolute: string): void {
  if (lstatOrNull(absolute) === null) return;
  unlinkSync(absolute);
  syncFolder(dirname(absolute));
}

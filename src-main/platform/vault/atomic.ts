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

/** Makes renames and new names of a folder outlive a power cut. Windows has no such call and keeps its own journal. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a file's bytes outlive a power cut. */
export function syncFile(absolute: string): void {
  const handle = openSync(absolute, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates a folder and its missing parents, private, and flushes the parent of each that is new. One by one: where a folder takes none
 * (`/proc`), Node tries for ever to create one with its parents.
 */
export function createFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
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

/** Replaces or creates a file: readers see the old bytes or the new ones, never a part; flushed when it returns. */
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

/** Removes a file if it is there and flushes its folder. */
export function removeFile(absolute: string): void {
  if (lstatOrNull(absolute) === null) return;
  unlinkSync(absolute);
  syncFolder(dirname(absolute));
}

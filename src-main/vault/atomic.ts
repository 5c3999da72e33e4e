import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { numberedName } from './layout.ts';
import { hashFileSync } from './hash.ts';
import { lstatOrNull } from './paths.ts';

/** Codes of file systems without hard links (exFAT, some network shares). */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

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

/** Creates a folder and its missing parents, private, and flushes the parent of each that is new. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** How a move ended: `moved` now, `already` by an earlier try, `lost` when neither name exists. */
export type MoveEnd = 'moved' | 'already' | 'lost';

/**
 * Moves a file or folder to a name, flushing both parents; can be repeated after a kill at any moment. Never overwrites:
 * a foreign file that stands at the target is set aside under a numbered name first.
 */
export function moveFile(from: string, to: string): MoveEnd {
  const source = lstatOrNull(from);
  const target = lstatOrNull(to);
  if (source === null) return target === null ? 'lost' : 'already';
  createFolder(dirname(to));
  if (source.isDirectory()) return moveFolder(from, to, target !== null && (source.dev !== target.dev || source.ino !== target.ino));
  if (target === null) placeFile(from, to);
  else if (source.dev === target.dev && source.ino === target.ino) finishHalfMove(from, to, source.nlink);
  else if (source.size === target.size && hashFileSync(from) === hashFileSync(to)) unlinkSync(from);
  else {
    setAside(to);
    placeFile(from, to);
  }
  syncFolder(dirname(from));
  return 'moved';
}

/** With everything in it, in one step of the file system; `taken` when something else stands at the target. */
function moveFolder(from: string, to: string, taken: boolean): MoveEnd {
  if (taken) setAside(to);
  renameSync(from, to);
  syncFolder(dirname(to));
  syncFolder(dirname(from));
  return 'moved';
}

/** One file under both names: killed between link and unlink, or (one link only) two spellings of one name where case does not count. */
function finishHalfMove(from: string, to: string, links: number): void {
  if (links > 1) unlinkSync(from);
  else renameSync(from, to);
}

function placeFile(from: string, to: string): void {
  try {
    // Unlike rename, link refuses a name that appeared since we looked.
    linkSync(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EXDEV') return copyAcrossVolumes(from, to);
    if (code === undefined || !NO_HARD_LINKS.has(code)) throw error;
    renameSync(from, to);
    syncFolder(dirname(to));
    return;
  }
  // The new name must be on the disk before the old one goes.
  syncFolder(dirname(to));
  unlinkSync(from);
}

function copyAcrossVolumes(from: string, to: string): void {
  const temporary = join(dirname(to), `.${basename(to)}.part`);
  rmSync(temporary, { force: true });
  copyFileSync(from, temporary);
  syncFile(temporary);
  if (hashFileSync(temporary) !== hashFileSync(from)) {
    rmSync(temporary, { force: true });
    throw Object.assign(new Error('copy differs from its source'), { code: 'EIO' });
  }
  placeFile(temporary, to);
  unlinkSync(from);
}

function setAside(absolute: string): void {
  let n = 2;
  while (lstatOrNull(join(dirname(absolute), numberedName(basename(absolute), n))) !== null) n += 1;
  renameSync(absolute, join(dirname(absolute), numberedName(basename(absolute), n)));
}

/** Removes a file if it is there and flushes its folder. */
export function removeFile(absolute: string): void {
  if (lstatOrNull(absolute) === null) return;
  unlinkSync(absolute);
  syncFolder(dirname(absolute));
}

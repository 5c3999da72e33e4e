import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { lstat, open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { BackupFile, BackupFiles } from '../../../../src-shared/ios-backup/index.ts';

/**
 * What the engine may ask for: one name, or one folder and one name. No dots alone, no NUL, no separators of other
 * systems.
 */
const SAFE_PATH = /^(?!\.{1,2}(\/|$))[^/\\\0:]{1,255}(\/(?!\.{1,2}$)[^/\\\0:]{1,255})?$/;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO']);
/** Links are not followed, pipes do not block; Windows knows neither flag, so links are looked for there. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The folder of a backup on this disk, for reading: regular files only, links refused at both levels. */
export const nodeBackupFiles = (root: string): BackupFiles => filesOf(root, []);

/** @param used arrays that were given back, to read into again */
function filesOf(root: string, used: ArrayBufferLike[]): BackupFiles {
  const opened = async (path: string): Promise<{ handle: FileHandle; size: number } | null> => {
    if (!SAFE_PATH.test(path)) return null;
    const [folder, name] = path.split('/');
    if (name !== undefined && !(await isFolder(join(root, folder ?? '')))) return null;
    if (constants.O_NOFOLLOW === undefined && (await absent(lstat(join(root, path))))?.isSymbolicLink()) return null;
    const handle = await absent(open(join(root, path), FLAGS));
    if (handle === null) return null;
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, size: stat.size };
    await handle.close();
    return null;
  };
  const readInto = async (
    { handle, size }: { handle: FileHandle; size: number },
    start: number,
    end: number,
  ): Promise<Uint8Array> => {
    const wanted = unfilled(Math.max(0, Math.min(end, size) - start), used);
    let done = 0;
    while (done < wanted.length) {
      const { bytesRead } = await handle.read(wanted, done, wanted.length - done, start + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return wanted.subarray(0, done);
  };
  return {
    async list(folder) {
      if (folder !== '' && (!SAFE_PATH.test(folder) || folder.includes('/') || !(await isFolder(join(root, folder)))))
        return [];
      const names = (await absent(readdir(join(root, folder)))) ?? [];
      const found = await Promise.all(names.map((name) => fileOf(join(root, folder), name)));
      return found.filter((file) => file !== null);
    },
    async size(path) {
      const file = await opened(path);
      await file?.handle.close();
      return file?.size ?? null;
    },
    async readRange(path, start, end) {
      const file = await opened(path);
      if (file === null) throw gone();
      try {
        return await readInto(file, start, end);
      } finally {
        await file.handle.close();
      }
    },
    async open(path) {
      const file = await opened(path);
      if (file === null) throw gone();
      return { readRange: (start, end) => readInto(file, start, end), close: () => file.handle.close() };
    },
    release: (bytes) => keep(bytes, used),
  };
}

/**
 * The same for a thread that does nothing but read this backup: it waits for the disk itself. Turns of the platform's
 * file threads, five
 * for each piece that is asked for alone, cost half as much as decrypting it. Others get their turn before each large
 * piece.
 */
export function threadBackupFiles(root: string): BackupFiles {
  const used: ArrayBufferLike[] = [];
  return {
    ...filesOf(root, used),
    async readRange(path, start, end) {
      if (end - start >= WORTH_KEEPING) await setImmediate();
      const file = openedNow(root, path);
      try {
        const wanted = unfilled(Math.max(0, Math.min(end, fstatSync(file).size) - start), used);
        let done = 0;
        while (done < wanted.length) {
          const bytesRead = readSync(file, wanted, done, wanted.length - done, start + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return wanted.subarray(0, done);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Opens a regular file of the backup. */
function openedNow(root: string, path: string): number {
  const [folder = '', name] = path.split('/'),
    whole = join(root, path);
  const isInFolder = name === undefined || lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory();
  if (
    !SAFE_PATH.test(path) ||
    !isInFolder ||
    (constants.O_NOFOLLOW === undefined && lstatSync(whole, { throwIfNoEntry: false })?.isSymbolicLink())
  )
    throw gone();
  const file = openSync(whole, FLAGS);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw gone();
}

const gone = (): Error => Object.assign(new Error('the file is gone'), { code: 'ENOENT' });

/** Arrays given back, from this size on and no more than this many. */
const WORTH_KEEPING = 256 * 1024,
  KEPT = 4;

function keep({ buffer }: Uint8Array, used: ArrayBufferLike[]): void {
  if (buffer.byteLength >= WORTH_KEEPING && used.length < KEPT) used.push(buffer);
}

/** Memory to read into, not zeroed: a used array where one is large enough. */
function unfilled(size: number, used: ArrayBufferLike[]): Uint8Array {
  const fits = size < WORTH_KEEPING ? -1 : used.findIndex((buffer) => buffer.byteLength >= size);
  const [buffer = Buffer.allocUnsafeSlow(size).buffer] = fits < 0 ? [] : used.splice(fits, 1);
  return new Uint8Array(buffer, 0, size);
}

async function absent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await absent(lstat(path)))?.isDirectory() ?? false;

async function fileOf(folder: string, name: string): Promise<BackupFile | null> {
  const stat = await absent(lstat(join(folder, name)));
  if (stat?.isDirectory()) return { name, kind: 'folder', size: 0 };
  return stat?.isFile() ? { name, kind: 'file', size: stat.size } : null;
}

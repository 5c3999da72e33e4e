import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { lstat, open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { BackupFile, BackupFiles } from '../../../../src-shared/ios-backup/index.ts';

/**
 * Paths that the engine may request: a name, or a folder and a name, without `.`, `..`, NUL or separators of other
 * systems.
 */
const SAFE_PATH = /^(?!\.{1,2}(\/|$))[^/\\\0:]{1,255}(\/(?!\.{1,2}$)[^/\\\0:]{1,255})?$/;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO']);
/** Does not follow links or block on pipes. Windows supports neither flag, so links are checked separately there. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The folder of a backup on this disk, read-only: regular files only, links refused at both levels. */
export const nodeBackupFiles = (root: string): BackupFiles => filesOf(root, []);

/** @param used arrays that were released, to be reused */
function filesOf(root: string, used: ArrayBufferLike[]): BackupFiles {
  const opened = async (path: string): Promise<{ handle: FileHandle; size: number } | null> => {
    if (!SAFE_PATH.test(path)) return null;
    const [folder, name] = path.split('/');
    if (name !== undefined && !(await isFolder(join(root, folder ?? '')))) return null;
    if (constants.O_NOFOLLOW === undefined && (await nullIfGone(lstat(join(root, path))))?.isSymbolicLink())
      return null;
    const handle = await nullIfGone(open(join(root, path), FLAGS));
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
      const names = (await nullIfGone(readdir(join(root, folder)))) ?? [];
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
      if (file === null) throw goneError();
      try {
        return await readInto(file, start, end);
      } finally {
        await file.handle.close();
      }
    },
    async open(path) {
      const file = await opened(path);
      if (file === null) throw goneError();
      return { readRange: (start, end) => readInto(file, start, end), close: () => file.handle.close() };
    },
    release: (bytes) => keep(bytes, used),
  };
}

/**
 * Does the same for a thread that only reads this backup, with synchronous reads: switching to the file threads of the
 * platform, five times for each piece, takes half as long as decrypting it. Other work runs before each large piece.
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

/** Opens a regular file of the backup synchronously. */
function openedNow(root: string, path: string): number {
  const [folder = '', name] = path.split('/'),
    whole = join(root, path);
  const isInFolder = name === undefined || lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory();
  if (
    !SAFE_PATH.test(path) ||
    !isInFolder ||
    (constants.O_NOFOLLOW === undefined && lstatSync(whole, { throwIfNoEntry: false })?.isSymbolicLink())
  )
    throw goneError();
  const file = openSync(whole, FLAGS);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw goneError();
}

const goneError = (): Error => Object.assign(new Error('the file is gone'), { code: 'ENOENT' });

/** Minimum size of released arrays that are kept, and their maximum number. */
const WORTH_KEEPING = 256 * 1024,
  KEPT = 4;

function keep({ buffer }: Uint8Array, used: ArrayBufferLike[]): void {
  if (buffer.byteLength >= WORTH_KEEPING && used.length < KEPT) used.push(buffer);
}

/** Returns uninitialized memory to read into: a used array if one is large enough. */
function unfilled(size: number, used: ArrayBufferLike[]): Uint8Array {
  const fits = size < WORTH_KEEPING ? -1 : used.findIndex((buffer) => buffer.byteLength >= size);
  const [buffer = Buffer.allocUnsafeSlow(size).buffer] = fits < 0 ? [] : used.splice(fits, 1);
  return new Uint8Array(buffer, 0, size);
}

async function nullIfGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await nullIfGone(lstat(path)))?.isDirectory() ?? false;

async function fileOf(folder: string, name: string): Promise<BackupFile | null> {
  const stat = await nullIfGone(lstat(join(folder, name)));
  if (stat?.isDirectory()) return { name, kind: 'folder', size: 0 };
  return stat?.isFile() ? { name, kind: 'file', size: stat.size } : null;
}

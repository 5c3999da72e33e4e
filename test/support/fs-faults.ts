import fs, { readdirSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

/** Runs with other file system calls, as a disk with faults has them. A promise ends before the calls are put back. */
export function withFs<T>(calls: Partial<typeof fs>, work: () => T): T {
  const original = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  const putBack = (): void => {
    Object.assign(fs, original);
    syncBuiltinESMExports();
  };
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  let isPending = false;
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    isPending = true;
    return result.finally(putBack) as T;
  } finally {
    if (!isPending) putBack();
  }
}

/** An error of the file system. */
export const fsError = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Calls for `withFs` that act as usual and record flushes and changes of names in order, relative to `root`:
 * `create a`, `flush a/.x.part`, `rename a/.x.part a/x`, `link a/y`, `unlink a/x`. `open` are the paths that were
 * opened and not closed.
 */
export function recordFsCalls(root: string): { calls: string[]; open: () => string[]; fs: Partial<typeof fs> } {
  const { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync } = fs;
  const calls: string[] = [];
  const names = new Map<number, string>();
  const relative = (path: unknown): string => String(path).slice(root.length + 1) || '.';
  return {
    calls,
    open: () => [...names.values()],
    fs: {
      openSync: (...args) => {
        const handle = openSync(...args);
        names.set(handle, relative(args[0]));
        return handle;
      },
      closeSync: (handle) => {
        names.delete(handle);
        closeSync(handle);
      },
      fsyncSync: (handle) => {
        calls.push(`flush ${names.get(handle)}`);
        fsyncSync(handle);
      },
      renameSync: (from, to) => {
        calls.push(`rename ${relative(from)} ${relative(to)}`);
        renameSync(from, to);
      },
      linkSync: (from, to) => {
        calls.push(`link ${relative(to)}`);
        linkSync(from, to);
      },
      unlinkSync: (path) => {
        calls.push(`unlink ${relative(path)}`);
        unlinkSync(path);
      },
      mkdirSync: ((path: string, options: object) => {
        calls.push(`create ${relative(path)}`);
        return mkdirSync(path, options);
      }) as typeof fs.mkdirSync,
    },
  };
}

/** Files below a folder that this process has open. Linux only. */
export const openFilesBelow = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder + sep) ? [path] : [];
    } catch {
      // The listing itself has a descriptor, which is closed by now.
      return [];
    }
  });

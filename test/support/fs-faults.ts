import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Runs with other file system calls, as a disk with faults has them. */
export function withFs<T>(calls: Partial<typeof fs>, work: () => T): T {
  const original = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  try {
    return work();
  } finally {
    Object.assign(fs, original);
    syncBuiltinESMExports();
  }
}

/** An error of the file system. */
export const fsError = (code: string): Error => Object.assign(new Error(code), { code });

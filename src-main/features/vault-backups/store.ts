import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import { syncFolder } from '../../platform/vault/atomic.ts';

export interface Stored {
  size: number;
  sha256: string;
}

/**
 * Files by what they hold: `objects/ab/ab12…`. Each is written under another name, flushed, and only then takes its
 * own.
 */
export interface ObjectStore {
  pathOf(sha256: string): string;
  /** Whether an object of this size exists; only reading it verifies its bytes. */
  has(stored: Stored): boolean;
  /** Takes files in; null for each that is gone. Overwrites an object of the same name, which heals a damaged one. */
  putAll(absolutes: string[], signal: AbortSignal): Promise<(Stored | null)[]>;
  put(absolute: string, signal: AbortSignal): Promise<Stored | null>;
  /** Reads objects and answers for each whether it holds what its name says. */
  areWhole(stored: Stored[], signal: AbortSignal): Promise<boolean[]>;
  /** Makes new names outlive a power cut. */
  flush(): void;
  /** Removes what none of these names, and half-written files. */
  sweep(wanted: ReadonlySet<string>): number;
}

/** `folder` must be there: nothing above it is ever created, lest a missing disk is replaced by its mount point. */
export function openStore({
  folder,
  files,
  ids,
}: {
  folder: string;
  files: FileWorker;
  ids: () => string;
}): ObjectStore {
  const shelf = (sha256: string): string => join(folder, sha256.slice(0, 2));
  const pathOf = (sha256: string): string => join(shelf(sha256), sha256);
  const touched = new Set<string>();
  const isThere = (path: string): boolean => lstatOrNull(path) !== null;

  /** Their names are known only once they were read: until then they wait above the shelves. */
  async function putAll(absolutes: string[], signal: AbortSignal): Promise<(Stored | null)[]> {
    const pairs = absolutes.map((from) => ({ from, to: join(folder, `.${ids()}.part`) }));
    try {
      const copied = await files.copyAll(pairs, signal);
      for (const [index, stored] of copied.entries()) {
        if (!stored) continue;
        makeShelf(shelf(stored.sha256));
        renameSync(pairs[index]!.to, pathOf(stored.sha256));
        touched.add(shelf(stored.sha256));
      }
      return copied;
    } finally {
      for (const { to } of pairs) rmSync(to, { force: true });
    }
  }

  return {
    pathOf,
    has: ({ size, sha256 }) => lstatOrNull(pathOf(sha256))?.size === size,
    putAll,
    put: async (absolute, signal) => (await putAll([absolute], signal))[0] ?? null,
    async areWhole(stored, signal) {
      const hashes = await files.hashAll(
        stored.map(({ sha256 }) => pathOf(sha256)),
        signal,
      );
      return stored.map(
        ({ size, sha256 }, index) => hashes[index] === sha256 && lstatOrNull(pathOf(sha256))?.size === size,
      );
    },
    flush() {
      for (const shelf_ of touched) if (isThere(shelf_)) syncFolder(shelf_);
      syncFolder(folder);
      touched.clear();
    },
    sweep(wanted) {
      let swept = 0;
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isFile() && entry.name.startsWith('.')) rmSync(path, { force: true });
        if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
        for (const name of readdirSync(path)) {
          if (wanted.has(name)) continue;
          rmSync(join(path, name), { force: true });
          swept += 1;
        }
      }
      return swept;
    },
  };
}

function makeShelf(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

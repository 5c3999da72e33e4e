import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Copied, CopyPair } from '../../platform/vault/file-task.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import { syncFolder } from '../../platform/vault/atomic.ts';

export interface Stored {
  size: number;
  sha256: string;
}

/**
 * Files by the hash of their content: `objects/ab/ab12…`. Each is written under a temporary name, flushed, then
 * renamed.
 */
export interface ObjectStore {
  pathOf(sha256: string): string;
  /** Whether an object of this size exists; only reading it verifies its bytes. */
  has(stored: Stored): boolean;
  /**
   * Stores files, those of an encrypted vault sealed; null for each that does not exist. Overwrites an object of the
   * same name, which repairs a damaged one.
   */
  putAll(absolutes: string[], signal: AbortSignal): Promise<(Copied | null)[]>;
  put(absolute: string, signal: AbortSignal): Promise<Copied | null>;
  /** Stores a copy of a database, or another file that is never sealed. */
  putAsIs(absolute: string, signal: AbortSignal): Promise<Copied | null>;
  /** Reads objects and returns for each whether its content has the hash in its name. */
  areWhole(stored: Stored[], signal: AbortSignal): Promise<boolean[]>;
  /** Syncs new names to the disk, so that they survive a power failure. */
  flush(): void;
  /** Removes all other objects and half-written files. Returns the number of removed objects. */
  removeAllBut(namesToKeep: ReadonlySet<string>): number;
}

interface StoreDeps {
  folder: string;
  files: FileWorker;
  ids: () => string;
}

/** `folder` must exist. Parents are never created, so that a missing disk is not replaced by its mount point. */
export const openStore = (deps: StoreDeps): ObjectStore => new FolderStore(deps);

class FolderStore implements ObjectStore {
  readonly #folder: string;
  readonly #files: FileWorker;
  readonly #ids: () => string;
  readonly #changedFolders = new Set<string>();

  constructor({ folder, files, ids }: StoreDeps) {
    this.#folder = folder;
    this.#files = files;
    this.#ids = ids;
  }

  pathOf(sha256: string): string {
    return join(this.#folderOf(sha256), sha256);
  }

  has({ size, sha256 }: Stored): boolean {
    return lstatOrNull(this.pathOf(sha256))?.size === size;
  }

  /** The hash of a file is known only after reading it, so the object has a temporary name until then. */
  putAll(absolutes: string[], signal: AbortSignal): Promise<(Copied | null)[]> {
    return this.#putPairs(
      absolutes.map((from) => ({ from, to: this.#unfinished() })),
      signal,
    );
  }

  async #putPairs(pairs: CopyPair[], signal: AbortSignal): Promise<(Copied | null)[]> {
    try {
      const copied = await this.#files.copyAll(pairs, signal);
      for (const [index, stored] of copied.entries()) {
        if (!stored) continue;
        const folder = this.#folderOf(stored.sha256);
        createIfMissing(folder);
        renameSync(pairs[index]!.to, this.pathOf(stored.sha256));
        this.#changedFolders.add(folder);
      }
      return copied;
    } finally {
      for (const { to } of pairs) rmSync(to, { force: true });
    }
  }

  async put(absolute: string, signal: AbortSignal): Promise<Copied | null> {
    return (await this.putAll([absolute], signal))[0] ?? null;
  }

  async putAsIs(absolute: string, signal: AbortSignal): Promise<Copied | null> {
    const [copied] = await this.#putPairs([{ from: absolute, to: this.#unfinished(), isUnsealed: true }], signal);
    return copied ?? null;
  }

  async areWhole(stored: Stored[], signal: AbortSignal): Promise<boolean[]> {
    const hashes = await this.#files.hashAll(
      stored.map(({ sha256 }) => this.pathOf(sha256)),
      signal,
    );
    return stored.map((object, index) => hashes[index] === object.sha256 && this.has(object));
  }

  flush(): void {
    for (const folder of this.#changedFolders) if (lstatOrNull(folder) !== null) syncFolder(folder);
    syncFolder(this.#folder);
    this.#changedFolders.clear();
  }

  removeAllBut(namesToKeep: ReadonlySet<string>): number {
    let removed = 0;
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const path = join(this.#folder, entry.name);
      if (entry.isFile() && entry.name.startsWith('.')) rmSync(path, { force: true });
      if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
      for (const name of readdirSync(path)) {
        if (namesToKeep.has(name)) continue;
        rmSync(join(path, name), { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  #unfinished(): string {
    return join(this.#folder, `.${this.#ids()}.part`);
  }

  #folderOf(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2));
  }
}

function createIfMissing(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

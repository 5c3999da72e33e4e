import { createWriteStream, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../database/connection.ts';
import type { Clock } from '../kernel/clock.ts';
import { fail, translateFsError } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { syncFile } from './atomic.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { SealingStream } from '../sealed/sealed-file.ts';
import { HashingStream } from './hash.ts';
import { createJournal, type Journal } from './journal.ts';
import { createFolders, FOLDERS, numberedName } from './layout.ts';
import { createPaths, lstatOrNull } from './paths.ts';
import { layerPaths } from './reading-copy.ts';
import { createTrash, type Trash } from './trash.ts';

/** Up to this number, candidates are looked up one by one. */
const MAX_SINGLE_LOOKUPS = 3;

/** A received file in `tmp/`, flushed. */
export interface ReceivedFile {
  path: string;
  size: number;
  hash: string;
}

export interface Vault {
  /** Absolute path. */
  root: string;
  journal: Journal;
  trash: Trash;
  /**
   * Returns the absolute path of a vault path; throws `vault.path_outside` if it leaves the vault or passes through a
   * link.
   */
  resolve(path: string): string;
  /** Runs `work` in a transaction, then applies the journaled file moves. Nested calls defer to the outermost one. */
  transaction<T>(work: () => T): T;
  /**
   * Streams bytes into `tmp/` and hashes them. Throws `upload.too_large`, `server.disk_full`, or the source's error,
   * after removing the partial file.
   */
  receive(source: Readable, options: { limit: number; signal?: AbortSignal }): Promise<ReceivedFile>;
  /** Returns an unused path in `tmp/`. */
  temporaryPath(extension?: string): string;
  /** Removes a file in `tmp/` that was not used. */
  discard(path: string): void;
  /**
   * Returns the first of `name`, `name-2`, `name-3` … that is free on disk, in rows and in planned moves. `own`, the
   * caller's current path, counts as free. Call it in the transaction that uses the path.
   */
  freePath(folder: string, name: string, own?: string): string;
  /** Whether a row or a planned move names this path. */
  knows(path: string): boolean;
}

/** Opens the folders of a vault and applies moves that an earlier process did not finish. */
export function createVault(deps: {
  root: string;
  db: Database;
  clock: Clock;
  ids: () => string;
  log: Log;
  /** Folder for what is made anew, if the vault is only read. */
  copy?: string | null;
}): Vault {
  const { db, clock, ids, copy = null } = deps;
  const log = deps.log.child('vault');
  createFolders(copy ?? deps.root);
  const own = createPaths(deps.root);
  const paths = copy === null ? own : layerPaths(own, createPaths(copy));
  const journal = createJournal({ db, paths, clock, log });
  // Moves that another program did not finish are its own.
  const recovered = copy === null ? journal.recover() : { applied: 0, waiting: 0, removed: 0 };
  if (recovered.applied + recovered.waiting + recovered.removed > 0)
    log.info(recovered, 'finished what was interrupted');

  const hasRow = (path: string): boolean =>
    db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined;
  const knows = (path: string): boolean => hasRow(path) || journal.mentions(path);
  const isFree = (path: string): boolean => !knows(path) && lstatOrNull(paths.resolve(path)) === null;
  const temporaryPath = (extension = ''): string => `${FOLDERS.tmp}/${ids()}${extension}`;

  return {
    root: paths.root,
    journal,
    resolve: paths.resolve,
    knows,
    temporaryPath,
    trash: createTrash({ db, paths, journal, clock }),
    transaction(work) {
      const result = db.transaction(work);
      journal.apply();
      return result;
    },
    async receive(source, { limit, signal }) {
      const path = temporaryPath();
      const absolute = paths.resolve(path);
      try {
        return { path, ...(await receiveInto(absolute, source, limit, signal)) };
      } catch (error) {
        rmSync(absolute, { force: true });
        throw translateFsError(error);
      }
    },
    discard(path) {
      if (path.startsWith(`${FOLDERS.tmp}/`)) rmSync(paths.resolve(path), { force: true });
    },
    freePath(folder, name, own) {
      // Hundreds of documents may share a name, so from the fourth on one query replaces a query per name.
      let takenNames: ReadonlySet<string> | null = null;
      for (let n = 1; ; n += 1) {
        const path = `${folder}/${numberedName(name, n)}`;
        if (n > MAX_SINGLE_LOOKUPS)
          takenNames ??= new Set(
            db
              .prepare(
                "SELECT file_path FROM documents WHERE file_path > $folder || '/' AND file_path < $folder || '0'",
              )
              .pluck()
              .all({ folder }) as string[],
          );
        if (path === own || (!takenNames?.has(path) && isFree(path))) return path;
      }
    },
  };
}

async function receiveInto(
  absolute: string,
  source: Readable,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<{ size: number; hash: string }> {
  const hashing = new HashingStream(limit, fail('upload.too_large', { limit: readableSize(limit) }));
  const key = fileKeyFor(absolute);
  const sealing = key === null ? [] : [new SealingStream(key)];
  const target = createWriteStream(absolute, { flags: 'wx', mode: 0o600 });
  await pipeline([source, hashing, ...sealing, target], { ...(signal && { signal }) });
  syncFile(absolute);
  return { size: hashing.size, hash: hashing.digest() };
}

/** `2147483648` → `2 GiB`. */
function readableSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const power = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`;
}

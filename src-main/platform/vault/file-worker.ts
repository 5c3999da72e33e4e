import type { Clock } from '../kernel/clock.ts';
import { createWorkerPool } from '../kernel/worker-pool.ts';

export interface CopyPair {
  from: string;
  to: string;
}
export interface Copied {
  size: number;
  sha256: string;
}

export type FileTask =
  | { kind: 'hash'; path: string }
  | { kind: 'hash-all'; paths: string[] }
  | { kind: 'copy-all'; pairs: CopyPair[] }
  | { kind: 'copy-database'; from: string; to: string }
  | { kind: 'database-faults'; path: string };

/** Long work on files and databases in a thread of its own, so that answers do not wait for it. An abort ends it at once. Paths are absolute. */
export interface FileWorker {
  /** SHA-256, lower-case hex. Rejects with the code ENOENT when the file is not there. */
  hash(path: string, signal?: AbortSignal): Promise<string>;
  /** The same of several files; null for each that is gone or cannot be read. One answer for all: a busy program is asked once. */
  hashAll(paths: string[], signal?: AbortSignal): Promise<(string | null)[]>;
  /** Copies files, hashed on the way and flushed; the folders must be there. Null for each whose source is gone. An abort may leave parts of copies. */
  copyAll(pairs: CopyPair[], signal?: AbortSignal): Promise<(Copied | null)[]>;
  /** A consistent copy while others write; `to` must not exist. */
  copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void>;
  /** What SQLite finds wrong in a database file: damage, and references that point nowhere. */
  databaseFaults(path: string, signal?: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;

/** Two threads: a check of the vault and a backup may run beside each other. */
export function createFileWorker(clock: Clock): FileWorker {
  const pool = createWorkerPool({
    script: new URL('./file-thread.ts', import.meta.url),
    size: 2,
    idleMs: IDLE_MS,
    clock,
  });
  const run = <T>(task: FileTask, signal?: AbortSignal): Promise<T> => pool.run<T>(task, { signal });
  return {
    async hash(path, signal) {
      const sha256 = await run<string | null>({ kind: 'hash', path }, signal);
      if (sha256 === null) throw Object.assign(new Error('the file is gone'), { code: 'ENOENT' });
      return sha256;
    },
    hashAll: (paths, signal) => run({ kind: 'hash-all', paths }, signal),
    copyAll: (pairs, signal) => run({ kind: 'copy-all', pairs }, signal),
    copyDatabase: (from, to, signal) => run({ kind: 'copy-database', from, to }, signal),
    databaseFaults: (path, signal) => run({ kind: 'database-faults', path }, signal),
    close: pool.close,
  };
}

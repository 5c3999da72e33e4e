import type { Clock } from '../kernel/clock.ts';
import { createWorkerPool } from '../kernel/worker-pool.ts';
import type { Copied, CopyPair, FileTask } from './file-task.ts';

/**
 * Runs long work on files and databases in worker threads, so that requests are not delayed. An abort terminates it,
 * and is reported once nothing is written any more. All paths are absolute.
 */
export interface FileWorker {
  /** Returns the SHA-256 in lower-case hex. Rejects with the code ENOENT when the file does not exist. */
  hash(path: string, signal?: AbortSignal): Promise<string>;
  /** Hashes several files in one task; null for each that is gone or unreadable. */
  hashAll(paths: string[], signal?: AbortSignal): Promise<(string | null)[]>;
  /**
   * Copies, hashes and flushes files into existing folders. Null for each whose source is gone. An abort may leave
   * partial copies. Files of an encrypted vault are stored sealed.
   */
  copyAll(pairs: CopyPair[], signal?: AbortSignal): Promise<(Copied | null)[]>;
  /** Makes a consistent copy while others write; `to` must not exist. */
  copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void>;
  /** Lists what SQLite reports about a database file: damage and dangling references. */
  databaseFaults(path: string, signal?: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;

/** Two threads, so that an integrity check and a backup can run side by side. */
export function createFileWorker(clock: Clock): FileWorker {
  const pool = createWorkerPool({
    script: new URL('./file-thread.ts', import.meta.url),
    size: 2,
    idleMs: IDLE_MS,
    clock,
  });
  const run = <T>(task: FileTask, signal?: AbortSignal): Promise<T> => pool.run<T>(task, { signal });
  const write = <T>(task: FileTask, signal?: AbortSignal): Promise<T> => pool.run<T>(task, { signal, writes: true });
  return {
    async hash(path, signal) {
      const sha256 = await run<string | null>({ kind: 'hash', path }, signal);
      if (sha256 === null) throw Object.assign(new Error('the file is gone'), { code: 'ENOENT' });
      return sha256;
    },
    hashAll: (paths, signal) => run({ kind: 'hash-all', paths }, signal),
    copyAll: (pairs, signal) => write({ kind: 'copy-all', pairs }, signal),
    copyDatabase: (from, to, signal) => write({ kind: 'copy-database', from, to }, signal),
    databaseFaults: (path, signal) => run({ kind: 'database-faults', path }, signal),
    close: () => pool.close(),
  };
}

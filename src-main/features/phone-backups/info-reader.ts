import type { BackupInfo } from '../../../src-shared/ios-backup/index.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash } from '../../platform/kernel/worker-pool.ts';

/** Reads the unencrypted property lists of backups, in a process with limits of memory and time. */
export interface InfoReader {
  /** Throws `phone.backup_unreadable`, `phone.too_demanding`. */
  read(folder: string): Promise<BackupInfo>;
  close(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;
const MEMORY = { maxBytes: 448 * MEBIBYTE, maxIdleBytes: 128 * MEBIBYTE };
const HEAP_MEGABYTES = 256;
/** Info.plist of a phone with many apps takes less than a second. */
const TIMEOUT_MS = 30_000;
const IDLE_MS = 2000;

export function createInfoReader(clock: Clock): InfoReader {
  const pool = createWorkerPool({
    script: new URL('./info-thread.ts', import.meta.url),
    ...{ clock, size: 1, idleMs: IDLE_MS, process: MEMORY },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  const run = (folder: string): Promise<BackupInfo> => pool.run<BackupInfo>({ folder }, { timeoutMs: TIMEOUT_MS });
  return {
    async read(folder) {
      try {
        // A crash may be the fault of the backup before, so it is tried once more in a new process.
        return await run(folder).catch((error: unknown) => {
          if (!(error instanceof WorkerCrash)) throw error;
          return run(folder);
        });
      } catch (error) {
        if (error instanceof WorkerCrash || error instanceof TaskTimeout)
          throw fail('phone.too_demanding', undefined, error);
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

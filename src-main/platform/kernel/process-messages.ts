import type { ResourceLimits } from 'node:worker_threads';
import type { ProcessKeys } from './process-keys.ts';

/** A task for a worker script. */
export interface WorkerTask {
  id: number;
  request: unknown;
  /** What the process of the thread may hold during this task, if that is less than always. */
  maxBytes?: number;
}

/** First message to the process. */
export interface HostStart {
  script: string;
  workerData: unknown;
  resourceLimits: ResourceLimits;
  /** Keys of unlocked vaults. */
  keys: ProcessKeys;
  /** Resident memory at which the process ends itself. */
  maxBytes: number;
}

/** First message to the process of `program-host.ts`; the second one asks it to end the program. */
export interface ProgramStart {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
}
/** What that process reports. `missing` holds the code of the system. */
export type ProgramReport = { pid: number } | { line: string } | { missing: string } | { exited: number | null };

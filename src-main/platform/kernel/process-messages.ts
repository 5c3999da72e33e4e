import type { ResourceLimits } from 'node:worker_threads';

/** First message to the process. */
export interface HostStart {
  script: string;
  workerData: unknown;
  resourceLimits: ResourceLimits;
  /** Resident memory at which the process ends itself. */
  maxBytes: number;
}

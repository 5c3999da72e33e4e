import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';

type Counts = Pick<PipelineStatus, 'current_job' | 'queue_depth' | 'total_processed' | 'total_errors'>;

const ended = (status: Counts): number => status.total_processed + status.total_errors;

/** How many documents had ended when the present batch began; a batch lasts until nothing is left to read. */
export function batchStart(before: number | null, status: Counts): number | null {
  if (status.current_job === null && status.queue_depth === 0) return null;
  return before ?? ended(status);
}

/** "3 of 7": which document of the batch is being read, and of how many. */
export function batchPosition(start: number | null, status: Counts): { done: number; total: number } {
  const before = ended(status) - (start ?? ended(status));
  const running = status.current_job === null ? 0 : 1;
  return { done: before + running, total: before + running + status.queue_depth };
}

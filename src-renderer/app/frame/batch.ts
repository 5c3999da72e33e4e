import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';

type Counts = Pick<PipelineStatus, 'current_job' | 'queue_depth' | 'total_processed' | 'total_errors'>;

const countEnded = (status: Counts): number => status.total_processed + status.total_errors;

/** Number of documents that were finished when the current batch began; a batch ends when the queue is empty. */
export function batchStart(before: number | null, status: Counts): number | null {
  if (status.current_job === null && status.queue_depth === 0) return null;
  return before ?? countEnded(status);
}

/**
 * How many documents were finished in a batch that ends with `status`; null if it goes on, none was running, or it only
 * translated.
 */
export function batchEnd(start: number | null, status: Counts): number | null {
  if (start === null || batchStart(start, status) !== null) return null;
  return countEnded(status) - start || null;
}

/** The position in the batch, as in "3 of 7". */
export function batchPosition(start: number | null, status: Counts): { done: number; total: number } {
  const before = countEnded(status) - (start ?? countEnded(status));
  const running = status.current_job === null ? 0 : 1;
  return { done: before + running, total: before + running + status.queue_depth };
}

import { useState } from 'react';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { batchPosition, batchStart } from './batch.ts';

/** Position and size of the current batch, counted since the queue was last empty. */
export function useBatch(status: PipelineStatus | undefined): { done: number; total: number } {
  const [start, setStart] = useState<number | null>(null);
  if (!status) return { done: 0, total: 0 };
  const next = batchStart(start, status);
  if (next !== start) setStart(next);
  return batchPosition(next, status);
}

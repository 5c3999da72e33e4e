import { describe, expect, it } from 'vitest';
import { batchEnd, batchPosition, batchStart } from './batch.ts';

const job = {
  doc_id: 1,
  filename: 'a.pdf',
  kind: 'upload',
  stage: 'ocr',
  page_current: 1,
  page_total: 1,
  stages_planned: [],
  stages_done: [],
  started_at: '2026-01-01T00:00:00',
} as const;
const at = (ended: number, queue: number, reading = true) => ({
  current_job: reading ? { ...job, stages_planned: [], stages_done: [] } : null,
  queue_depth: queue,
  total_processed: ended,
  total_errors: 2,
});

describe('position in a batch', () => {
  it('counts documents from the start of the batch', () => {
    let start = batchStart(null, at(40, 2));
    expect(batchPosition(start, at(40, 2))).toEqual({ done: 1, total: 3 });
    start = batchStart(start, at(41, 1));
    expect(batchPosition(start, at(41, 1))).toEqual({ done: 2, total: 3 });
    start = batchStart(start, at(42, 0));
    expect(batchPosition(start, at(42, 0))).toEqual({ done: 3, total: 3 });
  });
  it('grows with files that are added during the batch', () => {
    const start = batchStart(null, at(0, 0));
    expect(batchPosition(batchStart(start, at(1, 5)), at(1, 5))).toEqual({ done: 2, total: 7 });
  });
  it('starts a new batch when the queue was empty, but not between two jobs', () => {
    expect(batchStart(7, at(9, 0, false))).toBeNull();
    expect(batchStart(7, at(9, 3, false))).toBe(7);
  });
  it('says at its end how many documents it had', () => {
    const start = batchStart(null, at(5, 2));
    expect(batchEnd(start, at(6, 1))).toBeNull();
    expect(batchEnd(start, at(8, 0, false))).toBe(3);
    expect(batchEnd(null, at(8, 0, false))).toBeNull();
    expect(batchEnd(start, at(5, 0, false))).toBeNull();
  });
});

import { expect, test } from 'vitest';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { visibleStatus } from './visible-status.ts';

const idle: PipelineStatus = {
  queue_depth: 0,
  processing: null,
  processing_step: null,
  processing_doc_id: null,
  processing_pages: null,
  processing_page_current: null,
  total_processed: 0,
  total_errors: 0,
  recent_errors: [],
  queued_files: [],
  current_job: null,
  queued_jobs: [],
  llm_queues: [],
  watcher_active: true,
  auto_stopped: false,
  auto_stop_reason: null,
  auto_stop_error: null,
  running: true,
};

// Weak point 8 of the program that Hearth follows: everybody saw the queue of others.
test('the status is that of an idle queue while only a document of others is read', () => {
  const busy: PipelineStatus = {
    ...idle,
    queue_depth: 1,
    processing: 'letter.pdf',
    processing_step: 'ocr',
    processing_doc_id: 7,
    processing_pages: 12,
    processing_page_current: 3,
    current_job: {
      doc_id: 7,
      filename: 'letter.pdf',
      kind: 'upload',
      stage: 'ocr',
      page_current: 3,
      page_total: 12,
      stages_planned: ['ocr'],
      stages_done: [],
      started_at: '2026-01-01T00:00:00Z',
    },
  };
  const counts = { queue_depth: 0, total_processed: 0, total_errors: 0 };
  expect(visibleStatus(busy, () => false, counts)).toEqual(idle);
  expect(visibleStatus(busy, (id) => id === 7, null)).toEqual(busy);
});

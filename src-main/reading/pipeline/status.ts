import { textOfError } from '../../../src-shared/contract/errors.ts';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { Queue } from './queue.ts';
import type { PipelineState, Stopped } from './state.ts';
import type { Run } from './run.ts';

export type PipelineCounts = Pick<PipelineStatus, 'queue_depth' | 'total_processed' | 'total_errors'>;

export interface StatusDeps {
  queue: Queue;
  state: PipelineState;
  currentRun: () => Run | null;
  watcherActive: () => boolean;
  stopState: () => Stopped | null;
  queues: () => { id: string; running: number; waiting: number }[];
}

/** The complete reply of the status endpoint; the route removes what a caller may not see. */
export function statusOf({ queue, state, currentRun, watcherActive, stopState, queues }: StatusDeps): PipelineStatus {
  const run = currentRun();
  const waiting = queue.listWaiting();
  const { processed, errors } = state.totals();
  const halt = stopState();
  return {
    queue_depth: queue.depth(),
    processing: run?.document.original_filename ?? null,
    processing_step: run?.stage ?? null,
    processing_doc_id: run?.document.id ?? null,
    processing_pages: run?.pageTotal ?? null,
    processing_page_current: run?.pageCurrent ?? null,
    total_processed: processed,
    total_errors: errors,
    recent_errors: state.recentErrors(),
    queued_files: waiting.map(({ filename, size }) => ({ filename, size })),
    current_job: run && {
      doc_id: run.document.id,
      filename: run.document.original_filename,
      kind: run.job.kind,
      stage: run.stage,
      page_current: run.pageCurrent,
      page_total: run.pageTotal,
      stages_planned: [...run.planned],
      stages_done: [...run.done],
      started_at: run.startedAt,
    },
    queued_jobs: waiting.map(({ kind, filename, documentId }) => ({ kind, label: filename, doc_id: documentId })),
    llm_queues: queues().map(({ id, running, waiting }) => ({ provider_id: id, running, waiting })),
    watcher_active: watcherActive(),
    auto_stopped: halt?.automatic ?? false,
    auto_stop_reason: halt?.error ? textOfError(halt.error) : null,
    auto_stop_error: halt?.error ?? null,
    running: halt === null,
  };
}

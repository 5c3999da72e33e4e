import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { PipelineCounts } from './status.ts';

/** Whether the caller may know that this document exists. */
export type MayKnow = (documentId: number) => boolean;

/** What is said of the document that is being read, if the caller may not know of it. */
const NOTHING_PROCESSED = {
  processing: null,
  processing_step: null,
  processing_doc_id: null,
  processing_pages: null,
  processing_page_current: null,
};

/**
 * The status as a caller may see it, without names of documents that they can't access.
 * @param counts of the documents that they may know of; null for all
 */
export function visibleStatus(status: PipelineStatus, mayKnow: MayKnow, counts: PipelineCounts | null): PipelineStatus {
  const cache = new Map<number, boolean>();
  const may = (id: number): boolean => {
    const before = cache.get(id);
    if (before !== undefined) return before;
    const answer = mayKnow(id);
    cache.set(id, answer);
    return answer;
  };
  const current = status.current_job && may(status.current_job.doc_id) ? status.current_job : null;
  return {
    ...status,
    ...counts,
    ...(current === null && NOTHING_PROCESSED),
    current_job: current,
    queued_jobs: status.queued_jobs.filter((job) => may(job.doc_id)),
    // Both lists contain the same jobs in the same order.
    queued_files: status.queued_files.filter((_file, index) => {
      const job = status.queued_jobs[index];
      return job !== undefined && may(job.doc_id);
    }),
    recent_errors: status.recent_errors.filter((error) => may(error.doc_id)),
  };
}

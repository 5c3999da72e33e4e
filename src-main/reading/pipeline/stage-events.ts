import type { Database } from '../../platform/database/connection.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import type { Job } from './queue.ts';
import type { StageName } from './stage.ts';

type End = 'completed' | 'failed' | 'skipped' | 'cancelled';

/** Writer of a document's stage history: one row a stage, opened `started` and closed with its end. */
export interface StageEvents {
  /** Answers the row's id. */
  open(documentId: number, stage: StageName, kind: Job['kind']): number;
  pages(eventId: number, current: number, total: number): void;
  close(eventId: number, end: End, message: string | null): void;
  /** Closes what a dead process left open at a document. */
  closeLeftOpen(documentId: number, message: string): void;
}

export function createStageEvents(db: Database, clock: Clock): StageEvents {
  const now = (): string => toTimestamp(clock.now());
  return {
    open: (documentId, stage, kind) =>
      Number(
        db
          .prepare(
            `INSERT INTO stage_events (document_id, stage, status, job_kind, started_at)
              VALUES (?, ?, 'started', ?, ?)`,
          )
          .run(documentId, stage, kind, now()).lastInsertRowid,
      ),
    pages: (eventId, current, total) =>
      void db
        .prepare('UPDATE stage_events SET page_current = ?, page_total = ? WHERE id = ?')
        .run(current, total, eventId),
    close: (eventId, end, message) =>
      void db
        .prepare('UPDATE stage_events SET status = ?, message = ?, finished_at = ? WHERE id = ?')
        .run(end, message, now(), eventId),
    closeLeftOpen: (documentId, message) =>
      void db
        .prepare(
          `UPDATE stage_events SET status = 'cancelled', message = ?, finished_at = ? WHERE document_id = ?
            AND finished_at IS NULL AND status = 'started'`,
        )
        .run(message, now(), documentId),
  };
}

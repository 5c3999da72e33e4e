import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import { storedError } from '../../platform/kernel/stored-error.ts';
import type { Job } from './queue.ts';
import type { StageName } from './stage.ts';

type End = 'completed' | 'failed' | 'skipped' | 'cancelled';

/** Writes a document's stage history: one row per stage, opened as `started` and closed with its outcome. */
export interface StageEvents {
  /** Returns the id of the row. */
  open(documentId: number, stage: StageName, kind: Job['kind']): number;
  pages(eventId: number, current: number, total: number): void;
  /** Records a stage that had nothing to do. */
  skip(documentId: number, stage: StageName, kind: Job['kind']): void;
  /** `error` says why the stage did not complete, `usage` what its models used. */
  close(eventId: number, end: End, error: ErrorReference | null, usage: StageUsage | null): void;
  /** Closes events that a crashed process left open for a document. */
  closeLeftOpen(documentId: number, error: ErrorReference): void;
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
    skip: (documentId, stage, kind) =>
      void db
        .prepare(
          `INSERT INTO stage_events (document_id, stage, status, job_kind, started_at, finished_at)
            VALUES (@documentId, @stage, 'skipped', @kind, @now, @now)`,
        )
        .run({ documentId, stage, kind, now: now() }),
    pages: (eventId, current, total) =>
      void db
        .prepare('UPDATE stage_events SET page_current = ?, page_total = ? WHERE id = ?')
        .run(current, total, eventId),
    close: (eventId, end, error, usage) =>
      void db
        .prepare('UPDATE stage_events SET status = ?, message = ?, usage = ?, finished_at = ? WHERE id = ?')
        .run(end, storedError(error), usage && JSON.stringify(usage), now(), eventId),
    closeLeftOpen: (documentId, error) =>
      void db
        .prepare(
          `UPDATE stage_events SET status = 'cancelled', message = ?, finished_at = ? WHERE document_id = ?
            AND finished_at IS NULL AND status = 'started'`,
        )
        .run(storedError(error), now(), documentId),
  };
}

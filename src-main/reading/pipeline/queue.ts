import type { Database } from '../../platform/database/connection.ts';
import { type Clock, fromTimestamp, toTimestamp } from '../../platform/kernel/clock.ts';
import type { ReadMode } from './flows.ts';

/** Lower runs first. */
export const PRIORITY = { reprocess: 0, upload: 5, retryAll: 10 } as const;

/**
 * Kills in a row after which a job waits longer and longer, so that a file that brings the process down cannot do it
 * at every start.
 */
const INTERRUPTIONS_IN_PEACE = 3;
const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 60;

/** What a job was asked to do. */
export interface JobOptions {
  mode: ReadMode;
  llm_provider_id?: string | null;
  ocr_provider_id?: string | null;
  vision_provider_id?: string | null;
  /** How often the process died while it ran. */
  interruptions?: number;
}

export interface NewJob {
  kind: 'upload' | 'reprocess';
  documentId: number;
  /** Default: by kind. */
  priority?: number;
  /** Bytes; the smallest file first among equals. Reprocess jobs go by the order of asking: leave it out. */
  size?: number;
  options?: Partial<Omit<JobOptions, 'interruptions'>>;
  /** Timestamp before which it is not taken. */
  notBefore?: string | null;
}

export interface Job {
  id: number;
  kind: 'upload' | 'reprocess';
  documentId: number;
  size: number;
  options: JobOptions;
  /** Failed tries so far. */
  attempts: number;
  notBefore: string | null;
}

interface JobRow {
  id: number;
  kind: Job['kind'];
  document_id: number;
  size: number;
  options: string;
  attempts: number;
  not_before: string | null;
}

const COLUMNS = 'id, kind, document_id, size, options, attempts, not_before';
const ORDER = 'priority, size, id';

const toJob = (row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  documentId: row.document_id,
  size: row.size,
  attempts: row.attempts,
  notBefore: row.not_before,
  options: { mode: 'both', ...(JSON.parse(row.options) as Partial<JobOptions>) },
});

/** The durable queue: rows of `jobs`, deleted when the job ends. Calls join the caller's transaction. */
export interface Queue {
  /**
   * One waiting job a document: a second request is merged into it, its options win, reading and extracting add up to
   * both.
   */
  enqueue(job: NewJob): void;
  /** Marks the next job that may run as running. */
  take(): Job | null;
  /** Milliseconds of the clock when the earliest delayed job may run; null when none waits for its time. */
  nextDue(): number | null;
  /** The job ended. */
  remove(jobId: number): void;
  /** Back among the waiting, as it was, or not before a time. Meets a newer request of its document: that one stays. */
  putBack(jobId: number, options: { attempts: number; notBefore: string | null }): void;
  /** Removes all jobs of a document; answers how many. */
  removeAll(documentId: number): number;
  has(documentId: number): boolean;
  /** At start: what ran when the process died waits again. Answers the documents. */
  recover(): number[];
  /** All that wait, however many. */
  depth(): number;
  waiting(): { kind: Job['kind']; documentId: number; size: number; filename: string }[];
}

export function createQueue(db: Database, clock: Clock): Queue {
  const now = (): string => toTimestamp(clock.now());
  const queuedOf = (documentId: number): (JobRow & { priority: number }) | undefined =>
    db
      .prepare(`SELECT ${COLUMNS}, priority FROM jobs WHERE document_id = ? AND state = 'queued' LIMIT 1`)
      .get(documentId) as (JobRow & { priority: number }) | undefined;

  function insert(job: NewJob, options: JobOptions): void {
    db.prepare(
      `INSERT INTO jobs (kind, document_id, priority, size, state, options, attempts, not_before, created_at)
        VALUES (?, ?, ?, ?, 'queued', ?, 0, ?, ?)`,
    ).run(
      job.kind,
      job.documentId,
      job.priority ?? PRIORITY[job.kind],
      job.size ?? 0,
      JSON.stringify(options),
      job.notBefore ?? null,
      now(),
    );
  }

  return {
    enqueue: (job) =>
      db.transaction(() => {
        const options: JobOptions = { mode: 'both', ...job.options };
        const waiting = queuedOf(job.documentId);
        if (!waiting) return insert(job, options);
        const merged = mergeOptions(toJob(waiting).options, options);
        db.prepare(
          'UPDATE jobs SET kind = ?, priority = ?, size = ?, options = ?, attempts = 0, not_before = ? WHERE id = ?',
        ).run(
          job.kind,
          Math.min(waiting.priority, job.priority ?? PRIORITY[job.kind]),
          job.size ?? 0,
          JSON.stringify(merged),
          job.notBefore ?? null,
          waiting.id,
        );
      }),
    take: () =>
      db.transaction(() => {
        const row = db
          .prepare(
            `SELECT ${COLUMNS} FROM jobs WHERE state = 'queued' AND (not_before IS NULL OR not_before <= ?) ORDER BY ${ORDER} LIMIT 1`,
          )
          .get(now()) as JobRow | undefined;
        if (!row) return null;
        db.prepare("UPDATE jobs SET state = 'running', started_at = ? WHERE id = ?").run(now(), row.id);
        return toJob(row);
      }),
    nextDue() {
      const due = db
        .prepare("SELECT min(not_before) FROM jobs WHERE state = 'queued' AND not_before > ?")
        .pluck()
        .get(now()) as string | null;
      return due === null ? null : fromTimestamp(due);
    },
    remove: (jobId) => void db.prepare('DELETE FROM jobs WHERE id = ?').run(jobId),
    putBack: (jobId, { attempts, notBefore }) =>
      db.transaction(() => {
        const documentId = db.prepare('SELECT document_id FROM jobs WHERE id = ?').pluck().get(jobId) as
          | number
          | undefined;
        if (documentId === undefined) return;
        if (queuedOf(documentId)) db.prepare('DELETE FROM jobs WHERE id = ?').run(jobId);
        else
          db.prepare(
            "UPDATE jobs SET state = 'queued', started_at = NULL, attempts = ?, not_before = ? WHERE id = ?",
          ).run(attempts, notBefore, jobId);
      }),
    removeAll: (documentId) => db.prepare('DELETE FROM jobs WHERE document_id = ?').run(documentId).changes,
    has: (documentId) => db.prepare('SELECT 1 FROM jobs WHERE document_id = ? LIMIT 1').get(documentId) !== undefined,
    recover: () =>
      db.transaction(() => {
        const interrupted = (db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE state = 'running'`).all() as JobRow[]).map(
          toJob,
        );
        for (const job of interrupted) {
          if (queuedOf(job.documentId)) db.prepare('DELETE FROM jobs WHERE id = ?').run(job.id);
          else requeue(db, job, clock.now());
        }
        return interrupted.map((job) => job.documentId);
      }),
    depth: () => db.prepare("SELECT count(*) FROM jobs WHERE state = 'queued'").pluck().get() as number,
    waiting: () =>
      (
        db
          .prepare(`SELECT j.kind, j.document_id, j.size, d.original_filename, d.file_size FROM jobs AS j JOIN documents AS d ON d.id = j.document_id
      WHERE j.state = 'queued' ORDER BY j.priority, j.size, j.id LIMIT ?`)
          .all(SHOWN_JOBS) as {
          kind: Job['kind'];
          document_id: number;
          size: number;
          original_filename: string;
          file_size: number;
        }[]
      ).map((row) => ({
        kind: row.kind,
        documentId: row.document_id,
        size: row.file_size,
        filename: row.original_filename,
      })),
  };
}

/** Longer lists only make each status message large; `queue_depth` counts all. */
const SHOWN_JOBS = 200;

function mergeOptions(before: JobOptions, asked: JobOptions): JobOptions {
  const { mode: asWas, ...kept } = before;
  const mode = asWas === asked.mode || asked.mode === 'vision_llm' ? asked.mode : 'both';
  return { ...kept, ...asked, mode };
}

function requeue(db: Database, job: Job, nowMs: number): void {
  const interruptions = (job.options.interruptions ?? 0) + 1;
  const beyond = interruptions - INTERRUPTIONS_IN_PEACE;
  const pause = beyond > 0 ? Math.min(FIRST_PAUSE_S * 2 ** (beyond - 1), LONGEST_PAUSE_S) : 0;
  db.prepare("UPDATE jobs SET state = 'queued', started_at = NULL, options = ?, not_before = ? WHERE id = ?").run(
    JSON.stringify({ ...job.options, interruptions }),
    pause > 0 ? toTimestamp(nowMs + pause * 1000) : null,
    job.id,
  );
}

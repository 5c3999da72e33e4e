import type { JobKind } from '../../../src-shared/contract/job-kinds.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { type Clock, fromTimestamp, toTimestamp } from '../../platform/kernel/clock.ts';
import type { Reach } from '../providers/models/general.ts';
import type { ReadMode } from './flows.ts';
import type { DocumentOwner } from './state.ts';

/** Lower runs first. */
export const PRIORITY = { translate: 0, translate_region: 0, reprocess: 0, upload: 5, retryAll: 10, slow: 20 } as const;

/**
 * After this many crashes in a row, the job is delayed, so that a file that crashes the process can't do so at every
 * start.
 */
const MAX_UNDELAYED_INTERRUPTIONS = 3;
const MIN_DELAY_S = 5;
const MAX_DELAY_S = 60;

/** The options of a job. */
export interface JobOptions {
  mode: ReadMode;
  llm_provider_id?: string | null;
  ocr_provider_id?: string | null;
  vision_provider_id?: string | null;
  /** How often the process crashed while it ran. */
  interruptions?: number;
  /** A page took long, so the job runs after all others and may then take its time. */
  isSlow?: boolean;
  /** The row of the part of a page that is translated, and the language it is translated into. */
  region_id?: number;
  target_language?: string;
  /** Where the models are at most that may translate. */
  furthest?: Reach;
  /** Reads only the pages again whose OCR took too long, and gives each of them so many minutes. */
  unreadPageMinutes?: number;
}

export type { JobKind };
/** Jobs that read a document; others leave it and its status as they are. */
export const isReadingJob = ({ kind }: { kind: JobKind }): boolean => kind === 'upload' || kind === 'reprocess';

export interface NewJob {
  kind: JobKind;
  documentId: number;
  /** Defaults to the priority of the kind. */
  priority?: number;
  /** Bytes; among equal priorities the smallest file runs first. Omit it for reprocess jobs, which run in order. */
  size?: number;
  options?: Partial<Omit<JobOptions, 'interruptions'>>;
  /** Timestamp before which the job does not run. */
  notBefore?: string | null;
}

export interface Job {
  id: number;
  kind: JobKind;
  documentId: number;
  size: number;
  options: JobOptions;
  /** Number of failed attempts. */
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

/** Limits the size of status messages; `queue_depth` counts all jobs. */
const MAX_LISTED_JOBS = 200;

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

interface WaitingJob {
  kind: Job['kind'];
  documentId: number;
  size: number;
  filename: string;
}

/** The durable queue: rows of `jobs`, deleted when the job ends. Calls join the caller's transaction. */
export interface Queue {
  /**
   * Each document has one waiting job that reads it and one that translates it: a second request is merged into it, and
   * its options take precedence. Each part of a page has a job of its own.
   */
  enqueue(job: NewJob): void;
  /** Marks the next job that may run as running. */
  take(): Job | null;
  /** When the earliest delayed job may run, ms since the epoch; null without a delayed job. */
  nextDue(): number | null;
  /** Deletes a job that ended. */
  remove(jobId: number): void;
  /** Returns a running job to the queue, unless its document has a newer one. */
  putBack(jobId: number, options: { attempts: number; notBefore: string | null }): void;
  /** Returns a running job to the end of the queue, as one that may take its time. */
  putLast(job: Job): void;
  /** Removes all jobs of a document; returns their number. */
  removeAll(documentId: number): number;
  has(documentId: number): boolean;
  /** Whether a job waits or runs that reads the document. */
  hasReading(documentId: number): boolean;
  /** Returns jobs that were running during a crash to the queue, at startup. */
  recover(): { documentId: number; kind: JobKind }[];
  /** Number of all waiting jobs. */
  depth(): number;
  /** Number of waiting jobs by the owner of their document. */
  depthByOwner(): (DocumentOwner & { waiting: number })[];
  /** The next jobs, at most `MAX_LISTED_JOBS`. */
  listWaiting(): WaitingJob[];
}

interface Deps {
  db: Database;
  clock: Clock;
}
type QueuedRow = JobRow & { priority: number };
const READING_KINDS: readonly JobKind[] = ['upload', 'reprocess'];

export const createQueue = (db: Database, clock: Clock): Queue => ({
  ...bindFirst({ db, clock }, { enqueue: enqueueJob, take: takeJob, nextDue: nextDueMs, recover: recoverJobs }),
  ...bindFirst(db, {
    remove: removeJob,
    putBack: putJobBack,
    putLast: putJobLast,
    removeAll: removeJobsOf,
    has: hasJob,
    hasReading: hasReadingJob,
    depth: queueDepth,
    depthByOwner: queueDepthByOwner,
    listWaiting,
  }),
});

/** The waiting job with which a new one is merged. */
const queuedJobOf = (db: Database, documentId: number, kind: JobKind): QueuedRow | undefined =>
  kind === 'translate_region'
    ? undefined
    : (db
        .prepare(
          `SELECT ${COLUMNS}, priority FROM jobs WHERE document_id = ? AND state = 'queued'
            AND kind IN (SELECT value FROM json_each(?)) LIMIT 1`,
        )
        .get(documentId, JSON.stringify(kind === 'translate' ? [kind] : READING_KINDS)) as QueuedRow | undefined);

function insertJob({ db, clock }: Deps, job: NewJob, options: JobOptions): void {
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
    toTimestamp(clock.now()),
  );
}

function mergeJob(db: Database, queued: QueuedRow, job: NewJob, options: JobOptions): void {
  db.prepare(
    'UPDATE jobs SET kind = ?, priority = ?, size = ?, options = ?, attempts = 0, not_before = ? WHERE id = ?',
  ).run(
    job.kind,
    Math.min(queued.priority, job.priority ?? PRIORITY[job.kind]),
    job.size ?? 0,
    JSON.stringify(mergeOptions(toJob(queued).options, options)),
    job.notBefore ?? null,
    queued.id,
  );
}

function enqueueJob(deps: Deps, job: NewJob): void {
  const { db } = deps;
  db.transaction(() => {
    const options: JobOptions = { mode: 'both', ...job.options };
    const queued = queuedJobOf(db, job.documentId, job.kind);
    if (queued) mergeJob(db, queued, job, options);
    else insertJob(deps, job, options);
  });
}

const takeJob = ({ db, clock }: Deps): Job | null =>
  db.transaction(() => {
    const now = toTimestamp(clock.now());
    const row = db
      .prepare(
        `SELECT ${COLUMNS} FROM jobs WHERE state = 'queued' AND (not_before IS NULL OR not_before <= ?)
          ORDER BY ${ORDER} LIMIT 1`,
      )
      .get(now) as JobRow | undefined;
    if (!row) return null;
    db.prepare("UPDATE jobs SET state = 'running', started_at = ? WHERE id = ?").run(now, row.id);
    return toJob(row);
  });

function nextDueMs({ db, clock }: Deps): number | null {
  const due = db
    .prepare("SELECT min(not_before) FROM jobs WHERE state = 'queued' AND not_before > ?")
    .pluck()
    .get(toTimestamp(clock.now())) as string | null;
  return due === null ? null : fromTimestamp(due);
}

const recoverJobs = ({ db, clock }: Deps): { documentId: number; kind: JobKind }[] =>
  db.transaction(() => {
    const rows = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE state = 'running'`).all() as JobRow[];
    for (const job of rows.map(toJob)) {
      if (queuedJobOf(db, job.documentId, job.kind)) removeJob(db, job.id);
      else requeueInterrupted(db, job, clock.now());
    }
    return rows.map(({ document_id, kind }) => ({ documentId: document_id, kind }));
  });

const removeJob = (db: Database, jobId: number): void => void db.prepare('DELETE FROM jobs WHERE id = ?').run(jobId);

const putJobBack = (
  db: Database,
  jobId: number,
  { attempts, notBefore }: { attempts: number; notBefore: string | null },
): void =>
  db.transaction(() => {
    const job = db.prepare('SELECT document_id, kind FROM jobs WHERE id = ?').get(jobId) as
      | Pick<JobRow, 'document_id' | 'kind'>
      | undefined;
    if (!job) return;
    if (queuedJobOf(db, job.document_id, job.kind)) return removeJob(db, jobId);
    db.prepare("UPDATE jobs SET state = 'queued', started_at = NULL, attempts = ?, not_before = ? WHERE id = ?").run(
      attempts,
      notBefore,
      jobId,
    );
  });

function putJobLast(db: Database, job: Job): void {
  db.prepare('UPDATE jobs SET priority = ?, options = ? WHERE id = ?').run(
    PRIORITY.slow,
    JSON.stringify({ ...job.options, isSlow: true }),
    job.id,
  );
  putJobBack(db, job.id, { attempts: job.attempts, notBefore: null });
}

const removeJobsOf = (db: Database, documentId: number): number =>
  db.prepare('DELETE FROM jobs WHERE document_id = ?').run(documentId).changes;

const hasJob = (db: Database, documentId: number): boolean =>
  db.prepare('SELECT 1 FROM jobs WHERE document_id = ? LIMIT 1').get(documentId) !== undefined;

const hasReadingJob = (db: Database, documentId: number): boolean =>
  db
    .prepare('SELECT 1 FROM jobs WHERE document_id = ? AND kind IN (SELECT value FROM json_each(?)) LIMIT 1')
    .get(documentId, JSON.stringify(READING_KINDS)) !== undefined;

const queueDepth = (db: Database): number =>
  db.prepare("SELECT count(*) FROM jobs WHERE state = 'queued'").pluck().get() as number;

const queueDepthByOwner = (db: Database): (DocumentOwner & { waiting: number })[] =>
  db
    .prepare(
      `SELECT d.patient_id AS patientId, d.uploaded_by_user_id AS uploaderId, count(*) AS waiting
        FROM jobs AS j JOIN documents AS d ON d.id = j.document_id
        WHERE j.state = 'queued' GROUP BY d.patient_id, d.uploaded_by_user_id`,
    )
    .all() as (DocumentOwner & { waiting: number })[];

const listWaiting = (db: Database): WaitingJob[] =>
  db
    .prepare(
      `SELECT j.kind, j.document_id AS documentId, d.file_size AS size, d.original_filename AS filename
        FROM jobs AS j JOIN documents AS d ON d.id = j.document_id
        WHERE j.state = 'queued' ORDER BY j.priority, j.size, j.id LIMIT ?`,
    )
    .all(MAX_LISTED_JOBS) as WaitingJob[];

/**
 * The mode of the merged job covers both requests; for all other options, the second request takes precedence. The
 * whole document is read unless both requests are for unread pages.
 */
function mergeOptions(before: JobOptions, requested: JobOptions): JobOptions {
  const isCovered = before.mode === requested.mode || requested.mode === 'vision_llm';
  const { unreadPageMinutes, ...merged } = { ...before, ...requested };
  const areUnreadPages = before.unreadPageMinutes !== undefined && requested.unreadPageMinutes !== undefined;
  return {
    ...merged,
    ...(areUnreadPages && { unreadPageMinutes }),
    mode: isCovered ? requested.mode : 'both',
  };
}

/** Returns a job that ran during a crash to the queue. */
function requeueInterrupted(db: Database, job: Job, nowMs: number): void {
  const interruptions = (job.options.interruptions ?? 0) + 1;
  const excess = interruptions - MAX_UNDELAYED_INTERRUPTIONS;
  const delayS = excess > 0 ? Math.min(MIN_DELAY_S * 2 ** (excess - 1), MAX_DELAY_S) : 0;
  db.prepare("UPDATE jobs SET state = 'queued', started_at = NULL, options = ?, not_before = ? WHERE id = ?").run(
    JSON.stringify({ ...job.options, interruptions }),
    delayS > 0 ? toTimestamp(nowMs + delayS * 1000) : null,
    job.id,
  );
}

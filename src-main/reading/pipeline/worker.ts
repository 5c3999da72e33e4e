import { textOfError, type ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { Database } from '../../platform/database/connection.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { ArtifactStore } from './artifacts.ts';
import type { DocumentStore } from './ports.ts';
import { isReadingJob, PRIORITY, type Job, type Queue } from './queue.ts';
import { newRun, runFlow, type Fault, type Run, type RunDeps, type RunEnd } from './run.ts';
import type { StageEvents } from './stage-events.ts';
import type { PipelineState, Stopped } from './state.ts';
import { runTranslation } from './translation.ts';

/** Settings `pipeline.*` in seconds and counts; evaluated again for each failure. */
export interface RetryRules {
  retryInterval: number;
  maxRetries: number;
}

export interface WorkerDeps extends Omit<RunDeps, 'onChange' | 'onPage'> {
  db: Database;
  clock: Clock;
  log: Log;
  store: DocumentStore;
  queue: Queue;
  events: StageEvents;
  artifacts: ArtifactStore;
  state: PipelineState;
  rules: () => RetryRules;
  /** Called when the status of the pipeline changes. */
  onChange: () => void;
  /** Called when a page of the document was read. */
  onPage: (run: Run) => void;
  /** Called when the status of the document changes. */
  onDocument: (documentId: number) => void;
}

export interface Worker {
  start(): void;
  /** Returns the running job to the queue and ends the loop. */
  stop(): Promise<void>;
  /** Stops taking jobs, also after a restart, and returns the running job to the queue. */
  pause(stopped: Stopped): void;
  resume(): void;
  /** Looks for work now instead of waiting. */
  wake(): void;
  /** Removes a document from the queue and interrupts its job; false if it has none. */
  cancel(documentId: number): boolean;
  currentRun(): Run | null;
  /** Resolves when no job runs and none is due. */
  idle(): Promise<void>;
}

/** After this many failures in a row, across all jobs, the provider is considered faulty rather than the documents. */
const MAX_FAILURES_IN_ROW = 3;
const RETRYABLE = new Set<Fault['reason']>(['unreachable', 'refused', 'cancelled']);
/** Time for a page of which OCR took too long, in the job that reads it again. */
const UNREAD_PAGE_MINUTES = 5;
/** Maximum sleep. A timer of a laptop that was asleep fires late, so no timer is longer than this. */
const MAX_SLEEP_MS = 60_000;
const INTERRUPTED: ErrorReference = { code: 'reading.interrupted' };
const VAULT_NOT_WRITABLE: Stopped = {
  automatic: true,
  error: { code: 'reading.vault_read_only' },
};

interface Loop {
  readonly deps: WorkerDeps;
  run: Run | null;
  running: Promise<void> | null;
  isEnding: boolean;
  stopped: Stopped | null;
  failuresInRow: number;
  sleep: AbortController | null;
  isWoken: boolean;
  idleWaiters: (() => void)[];
}

/** Takes jobs from the queue, one at a time, and runs the stages of their flow. */
export function createWorker(deps: WorkerDeps): Worker {
  const loop: Loop = {
    deps,
    run: null,
    running: null,
    isEnding: false,
    stopped: deps.state.stopState(),
    failuresInRow: 0,
    sleep: null,
    isWoken: false,
    idleWaiters: [],
  };
  return {
    start: () => start(loop),
    stop: () => stop(loop),
    pause: (next) => pause(loop, next),
    resume: () => resume(loop),
    wake: () => wake(loop),
    cancel: (documentId) => cancel(loop, documentId),
    currentRun: () => loop.run,
    idle: () =>
      new Promise((resolve) => {
        if (!loop.running || (loop.sleep && !loop.isWoken)) resolve();
        else loop.idleWaiters.push(resolve);
      }),
  };
}

function start(loop: Loop): void {
  if (loop.running) return;
  loop.isEnding = false;
  recover(loop);
  loop.running = work(loop);
}

async function stop(loop: Loop): Promise<void> {
  loop.isEnding = true;
  try {
    returnToQueue(loop);
  } catch (err) {
    loop.deps.log.error({ err }, 'the running job could not be returned to the queue; the next start does so');
  }
  wake(loop);
  await loop.running;
  loop.running = null;
  notifyIdle(loop);
}

function pause(loop: Loop, next: Stopped): void {
  setStopped(loop, next);
  returnToQueue(loop);
  wake(loop);
  loop.deps.onChange();
}

function resume(loop: Loop): void {
  loop.failuresInRow = 0;
  setStopped(loop, null);
  if (!loop.run) recover(loop);
  wake(loop);
  loop.deps.onChange();
}

function wake(loop: Loop): void {
  loop.isWoken = true;
  loop.sleep?.abort();
}

function cancel(loop: Loop, documentId: number): boolean {
  const { db, queue, artifacts, store, onDocument, onChange } = loop.deps;
  if (!queue.has(documentId)) return false;
  const write = (): void => {
    const wasRead = queue.hasReading(documentId);
    queue.removeAll(documentId);
    artifacts.clear(documentId);
    if (wasRead) store.markCancelled(documentId);
  };
  if (loop.run?.document.id === documentId) interrupt(loop, write, { code: 'reading.cancelled' });
  else {
    db.transaction(write);
    onDocument(documentId);
    onChange();
  }
  return true;
}

async function work(loop: Loop): Promise<void> {
  while (!loop.isEnding) {
    loop.isWoken = false;
    const job = loop.stopped ? null : takeJob(loop);
    if (job) await runJob(loop, job);
    else await sleepUntil(loop, loop.stopped ? null : loop.deps.queue.nextDue());
  }
}

/** Sleeps until `dueMs` or until woken. */
async function sleepUntil(loop: Loop, dueMs: number | null): Promise<void> {
  const { clock } = loop.deps;
  if (loop.isWoken || loop.isEnding) return;
  notifyIdle(loop);
  loop.sleep = new AbortController();
  const wait = Math.max(1, (dueMs ?? Infinity) - clock.now());
  await clock.sleep(Math.min(wait, MAX_SLEEP_MS), loop.sleep.signal);
  loop.sleep = null;
}

function notifyIdle(loop: Loop): void {
  for (const resolve of loop.idleWaiters.splice(0)) resolve();
}

function takeJob(loop: Loop): Job | null {
  try {
    return loop.deps.queue.take();
  } catch (err) {
    loop.deps.log.error({ err }, 'the queue could not be read');
    setStopped(loop, VAULT_NOT_WRITABLE);
    return null;
  }
}

async function runJob(loop: Loop, job: Job): Promise<void> {
  const { db, clock, log, store, queue, onDocument, onChange } = loop.deps;
  const document = store.load(job.documentId);
  if (!document) return queue.remove(job.id);
  const run = newRun(job, document, clock.now());
  loop.run = run;
  const isReading = isReadingJob(job);
  const end = await (isReading ? runStages(loop.deps, run) : runTranslation(loop.deps, run));
  if (end.kind === 'interrupted') return;
  loop.run = null;
  try {
    db.transaction(() => {
      if (!isReading) endTranslation(loop.deps, run, end.kind === 'failed' ? end.fault : null);
      else if (end.kind === 'done') finish(loop, run, end);
      else fail(loop, run, end.fault);
    });
  } catch (err) {
    // The row still has the status "running": resuming, or the next start, queues it again.
    log.error({ document_id: document.id, err }, 'the end of a job could not be stored');
    setStopped(loop, VAULT_NOT_WRITABLE);
  }
  onDocument(document.id);
  onChange();
}

async function runStages(deps: WorkerDeps, run: Run): Promise<RunEnd> {
  const { id } = run.document;
  try {
    deps.store.markStarted(id);
    deps.onDocument(id);
    return await runFlow(deps, run);
  } catch (err) {
    deps.log.error({ document_id: id, err }, 'a job could not be started');
    return { kind: 'failed', fault: { stage: null, reason: 'no_space', error: { code: 'reading.vault_read_only' } } };
  }
}

/** Tries again after a failure that may pass. The document and its status stay as they are. */
function endTranslation({ clock, queue, artifacts, rules }: WorkerDeps, { job }: Run, fault: Fault | null): void {
  const attempts = job.attempts + 1;
  const { retryInterval, maxRetries } = rules();
  if (fault && RETRYABLE.has(fault.reason) && attempts <= maxRetries) {
    const notBefore = toTimestamp(clock.now() + retryInterval * attempts * 1000);
    return queue.putBack(job.id, { attempts, notBefore });
  }
  queue.remove(job.id);
  // After a failure the translated pages are kept for the next request.
  if (!fault && job.kind === 'translate') artifacts.forgetTranslation(job.documentId);
}

function finish(loop: Loop, { job }: Run, { hasUnreadPages }: RunEnd & { kind: 'done' }): void {
  const { queue, artifacts, store, state } = loop.deps;
  loop.failuresInRow = 0;
  queue.remove(job.id);
  artifacts.clear(job.documentId);
  store.markFinished(job.documentId);
  state.countProcessed(job.documentId);
  requeueIfRequested(loop.deps, job.documentId);
  if (hasUnreadPages && job.options.unreadPageMinutes === undefined && !queue.hasReading(job.documentId))
    queueUnreadPages(queue, job);
}

/** Reads slow pages after everything else. Meanwhile the document is filed with what could be read. */
function queueUnreadPages(queue: Queue, { documentId, options }: Job): void {
  queue.enqueue({
    kind: 'reprocess',
    documentId,
    priority: PRIORITY.slow,
    options: { ...options, isSlow: true, unreadPageMinutes: UNREAD_PAGE_MINUTES },
  });
}

function fail(loop: Loop, run: Run, fault: Fault): void {
  const { job, document } = run;
  const { clock, queue, store, rules } = loop.deps;
  loop.failuresInRow = fault.reason === 'unreachable' ? loop.failuresInRow + 1 : 0;
  if (fault.reason === 'no_space' || loop.failuresInRow >= MAX_FAILURES_IN_ROW) {
    queue.putBack(job.id, { attempts: job.attempts, notBefore: null });
    store.markPending(document.id, { error: fault.error, retryCount: job.attempts, processAt: null });
    return setStopped(loop, { automatic: true, error: fault.error });
  }
  if (fault.reason === 'too_slow') {
    queue.putLast(job);
    return store.markPending(document.id, { error: null, retryCount: job.attempts, processAt: null });
  }
  const attempts = job.attempts + 1;
  const { retryInterval, maxRetries } = rules();
  if (RETRYABLE.has(fault.reason) && attempts <= maxRetries) {
    const processAt = toTimestamp(clock.now() + retryInterval * attempts * 1000);
    queue.putBack(job.id, { attempts, notBefore: processAt });
    return store.markPending(document.id, { error: fault.error, retryCount: attempts, processAt });
  }
  giveUp(loop.deps, run, fault);
}

function giveUp(deps: WorkerDeps, { job, document }: Run, fault: Fault): void {
  deps.queue.remove(job.id);
  deps.artifacts.clear(document.id);
  deps.store.markFailed(document.id, fault.error, job.attempts);
  deps.state.countError({
    doc_id: document.id,
    filename: document.original_filename,
    stage: fault.stage,
    message: textOfError(fault.error),
    error: fault.error,
    at: toTimestamp(deps.clock.now()),
  });
  requeueIfRequested(deps, document.id);
}

/** Queues the document again if it was requested while the job ran. */
function requeueIfRequested({ queue, store }: WorkerDeps, documentId: number): void {
  if (queue.hasReading(documentId)) store.markPending(documentId, { error: null, retryCount: 0, processAt: null });
}

function setStopped(loop: Loop, next: Stopped | null): void {
  loop.stopped = next;
  try {
    loop.deps.state.setStopped(next);
  } catch (err) {
    loop.deps.log.error({ err }, 'the stop could not be stored');
  }
}

/** Ends the running job at once, in the database and in memory; its stage winds down in the background. */
function interrupt(loop: Loop, write: (job: Job) => void, error: ErrorReference): void {
  const { db, events, onDocument, onChange } = loop.deps;
  const ended = loop.run;
  if (!ended) return;
  loop.run = null;
  ended.controller.abort();
  db.transaction(() => {
    if (ended.eventId !== null) events.close(ended.eventId, 'cancelled', error, ended.usage);
    write(ended.job);
  });
  onDocument(ended.document.id);
  onChange();
}

function returnToQueue(loop: Loop): void {
  const { queue, store } = loop.deps;
  const write = (job: Job): void => {
    queue.putBack(job.id, { attempts: job.attempts, notBefore: null });
    if (isReadingJob(job))
      store.markPending(job.documentId, { error: null, retryCount: job.attempts, processAt: null });
  };
  interrupt(loop, write, INTERRUPTED);
}

function recover({ deps }: Loop): void {
  for (const documentId of deps.db.transaction(() => recoverJobs(deps))) deps.onDocument(documentId);
}

/** Requeues the jobs that were running when the process died, and closes their open stage events. */
function recoverJobs({ queue, events, store }: WorkerDeps): number[] {
  const jobs = queue.recover();
  for (const { documentId, kind } of jobs) {
    events.closeLeftOpen(documentId, INTERRUPTED);
    if (isReadingJob({ kind })) store.markPending(documentId, { error: null, retryCount: 0, processAt: null });
  }
  return jobs.map(({ documentId }) => documentId);
}

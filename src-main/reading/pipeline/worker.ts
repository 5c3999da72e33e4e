import type { Database } from '../../platform/database/connection.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { ArtifactStore } from './artifacts.ts';
import type { DocumentStore } from './ports.ts';
import type { Job, Queue } from './queue.ts';
import { newRun, runFlow, type Fault, type Run, type RunDeps, type RunEnd } from './run.ts';
import type { StageEvents } from './stage-events.ts';
import type { PipelineState, Stopped } from './state.ts';

/** Seconds and counts of `pipeline.*` settings, asked anew each time. */
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
  /** The status as a whole has changed. */
  onChange: () => void;
  /** A page of this document was finished. */
  onPage: (run: Run) => void;
  /** The document's row has another status now. */
  onDocument: (documentId: number) => void;
}

export interface Worker {
  start(): void;
  /** Hands the job in flight back and ends the loop. */
  stop(): Promise<void>;
  /** Stops taking jobs, across restarts too; the job in flight goes back to the queue. */
  pause(stopped: Stopped): void;
  resume(): void;
  /** There may be something to take. */
  wake(): void;
  /** Takes a document out of queue and work; false when it was in neither. */
  cancel(documentId: number): boolean;
  current(): Run | null;
  /** Resolves when nothing runs and nothing may run now. */
  idle(): Promise<void>;
}

/** Failures in a row, over all jobs, after which the fault lies with the provider and not with the document. */
const FAILURES_UNTIL_STOP = 3;
const RETRYABLE = new Set<Fault['reason']>(['unreachable', 'refused', 'cancelled']);
/** A laptop that slept wakes up late; never trust one long timer. */
const LONGEST_REST_MS = 60_000;
const INTERRUPTED = 'Interrupted; it goes on from here.';

export function createWorker(deps: WorkerDeps): Worker {
  const { db, clock, log, store, queue, events, artifacts, state } = deps;
  let run: Run | null = null;
  let loop: Promise<void> | null = null;
  let ending = false;
  let stopped: Stopped | null = state.stopped();
  let failuresInRow = 0;
  let rest: AbortController | null = null;
  let wokenEarly = false;
  const waitingForIdle: (() => void)[] = [];

  function wake(): void {
    wokenEarly = true;
    rest?.abort();
  }

  /** Sleeps until woken or until `dueMs`. */
  async function sleep(dueMs: number | null): Promise<void> {
    if (wokenEarly || ending) return;
    for (const resolve of waitingForIdle.splice(0)) resolve();
    rest = new AbortController();
    const wait = Math.max(1, (dueMs ?? Infinity) - clock.now());
    await clock.sleep(Math.min(wait, LONGEST_REST_MS), rest.signal);
    rest = null;
  }

  function recover(): void {
    for (const documentId of db.transaction(() => recoverJobs(deps))) deps.onDocument(documentId);
  }

  function setStopped(next: Stopped | null): void {
    stopped = next;
    try {
      state.setStopped(next);
    } catch (err) {
      log.error({ err }, 'the stop could not be stored');
    }
  }

  /** Ends the job in flight at once, in the database and in memory; its stage winds down by itself. */
  function interrupt(write: (job: Job) => void, message: string): void {
    const ended = run;
    if (!ended) return;
    run = null;
    ended.controller.abort();
    db.transaction(() => {
      if (ended.eventId !== null) events.close(ended.eventId, 'cancelled', message);
      write(ended.job);
    });
    deps.onDocument(ended.document.id);
    deps.onChange();
  }

  const handBack = (): void =>
    interrupt((job) => {
      queue.putBack(job.id, { attempts: job.attempts, notBefore: null });
      store.backToPending(job.documentId, { message: null, retryCount: job.attempts, processAt: null });
    }, INTERRUPTED);

  async function work(): Promise<void> {
    while (!ending) {
      wokenEarly = false;
      const job = stopped ? null : takeSafely();
      if (job) await runJob(job);
      else await sleep(stopped ? null : queue.nextDue());
    }
  }

  function takeSafely(): Job | null {
    try {
      return queue.take();
    } catch (err) {
      log.error({ err }, 'the queue could not be read');
      setStopped({
        automatic: true,
        reason: 'The vault cannot be written. Free some space or mend its permissions, then start reading again.',
      });
      return null;
    }
  }

  async function runJob(job: Job): Promise<void> {
    const document = store.load(job.documentId);
    if (!document) return queue.remove(job.id);
    const mine = newRun(job, document, clock.now());
    run = mine;
    let end: RunEnd;
    try {
      store.started(document.id);
      deps.onDocument(document.id);
      end = await runFlow({ ...deps, onChange: deps.onChange }, mine);
    } catch (err) {
      log.error({ document_id: document.id, err }, 'a job could not be started');
      end = { kind: 'failed', fault: { stage: null, reason: 'no_space', message: 'The vault cannot be written.' } };
    }
    if (end.kind === 'interrupted') return;
    run = null;
    try {
      db.transaction(() => (end.kind === 'done' ? finish(mine) : fail(mine, end.fault)));
    } catch (err) {
      // Its row says running still: resuming, or the next start, queues it again.
      log.error({ document_id: document.id, err }, 'the end of a job could not be stored');
      setStopped({
        automatic: true,
        reason: 'The vault cannot be written. Free some space or mend its permissions, then start reading again.',
      });
    }
    deps.onDocument(document.id);
    deps.onChange();
  }

  function finish({ job }: Run): void {
    failuresInRow = 0;
    queue.remove(job.id);
    artifacts.clear(job.documentId);
    store.finished(job.documentId);
    state.countProcessed();
    waitAgain(job.documentId);
  }

  /** A request that came in while the job ran has its turn still before it. */
  function waitAgain(documentId: number): void {
    if (queue.has(documentId)) store.backToPending(documentId, { message: null, retryCount: 0, processAt: null });
  }

  function fail({ job, document }: Run, fault: Fault): void {
    failuresInRow = fault.reason === 'unreachable' ? failuresInRow + 1 : 0;
    if (fault.reason === 'no_space' || failuresInRow >= FAILURES_UNTIL_STOP) {
      queue.putBack(job.id, { attempts: job.attempts, notBefore: null });
      store.backToPending(document.id, { message: fault.message, retryCount: job.attempts, processAt: null });
      return setStopped({ automatic: true, reason: fault.message });
    }
    const attempts = job.attempts + 1;
    const { retryInterval, maxRetries } = deps.rules();
    if (RETRYABLE.has(fault.reason) && attempts <= maxRetries) {
      const processAt = toTimestamp(clock.now() + retryInterval * attempts * 1000);
      queue.putBack(job.id, { attempts, notBefore: processAt });
      return store.backToPending(document.id, { message: fault.message, retryCount: attempts, processAt });
    }
    queue.remove(job.id);
    artifacts.clear(document.id);
    store.failed(document.id, fault.message, job.attempts);
    state.countError({
      doc_id: document.id,
      filename: document.original_filename,
      stage: fault.stage,
      message: fault.message,
      at: toTimestamp(clock.now()),
    });
    waitAgain(document.id);
  }

  return {
    start() {
      if (loop) return;
      ending = false;
      recover();
      loop = work();
    },
    async stop() {
      ending = true;
      try {
        handBack();
      } catch (err) {
        log.error({ err }, 'the job in flight could not be handed back; the next start queues it again');
      }
      wake();
      await loop;
      loop = null;
      for (const resolve of waitingForIdle.splice(0)) resolve();
    },
    pause(next) {
      setStopped(next);
      handBack();
      wake();
      deps.onChange();
    },
    resume() {
      failuresInRow = 0;
      setStopped(null);
      if (!run) recover();
      wake();
      deps.onChange();
    },
    wake,
    cancel(documentId) {
      if (!queue.has(documentId)) return false;
      const write = (): void => {
        queue.removeAll(documentId);
        artifacts.clear(documentId);
        store.cancelled(documentId);
      };
      if (run?.document.id === documentId) interrupt(write, 'Cancelled.');
      else {
        db.transaction(write);
        deps.onDocument(documentId);
        deps.onChange();
      }
      return true;
    },
    current: () => run,
    idle: () =>
      new Promise((resolve) => {
        if (!loop || (rest && !wokenEarly)) resolve();
        else waitingForIdle.push(resolve);
      }),
  };
}

/** Jobs that ran when the process died wait again, and their open stage events are closed. */
function recoverJobs(deps: WorkerDeps): number[] {
  const documents = deps.queue.recover();
  for (const documentId of documents) {
    deps.events.closeLeftOpen(documentId, INTERRUPTED);
    deps.store.backToPending(documentId, { message: null, retryCount: 0, processAt: null });
  }
  return documents;
}

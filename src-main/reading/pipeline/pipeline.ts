import type { ErrorCode, ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { ReadMode } from './flows.ts';
import { createArtifactStore } from './artifacts.ts';
import type { DocumentStore } from './ports.ts';
import { createQueue, isReadingJob, type NewJob, type Queue } from './queue.ts';
import type { Run, ToolsFor } from './run.ts';
import { createStageEvents, type StageEvents } from './stage-events.ts';
import { createPipelineState, type DocumentOwner, type PipelineState } from './state.ts';
import { statusOf, type PipelineCounts } from './status.ts';
import { createInboxWatcher, type InboxWatcher } from './watch.ts';
import { createWorker, type RetryRules, type Worker } from './worker.ts';

export interface PipelineDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** Absolute path of the vault. */
  root: string;
  announce: (message: LiveMessage) => void;
  toolsFor: ToolsFor;
  rules: () => RetryRules;
  /** Evaluated again by `rewatch`. */
  watch: () => { enabled: boolean; pollSeconds: number; stableMs?: number };
  hasProvider: (kind: 'ocr' | 'llm' | 'vision', id: string | null) => boolean;
  /** How uploads are read. */
  uploadMode: () => ReadMode;
  /** Requests to services, by credential or provider. */
  queues: () => { id: string; running: number; waiting: number }[];
}

export interface Pipeline {
  /** Stores a job; joins a running transaction. */
  enqueue(job: NewJob): void;
  cancel(documentId: number): boolean;
  wake(): void;
  isReading(documentId: number): boolean;
  hasProvider(kind: 'ocr' | 'llm' | 'vision', id: string | null): boolean;
  /** Starts the worker and the inbox watcher for the documents of the store. */
  start(store: DocumentStore): Promise<void>;
  /** Starts or stops watching the inbox according to the current settings. */
  rewatch(): Promise<void>;
  /** Returns the running job to the queue and stops. */
  stop(): Promise<void>;
  /** Pauses until `resume`, also after a restart. */
  pause(): void;
  resume(): void;
  /**
   * Pauses for a reason that ends by itself, unless reading is paused already; ends with `release`, and when the
   * program starts again.
   */
  hold(error: ErrorReference): void;
  /** Ends a pause for this reason; any other pause stays. */
  release(code: ErrorCode): void;
  snapshot(): PipelineStatus;
  /** The counts of the status for the documents of some owners. */
  counts(isIncluded: (owner: DocumentOwner) => boolean): PipelineCounts;
  /** Resolves when no job runs and none is due. */
  idle(): Promise<void>;
}

interface Parts extends PipelineDeps {
  queue: Queue;
  state: PipelineState;
  events: StageEvents;
  worker: Worker | null;
  watcher: InboxWatcher | null;
  store: DocumentStore | null;
  /** Serializes restarts of the watcher, however quickly the settings change. */
  watching: Promise<void>;
}

/**
 * Combines queue, worker and watcher. Jobs can be queued before `start`, which receives the documents: the documents
 * feature needs the queue, and the worker needs the documents.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const parts: Parts = {
    ...deps,
    queue: createQueue(deps.db, deps.clock),
    state: createPipelineState(deps.db),
    events: createStageEvents(deps.db, deps.clock),
    worker: null,
    watcher: null,
    store: null,
    watching: Promise.resolve(),
  };
  return {
    enqueue: (job) => parts.queue.enqueue(withMode(parts, job)),
    cancel: (documentId) => parts.worker?.cancel(documentId) ?? parts.queue.removeAll(documentId) > 0,
    isReading(documentId) {
      const run = parts.worker?.currentRun();
      return run?.document.id === documentId && isReadingJob(run.job);
    },
    hasProvider: (kind, id) => deps.hasProvider(kind, id),
    idle: () => parts.worker?.idle() ?? Promise.resolve(),
    ...bindFirst(parts, {
      wake: wakeWorker,
      start: startPipeline,
      rewatch: restartWatcher,
      stop: stopPipeline,
      pause: pausePipeline,
      resume: resumePipeline,
      hold: holdPipeline,
      release: releasePipeline,
      snapshot: statusSnapshot,
      counts: countFor,
    }),
  };
}

/** A job with a mode: that of uploads, unless it has its own. */
const withMode = ({ uploadMode }: Parts, job: NewJob): NewJob =>
  job.kind === 'upload' ? { ...job, options: { mode: uploadMode(), ...job.options } } : job;

const statusSnapshot = (parts: Parts): PipelineStatus =>
  statusOf({
    queue: parts.queue,
    state: parts.state,
    currentRun: () => parts.worker?.currentRun() ?? null,
    watcherActive: () => parts.watcher?.isActive() ?? false,
    stopState: () => parts.state.stopState(),
    queues: parts.queues,
  });

function countFor({ queue, state }: Parts, isIncluded: (owner: DocumentOwner) => boolean): PipelineCounts {
  const ended = state.totalsByOwner().filter(isIncluded);
  return {
    queue_depth: queue.depthByOwner().reduce((sum, owner) => sum + (isIncluded(owner) ? owner.waiting : 0), 0),
    total_processed: ended.reduce((sum, { processed }) => sum + processed, 0),
    total_errors: ended.reduce((sum, { errors }) => sum + errors, 0),
  };
}

const announceStatus = (parts: Parts): void => parts.announce({ kind: 'pipeline', status: statusSnapshot(parts) });

const announcePage = ({ announce }: Parts, run: Run): void =>
  announce({
    kind: 'progress',
    document_id: run.document.id,
    patient_id: run.document.patient_id,
    stage: run.stage ?? 'ocr',
    page_current: run.pageCurrent,
    page_total: run.pageTotal,
  });

/** Reasons to wait that end with the program. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'reading.on_battery',
  'reading.safe_mode',
  'vault.disk_gone',
  'vault.taken_over',
]);

async function startPipeline(parts: Parts, store: DocumentStore): Promise<void> {
  const { db, clock, log, queue, events, state, toolsFor, rules } = parts;
  // Whoever makes it wait does so again after a start.
  const stopped = state.stopState()?.error?.code;
  if (stopped !== undefined && TRANSIENT.has(stopped)) state.setStopped(null);
  parts.worker = createWorker({
    db,
    clock,
    log: log.child('pipeline'),
    store,
    queue,
    events,
    state,
    artifacts: createArtifactStore(db, store),
    toolsFor,
    rules,
    onChange: () => announceStatus(parts),
    onPage: (run) => announcePage(parts, run),
    // The store itself announces every status that it writes.
    onDocument: () => undefined,
  });
  parts.worker.start();
  parts.store = store;
  await restartWatcher(parts);
}

async function stopPipeline(parts: Parts): Promise<void> {
  parts.store = null;
  await parts.watching;
  await parts.watcher?.stop();
  await parts.worker?.stop();
}

function restartWatcher(parts: Parts): Promise<void> {
  parts.watching = parts.watching
    .then(() => watchInbox(parts))
    .catch((err: unknown) => parts.log.error({ err }, 'the inbox cannot be watched'));
  return parts.watching;
}

async function watchInbox(parts: Parts): Promise<void> {
  const { root, clock, log, store } = parts;
  await parts.watcher?.stop();
  parts.watcher = null;
  const { enabled, pollSeconds, stableMs } = parts.watch();
  if (enabled && store) {
    parts.watcher = createInboxWatcher({
      root,
      store,
      clock,
      log: log.child('inbox'),
      pollSeconds,
      ...(stableMs !== undefined && { stableMs }),
    });
    await parts.watcher.start();
  }
  announceStatus(parts);
}

function wakeWorker(parts: Parts): void {
  parts.worker?.wake();
  announceStatus(parts);
}

function pausePipeline({ worker, state }: Parts): void {
  const stop = { automatic: false, error: null };
  if (worker) worker.pause(stop);
  else state.setStopped(stop);
}

function resumePipeline({ worker, state }: Parts): void {
  if (worker) worker.resume();
  else state.setStopped(null);
}

function holdPipeline(parts: Parts, error: ErrorReference): void {
  if (parts.state.stopState() !== null) return;
  const stop = { automatic: true, error };
  if (parts.worker) parts.worker.pause(stop);
  else parts.state.setStopped(stop);
}

function releasePipeline(parts: Parts, code: ErrorCode): void {
  if (parts.state.stopState()?.error?.code === code) resumePipeline(parts);
}

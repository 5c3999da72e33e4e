import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { createArtifactStore } from './artifacts.ts';
import type { DocumentStore } from './ports.ts';
import { createQueue, type NewJob, type Queue } from './queue.ts';
import type { Run, ToolsFor } from './run.ts';
import { createStageEvents } from './stage-events.ts';
import { createPipelineState } from './state.ts';
import { statusOf } from './status.ts';
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
  /** Read again by `rewatch`. */
  watch: () => { enabled: boolean; pollSeconds: number; stableMs?: number };
  hasProvider: (kind: 'ocr' | 'llm' | 'vision', id: string) => boolean;
}

export interface Pipeline {
  /** Durable requests; joins a running transaction. */
  enqueue(job: NewJob): void;
  cancel(documentId: number): boolean;
  wake(): void;
  isReading(documentId: number): boolean;
  hasProvider(kind: 'ocr' | 'llm' | 'vision', id: string): boolean;
  /** Starts the worker and the inbox watcher over the documents that the store knows. */
  start(store: DocumentStore): Promise<void>;
  /** Starts or stops watching the inbox by the current settings. */
  rewatch(): Promise<void>;
  /** Returns the running job to the queue and stops. */
  stop(): Promise<void>;
  /** Pauses until `resume`, also after a restart. */
  pause(): void;
  resume(): void;
  snapshot(): PipelineStatus;
  /** Resolves when no job runs and none is due. */
  idle(): Promise<void>;
}

/**
 * Queue, worker and watcher as one thing. The queue can be written before `start`, which brings the documents:
 * the documents feature needs the queue, and the worker needs the documents.
 */
export function createPipeline({
  db,
  clock,
  log,
  root,
  announce,
  toolsFor,
  rules,
  watch,
  hasProvider,
}: PipelineDeps): Pipeline {
  const queue: Queue = createQueue(db, clock);
  const state = createPipelineState(db);
  const events = createStageEvents(db, clock);
  let worker: Worker | null = null;
  let watcher: InboxWatcher | null = null;
  let known: DocumentStore | null = null;
  /** Serializes restarts of the watcher, however fast the settings change. */
  let watching: Promise<void> = Promise.resolve();

  async function watchInbox(): Promise<void> {
    await watcher?.stop();
    watcher = null;
    const { enabled, pollSeconds, stableMs } = watch();
    if (enabled && known) {
      watcher = createInboxWatcher({
        root,
        store: known,
        clock,
        log: log.child('inbox'),
        pollSeconds,
        ...(stableMs !== undefined && { stableMs }),
      });
      await watcher.start();
    }
    onChange();
  }
  const rewatch = (): Promise<void> =>
    (watching = watching.then(watchInbox).catch((err: unknown) => log.error({ err }, 'the inbox cannot be watched')));

  const snapshot = (): PipelineStatus =>
    statusOf({
      queue,
      state,
      current: () => worker?.current() ?? null,
      watcherActive: () => watcher?.active() ?? false,
      stopped: () => state.stopped(),
    });
  const onChange = (): void => announce({ kind: 'pipeline', status: snapshot() });
  const onPage = (run: Run): void => {
    announce({
      kind: 'progress',
      document_id: run.document.id,
      patient_id: run.document.patient_id,
      stage: run.stage ?? 'ocr',
      page_current: run.pageCurrent,
      page_total: run.pageTotal,
    });
  };

  return {
    enqueue: (job) => queue.enqueue(job),
    cancel: (documentId) => worker?.cancel(documentId) ?? queue.removeAll(documentId) > 0,
    wake() {
      worker?.wake();
      onChange();
    },
    isReading: (documentId) => worker?.current()?.document.id === documentId,
    hasProvider,
    async start(store) {
      worker = createWorker({
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
        onChange,
        onPage,
        // The store announces every status that it writes.
        onDocument: () => undefined,
      });
      worker.start();
      known = store;
      await rewatch();
    },
    rewatch,
    async stop() {
      known = null;
      await watching;
      await watcher?.stop();
      await worker?.stop();
    },
    pause: () =>
      worker ? worker.pause({ automatic: false, reason: null }) : state.setStopped({ automatic: false, reason: null }),
    resume: () => (worker ? worker.resume() : state.setStopped(null)),
    snapshot,
    idle: () => worker?.idle() ?? Promise.resolve(),
  };
}

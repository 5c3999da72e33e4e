import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import PQueue from 'p-queue';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure, translateFsError } from '../../../platform/kernel/errors.ts';
import type { LargeWork } from '../../../platform/kernel/large-work.ts';
import type { Log } from '../../../platform/kernel/log.ts';
import { createWorkerPool, type WorkerPool } from '../../../platform/kernel/worker-pool.ts';
import type { Watermark } from '../../../reading/providers/watermark/watermark.ts';
import type { RecordRepository } from '../record-repository.ts';
import { documentToShare, type LoincOf } from './content.ts';
import { DocumentFailure, drawCopies } from './draw.ts';
import type { HealthLinkRecord } from './repository.ts';
import type { SealTask } from './seal.ts';
import { linkFolder } from './status.ts';

export interface MakerDeps {
  records: RecordRepository;
  watermark: Watermark;
  largeWork: LargeWork;
  resolve(path: string): string;
  loincOf: LoincOf;
  clock: Clock;
  log: Log;
}
interface Deps extends MakerDeps {
  queue: PQueue;
  sealing: WorkerPool;
  /** What is being made, by the id of the link. */
  running: Map<string, Running>;
  stopped: AbortController;
}
interface Running {
  shareId: string;
  progress: Progress;
  abort: AbortController;
}
export interface Progress {
  pages_done: number;
  pages_total: number;
}

export interface LinkToMake {
  linkId: string;
  shareId: string;
  documentIds: readonly number[];
  /** Of the files; it is nowhere else but in the link. */
  key: string;
  /** The name that is stamped on every page. */
  recipientLabel: string;
  language: CoreLanguage;
}
/** How making a link ended. `cancelled` also by the end of the program. */
export type Made =
  | { outcome: 'made'; sizes: number[] }
  | { outcome: 'failed'; failure: NonNullable<HealthLinkRecord['failure']> }
  | { outcome: 'cancelled' };

const IDLE_MS = 10_000;

export type HealthLinkMaker = ReturnType<typeof createHealthLinkMaker>;

/** Draws, encrypts and writes the files of links, one link after the other and beside the event loop. */
export function createHealthLinkMaker(dependencies: MakerDeps) {
  const { clock } = dependencies;
  const deps: Deps = {
    ...dependencies,
    queue: new PQueue({ concurrency: 1 }),
    sealing: createWorkerPool({
      script: new URL('./seal-thread.ts', import.meta.url),
      ...{ size: 1, idleMs: IDLE_MS, clock },
    }),
    running: new Map(),
    stopped: new AbortController(),
  };
  const { running, stopped, queue, sealing } = deps;
  return {
    ...bindFirst(deps, { make }),
    progress: (linkId: string): Progress | null => running.get(linkId)?.progress ?? null,
    /** Links whose files are not all written. */
    making: (): string[] => [...running.keys()],
    cancel: (linkId: string): void => running.get(linkId)?.abort.abort(),
    cancelOfShare(shareId: string): void {
      for (const one of running.values()) if (one.shareId === shareId) one.abort.abort();
    },
    isStopped: (): boolean => stopped.signal.aborted,
    async close(): Promise<void> {
      stopped.abort();
      for (const one of running.values()) one.abort.abort();
      await queue.onIdle();
      await sealing.close();
    },
  };
}

/**
 * Makes the files of a link. `whenEnded` stores the outcome; until it returns, the link counts as being made.
 */
function make(deps: Deps, link: LinkToMake, whenEnded: (made: Made) => Promise<void> | void): void {
  const { queue, running, log } = deps;
  const abort = new AbortController();
  const { linkId, shareId } = link;
  running.set(linkId, { shareId, progress: { pages_done: 0, pages_total: 0 }, abort });
  void queue
    .add(async () => {
      try {
        await whenEnded(await outcomeOf(deps, link, abort.signal));
      } finally {
        running.delete(linkId);
      }
    })
    .catch((err: unknown) => log.error({ err }, 'the outcome of a SMART Health Link could not be stored'));
}

async function outcomeOf(deps: Deps, link: LinkToMake, signal: AbortSignal): Promise<Made> {
  try {
    signal.throwIfAborted();
    return { outcome: 'made', sizes: await writeFiles(deps, link, signal) };
  } catch (raw) {
    const error = translateFsError(raw instanceof DocumentFailure ? raw.cause : raw);
    const code = error instanceof Failure ? error.code : 'server.internal_error';
    if (signal.aborted || code === 'server.stopping') return { outcome: 'cancelled' };
    if (!(error instanceof Failure)) deps.log.error({ err: error }, 'a SMART Health Link could not be made');
    const document_id = raw instanceof DocumentFailure ? raw.documentId : null;
    const params = error instanceof Failure ? (error.params as Record<string, string | number>) : {};
    return { outcome: 'failed', failure: { code, params, document_id } };
  }
}

async function writeFiles(deps: Deps, link: LinkToMake, signal: AbortSignal): Promise<number[]> {
  const { records, sealing, largeWork, resolve, loincOf, clock, running } = deps;
  const { linkId, shareId, language, key } = link;
  const stamp = { label: link.recipientLabel, at: clock.now() };
  const copies = await drawCopies(deps, link, {
    ...{ stamp, language, signal },
    onPages(done, total) {
      const one = running.get(linkId);
      if (one) one.progress = { pages_done: done, pages_total: total };
    },
  });
  const documents = copies.flatMap(({ id, ...copy }) => {
    const detail = records.document(shareId, id);
    return detail ? [documentToShare(detail, copy, { language, loincOf })] : [];
  });
  const record = { patient: records.patient(shareId), documents };
  const task: SealTask = { record, key, folder: resolve(linkFolder(linkId)), now: stamp.at };
  const transfer = copies.map(({ data }) => data.buffer);
  return largeWork.run(() => sealing.run<number[]>(task, { signal, transfer }), signal);
}

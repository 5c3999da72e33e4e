import { Worker } from 'node:worker_threads';
import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { EncodedRows } from '../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import { STORED_TABLES } from '../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import type { FromWriter, IndexRequest, ToWriter, WriterData } from './index-writer-messages.ts';

/** `IndexWriter` in its own thread, so that rows are written while the next ones are read. */
export interface ThreadedWriter {
  begin(artifact: ArtifactName): Promise<void>;
  /** Resolves when few batches are waiting; rejects if these rows or earlier ones could not be written. */
  add(rows: EncodedRows): Promise<void>;
  commit(state: ArtifactState): Promise<void>;
  rollback(): Promise<void>;
  setState(state: ArtifactState): Promise<void>;
  close(): Promise<void>;
}

const SCRIPT = new URL('./index-writer-thread.ts', import.meta.url);
/** Maximum number of pending batches: one is written while another waits. */
const MAX_PENDING_BATCHES = 2;
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** Opens the index in this file for writing, in a thread. Only one writer may be open at a time. */
export function startIndexWriter(file: string): ThreadedWriter {
  const worker = new Worker(SCRIPT, {
    workerData: { file, tables: STORED_TABLES } satisfies WriterData,
    resourceLimits: RESOURCE_LIMITS,
  });
  const request = requester(worker);
  let batches: Promise<void>[] = [];
  return {
    begin: (artifact) => request({ action: 'begin', artifact }),
    async add(rows) {
      const batch = request({ action: 'add', rows });
      // After a rollback, the remaining batches are not awaited.
      batch.catch(() => undefined);
      batches.push(batch);
      if (batches.length > MAX_PENDING_BATCHES) await batches.shift();
    },
    async commit(state) {
      const pending = batches;
      batches = [];
      await Promise.all(pending);
      await request({ action: 'commit', state });
    },
    async rollback() {
      batches = [];
      await request({ action: 'rollback' });
    },
    setState: (state) => request({ action: 'setState', state }),
    close: () => request({ action: 'close' }),
  };
}

/** Sends requests to the thread; each promise settles with its reply, or rejects when the thread ends. */
function requester(worker: Worker): (request: IndexRequest) => Promise<void> {
  const waiting = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  let nextId = 1;
  let endCause: unknown = null;
  worker.on('message', ({ id, failure }: FromWriter) => {
    const request = waiting.get(id);
    waiting.delete(id);
    if (failure === null) request?.resolve();
    else request?.reject(failure);
  });
  const end = (cause: unknown): void => {
    endCause ??= cause;
    for (const { reject } of waiting.values()) reject(endCause);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('The index writer thread has ended.')));
  return (request) =>
    new Promise((resolve, reject) => {
      if (endCause !== null) return reject(endCause);
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id } satisfies ToWriter);
    });
}

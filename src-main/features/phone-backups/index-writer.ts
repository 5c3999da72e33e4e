import { Worker } from 'node:worker_threads';
import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Lines } from '../../../src-shared/ios-backup/artifacts/index-store/lines.ts';
import { STORED_TABLES, type StoredTable } from '../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';

type Request =
  | { act: 'begin'; artifact: ArtifactName }
  | { act: 'add'; lines: Lines }
  | { act: 'commit' | 'note'; state: ArtifactState }
  | { act: 'rollback' | 'close' };
/** The thread is told of the tables: the schema they follow from would cost it as much memory as the rows. */
export interface WriterData {
  file: string;
  tables: readonly StoredTable[];
}
export type ToWriter = Request & { id: number };
export interface FromWriter {
  id: number;
  failure: unknown;
}

/** `IndexWriter` in a thread of its own: rows are written there while the next ones are read here. */
export interface ThreadedWriter {
  begin(artifact: ArtifactName): Promise<void>;
  /** Settles as soon as the writer is not far behind; fails with what went wrong with these lines or earlier ones. */
  add(lines: Lines): Promise<void>;
  commit(state: ArtifactState): Promise<void>;
  rollback(): Promise<void>;
  note(state: ArtifactState): Promise<void>;
  close(): Promise<void>;
}

const SCRIPT = new URL('./index-writer-thread.ts', import.meta.url);
/** Batches on their way: one is written while one waits. */
const AHEAD = 2;
const YOUNG = { maxYoungGenerationSizeMb: 8 };

/** Opens the index in this file for writing, in a thread. Only one at a time. */
export function startIndexWriter(file: string): ThreadedWriter {
  const worker = new Worker(SCRIPT, {
    workerData: { file, tables: STORED_TABLES } satisfies WriterData,
    resourceLimits: YOUNG,
  });
  const waiting = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  let underway: Promise<void>[] = [],
    nextId = 1,
    ended: unknown = null;

  worker.on('message', ({ id, failure }: FromWriter) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (failure === null) asker?.resolve();
    else asker?.reject(failure);
  });
  const end = (cause: unknown): void => {
    ended ??= cause;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the writer of the index ended')));

  const ask = (request: Request): Promise<void> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id } satisfies ToWriter);
    });
  /** Everything that was added so far is written, or what went wrong with it is thrown. */
  const settled = async (): Promise<void> => {
    const all = underway;
    underway = [];
    await Promise.all(all);
  };
  return {
    begin: (artifact) => ask({ act: 'begin', artifact }),
    async add(lines) {
      const added = ask({ act: 'add', lines });
      // Whoever rolls back before it fails has no use for it.
      added.catch(() => undefined);
      underway.push(added);
      if (underway.length > AHEAD) await underway.shift();
    },
    async commit(state) {
      await settled();
      await ask({ act: 'commit', state });
    },
    async rollback() {
      underway = [];
      await ask({ act: 'rollback' });
    },
    note: (state) => ask({ act: 'note', state }),
    async close() {
      await ask({ act: 'close' });
    },
  };
}

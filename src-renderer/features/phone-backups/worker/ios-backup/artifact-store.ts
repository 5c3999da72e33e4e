import { ARTIFACTS, type ArtifactName } from '../../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IndexJob } from '../../../../../src-shared/contract/phone-backups/service.ts';
import type { IndexDatabase } from '../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import {
  createIndexReader,
  type IndexReader,
} from '../../../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { encodeRows } from '../../../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import { STORED_TABLES } from '../../../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import {
  createIndexWriter,
  createTables,
  type ArtifactState,
  type IndexWriter,
} from '../../../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import { createPeople } from '../../../../../src-shared/ios-backup/artifacts/people.ts';
import type {
  ArtifactReader,
  ArtifactSource,
  ReadTools,
} from '../../../../../src-shared/ios-backup/artifacts/source.ts';
import { BackupError } from '../../../../../src-shared/ios-backup/index.ts';

type Progress = IndexJob['artifacts'][number];
type MemoryDatabase = IndexDatabase & { wipe(): void };
interface OpenIndex {
  database: MemoryDatabase;
  writer: IndexWriter;
  reader: IndexReader;
}

/** Lets queries run between the batches of a running artifact. */
const yieldToQueries = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
/** Keeps the rollback journal and temporary tables in memory, so that nothing is written to disk. */
const PRAGMAS = ['PRAGMA journal_mode=MEMORY', 'PRAGMA temp_store=MEMORY', 'PRAGMA cache_size=-4096'];

/** The in-memory index of an open backup. Reads one artifact after another, contacts first, on demand. */
export class ArtifactStore {
  readonly #source: ArtifactSource;
  readonly #readers: readonly ArtifactReader[];
  readonly #people = createPeople();
  readonly #openMemory: () => Promise<MemoryDatabase>;
  #index: Promise<OpenIndex> | null = null;
  readonly #progress: Progress[];
  readonly #reads = new Map<ArtifactName, Promise<void>>();
  #lastRead: Promise<void> = Promise.resolve();
  /** Whether the whole backup is to be indexed. */
  #isStarted = false;
  #isStopped = false;
  #isWiped = false;

  constructor(source: ArtifactSource, readers: readonly ArtifactReader[], openMemory: () => Promise<MemoryDatabase>) {
    this.#openMemory = openMemory;
    this.#source = source;
    this.#readers = ARTIFACTS.flatMap((name) => readers.filter((reader) => reader.name === name));
    this.#progress = this.#readers.map(({ name }) => ({
      artifact: name,
      status: 'waiting',
      rows: 0,
      total: null,
      finished_at: null,
      skipped: 0,
    }));
  }

  /** The progress of each artifact, as the service reports it. */
  job(): IndexJob {
    const artifacts = this.#progress.map((progress) => ({ ...progress }));
    return { status: this.#status(), artifacts, started_at: null, finished_at: null };
  }

  #status(): IndexJob['status'] {
    const states = this.#progress.map(({ status }) => status);
    const isWaiting = states.includes('waiting');
    if (states.includes('running') || (isWaiting && this.#isStarted)) return 'running';
    if (!isWaiting) return 'done';
    return this.#isStopped ? 'cancelled' : 'idle';
  }

  /** Starts to read these artifacts unless they were read before. */
  start(names: readonly ArtifactName[] = ARTIFACTS): void {
    this.#isStopped = false;
    this.#isStarted = true;
    for (const { name } of this.#readers) if (names.includes(name)) void this.#read(name).catch(() => undefined);
  }

  cancel(): void {
    this.#isStarted = false;
    this.#isStopped = true;
  }

  /** Returns the index once these artifacts were read; an artifact that fails has the rows up to the failure. */
  async reader(...names: readonly ArtifactName[]): Promise<IndexReader> {
    // Opening a view reads its artifacts even if indexing was cancelled before.
    this.#isStopped = this.#isWiped;
    for (const name of names) await this.#read(name).catch(() => undefined);
    return (await this.#open()).reader;
  }

  /** Overwrites all rows and ends reading. */
  async wipe(): Promise<void> {
    this.#isStopped = true;
    this.#isWiped = true;
    this.#reads.clear();
    const index = await this.#index?.catch(() => null);
    index?.database.wipe();
  }

  #open(): Promise<OpenIndex> {
    if (this.#isWiped) throw new BackupError('locked');
    this.#index ??= this.#openMemory().then((database) => {
      for (const sql of PRAGMAS) database.exec(sql);
      createTables(database, STORED_TABLES);
      return { database, writer: createIndexWriter(database, STORED_TABLES), reader: createIndexReader(database) };
    });
    return this.#index;
  }

  #read(name: ArtifactName): Promise<void> {
    const started = this.#reads.get(name);
    if (started) return started;
    const reader = this.#readers.find((each) => each.name === name);
    const progress = this.#progress.find(({ artifact }) => artifact === name);
    if (!reader || !progress) return Promise.resolve();
    // The contacts name the people in all other artifacts.
    if (name !== 'contacts') void this.#read('contacts').catch(() => undefined);
    const read = this.#lastRead.catch(() => undefined).then(() => this.#run(reader, progress));
    this.#reads.set(name, read);
    this.#lastRead = read;
    return read;
  }

  async #run(reader: ArtifactReader, progress: Progress): Promise<void> {
    if (this.#isStopped) return void this.#reads.delete(reader.name);
    Object.assign(progress, { status: 'running', rows: 0, total: null, skipped: 0 });
    const { writer } = await this.#open();
    writer.begin(reader.name);
    try {
      const outcome = await this.#addRows(reader, writer, progress);
      if (outcome === 'wiped') return;
      if (outcome === 'stopped') {
        writer.rollback();
        progress.status = 'waiting';
        return void this.#reads.delete(reader.name);
      }
      writer.commit(stateOf(progress, outcome));
      progress.status = outcome;
    } catch (cause) {
      progress.status = 'failed';
      if (this.#isWiped) return;
      // Keep the rows up to the failure.
      writer.commit(stateOf(progress, 'failed'));
      throw cause;
    }
  }

  async #addRows(
    { read }: ArtifactReader,
    writer: IndexWriter,
    progress: Progress,
  ): Promise<'done' | 'absent' | 'stopped' | 'wiped'> {
    let outcome: 'done' | 'absent' = 'absent';
    for await (const batch of read(this.#source, this.#tools(progress))) {
      if (this.#isWiped) return 'wiped';
      outcome = 'done';
      writer.add(encodeRows(batch));
      progress.rows += batch.rows.length;
      await yieldToQueries();
      if (this.#isWiped) return 'wiped';
      if (this.#isStopped) return 'stopped';
    }
    return this.#isWiped ? 'wiped' : outcome;
  }

  #tools(progress: Progress): ReadTools {
    return {
      people: this.#people,
      expect: (rows) => {
        progress.total = (progress.total ?? 0) + rows;
      },
      skip: () => {
        progress.skipped += 1;
      },
    };
  }
}

const stateOf = ({ artifact, rows, total, skipped }: Progress, status: ArtifactState['status']): ArtifactState => ({
  artifact,
  status,
  rows,
  total,
  skipped,
  finished_at: null,
});

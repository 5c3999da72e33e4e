import { ARTIFACTS, type ArtifactName } from '../../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IndexJob } from '../../../../../src-shared/contract/phone-backups/service.ts';
import { createPeople } from '../../../../../src-shared/ios-backup/artifacts/people.ts';
import type { ArtifactReader, ArtifactSource } from '../../../../../src-shared/ios-backup/artifacts/source.ts';
import { BackupError } from '../../../../../src-shared/ios-backup/index.ts';
import type { IndexDatabase } from '../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import {
  createIndexReader,
  type IndexReader,
} from '../../../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { linesOf } from '../../../../../src-shared/ios-backup/artifacts/index-store/lines.ts';
import { STORED_TABLES } from '../../../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import {
  createIndexWriter,
  createTables,
  type IndexWriter,
} from '../../../../../src-shared/ios-backup/artifacts/index-store/writer.ts';

type Progress = IndexJob['artifacts'][number];
type Memory = IndexDatabase & { wipe(): void };
interface Opened {
  database: Memory;
  writer: IndexWriter;
  reader: IndexReader;
}
/** How often the rows of a running artifact give way to questions. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
/** One transaction for each artifact of its own; nothing is ever written anywhere else. */
const ON_OPEN = ['PRAGMA journal_mode=MEMORY', 'PRAGMA temp_store=MEMORY', 'PRAGMA cache_size=-4096'];

/** What was read of an open backup: the index that the service has in a file, in memory only; one artifact after the other, contacts first. */
export class ArtifactStore {
  readonly #source: ArtifactSource;
  readonly #readers: readonly ArtifactReader[];
  readonly #people = createPeople();
  readonly #openMemory: () => Promise<Memory>;
  #memory: Promise<Opened> | null = null;
  readonly #progress: Progress[];
  readonly #reading = new Map<ArtifactName, Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  /** All of it was asked for, and nobody stopped it. */
  #isAsked = false;
  #isStopped = false;
  #isWiped = false;

  constructor(source: ArtifactSource, readers: readonly ArtifactReader[], openMemory: () => Promise<Memory>) {
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

  /** How far each artifact is, in the words of the service. */
  job(): IndexJob {
    const states = this.#progress.map(({ status }) => status);
    const isWaiting = states.includes('waiting');
    const status =
      states.includes('running') || (isWaiting && this.#isAsked)
        ? 'running'
        : !isWaiting
          ? 'done'
          : this.#isStopped
            ? 'cancelled'
            : 'idle';
    return { status, artifacts: this.#progress.map((each) => ({ ...each })), started_at: null, finished_at: null };
  }

  /** Begins to read what was not read yet. */
  start(names: readonly ArtifactName[] = ARTIFACTS): void {
    this.#isStopped = false;
    this.#isAsked = true;
    for (const { name } of this.#readers) if (names.includes(name)) void this.#read(name).catch(() => undefined);
  }

  cancel(): void {
    this.#isAsked = false;
    this.#isStopped = true;
  }

  /** The index for reading, once these artifacts were read; where one could not be read, with its rows until there. */
  async reader(...names: readonly ArtifactName[]): Promise<IndexReader> {
    // Somebody who looks at a table wants it, whatever was stopped before.
    this.#isStopped = this.#isWiped;
    for (const name of names) await this.#read(name).catch(() => undefined);
    return (await this.#open()).reader;
  }

  /** Overwrites everything that was read. What is still being read ends. */
  async wipe(): Promise<void> {
    this.#isStopped = true;
    this.#isWiped = true;
    this.#reading.clear();
    const memory = await this.#memory?.catch(() => null);
    memory?.database.wipe();
  }

  #open(): Promise<Opened> {
    if (this.#isWiped) throw new BackupError('locked');
    this.#memory ??= this.#openMemory().then((database) => {
      for (const sql of ON_OPEN) database.exec(sql);
      createTables(database, STORED_TABLES);
      return { database, writer: createIndexWriter(database, STORED_TABLES), reader: createIndexReader(database) };
    });
    return this.#memory;
  }

  #read(name: ArtifactName): Promise<void> {
    const known = this.#reading.get(name);
    if (known) return known;
    const reader = this.#readers.find((each) => each.name === name),
      progress = this.#progress.find(({ artifact }) => artifact === name);
    if (!reader || !progress) return Promise.resolve();
    // All others are named by the contacts.
    if (name !== 'contacts') void this.#read('contacts').catch(() => undefined);
    const reading = this.#last.catch(() => undefined).then(() => this.#run(reader, progress));
    this.#reading.set(name, reading);
    this.#last = reading;
    return reading;
  }

  async #run({ name, read }: ArtifactReader, progress: Progress): Promise<void> {
    if (this.#isStopped) return void this.#reading.delete(name);
    Object.assign(progress, { status: 'running', rows: 0, total: null, skipped: 0 });
    const { writer } = await this.#open();
    const state = (status: 'done' | 'absent' | 'failed') => ({
      artifact: name,
      status,
      rows: progress.rows,
      total: progress.total,
      skipped: progress.skipped,
      finished_at: null,
    });
    writer.begin(name);
    try {
      const tools = {
        people: this.#people,
        expect: (rows: number) => {
          progress.total = (progress.total ?? 0) + rows;
        },
        skip: () => {
          progress.skipped += 1;
        },
      };
      let isThere = false;
      for await (const batch of read(this.#source, tools)) {
        if (this.#isWiped) return;
        isThere = true;
        writer.add(linesOf(batch));
        progress.rows += batch.rows.length;
        await pause();
        if (this.#isWiped) return;
        if (this.#isStopped) {
          writer.rollback();
          progress.status = 'waiting';
          return void this.#reading.delete(name);
        }
      }
      if (this.#isWiped) return;
      writer.commit(state(isThere ? 'done' : 'absent'));
      progress.status = isThere ? 'done' : 'absent';
    } catch (cause) {
      progress.status = 'failed';
      if (this.#isWiped) return;
      // What was read until there is shown.
      writer.commit(state('failed'));
      throw cause;
    }
  }
}

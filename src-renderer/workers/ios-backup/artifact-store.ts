import { ARTIFACTS, type ArtifactName } from '../../../src-shared/contract/phone-artifacts.ts';
import type { IndexJob } from '../../../src-shared/contract/phone-backups.ts';
import { createPeople } from '../../../src-shared/ios-backup/artifacts/people.ts';
import type { ArtifactReader, ArtifactSource, RowsByTable, TableName } from '../../../src-shared/ios-backup/artifacts/source.ts';

type Progress = IndexJob['artifacts'][number];
/** How often the rows of a running artifact give way to questions. */
const pause = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });

/** What was read from the databases of an open backup; in memory only, one artifact after the other, contacts first. */
export class ArtifactStore {
  readonly #source: ArtifactSource;
  readonly #readers: readonly ArtifactReader[];
  readonly #people = createPeople();
  readonly #tables = new Map<TableName, unknown[]>();
  readonly #progress: Progress[];
  readonly #reading = new Map<ArtifactName, Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  /** All of it was asked for, and nobody stopped it. */
  #isAsked = false;
  #isStopped = false;

  constructor(source: ArtifactSource, readers: readonly ArtifactReader[]) {
    this.#source = source;
    this.#readers = ARTIFACTS.flatMap((name) => readers.filter((reader) => reader.name === name));
    this.#progress = this.#readers.map(({ name }) => ({ artifact: name, status: 'waiting', rows: 0, total: null, finished_at: null, skipped: 0 }));
  }

  /** How far each artifact is, in the words of the service. */
  job(): IndexJob {
    const states = this.#progress.map(({ status }) => status);
    const isWaiting = states.includes('waiting');
    const status = states.includes('running') || (isWaiting && this.#isAsked) ? 'running' : !isWaiting ? 'done' : this.#isStopped ? 'cancelled' : 'idle';
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

  /** Rows of a table; read first where they were not. A database that could not be read has the rows until there. */
  async rows<T extends TableName>(table: T): Promise<readonly RowsByTable[T][]> {
    const reader = this.#readers.find(({ tables }) => tables.includes(table));
    // Somebody who looks at a table wants it, whatever was stopped before.
    this.#isStopped = false;
    if (reader) await this.#read(reader.name);
    return (this.#tables.get(table) ?? []) as RowsByTable[T][];
  }

  wipe(): void {
    this.#isStopped = true;
    this.#tables.clear();
    this.#reading.clear();
  }

  #read(name: ArtifactName): Promise<void> {
    const known = this.#reading.get(name);
    if (known) return known;
    const reader = this.#readers.find((each) => each.name === name), progress = this.#progress.find(({ artifact }) => artifact === name);
    if (!reader || !progress) return Promise.resolve();
    // All others are named by the contacts.
    if (name !== 'contacts') void this.#read('contacts').catch(() => undefined);
    const reading = this.#last.catch(() => undefined).then(() => this.#run(reader, progress));
    this.#reading.set(name, reading);
    this.#last = reading;
    return reading;
  }

  async #run(reader: ArtifactReader, progress: Progress): Promise<void> {
    const again = (): void => { this.#reading.delete(reader.name); for (const table of reader.tables) this.#tables.delete(table); };
    if (this.#isStopped) return again();
    Object.assign(progress, { status: 'running', rows: 0, total: null, skipped: 0 });
    try {
      const tools = { people: this.#people, expect: (rows: number) => { progress.total = (progress.total ?? 0) + rows; }, skip: () => { progress.skipped += 1; } };
      let isThere = false;
      for await (const { table, rows } of reader.read(this.#source, tools)) {
        isThere = true;
        const kept = this.#tables.get(table) ?? [];
        for (const row of rows) kept.push(row);
        this.#tables.set(table, kept);
        progress.rows += rows.length;
        await pause();
        if (this.#isStopped) { progress.status = 'waiting'; return again(); }
      }
      progress.status = isThere ? 'done' : 'absent';
    } catch (cause) {
      progress.status = 'failed';
      throw cause;
    }
  }
}

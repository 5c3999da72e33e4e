import Sqlite from 'better-sqlite3';
import type { ArtifactName } from '../../src-shared/contract/phone-artifacts.ts';
import type { Batch } from '../../src-shared/ios-backup/artifacts/source.ts';
import { TABLES, tablesOf, type Table } from './index-tables.ts';

/** Grows with the shape of its tables: a file of another one is made anew, for everything in it can be read again. */
export const INDEX_VERSION = 2;

export interface IndexWriter {
  /** Begins the one transaction of an artifact, and empties its tables in it. */
  begin(artifact: ArtifactName): void;
  add(batch: Batch): void;
  /** Keeps what was added and what is to be said of it, or puts back the rows of before. */
  commit(state: ArtifactState): void;
  rollback(): void;
  /** What is to be said of an artifact whose rows stay. */
  note(state: ArtifactState): void;
  close(): void;
}

export interface ArtifactState { artifact: ArtifactName; status: 'running' | 'done' | 'absent' | 'failed' | 'cancelled'; rows: number; total: number | null; skipped: number; finished_at: string | null }

const WORDS_IN_MEMORY = 12 * 2 ** 20;

const quoted = (name: string): string => `"${name}"`;

function create(db: Sqlite.Database): void {
  db.exec('CREATE TABLE IF NOT EXISTS artifacts (artifact TEXT PRIMARY KEY, status TEXT NOT NULL, rows INTEGER NOT NULL, total INTEGER, skipped INTEGER NOT NULL, finished_at TEXT)');
  for (const { name, columns, words } of Object.values(TABLES) as Table[]) {
    db.exec(`CREATE TABLE IF NOT EXISTS ${quoted(name)} (id INTEGER PRIMARY KEY, ${columns.map((column) => quoted(column.name)).join(', ')})`);
    if (words) db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${quoted(`${name}_fts`)} USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')`);
  }
}

/** Indexes are dropped while rows come in: building one at the end costs a third of keeping it. */
function indexesOf({ name, key, isAskedByKey, order, indexed }: Table): [name: string, sql: string][] {
  return [...(isAskedByKey ? [[`${name}_key`, quoted(key)] as [string, string]] : []), [`${name}_order`, `${order}, id`], ...(indexed.length > 0 ? [[`${name}_more`, `${indexed.map(quoted).join(', ')}, id`] as [string, string]] : [])].map(([index, columns]) => [index!, `CREATE INDEX ${quoted(index!)} ON ${quoted(name)} (${columns})`]);
}

/** Opens the index of a backup for writing; made when there is none, or one of another version. Only one at a time. */
export function openIndexWriter(file: string): IndexWriter {
  const db = new Sqlite(file);
  db.pragma('busy_timeout = 10000');
  db.pragma('journal_mode = WAL');
  // Everything in it can be read again from the backup; a power cut costs only that.
  db.pragma('synchronous = NORMAL');
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -16000');
  if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    for (const name of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT GLOB '*_fts_*'").pluck().all() as string[]) db.exec(`DROP TABLE IF EXISTS ${quoted(name)}`);
    create(db);
    db.pragma(`user_version = ${INDEX_VERSION}`);
  }
  const inserts = new Map<string, Sqlite.Statement>();
  const numbers = new Map<string, number>();
  const note = db.prepare('INSERT OR REPLACE INTO artifacts VALUES (@artifact, @status, @rows, @total, @skipped, @finished_at)');
  const prepared = (sql: string): Sqlite.Statement => {
    const known = inserts.get(sql);
    if (known) return known;
    const made = db.prepare(sql);
    inserts.set(sql, made);
    return made;
  };

  /**
   * Adds rows of one table. Of a message two columns in three are empty: a statement for each set of columns that rows of this table
   * have something in writes a third faster than one for all columns.
   */
  function addRows(table: Table, rows: readonly Record<string, unknown>[]): void {
    const { name, columns, words } = table;
    const byShape = new Map<number, Sqlite.Statement>();
    const ofWords = words ? prepared(`INSERT INTO ${quoted(`${name}_fts`)} (rowid, title, body) VALUES (?, ?, ?)`) : null;
    let id = numbers.get(name) ?? 0;
    for (const row of rows) {
      id += 1;
      let shape = 0;
      const values: unknown[] = [id];
      for (let i = 0; i < columns.length; i += 1) {
        const { name: column, kind } = columns[i]!;
        const value = row[column];
        if (value === null || value === undefined || (kind === 'json' && Array.isArray(value) && value.length === 0)) continue;
        shape += 2 ** i;
        values.push(kind === 'flag' ? (value ? 1 : 0) : kind === 'json' ? JSON.stringify(value) : value);
      }
      let insert = byShape.get(shape);
      if (!insert) {
        const present = columns.filter((_, i) => Math.floor(shape / 2 ** i) % 2 === 1).map((column) => quoted(column.name));
        insert = prepared(`INSERT INTO ${quoted(name)} (${['id', ...present].join(', ')}) VALUES (?${', ?'.repeat(present.length)})`);
        byShape.set(shape, insert);
      }
      insert.run(values);
      const found = words?.(row as never);
      if (found && (found.title !== null || found.body !== null)) ofWords?.run(id, found.title, found.body);
    }
    numbers.set(name, id);
  }

  return {
    begin(artifact) {
      db.exec('BEGIN IMMEDIATE');
      for (const table of tablesOf(artifact)) {
        for (const [index] of indexesOf(table)) db.exec(`DROP INDEX IF EXISTS ${quoted(index)}`);
        db.exec(`DELETE FROM ${quoted(table.name)}`);
        if (table.words) {
          const fts = quoted(`${table.name}_fts`);
          db.exec(`INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`);
          // Words are gathered in memory and written in few large runs: many small ones would be merged again and again.
          db.exec(`INSERT INTO ${fts} (${fts}, rank) VALUES ('hashsize', ${WORDS_IN_MEMORY})`);
        }
        numbers.set(table.name, 0);
      }
    },
    add: (batch) => addRows(TABLES[batch.table] as Table, batch.rows as unknown as Record<string, unknown>[]),
    commit(state) {
      for (const table of tablesOf(state.artifact)) for (const [, sql] of indexesOf(table)) db.exec(sql);
      note.run(state);
      db.exec('COMMIT');
    },
    rollback: () => void (db.inTransaction && db.exec('ROLLBACK')),
    note: (state) => void note.run(state),
    close() {
      if (db.inTransaction) db.exec('ROLLBACK');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

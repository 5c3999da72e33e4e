import type { ArtifactName } from '../../../contract/phone-artifacts.ts';
import type { Batch } from '../source.ts';
import type { IndexDatabase, IndexStatement, IndexValue } from './database.ts';
import { TABLES, tablesOf, type Table } from './tables.ts';

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
}

export interface ArtifactState { artifact: ArtifactName; status: 'running' | 'done' | 'absent' | 'failed' | 'cancelled'; rows: number; total: number | null; skipped: number; finished_at: string | null }

const WORDS_IN_MEMORY = 12 * 2 ** 20;

const quoted = (name: string): string => `"${name}"`;

/** Indexes are dropped while rows come in: building one at the end costs a third of keeping it. */
function indexesOf({ name, key, isAskedByKey, order, indexed }: Table): [name: string, sql: string][] {
  return [...(isAskedByKey ? [[`${name}_key`, quoted(key)] as [string, string]] : []), [`${name}_order`, `${order}, id`], ...(indexed.length > 0 ? [[`${name}_more`, `${indexed.map(quoted).join(', ')}, id`] as [string, string]] : [])].map(([index, columns]) => [index!, `CREATE INDEX ${quoted(index!)} ON ${quoted(name)} (${columns})`]);
}

/** Makes the tables of an index where there are none. */
export function createTables(db: IndexDatabase): void {
  db.exec('CREATE TABLE IF NOT EXISTS artifacts (artifact TEXT PRIMARY KEY, status TEXT NOT NULL, rows INTEGER NOT NULL, total INTEGER, skipped INTEGER NOT NULL, finished_at TEXT)');
  for (const { name, columns, words } of Object.values(TABLES) as Table[]) {
    db.exec(`CREATE TABLE IF NOT EXISTS ${quoted(name)} (id INTEGER PRIMARY KEY, ${columns.map((column) => quoted(column.name)).join(', ')})`);
    if (words) db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${quoted(`${name}_fts`)} USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')`);
  }
}

/** Fills an index whose tables are there. Only one at a time. */
export function createIndexWriter(db: IndexDatabase): IndexWriter {
  const inserts = new Map<string, IndexStatement>();
  const numbers = new Map<string, number>();
  const note = db.prepare('INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?, ?, ?)');
  const noted = ({ artifact, status, rows, total, skipped, finished_at: at }: ArtifactState): void => note.run([artifact, status, rows, total, skipped, at]);
  let isOpen = false;
  const prepared = (sql: string): IndexStatement => {
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
    const byShape = new Map<number, IndexStatement>();
    const ofWords = words ? prepared(`INSERT INTO ${quoted(`${name}_fts`)} (rowid, title, body) VALUES (?, ?, ?)`) : null;
    let id = numbers.get(name) ?? 0;
    for (const row of rows) {
      id += 1;
      let shape = 0;
      const values: IndexValue[] = [id];
      for (let i = 0; i < columns.length; i += 1) {
        const { name: column, kind } = columns[i]!;
        const value = row[column];
        if (value === null || value === undefined || (kind === 'json' && Array.isArray(value) && value.length === 0)) continue;
        shape += 2 ** i;
        values.push(kind === 'flag' ? (value ? 1 : 0) : kind === 'json' ? JSON.stringify(value) : value as IndexValue);
      }
      let insert = byShape.get(shape);
      if (!insert) {
        const present = columns.filter((_, i) => Math.floor(shape / 2 ** i) % 2 === 1).map((column) => quoted(column.name));
        insert = prepared(`INSERT INTO ${quoted(name)} (${['id', ...present].join(', ')}) VALUES (?${', ?'.repeat(present.length)})`);
        byShape.set(shape, insert);
      }
      insert.run(values);
      const found = words?.(row as never);
      if (found && (found.title !== null || found.body !== null)) ofWords?.run([id, found.title, found.body]);
    }
    numbers.set(name, id);
  }

  return {
    begin(artifact) {
      db.exec('BEGIN IMMEDIATE');
      isOpen = true;
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
      noted(state);
      db.exec('COMMIT');
      isOpen = false;
    },
    rollback() {
      if (isOpen) db.exec('ROLLBACK');
      isOpen = false;
    },
    note: noted,
  };
}

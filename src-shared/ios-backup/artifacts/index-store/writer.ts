import type { ArtifactName } from '../../../contract/phone-backups/artifacts.ts';
import type { IndexDatabase, IndexStatement } from './database.ts';
import type { Lines } from './lines.ts';
import type { Column, StoredTable } from './tables.ts';

/** Grows with the shape of its tables: a file of another one is made anew, for everything in it can be read again. */
export const INDEX_VERSION = 6;

export interface IndexWriter {
  /** Begins the one transaction of an artifact, and empties its tables in it. */
  begin(artifact: ArtifactName): void;
  add(lines: Lines): void;
  /** Keeps what was added and what is to be said of it, or puts back the rows of before. */
  commit(state: ArtifactState): void;
  rollback(): void;
  /** What is to be said of an artifact whose rows stay. */
  note(state: ArtifactState): void;
}

export interface ArtifactState {
  artifact: ArtifactName;
  status: 'running' | 'done' | 'absent' | 'failed' | 'cancelled';
  rows: number;
  total: number | null;
  skipped: number;
  finished_at: string | null;
}

/** Rows of a table by number, so many to a stretch: the newest time of each is kept, for a search that is to find the newest. */
export const STRETCH = 1024;
const WORDS_IN_MEMORY = 8 * 2 ** 20;

const quoted = (name: string): string => `"${name}"`;

/** Indexes are dropped while rows come in: building one at the end costs a third of keeping it. */
function indexesOf({ name, key, isAskedByKey, order, indexed }: StoredTable): [name: string, sql: string][] {
  return [
    ...(isAskedByKey ? [[`${name}_key`, quoted(key)] as [string, string]] : []),
    [`${name}_order`, `${order}, id`],
    ...(indexed.length > 0 ? [[`${name}_more`, `${indexed.map(quoted).join(', ')}, id`] as [string, string]] : []),
  ].map(([index, columns]) => [index!, `CREATE INDEX ${quoted(index!)} ON ${quoted(name)} (${columns})`]);
}

/** Makes the tables of an index where there are none. */
export function createTables(db: IndexDatabase, tables: readonly StoredTable[]): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS artifacts (artifact TEXT PRIMARY KEY, status TEXT NOT NULL, rows INTEGER NOT NULL, total INTEGER, skipped INTEGER NOT NULL, finished_at TEXT)',
  );
  db.exec(
    'CREATE TABLE IF NOT EXISTS stretches (name TEXT, stretch INTEGER, at TEXT, PRIMARY KEY (name, stretch)) WITHOUT ROWID',
  );
  for (const { name, columns, isSearched } of tables) {
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${quoted(name)} (id INTEGER PRIMARY KEY, ${columns.map((column) => quoted(column.name)).join(', ')})`,
    );
    if (isSearched)
      db.exec(
        `CREATE VIRTUAL TABLE IF NOT EXISTS ${quoted(`${name}_fts`)} USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')`,
      );
  }
}

const columnsIn = (shape: number, columns: readonly Column[]): Column[] =>
  columns.filter((_, i) => Math.floor(shape / 2 ** i) % 2 === 1);

/** Fills an index whose tables are there. Only one at a time. */
export function createIndexWriter(db: IndexDatabase, tables: readonly StoredTable[]): IndexWriter {
  const tablesOf = (artifact: ArtifactName): readonly StoredTable[] =>
    tables.filter((table) => table.artifact === artifact);
  const inserts = new Map<string, IndexStatement>();
  const numbers = new Map<string, number>();
  const note = db.prepare('INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?, ?, ?)');
  const noted = ({ artifact, status, rows, total, skipped, finished_at: at }: ArtifactState): void =>
    note.run([artifact, status, rows, total, skipped, at]);
  let isOpen = false;
  const prepared = (sql: string): IndexStatement => {
    const known = inserts.get(sql);
    if (known) return known;
    const made = db.prepare(sql);
    inserts.set(sql, made);
    return made;
  };

  function addLines({ table: name, shapes, values, words }: Lines): void {
    const columns = tables.find((table) => table.name === name)!.columns;
    const byShape = new Map<number, IndexStatement>();
    const ofWords = words && prepared(`INSERT INTO ${quoted(`${name}_fts`)} (rowid, title, body) VALUES (?, ?, ?)`);
    let id = numbers.get(name) ?? 0;
    for (let i = 0; i < values.length; i += 1) {
      id += 1;
      const shape = shapes[i]!,
        line = values[i]!,
        said = words?.[i];
      let insert = byShape.get(shape);
      if (!insert) {
        const present = columnsIn(shape, columns).map((column) => quoted(column.name));
        insert = prepared(
          `INSERT INTO ${quoted(name)} (${['id', ...present].join(', ')}) VALUES (?${', ?'.repeat(present.length)})`,
        );
        byShape.set(shape, insert);
      }
      line[0] = id;
      insert.run(line);
      if (!said) continue;
      said[0] = id;
      ofWords?.run(said);
    }
    numbers.set(name, id);
  }

  function noteStretches({ name, at, isSearched }: StoredTable): void {
    if (!isSearched || at === null) return;
    const newest = prepared(
      `INSERT INTO stretches SELECT ?, ?, max(${quoted(at)}) FROM ${quoted(name)} WHERE id BETWEEN ? AND ?`,
    );
    const rows = numbers.get(name) ?? 0;
    for (let stretch = 0; stretch * STRETCH < rows; stretch += 1)
      newest.run([name, stretch, stretch * STRETCH + 1, (stretch + 1) * STRETCH]);
  }

  return {
    begin(artifact) {
      db.exec('BEGIN IMMEDIATE');
      isOpen = true;
      for (const table of tablesOf(artifact)) {
        for (const [index] of indexesOf(table)) db.exec(`DROP INDEX IF EXISTS ${quoted(index)}`);
        db.exec(`DELETE FROM ${quoted(table.name)}`);
        prepared('DELETE FROM stretches WHERE name = ?').run([table.name]);
        if (table.isSearched) {
          const fts = quoted(`${table.name}_fts`);
          db.exec(`INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`);
          // Words are gathered in memory and written in few large runs: many small ones would be merged again and again.
          db.exec(`INSERT INTO ${fts} (${fts}, rank) VALUES ('hashsize', ${WORDS_IN_MEMORY})`);
        }
        numbers.set(table.name, 0);
      }
    },
    add: addLines,
    commit(state) {
      // Full text writes what it gathered: sorting for the indexes needs that memory.
      db.exec('SAVEPOINT gathered; RELEASE gathered');
      for (const table of tablesOf(state.artifact)) {
        noteStretches(table);
        for (const [, sql] of indexesOf(table)) db.exec(sql);
      }
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

import type { ArtifactName } from '../../../contract/phone-backups/artifact-table.ts';
import type { IndexDatabase, IndexStatement, IndexValue } from './database.ts';
import type { EncodedRows } from './row-encoding.ts';
import type { Column, StoredTable } from './tables.ts';

/** Increases with every change of the tables; a file of another version is rebuilt from the backup. */
export const INDEX_VERSION = 10;

export interface IndexWriter {
  /** Begins the transaction of an artifact and empties its tables. */
  begin(artifact: ArtifactName): void;
  add(rows: EncodedRows): void;
  /** Commits the added rows together with the artifact's state. */
  commit(state: ArtifactState): void;
  /** Restores the previous rows. */
  rollback(): void;
  /** Stores the state of an artifact whose rows do not change. */
  setState(state: ArtifactState): void;
}

export interface ArtifactState {
  artifact: ArtifactName;
  status: 'running' | 'done' | 'absent' | 'failed' | 'cancelled';
  rows: number;
  total: number | null;
  skipped: number;
  finished_at: string | null;
}

/** Rows of a table in a block; the index stores the newest time of each block, for searches that want the newest. */
export const BLOCK_ROWS = 1024;
/** Size of the full-text hash table in memory; FTS5 writes it out in one large run. */
const FTS_HASH_BYTES = 8 * 2 ** 20;

const quoted = (name: string): string => `"${name}"`;

/** The indexes of a table. They are dropped while rows are added: building one at the end is three times as fast. */
function indexesOf({ name, key, isReadByKey, order, indexed }: StoredTable): [name: string, sql: string][] {
  return [
    ...(isReadByKey ? [[`${name}_key`, quoted(key)] as [string, string]] : []),
    [`${name}_order`, `${order}, id`],
    ...(indexed.length > 0 ? [[`${name}_more`, `${indexed.map(quoted).join(', ')}, id`] as [string, string]] : []),
  ].map(([index, columns]) => [index!, `CREATE INDEX ${quoted(index!)} ON ${quoted(name)} (${columns})`]);
}

/** Creates the tables of an index that do not exist yet. */
export function createTables(db: IndexDatabase, tables: readonly StoredTable[]): void {
  db.exec(
    `CREATE TABLE IF NOT EXISTS artifacts (artifact TEXT PRIMARY KEY, status TEXT NOT NULL, rows INTEGER NOT NULL,
      total INTEGER, skipped INTEGER NOT NULL, finished_at TEXT)`,
  );
  db.exec(
    `CREATE TABLE IF NOT EXISTS row_blocks (name TEXT, block INTEGER, at TEXT, PRIMARY KEY (name, block))
      WITHOUT ROWID`,
  );
  for (const { name, columns, isSearched } of tables) {
    const names = columns.map((column) => quoted(column.name)).join(', ');
    db.exec(`CREATE TABLE IF NOT EXISTS ${quoted(name)} (id INTEGER PRIMARY KEY, ${names})`);
    if (isSearched)
      db.exec(
        `CREATE VIRTUAL TABLE IF NOT EXISTS ${quoted(`${name}_fts`)}
          USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')`,
      );
  }
}

const columnsIn = (columnSet: number, columns: readonly Column[]): Column[] =>
  columns.filter((_, i) => Math.floor(columnSet / 2 ** i) % 2 === 1);

interface WriterState {
  db: IndexDatabase;
  tables: readonly StoredTable[];
  statements: Map<string, IndexStatement>;
  /** The last row number by table. */
  rowCounts: Map<string, number>;
  isInTransaction: boolean;
}

/** Writes to an index whose tables exist. Only one writer may be open at a time. */
export function createIndexWriter(db: IndexDatabase, tables: readonly StoredTable[]): IndexWriter {
  const state: WriterState = {
    db,
    tables,
    statements: new Map(),
    rowCounts: new Map(),
    isInTransaction: false,
  };
  return {
    begin: (artifact) => beginArtifact(state, artifact),
    add: (rows) => addRows(state, rows),
    commit: (artifactState) => commitArtifact(state, artifactState),
    rollback() {
      if (state.isInTransaction) db.exec('ROLLBACK');
      state.isInTransaction = false;
    },
    setState: (artifactState) => storeState(state, artifactState),
  };
}

function prepare({ db, statements }: WriterState, sql: string): IndexStatement {
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

const tablesOf = ({ tables }: WriterState, artifact: ArtifactName): readonly StoredTable[] =>
  tables.filter((table) => table.artifact === artifact);

function storeState(writer: WriterState, state: ArtifactState): void {
  prepare(writer, 'INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?, ?, ?)').run([
    state.artifact,
    state.status,
    state.rows,
    state.total,
    state.skipped,
    state.finished_at,
  ]);
}

function beginArtifact(writer: WriterState, artifact: ArtifactName): void {
  const { db } = writer;
  db.exec('BEGIN IMMEDIATE');
  writer.isInTransaction = true;
  for (const table of tablesOf(writer, artifact)) {
    for (const [index] of indexesOf(table)) db.exec(`DROP INDEX IF EXISTS ${quoted(index)}`);
    db.exec(`DELETE FROM ${quoted(table.name)}`);
    prepare(writer, 'DELETE FROM row_blocks WHERE name = ?').run([table.name]);
    if (table.isSearched) {
      const fts = quoted(`${table.name}_fts`);
      db.exec(`INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`);
      // A large hash table makes FTS5 write few large runs instead of merging many small ones.
      db.exec(`INSERT INTO ${fts} (${fts}, rank) VALUES ('hashsize', ${FTS_HASH_BYTES})`);
    }
    writer.rowCounts.set(table.name, 0);
  }
}

function addRows(writer: WriterState, { table: name, columnSets, values, fullText }: EncodedRows): void {
  const columns = writer.tables.find((table) => table.name === name)!.columns;
  const inserts = new Map<number, IndexStatement>();
  const insertText =
    fullText && prepare(writer, `INSERT INTO ${quoted(`${name}_fts`)} (rowid, title, body) VALUES (?, ?, ?)`);
  let id = writer.rowCounts.get(name) ?? 0;
  for (let i = 0; i < values.length; i += 1) {
    id += 1;
    const columnSet = columnSets[i]!;
    const insert = inserts.get(columnSet) ?? prepareInsert(writer, name, columnsIn(columnSet, columns));
    inserts.set(columnSet, insert);
    runWithId(insert, values[i]!, id);
    const text = fullText?.[i];
    if (text && insertText) runWithId(insertText, text, id);
  }
  writer.rowCounts.set(name, id);
}

function prepareInsert(writer: WriterState, table: string, columns: readonly Column[]): IndexStatement {
  const names = ['id', ...columns.map((column) => quoted(column.name))].join(', ');
  return prepare(writer, `INSERT INTO ${quoted(table)} (${names}) VALUES (?${', ?'.repeat(columns.length)})`);
}

function runWithId(statement: IndexStatement, values: IndexValue[], id: number): void {
  values[0] = id;
  statement.run(values);
}

function commitArtifact(writer: WriterState, state: ArtifactState): void {
  // A savepoint makes FTS5 write out its hash table, which frees the memory that building the indexes needs.
  writer.db.exec('SAVEPOINT gathered; RELEASE gathered');
  for (const table of tablesOf(writer, state.artifact)) {
    storeBlockTimes(writer, table);
    for (const [, sql] of indexesOf(table)) writer.db.exec(sql);
  }
  storeState(writer, state);
  writer.db.exec('COMMIT');
  writer.isInTransaction = false;
}

function storeBlockTimes(writer: WriterState, { name, at, isSearched }: StoredTable): void {
  if (!isSearched || at === null) return;
  const insert = prepare(
    writer,
    `INSERT INTO row_blocks SELECT ?, ?, max(${quoted(at)}) FROM ${quoted(name)} WHERE id BETWEEN ? AND ?`,
  );
  const rows = writer.rowCounts.get(name) ?? 0;
  for (let block = 0; block * BLOCK_ROWS < rows; block += 1)
    insert.run([name, block, block * BLOCK_ROWS + 1, (block + 1) * BLOCK_ROWS]);
}

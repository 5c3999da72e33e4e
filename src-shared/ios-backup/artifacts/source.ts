import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import type { ArtifactName, RowsByTable, TableName } from '../../contract/phone-backups/artifact-table.ts';
import type { People } from './people.ts';

/** A file of the backup, as opposed to a folder or link. */
export interface FileRef {
  file_id: string;
  size: number | null;
}

/** The parts of an unlocked backup that artifact readers need. */
export interface ArtifactSource {
  /** Opens a database with its write-ahead log; null if the backup has none at this path. The caller closes it. */
  database(domain: string, path: string): Promise<SqliteDatabase | null>;
  /** The bytes of a file; null if the backup has none at this path or it has more than `maxBytes`. */
  file(domain: string, path: string, maxBytes: number): Promise<Uint8Array | null>;
  /** Files of a domain by path; cached. */
  files(domain: string): Promise<ReadonlyMap<string, FileRef>>;
  /** Number and total size of the files in each domain. */
  domains(): Promise<readonly { domain: string; files: number; bytes: number }[]>;
  /** The bytes of Info.plist; null if it is missing. */
  info(): Promise<Uint8Array | null>;
}

/** Rows for one table. */
export type Batch = { [T in TableName]: { table: T; rows: RowsByTable[T][] } }[TableName];

export interface ReadTools {
  people: People;
  /** Announces rows that will follow; calls add up. */
  expect(rows: number): void;
  /** Counts a row that could not be read and was left out. */
  skip(): void;
}

/** Reads one kind of artifact. Yields no batch at all if the backup has no such database. */
export interface ArtifactReader {
  name: ArtifactName;
  read(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch>;
}

/** Rows per batch. */
export const BATCH_ROWS = 1000;

/** Runs a query and converts its rows; rows that cannot be read are counted and left out. */
export async function* rowsOf<T>(
  db: SqliteDatabase,
  sql: string,
  convert: (row: SqliteRow) => T | null,
  tools: ReadTools,
): AsyncGenerator<T[]> {
  for await (const rows of db.batches(sql, [], BATCH_ROWS)) {
    const converted: T[] = [];
    for (const row of rows) {
      try {
        const value = convert(row);
        if (value !== null) converted.push(value);
      } catch {
        tools.skip();
      }
    }
    yield converted;
  }
}

/** Counts the rows of a table. */
export async function countOf(db: SqliteDatabase, table: string): Promise<number> {
  const [row] = await db.query(`SELECT count(*) AS n FROM "${table}"`);
  return Number(row?.n ?? 0);
}

/** The columns that a table has in the backup's release of iOS. */
export interface Columns {
  exists: boolean;
  has(name: string): boolean;
  /** SQL for a select list: the first of these columns that exists and has a value, or NULL. */
  pick(as: string, ...names: string[]): string;
  /** The same without `AS`, for conditions. */
  expr(...names: string[]): string;
}

/** Looks up the columns of a table, whatever the release of iOS; `alias` qualifies them in SQL. */
export async function columnsOf(db: SqliteDatabase, table: string, alias: string): Promise<Columns> {
  const byName = new Map((await db.columns(table)).map((name) => [name.toLowerCase(), name]));
  const expr = (...names: string[]): string => {
    // Core Data numbers columns of the same name; a later release may fill a new one and leave the old one empty.
    const terms = names.flatMap((name) => byName.get(name.toLowerCase()) ?? []).map((name) => `${alias}."${name}"`);
    return terms.length < 2
      ? (terms[0] ?? 'NULL')
      : `coalesce(${terms.map((column, i) => (i < terms.length - 1 ? `nullif(${column}, '')` : column)).join(', ')})`;
  };
  return {
    exists: byName.size > 0,
    has: (name) => byName.has(name.toLowerCase()),
    expr,
    pick: (as, ...names) => `${expr(...names)} AS "${as}"`,
  };
}

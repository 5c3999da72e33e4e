/** What the index of a backup needs of SQLite; better-sqlite3 in Node and a database in memory in the page's worker have it. Everything is synchronous. */
export interface IndexDatabase {
  exec(sql: string): void;
  /** A statement that is kept and used again. */
  prepare(sql: string): IndexStatement;
  close(): void;
}

export type IndexValue = string | number | null;

export interface IndexStatement {
  run(values: readonly IndexValue[]): void;
  all(values?: readonly IndexValue[]): Record<string, unknown>[];
}

/** A search of nothing but signs. */
export class SearchSyntaxError extends Error {}

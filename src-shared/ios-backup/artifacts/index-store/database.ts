/**
 * The part of SQLite that the index of a backup needs. Node provides it with better-sqlite3, the worker of the page
 * with an in-memory database. All calls are synchronous.
 */
export interface IndexDatabase {
  exec(sql: string): void;
  /** Prepares a statement that can be run several times. */
  prepare(sql: string): IndexStatement;
  close(): void;
}

export type IndexValue = string | number | null;

export interface IndexStatement {
  run(values: readonly IndexValue[]): void;
  all(values?: readonly IndexValue[]): Record<string, unknown>[];
}

/** The search text contains no word to search for. */
export class SearchSyntaxError extends Error {}

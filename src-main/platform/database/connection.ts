import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type Sqlite from 'better-sqlite3';
import { openVaultDatabase } from './encryption.ts';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { ensurePrivateDatabase } from '../kernel/private-file.ts';
import { createStatementCache } from './statement-cache.ts';

export interface Database {
  /** Typed queries; the statement of each is prepared once per text. */
  orm: BetterSQLite3Database;
  /** Handwritten statements, where SQL is clearer. */
  sqlite: Sqlite.Database;
  /**
   * Runs `work` in a transaction; nested calls join the outer one. Begins IMMEDIATE, so that two writers wait for each
   * other instead of failing.
   */
  transaction<T>(work: () => T): T;
  /** Calls `work` after each committed outermost transaction, not after a rollback. */
  afterCommit(work: () => void): void;
  /** Prepares a statement once per text. */
  prepare(sql: string): Sqlite.Statement;
  close(): void;
}

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

/** Sets the PRAGMAs of every connection. */
export function applyPragmas(sqlite: Sqlite.Database): void {
  sqlite.pragma('busy_timeout = 10000');
  sqlite.pragma('journal_mode = WAL');
  // A confirmed upload must survive a power failure: NORMAL could lose the last commits.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('temp_store = MEMORY');
  sqlite.pragma('cache_size = -32000');
  sqlite.pragma('trusted_schema = OFF');
}

/**
 * Opens a database file (or `:memory:`). If migrations are pending, copies the file first and applies them in one
 * transaction.
 */
export function openDatabase(file: string): Database {
  const existed = file !== ':memory:' && existsSync(file);
  if (file !== ':memory:') ensurePrivateDatabase(file);
  const sqlite = openVaultDatabase(file);
  applyPragmas(sqlite);
  const pending = pendingMigrations(sqlite);
  if (existed && pending.applied > 0 && pending.due > 0) copyBeforeMigrating(sqlite, file, pending.applied);
  if (pending.due > 0) migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS });
  return wrapConnection(sqlite);
}

/** Adds typed queries, transactions and a cache of statements to a connection. */
export function wrapConnection(sqlite: Sqlite.Database): Database {
  // Drizzle uses its statements in a mode of its own, so it does not share those of `prepare`.
  const statements = createStatementCache(sqlite),
    ofOrm = createStatementCache(sqlite),
    afterwards: (() => void)[] = [];
  const orm = drizzle(Object.create(sqlite, { prepare: { value: ofOrm.prepare } }) as Sqlite.Database);
  return {
    orm,
    sqlite,
    transaction(work) {
      if (sqlite.inTransaction) return work();
      const result = sqlite.transaction(work).immediate();
      for (const one of afterwards) one();
      return result;
    },
    afterCommit: (work) => void afterwards.push(work),
    prepare: statements.prepare,
    close() {
      statements.clear();
      ofOrm.clear();
      if (sqlite.open) sqlite.close();
    },
  };
}

/** Throws `NewerDatabaseError` for a database file of a newer version, without changing it. */
export function refuseNewer(file: string): void {
  const sqlite = openVaultDatabase(file, { readonly: true, fileMustExist: true });
  try {
    pendingMigrations(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Counts applied and pending migrations of the file. Refuses a file of a newer version. */
export function pendingMigrations(sqlite: Sqlite.Database): { applied: number; due: number } {
  const known = (JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8')) as { entries: unknown[] }).entries
    .length;
  const table = sqlite.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = '__drizzle_migrations'").get() as {
    n: number;
  };
  const applied = table.n
    ? (sqlite.prepare('SELECT count(*) AS n FROM __drizzle_migrations').get() as { n: number }).n
    : 0;
  if (applied > known) throw new NewerDatabaseError(applied, known);
  return { applied, due: known - applied };
}

function copyBeforeMigrating(sqlite: Sqlite.Database, file: string, applied: number): void {
  const copy = `${file}.before-migration-${applied}`;
  if (existsSync(copy)) return;
  ensurePrivateDatabase(copy);
  sqlite.prepare('VACUUM INTO ?').run(copy);
}

/** The vault was written by a newer version of the program. */
export class NewerDatabaseError extends Error {
  constructor(found: number, known: number) {
    super(
      `This vault was written by a newer version of Hearth (schema ${found}; this one knows ${known}). ` +
        'Install that version or newer.',
    );
    this.name = 'NewerDatabaseError';
  }
}

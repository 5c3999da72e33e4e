import type {
  IndexDatabase,
  IndexStatement,
  IndexValue,
} from '../../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import { loadSqlite, type Sqlite } from './sqlite-module.ts';

/** Prepared statements in the cache, which evicts the least recently used one. */
const MAX_STATEMENTS = 200;

interface CachedStatement {
  address: number;
  statement: IndexStatement;
}

/** The database of one module: open until `close`, with a cache of its prepared statements. */
interface Connection {
  sqlite: Sqlite;
  handle: number;
  isOpen: boolean;
  statements: Map<string, CachedStatement>;
}

/**
 * Opens an empty database with full-text search in the memory of a WebAssembly module of its own. It stores the rows of
 * a backup as compactly as a file, and the index of the service runs on it unchanged. `wipe` overwrites that memory.
 * `wasmBinary`: for environments that cannot fetch it.
 */
export async function openMemoryDatabase(
  options: { wasmBinary?: Uint8Array } = {},
): Promise<IndexDatabase & { wipe(): void; bytes(): number; isBlank(): boolean }> {
  const sqlite = await loadSqlite(options);
  const connection: Connection = { sqlite, handle: sqlite.open(':memory:'), isOpen: true, statements: new Map() };
  return {
    exec: (sql) => execute(connection, sql),
    prepare: (sql) => prepare(connection, sql),
    close: () => close(connection),
    wipe() {
      close(connection);
      sqlite.memory().fill(0);
    },
    /** How much memory the module has; it grows and never shrinks. */
    bytes: () => sqlite.memory().length,
    isBlank: () => sqlite.memory().every((byte) => byte === 0),
  };
}

function compile({ sqlite, handle, isOpen }: Connection, sql: string): number {
  if (!isOpen) throw new Error('The database is closed.');
  return sqlite.prepare(handle, sql);
}

function execute(connection: Connection, sql: string): void {
  const address = compile(connection, sql);
  try {
    readRows(connection, address, []);
  } finally {
    connection.sqlite.finalize(address);
  }
}

/** Returns the cached statement and marks it as recently used. */
function prepare(connection: Connection, sql: string): IndexStatement {
  const { statements } = connection;
  const cached = statements.get(sql);
  if (cached) {
    statements.delete(sql);
    statements.set(sql, cached);
    return cached.statement;
  }
  const statement: IndexStatement = {
    run: (values) => runStatement(connection, addressOf(connection, sql), values),
    all: (values = []) => readRows(connection, addressOf(connection, sql), values),
  };
  statements.set(sql, { address: compile(connection, sql), statement });
  const [oldest] = statements.size > MAX_STATEMENTS ? statements : [];
  if (oldest) {
    connection.sqlite.finalize(oldest[1].address);
    statements.delete(oldest[0]);
  }
  return statement;
}

/** The address of a statement, which is compiled again if the cache evicted it. */
function addressOf(connection: Connection, sql: string): number {
  const cached = connection.statements.get(sql);
  if (cached) return cached.address;
  prepare(connection, sql);
  return connection.statements.get(sql)!.address;
}

function runStatement({ sqlite, handle }: Connection, address: number, values: readonly IndexValue[]): void {
  sqlite.bind(handle, address, values);
  try {
    sqlite.step(handle, address);
  } finally {
    sqlite.reset(address);
  }
}

function readRows(
  { sqlite, handle }: Connection,
  address: number,
  values: readonly IndexValue[],
): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  try {
    sqlite.bind(handle, address, values);
    const names = sqlite.columnNames(address);
    while (sqlite.step(handle, address)) {
      const row: Record<string, unknown> = {};
      for (let column = 0; column < names.length; column += 1) row[names[column]!] = sqlite.valueAt(address, column);
      rows.push(row);
    }
    return rows;
  } finally {
    sqlite.reset(address);
  }
}

function close(connection: Connection): void {
  if (!connection.isOpen) return;
  connection.isOpen = false;
  for (const { address } of connection.statements.values()) connection.sqlite.finalize(address);
  connection.statements.clear();
  connection.sqlite.close(connection.handle);
}

import {
  Factory,
  SQLITE_BLOB,
  SQLITE_NOTADB,
  SQLITE_OPEN_READONLY,
  SQLITE_ROW,
  SQLITE_TEXT,
  SQLiteError,
} from '@journeyapps/wa-sqlite';
import createModule from '@journeyapps/wa-sqlite/dist/wa-sqlite-async.mjs';
import {
  BackupError,
  type SqliteDatabase,
  type SqliteReader,
  type SqliteRow,
  type SqliteValue,
} from '../../../../../../src-shared/ios-backup/index.ts';
import { RangeVfs, type SqliteMemory } from './range-vfs.ts';

type Api = ReturnType<typeof Factory>;
const VFS_NAME = 'ranges';
/** Rows per batch. */
const BATCH_SIZE = 500;
/**
 * With an exclusive lock, SQLite replays a write-ahead log in memory, without a shared-memory file beside it. The other
 * settings disarm a hostile schema, sort in memory, and limit the page cache to 4 MiB.
 */
const ON_OPEN = [
  'PRAGMA locking_mode=EXCLUSIVE',
  'PRAGMA query_only=1',
  'PRAGMA trusted_schema=0',
  'PRAGMA cell_size_check=1',
  'PRAGMA temp_store=MEMORY',
  'PRAGMA cache_size=-4096',
  'SELECT count(*) FROM sqlite_schema',
].join('; ');

/**
 * Opens databases in byte ranges with SQLite in WebAssembly. Databases of one reader take turns, because the module can
 * wait for one read at a time. `wasmBinary`: for environments that cannot fetch it.
 */
export async function createSqliteReader(
  options: { wasmBinary?: Uint8Array } = {},
): Promise<SqliteReader & { wipe(): Promise<void> }> {
  const module = (await createModule(options)) as SqliteMemory;
  const api = Factory(module);
  const vfs = new RangeVfs(VFS_NAME, module);
  api.vfs_register(vfs, false);
  const open = new Set<WasmDatabase>();
  const queue = new TaskQueue();
  let openedCount = 0;
  return {
    async open(source, wal) {
      openedCount += 1;
      const name = `db${openedCount}`,
        log = `${name}-wal`;
      vfs.add(name, source);
      if (wal && wal.size > 0) vfs.add(log, wal);
      const removeFiles = (): void => {
        vfs.drop(name);
        vfs.drop(log);
      };
      const readError = (): unknown => vfs.failureOf(name) ?? vfs.failureOf(log);
      try {
        const handle = await queue
          .run(() => api.open_v2(name, SQLITE_OPEN_READONLY, VFS_NAME))
          .catch((cause: unknown) => {
            throw toBackupError(cause, readError());
          });
        const database: WasmDatabase = new WasmDatabase(api, handle, queue, readError, () => {
          open.delete(database);
          removeFiles();
        });
        open.add(database);
        await database.run(ON_OPEN).catch(async (cause: unknown) => {
          await database.close();
          throw cause;
        });
        return database;
      } catch (cause) {
        removeFiles();
        throw cause;
      }
    },
    /** Closes all databases and overwrites the memory of the module, including decrypted pages. */
    async wipe() {
      for (const database of open) await database.close();
      module.HEAPU8.fill(0);
    },
  };
}

class WasmDatabase implements SqliteDatabase {
  readonly #api: Api;
  readonly #handle: number;
  readonly #queue: TaskQueue;
  readonly #readError: () => unknown;
  readonly #onClosed: () => void;
  #isOpen = true;

  constructor(api: Api, handle: number, queue: TaskQueue, readError: () => unknown, onClosed: () => void) {
    this.#api = api;
    this.#handle = handle;
    this.#queue = queue;
    this.#readError = readError;
    this.#onClosed = onClosed;
  }

  /** Runs statements for their effect. */
  async run(sql: string): Promise<void> {
    await this.#queue.run(async () => {
      for await (const statement of this.#statements(sql)) while (await this.#step(statement));
    });
  }

  async query(sql: string, params: readonly SqliteValue[] = []): Promise<SqliteRow[]> {
    const rows: SqliteRow[] = [];
    for await (const batch of this.batches(sql, params)) rows.push(...batch);
    return rows;
  }

  async *batches(sql: string, params: readonly SqliteValue[] = [], size = BATCH_SIZE): AsyncIterable<SqliteRow[]> {
    const statements = this.#statements(sql)[Symbol.asyncIterator]();
    try {
      const first = await this.#queue.run(() => statements.next());
      if (first.done) return;
      const statement = first.value;
      params.forEach((value, index) => this.#api.bind(statement, index + 1, value as SQLiteCompatibleType));
      const names = this.#api.column_names(statement);
      for (let more = true; more;) {
        const rows: SqliteRow[] = [];
        await this.#queue.run(async () => {
          while (rows.length < size && (more = await this.#step(statement))) rows.push(this.#row(statement, names));
        });
        if (rows.length > 0) yield rows;
      }
    } finally {
      await this.#queue.run(async () => {
        await statements.return?.(undefined);
      });
    }
  }

  async columns(table: string): Promise<string[]> {
    const rows = await this.query('SELECT name FROM pragma_table_info(?)', [table]);
    return rows.map(({ name }) => String(name));
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#queue.run(() => this.#api.close(this.#handle));
    this.#onClosed();
  }

  #statements(sql: string): AsyncIterable<number> {
    if (!this.#isOpen) throw new BackupError('locked');
    return this.#withReadErrors(this.#api.statements(this.#handle, sql));
  }

  async *#withReadErrors(statements: AsyncIterable<number>): AsyncIterable<number> {
    try {
      yield* statements;
    } catch (cause) {
      throw toBackupError(cause, this.#readError());
    }
  }

  async #step(statement: number): Promise<boolean> {
    try {
      return (await this.#api.step(statement)) === SQLITE_ROW;
    } catch (cause) {
      throw toBackupError(cause, this.#readError());
    }
  }

  #row(statement: number, names: readonly string[]): SqliteRow {
    const row: SqliteRow = {};
    names.forEach((name, index) => {
      row[name] = this.#value(statement, index);
    });
    return row;
  }

  #value(statement: number, index: number): SqliteValue {
    switch (this.#api.column_type(statement, index)) {
      case SQLITE_TEXT:
        return textOf(this.#api, statement, index);
      // SQLite reuses the memory of the blob.
      case SQLITE_BLOB:
        return this.#api.column_blob(statement, index).slice();
      default:
        return this.#api.column(statement, index) as SqliteValue;
    }
  }
}

/** Replaces an error of SQLite; the error of a failed read is more specific than SQLite's "disk I/O error". */
function toBackupError(cause: unknown, readError: unknown): unknown {
  if (readError !== undefined) return readError;
  return cause instanceof SQLiteError
    ? new BackupError(
        'damaged_file',
        { reason: cause.code === SQLITE_NOTADB ? 'not a database' : cause.message },
        cause,
      )
    : cause;
}

const UTF8 = new TextDecoder();

/** Reads text in full, including anything after a NUL. */
function textOf(api: Api, statement: number, index: number): string {
  const text = api.column_text(statement, index);
  const bytes = api.column_bytes(statement, index);
  return bytes === text.length ? text : UTF8.decode(api.column_blob(statement, index).slice());
}

/** Runs tasks one after the other, in the order of their arrival. */
class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(act: () => Promise<T> | T): Promise<T> {
    const task = this.#last.then(act);
    this.#last = task.catch(() => undefined);
    return task;
  }
}

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
const BATCH = 500;
/**
 * Exclusive: a log is then replayed in memory, without the shared index file that it would want beside it. The rest keeps a hostile
 * schema from doing anything, sorts in memory, and holds 4 MiB of pages.
 */
const ON_OPEN =
  'PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=1; PRAGMA trusted_schema=0; PRAGMA cell_size_check=1; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096; SELECT count(*) FROM sqlite_schema';

/**
 * SQLite in WebAssembly over byte ranges. Databases of one reader take turns: the module can wait for one read at a time.
 * `options.wasmBinary`: the module, where it cannot be fetched from beside its script.
 */
export async function createSqliteReader(
  options: { wasmBinary?: Uint8Array } = {},
): Promise<SqliteReader & { wipe(): Promise<void> }> {
  const module = (await createModule(options)) as SqliteMemory;
  const api = Factory(module);
  const vfs = new RangeVfs(VFS_NAME, module);
  api.vfs_register(vfs, false);
  const open = new Set<WasmDatabase>();
  const turns = new Turns();
  let opened = 0;
  return {
    async open(source, wal) {
      opened += 1;
      const name = `db${opened}`,
        log = `${name}-wal`;
      vfs.add(name, source);
      if (wal && wal.size > 0) vfs.add(log, wal);
      const forget = (): void => {
        vfs.drop(name);
        vfs.drop(log);
      };
      const failure = (): unknown => vfs.failureOf(name) ?? vfs.failureOf(log);
      try {
        const handle = await turns
          .take(() => api.open_v2(name, SQLITE_OPEN_READONLY, VFS_NAME))
          .catch((cause: unknown) => {
            throw told(cause, failure());
          });
        const database: WasmDatabase = new WasmDatabase(api, handle, turns, failure, () => {
          open.delete(database);
          forget();
        });
        open.add(database);
        await database.run(ON_OPEN).catch(async (cause: unknown) => {
          await database.close();
          throw cause;
        });
        return database;
      } catch (cause) {
        forget();
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
  readonly #turns: Turns;
  readonly #failure: () => unknown;
  readonly #closed: () => void;
  #isOpen = true;

  constructor(api: Api, handle: number, turns: Turns, failure: () => unknown, closed: () => void) {
    this.#api = api;
    this.#handle = handle;
    this.#turns = turns;
    this.#failure = failure;
    this.#closed = closed;
  }

  /** Runs statements for their effect. */
  async run(sql: string): Promise<void> {
    await this.#turns.take(async () => {
      for await (const statement of this.#statements(sql)) while (await this.#step(statement));
    });
  }

  async query(sql: string, params: readonly SqliteValue[] = []): Promise<SqliteRow[]> {
    const rows: SqliteRow[] = [];
    for await (const batch of this.batches(sql, params)) rows.push(...batch);
    return rows;
  }

  async *batches(sql: string, params: readonly SqliteValue[] = [], size = BATCH): AsyncIterable<SqliteRow[]> {
    const statements = this.#statements(sql)[Symbol.asyncIterator]();
    try {
      const first = await this.#turns.take(() => statements.next());
      if (first.done) return;
      const statement = first.value;
      params.forEach((value, index) => this.#api.bind(statement, index + 1, value as SQLiteCompatibleType));
      const names = this.#api.column_names(statement);
      for (let more = true; more;) {
        const rows: SqliteRow[] = [];
        await this.#turns.take(async () => {
          while (rows.length < size && (more = await this.#step(statement))) rows.push(this.#row(statement, names));
        });
        if (rows.length > 0) yield rows;
      }
    } finally {
      await this.#turns.take(async () => {
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
    await this.#turns.take(() => this.#api.close(this.#handle));
    this.#closed();
  }

  #statements(sql: string): AsyncIterable<number> {
    if (!this.#isOpen) throw new BackupError('locked');
    return this.#told(this.#api.statements(this.#handle, sql));
  }

  async *#told(statements: AsyncIterable<number>): AsyncIterable<number> {
    try {
      yield* statements;
    } catch (cause) {
      throw told(cause, this.#failure());
    }
  }

  async #step(statement: number): Promise<boolean> {
    try {
      return (await this.#api.step(statement)) === SQLITE_ROW;
    } catch (cause) {
      throw told(cause, this.#failure());
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
      // The memory behind it is SQLite's own.
      case SQLITE_BLOB:
        return this.#api.column_blob(statement, index).slice();
      default:
        return this.#api.column(statement, index) as SqliteValue;
    }
  }
}

/** The read error is more specific than SQLite's "disk I/O error". */
function told(cause: unknown, failure: unknown): unknown {
  if (failure !== undefined) return failure;
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

/** One after the other, in the order in which they came. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(act: () => Promise<T> | T): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

import Database from 'better-sqlite3';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ByteSource,
  SqliteDatabase,
  SqliteReader,
  SqliteRow,
  SqliteValue,
} from '../../../../src-shared/ios-backup/index.ts';

const MIB = 1024 * 1024;
const PIECE = 4 * MIB;
/**
 * Larger databases, and those with a write-ahead log, are copied to the sandbox while open instead of read in memory.
 */
const IN_MEMORY = 64 * MIB;
const BATCH = 1000;
/**
 * The bytes of the header that state the journal mode: 1 is a rollback journal, 2 a write-ahead log
 * (sqlite.org/fileformat2, 1.3).
 */
const JOURNAL_BYTES = [18, 19] as const;

/**
 * Opens copies of a backup's databases with better-sqlite3.
 * @param sandbox an existing private folder; each copy has a subfolder there until the database is closed
 */
export function nodeSqlite(sandbox: string, inMemory = IN_MEMORY): SqliteReader {
  return {
    async open(source, wal) {
      if (wal === undefined && source.size <= inMemory)
        return databaseOf(new Database(await wholeWithoutLog(source)), source.size, () => Promise.resolve());
      const folder = await mkdtemp(join(sandbox, 'database-'));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      try {
        const file = join(folder, 'copy.sqlite');
        await copy(source, file);
        if (wal !== undefined) await copy(wal, `${file}-wal`);
        const bytes = source.size + (wal?.size ?? 0);
        return databaseOf(new Database(file, { fileMustExist: true }), bytes, remove);
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}

/** A database in memory can't have a log beside it, so its header is changed to a mode without one. */
async function wholeWithoutLog(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.alloc(source.size);
  for (let at = 0; at < source.size; at += PIECE)
    bytes.set(await source.read(at, Math.min(source.size, at + PIECE)), at);
  for (const position of JOURNAL_BYTES) if (bytes[position] === 2) bytes[position] = 1;
  return bytes;
}

async function copy(source: ByteSource, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let at = 0; at < source.size; at += PIECE)
      await file.writeFile(await source.read(at, Math.min(source.size, at + PIECE)));
  } finally {
    await file.close();
  }
}

const exact = (value: SqliteValue): SqliteValue =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;

/** What statements may return beyond the size of their database. */
const MIN_RESULT_BYTES = 4 * MIB;
/** Joins repeat the values of a row, a few times over. */
const MAX_REPETITIONS = 8;

/** @throws when the result is so large that pages of the database must be linked in a loop */
function* limitBytes(rows: Iterable<SqliteValue[]>, maxBytes: number): Generator<SqliteValue[]> {
  let left = maxBytes;
  for (const values of rows) {
    for (const value of values) left -= typeof value === 'object' || typeof value === 'string' ? sizeOf(value) : 1;
    if (left < 0) throw new Error('a statement returns more than the database can hold');
    yield values;
  }
}

const sizeOf = (value: string | Uint8Array | null): number => 1 + (value?.length ?? 0);

/** Integers are read as bigints to avoid rounding, and become numbers if that is exact. */
function rowOf(names: readonly string[], values: readonly SqliteValue[]): SqliteRow {
  const row: SqliteRow = {};
  for (let i = 0; i < names.length; i += 1) row[names[i] ?? ''] = exact(values[i] ?? null);
  return row;
}

function databaseOf(db: Database.Database, bytes: number, removed: () => Promise<void>): SqliteDatabase {
  let open = true;
  const cursorOf = (
    sql: string,
    params: readonly SqliteValue[],
  ): { names: string[]; rows: Generator<SqliteValue[]> } => {
    const statement = db.prepare(sql).safeIntegers(true).raw(true);
    return {
      names: statement.columns().map((column) => column.name),
      rows: limitBytes(
        statement.iterate(...params) as IterableIterator<SqliteValue[]>,
        MIN_RESULT_BYTES + MAX_REPETITIONS * bytes,
      ),
    };
  };
  try {
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma('temp_store = MEMORY');
    // Rows are read only once from end to end, so a small cache is enough.
    db.pragma('cache_size = -4000');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    async query(sql, params = []) {
      const { names, rows } = cursorOf(sql, params);
      return Array.from(rows, (values) => rowOf(names, values));
    },
    async *batches(sql, params = [], size = BATCH) {
      const { names, rows } = cursorOf(sql, params);
      let batch: SqliteRow[] = [];
      try {
        for (const values of rows) {
          if (batch.push(rowOf(names, values)) < size) continue;
          yield batch;
          batch = [];
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        rows.return(undefined);
      }
      if (batch.length > 0) yield batch;
    },
    async columns(table) {
      return db.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(table) as string[];
    },
    async close() {
      if (!open) return;
      open = false;
      db.close();
      await removed();
    },
  };
}

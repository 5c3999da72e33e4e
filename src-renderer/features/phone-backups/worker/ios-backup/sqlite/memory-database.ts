import createModule from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import type {
  IndexDatabase,
  IndexStatement,
  IndexValue,
} from '../../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';

/** Functions of SQLite (sqlite.org/c3ref) as the module exports them. Numbers are addresses or result codes. */
interface Exports {
  HEAPU8: Uint8Array;
  _sqlite3_malloc(bytes: number): number;
  _sqlite3_free(address: number): void;
  _sqlite3_open_v2(name: number, db: number, flags: number, vfs: number): number;
  _sqlite3_close(db: number): number;
  _sqlite3_errmsg(db: number): number;
  _sqlite3_prepare_v2(db: number, sql: number, bytes: number, statement: number, tail: number): number;
  _sqlite3_step(statement: number): number;
  _sqlite3_reset(statement: number): number;
  _sqlite3_clear_bindings(statement: number): number;
  _sqlite3_finalize(statement: number): number;
  _sqlite3_bind_text(statement: number, index: number, text: number, bytes: number, destructor: number): number;
  _sqlite3_bind_double(statement: number, index: number, value: number): number;
  _sqlite3_bind_int(statement: number, index: number, value: number): number;
  _sqlite3_column_count(statement: number): number;
  _sqlite3_column_name(statement: number, column: number): number;
  _sqlite3_column_type(statement: number, column: number): number;
  _sqlite3_column_double(statement: number, column: number): number;
  _sqlite3_column_text(statement: number, column: number): number;
  _sqlite3_column_bytes(statement: number, column: number): number;
}

const OK = 0,
  ROW = 100,
  DONE = 101;
const OPEN_READWRITE = 2,
  OPEN_CREATE = 4;
const INTEGER = 1,
  FLOAT = 2,
  NULL = 5;
/** SQLite copies what is bound. */
const TRANSIENT = -1;
/** Size of the statement cache, which evicts the least recently used one. */
const KEPT = 200;
const UTF8 = new TextDecoder(),
  ENCODER = new TextEncoder();

/**
 * Opens an empty database with full-text search in the memory of a WebAssembly module of its own. It stores the rows of
 * a backup as compactly as a file, and the index of the service runs on it unchanged. `wipe` overwrites that memory.
 * `wasmBinary`: for environments that cannot fetch it.
 */
export async function openMemoryDatabase(
  options: { wasmBinary?: Uint8Array } = {},
): Promise<IndexDatabase & { wipe(): void; bytes(): number; isBlank(): boolean }> {
  const module = (await createModule(options)) as Exports;
  const scratch = { at: module._sqlite3_malloc(1024), size: 1024 };
  /** Text as UTF-8 with a zero behind it, in memory that the next text takes again. */
  const put = (text: string): number => {
    const most = text.length * 3 + 1;
    if (most > scratch.size) {
      module._sqlite3_free(scratch.at);
      Object.assign(scratch, { at: module._sqlite3_malloc(most), size: most });
    }
    const { written } = ENCODER.encodeInto(text, module.HEAPU8.subarray(scratch.at, scratch.at + most));
    module.HEAPU8[scratch.at + written] = 0;
    return written;
  };
  const textAt = (address: number, bytes = module.HEAPU8.indexOf(0, address) - address): string =>
    UTF8.decode(module.HEAPU8.subarray(address, address + bytes));
  const result = module._sqlite3_malloc(8);
  const pointer = (): number => new DataView(module.HEAPU8.buffer).getUint32(result, true);

  put(':memory:');
  const opened = module._sqlite3_open_v2(scratch.at, result, OPEN_READWRITE | OPEN_CREATE, 0);
  const handle = pointer();
  const check = (code: number): void => {
    if (code !== OK) throw new Error(`SQLite: ${textAt(module._sqlite3_errmsg(handle))}`);
  };
  check(opened);
  let isOpen = true;
  const statements = new Map<string, { address: number; made: IndexStatement }>();

  const compile = (sql: string): number => {
    if (!isOpen) throw new Error('the database is closed');
    const bytes = put(sql);
    check(module._sqlite3_prepare_v2(handle, scratch.at, bytes, result, 0));
    return pointer();
  };
  const bind = (address: number, values: readonly IndexValue[]): void => {
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? null;
      if (typeof value === 'string') {
        const bytes = put(value);
        check(module._sqlite3_bind_text(address, i + 1, scratch.at, bytes, TRANSIENT));
      } else if (value !== null) {
        check(
          value === (value | 0)
            ? module._sqlite3_bind_int(address, i + 1, value)
            : module._sqlite3_bind_double(address, i + 1, value),
        );
      }
    }
  };
  const valueAt = (address: number, column: number): unknown => {
    const type = module._sqlite3_column_type(address, column);
    if (type === NULL) return null;
    if (type === INTEGER || type === FLOAT) return module._sqlite3_column_double(address, column);
    return textAt(module._sqlite3_column_text(address, column), module._sqlite3_column_bytes(address, column));
  };
  const rowsOf = (address: number, values: readonly IndexValue[]): Record<string, unknown>[] => {
    const rows: Record<string, unknown>[] = [];
    try {
      bind(address, values);
      const names = Array.from({ length: module._sqlite3_column_count(address) }, (_, column) =>
        textAt(module._sqlite3_column_name(address, column)),
      );
      for (;;) {
        const code = module._sqlite3_step(address);
        if (code === DONE) return rows;
        if (code !== ROW) check(code);
        const row: Record<string, unknown> = {};
        for (let column = 0; column < names.length; column += 1) row[names[column]!] = valueAt(address, column);
        rows.push(row);
      }
    } finally {
      module._sqlite3_reset(address);
      module._sqlite3_clear_bindings(address);
    }
  };

  const database = {
    exec(sql: string): void {
      const address = compile(sql);
      try {
        rowsOf(address, []);
      } finally {
        module._sqlite3_finalize(address);
      }
    },
    prepare(sql: string): IndexStatement {
      const known = statements.get(sql);
      if (known) {
        statements.delete(sql);
        statements.set(sql, known);
        return known.made;
      }
      // Asked again after it had to go, it is compiled again.
      const address = (): number =>
        statements.get(sql)?.address ?? (database.prepare(sql), statements.get(sql)!.address);
      const made: IndexStatement = {
        run(values) {
          const at = address();
          bind(at, values);
          const code = module._sqlite3_step(at);
          module._sqlite3_reset(at);
          module._sqlite3_clear_bindings(at);
          if (code !== DONE && code !== ROW) check(code);
        },
        all: (values = []) => rowsOf(address(), values),
      };
      statements.set(sql, { address: compile(sql), made });
      const [oldest] = statements.size > KEPT ? statements : [];
      if (oldest) {
        module._sqlite3_finalize(oldest[1].address);
        statements.delete(oldest[0]);
      }
      return made;
    },
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      for (const { address } of statements.values()) module._sqlite3_finalize(address);
      statements.clear();
      module._sqlite3_close(handle);
    },
    wipe(): void {
      database.close();
      module.HEAPU8.fill(0);
    },
    /** How much memory the module has; it grows and never shrinks. */
    bytes: () => module.HEAPU8.length,
    isBlank: () => module.HEAPU8.every((byte) => byte === 0),
  };
  return database;
}

import createModule from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import type { IndexValue } from '../../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';

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

const OK = 0;
const ROW = 100;
const DONE = 101;
const OPEN_READWRITE = 2;
const OPEN_CREATE = 4;
const INTEGER = 1;
const FLOAT = 2;
const NULL = 5;
/** SQLite copies text that is bound with this destructor. */
const TRANSIENT = -1;
const SCRATCH_BYTES = 1024;
const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();

/** Loads a separate SQLite module, whose memory is used for nothing else. */
export async function loadSqlite(options: { wasmBinary?: Uint8Array }): Promise<Sqlite> {
  return new Sqlite((await createModule(options)) as Exports);
}

/** The part of SQLite's C interface that the index needs, with strings and values of JavaScript. */
export class Sqlite {
  readonly #module: Exports;
  /** Memory for one text, reused by the next one. */
  #scratch: { address: number; size: number };
  /** Memory for a pointer that SQLite returns. */
  readonly #result: number;

  constructor(module: Exports) {
    this.#module = module;
    this.#scratch = { address: module._sqlite3_malloc(SCRATCH_BYTES), size: SCRATCH_BYTES };
    this.#result = module._sqlite3_malloc(8);
  }

  memory(): Uint8Array {
    return this.#module.HEAPU8;
  }

  /** Opens a database that is created if it does not exist. */
  open(name: string): number {
    this.#put(name);
    const code = this.#module._sqlite3_open_v2(this.#scratch.address, this.#result, OPEN_READWRITE | OPEN_CREATE, 0);
    const db = this.#pointer();
    this.#check(db, code);
    return db;
  }

  close(db: number): void {
    this.#module._sqlite3_close(db);
  }

  prepare(db: number, sql: string): number {
    const bytes = this.#put(sql);
    this.#check(db, this.#module._sqlite3_prepare_v2(db, this.#scratch.address, bytes, this.#result, 0));
    return this.#pointer();
  }

  /** Binds values in the order of the parameters; parameters without a value stay NULL. */
  bind(db: number, statement: number, values: readonly IndexValue[]): void {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? null;
      if (value !== null) this.#check(db, this.#bindValue(statement, index + 1, value));
    }
  }

  /** Whether the statement has another row. */
  step(db: number, statement: number): boolean {
    const code = this.#module._sqlite3_step(statement);
    if (code !== DONE && code !== ROW) this.#check(db, code);
    return code === ROW;
  }

  reset(statement: number): void {
    this.#module._sqlite3_reset(statement);
    this.#module._sqlite3_clear_bindings(statement);
  }

  finalize(statement: number): void {
    this.#module._sqlite3_finalize(statement);
  }

  columnNames(statement: number): string[] {
    return Array.from({ length: this.#module._sqlite3_column_count(statement) }, (_, column) =>
      this.#textAt(this.#module._sqlite3_column_name(statement, column)),
    );
  }

  valueAt(statement: number, column: number): unknown {
    const type = this.#module._sqlite3_column_type(statement, column);
    if (type === NULL) return null;
    if (type === INTEGER || type === FLOAT) return this.#module._sqlite3_column_double(statement, column);
    const address = this.#module._sqlite3_column_text(statement, column);
    return this.#textAt(address, this.#module._sqlite3_column_bytes(statement, column));
  }

  #bindValue(statement: number, index: number, value: string | number): number {
    if (typeof value === 'string') {
      const bytes = this.#put(value);
      return this.#module._sqlite3_bind_text(statement, index, this.#scratch.address, bytes, TRANSIENT);
    }
    return value === (value | 0)
      ? this.#module._sqlite3_bind_int(statement, index, value)
      : this.#module._sqlite3_bind_double(statement, index, value);
  }

  /** Writes text as UTF-8 with a final NUL to the scratch memory; returns its length in bytes. */
  #put(text: string): number {
    const maxBytes = text.length * 3 + 1;
    if (maxBytes > this.#scratch.size) {
      this.#module._sqlite3_free(this.#scratch.address);
      this.#scratch = { address: this.#module._sqlite3_malloc(maxBytes), size: maxBytes };
    }
    const { address } = this.#scratch;
    const { written } = ENCODER.encodeInto(text, this.#module.HEAPU8.subarray(address, address + maxBytes));
    this.#module.HEAPU8[address + written] = 0;
    return written;
  }

  #textAt(address: number, bytes = this.#module.HEAPU8.indexOf(0, address) - address): string {
    return DECODER.decode(this.#module.HEAPU8.subarray(address, address + bytes));
  }

  #pointer(): number {
    return new DataView(this.#module.HEAPU8.buffer).getUint32(this.#result, true);
  }

  #check(db: number, code: number): void {
    if (code !== OK) throw new Error(`SQLite: ${this.#textAt(this.#module._sqlite3_errmsg(db))}`);
  }
}

import type { Database } from './connection.ts';

type Value = string | number | null;

export interface RowWatch {
  table: string;
  /** Columns whose changes are reported, with their values. */
  columns: readonly string[];
  /**
   * Called with the old and new values of each inserted, updated or deleted row, in the order of columns. A statement
   * is running, so this must not query the database.
   */
  noted(values: Value[]): void;
}

let watches = 0;

/**
 * Reports every row change through this connection, including those made by foreign keys and those rolled back later.
 * For caches that are invalidated by row changes; `createForeignWrites` detects writes of other connections.
 */
export function watchRows(db: Database, { table, columns, noted }: RowWatch): void {
  const name = `note_${table}_${(watches += 1)}`;
  // Triggers of the temporary schema exist only in this connection and end with it.
  db.sqlite.function(name, { varargs: true }, (...values: Value[]) => {
    noted(values);
    return null;
  });
  const call = (row: 'old' | 'new'): string =>
    `SELECT ${name}(${columns.map((column) => `${row}."${column}"`).join(', ')});`;
  const watched = columns.map((column) => `"${column}"`).join(', ');
  db.sqlite.exec(`CREATE TEMP TRIGGER "${name}_insert" AFTER INSERT ON main."${table}" BEGIN ${call('new')} END;
    CREATE TEMP TRIGGER "${name}_delete" AFTER DELETE ON main."${table}" BEGIN ${call('old')} END;
    CREATE TEMP TRIGGER "${name}_update" AFTER UPDATE OF ${watched}
      ON main."${table}" BEGIN ${call('old')} ${call('new')} END;`);
}

/** Returns true once after each write by another connection. */
export function createForeignWrites(db: Database): () => boolean {
  const version = (): unknown => db.sqlite.pragma('data_version', { simple: true });
  let before = version();
  return () => {
    const now = version();
    const changed = now !== before;
    before = now;
    return changed;
  };
}

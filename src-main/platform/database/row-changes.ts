import type { Database } from './connection.ts';

type Value = string | number | null;

export interface RowWatch {
  table: string;
  /** Columns whose change counts, and whose values are told. */
  columns: readonly string[];
  /** Called for the old and the new values of each row that comes, changes or goes, in the order of columns. A statement is running: nothing may be asked of the database. */
  noted(values: Value[]): void;
}

let watches = 0;

/**
 * Tells of every change of rows through this connection, also of one that is rolled back later, and also where a foreign key made it. For
 * answers that are kept until something of theirs changes; what others write is told by `createForeignWrites`.
 */
export function watchRows(db: Database, { table, columns, noted }: RowWatch): void {
  const name = `note_${table}_${(watches += 1)}`;
  // Triggers of the temporary schema live as long as the connection, and no other one has them.
  db.sqlite.function(name, { varargs: true }, (...values: Value[]) => {
    noted(values);
    return null;
  });
  const call = (row: 'old' | 'new'): string =>
    `SELECT ${name}(${columns.map((column) => `${row}."${column}"`).join(', ')});`;
  db.sqlite.exec(`CREATE TEMP TRIGGER "${name}_insert" AFTER INSERT ON main."${table}" BEGIN ${call('new')} END;
    CREATE TEMP TRIGGER "${name}_delete" AFTER DELETE ON main."${table}" BEGIN ${call('old')} END;
    CREATE TEMP TRIGGER "${name}_update" AFTER UPDATE OF ${columns.map((column) => `"${column}"`).join(', ')} ON main."${table}" BEGIN ${call('old')} ${call('new')} END;`);
}

/** Answers true once after each write by another connection. */
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

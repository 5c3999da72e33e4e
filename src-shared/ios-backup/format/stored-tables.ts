import { BackupError } from '../errors.ts';
import type { SqliteDatabase } from '../ports.ts';

/** Matches the tables that a statement of this library reads: a name after FROM or JOIN. */
const TABLE_REFERENCE = /\b(?:from|join)\s+(?:"([^"]+)"|([\w$]+))/gi;

/**
 * Restricts a database to tables that store rows. A view or a virtual table in a hostile database could produce endless
 * rows, or compute for hours, and nothing can interrupt SQLite. Statements that read one throw `damaged_file`, and its
 * list of columns is empty.
 */
export async function restrictToStoredTables(db: SqliteDatabase): Promise<SqliteDatabase> {
  const rows = await db.query(
    "SELECT name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND coalesce(rootpage, 0) = 0)",
  );
  const computed = new Set(rows.map(({ name }) => String(name).toLowerCase()));
  if (computed.size === 0) return db;
  const check = (sql: string): void => {
    for (const [, quoted, plain] of sql.matchAll(TABLE_REFERENCE)) {
      if (computed.has((quoted ?? plain ?? '').toLowerCase()))
        throw new BackupError('damaged_file', { reason: 'a view replaces a table' });
    }
  };
  return {
    async query(sql, params) {
      check(sql);
      return db.query(sql, params);
    },
    batches(sql, params, size) {
      check(sql);
      return db.batches(sql, params, size);
    },
    columns: async (table) => (computed.has(table.toLowerCase()) ? [] : db.columns(table)),
    close: () => db.close(),
  };
}

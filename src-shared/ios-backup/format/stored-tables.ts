import { BackupError } from '../errors.ts';
import type { SqliteDatabase } from '../ports.ts';

/** Tables that a statement reads, as ours are written: a name after FROM or JOIN. */
const READ = /\b(?:from|join)\s+(?:"([^"]+)"|([\w$]+))/gi;

/**
 * The same database, but read only where it has rows of its own. A view, or a virtual table, in the place of a table could give rows
 * without end, or none for hours, and nothing stops SQLite while it computes. Statements that ask for one throw `damaged_file`; it has
 * no columns.
 */
export async function storedTablesOf(db: SqliteDatabase): Promise<SqliteDatabase> {
  const rows = await db.query(
    "SELECT name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND coalesce(rootpage, 0) = 0)",
  );
  const computed = new Set(rows.map(({ name }) => String(name).toLowerCase()));
  if (computed.size === 0) return db;
  const check = (sql: string): void => {
    for (const [, quoted, plain] of sql.matchAll(READ)) {
      if (computed.has((quoted ?? plain ?? '').toLowerCase()))
        throw new BackupError('damaged_file', { reason: 'a view stands in the place of a table' });
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

import type { SqliteDatabase, SqliteValue } from '../../../../../src-shared/ios-backup/index.ts';
import type { TableView } from './protocol.ts';

/** Rows shown at once, and letters of a cell. */
const ROWS = 100,
  LETTERS = 500;

const quoted = (name: string): string => `"${name.replace(/"/g, '""')}"`;

/** A value as a cell shows it; of bytes only how many. */
function cellOf(value: SqliteValue | undefined): string | number | null {
  if (value instanceof Uint8Array) return `⟨${value.length} B⟩`;
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value.length > LETTERS ? `${value.slice(0, LETTERS)}…` : (value ?? null);
}

/** Tables of a database, and rows of one of them: the first, where none is named. Virtual ones need code of the phone; what they hold stands in plain tables beside them. */
export async function viewTable(database: SqliteDatabase, wanted: string | null, offset: number): Promise<TableView> {
  const found = await database.query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY name LIMIT 1000",
  );
  const tables = found.map(({ name }) => String(name));
  const table = wanted !== null && tables.includes(wanted) ? wanted : (tables[0] ?? null);
  if (table === null) return { tables, table, columns: [], rows: [], total: 0 };
  const columns = await database.columns(table);
  const [count] = await database.query(`SELECT count(*) AS n FROM ${quoted(table)}`);
  const rows = await database.query(`SELECT * FROM ${quoted(table)} LIMIT ? OFFSET ?`, [ROWS, offset]);
  return {
    tables,
    table,
    columns,
    rows: rows.map((row) => columns.map((column) => cellOf(row[column]))),
    total: Number(count?.n ?? 0),
  };
}

import type { SqliteDatabase, SqliteValue } from '../../../../../src-shared/ios-backup/index.ts';
import type { TableView } from './protocol.ts';

const MAX_ROWS = 100;
const MAX_CELL_LENGTH = 500;

/** The tables to show. Virtual tables need code of the phone, and store their rows in ordinary tables. */
const SELECT_TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL %'
  ORDER BY name LIMIT 1000`;

const quoteName = (name: string): string => `"${name.replace(/"/g, '""')}"`;

/** A value as text for a cell; for binary data only its length. */
function cellOf(value: SqliteValue | undefined): string | number | null {
  if (value instanceof Uint8Array) return `⟨${value.length} B⟩`;
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value.length > MAX_CELL_LENGTH
    ? `${value.slice(0, MAX_CELL_LENGTH)}…`
    : (value ?? null);
}

/** Lists the tables of a database and reads rows of one of them, by default the first. */
export async function viewTable(
  database: SqliteDatabase,
  requestedTable: string | null,
  offset: number,
): Promise<TableView> {
  const tables = (await database.query(SELECT_TABLES)).map(({ name }) => String(name));
  const table = requestedTable !== null && tables.includes(requestedTable) ? requestedTable : (tables[0] ?? null);
  if (table === null) return { tables, table, columns: [], rows: [], total: 0 };
  const columns = await database.columns(table);
  const [count] = await database.query(`SELECT count(*) AS n FROM ${quoteName(table)}`);
  const rows = await database.query(`SELECT * FROM ${quoteName(table)} LIMIT ? OFFSET ?`, [MAX_ROWS, offset]);
  return {
    tables,
    table,
    columns,
    rows: rows.map((row) => columns.map((column) => cellOf(row[column]))),
    total: Number(count?.n ?? 0),
  };
}

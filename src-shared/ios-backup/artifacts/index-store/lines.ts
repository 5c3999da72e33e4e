import type { Batch, TableName } from '../source.ts';
import type { IndexValue } from './database.ts';
import { TABLES, type Table } from './tables.ts';

/**
 * Rows of one table as they are written: plain arrays, quick to hand to another thread. Of a message two columns in three are empty: a
 * statement for each set of columns that rows of this table have something in writes a third faster than one for all columns.
 */
export interface Lines {
  table: TableName;
  /** Of each row, which columns it has: bit i for the column i. */
  shapes: number[];
  /** Of each row, room for its number, then the values of those columns. */
  values: IndexValue[][];
  /** Of each row, room for its number, title and body for full text, or null; null as a whole where the table is not searched. */
  words: (IndexValue[] | null)[] | null;
}

export const linesOf = (batch: Batch): Lines =>
  lines(TABLES[batch.table] as Table, batch.rows as unknown as Record<string, unknown>[]);

function lines({ name, columns, words }: Table, rows: readonly Record<string, unknown>[]): Lines {
  const made: Lines = { table: name, shapes: [], values: [], words: words && [] };
  for (const row of rows) {
    let shape = 0;
    const values: IndexValue[] = [0];
    for (let i = 0; i < columns.length; i += 1) {
      const { name: column, kind } = columns[i]!;
      const value = row[column];
      if (value === null || value === undefined || (kind === 'json' && Array.isArray(value) && value.length === 0))
        continue;
      shape += 2 ** i;
      values.push(kind === 'flag' ? (value ? 1 : 0) : kind === 'json' ? JSON.stringify(value) : (value as IndexValue));
    }
    made.shapes.push(shape);
    made.values.push(values);
    const found = words?.(row as never);
    made.words?.push(found && (found.title !== null || found.body !== null) ? [0, found.title, found.body] : null);
  }
  return made;
}

import { guardFormulas } from '../../src-shared/contract/csv-formulas.ts';

export type Cell = string | number | null;

/** Quotes a cell by RFC 4180; a text that a spreadsheet would run as a formula gets an apostrophe before it. */
function quote(value: Cell): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? guardFormulas(value) : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180), the last one with its line end. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  rows
    .map((row) => row.map(quote).join(','))
    .join('\r\n')
    .concat('\r\n');

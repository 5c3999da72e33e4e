import { guardFormulas } from '../../../../src-shared/contract/csv-formulas.ts';

export type CsvCell = string | number | boolean | null;

/** A phone number or an amount: `+41 44 123 45 67`, `-3.5`. */
const NUMERIC = /^[+-]?[\d\s.,()/-]+$/;

function cellText(value: CsvCell): string {
  if (value === null) return '';
  const text = typeof value === 'string' && !NUMERIC.test(value) ? guardFormulas(value) : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Writes rows as CSV (RFC 4180) in UTF-8 with a byte order mark, by which Excel recognizes the encoding. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${[head, ...rows].map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`;
}

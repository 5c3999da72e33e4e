export type Cell = string | number | null;

/**
 * Where a spreadsheet may find the beginning of a formula (OWASP, CSV Injection): in front of the text, and after what
 * other languages separate cells with, whether or not that is quoted. Full-width signs count as the usual ones.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])["\s]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/gu;

/** The text with an apostrophe before each formula that a spreadsheet could find in it. */
export const guardFormulas = (text: string): string => text.replace(FORMULA, "'");

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

import { TickerError } from './flash/ticker-error.ts';
import { LISTING_KEY } from './market-shapes.ts';
import type { TickerSymbol } from './device/shapes.ts';

type Row = Record<string, unknown> & { key: string };

/** What a new file holds, as resources/quotes-workflow/quotes-config.json does. */
const NEW_FILE = { range: '6mo', points: 48, keepMinutes: 60 } as const;

/** The rows of a configuration, of those that have a listing key. */
export function publishable(symbols: readonly TickerSymbol[]): TickerSymbol[] {
  const known = new Set<string>();
  return symbols.filter(({ symbol, source }) => {
    const isNew = LISTING_KEY.test(symbol) && (source === 'github' || source === 'cash') && !known.has(symbol);
    known.add(symbol);
    return isNew;
  });
}

/**
 * `quotes-config.json` with these symbols added to an existing file, or as a new one. Rows of the file keep what they
 * have, also keys that Hearth does not know; nothing is removed. Throws `ticker.settings_unreadable`.
 */
export function extendQuotesConfig(
  existing: { name: string; text: string } | null,
  symbols: readonly TickerSymbol[],
): string {
  const file = existing === null ? { ...NEW_FILE } : readFile(existing);
  const rows = 'symbols' in file && Array.isArray(file.symbols) ? (file.symbols as unknown[]) : [];
  const present = new Set(rows.filter(isRow).map(({ key }) => key));
  const added = publishable(symbols)
    .filter(({ symbol }) => !present.has(symbol))
    .map(({ symbol, name }) => ({ key: symbol, ...(name !== '' && { name }) }));
  return `${JSON.stringify({ ...file, symbols: [...rows, ...added] }, null, 2)}\n`;
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null && typeof (row as { key?: unknown }).key === 'string';
}

function readFile({ name, text }: { name: string; text: string }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    const isFile = typeof value === 'object' && value !== null && !Array.isArray(value);
    const { symbols = [] } = (isFile ? value : {}) as { symbols?: unknown };
    if (isFile && Array.isArray(symbols)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new TickerError('ticker.settings_unreadable', { name });
}

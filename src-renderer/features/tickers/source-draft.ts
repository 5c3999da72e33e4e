import { type SourceEntry, sourceEntry } from '../../../src-shared/contract/ticker-source.ts';

/** What the form of an entry holds, whatever its kind; numbers as they were typed. */
export interface SourceDraft {
  symbol: string;
  kind: SourceEntry['kind'];
  name: string;
  currency: string;
  price: string;
  change: string;
  chart: string;
  path: string;
  field: string;
  parts: readonly { symbol: string; quantity: string }[];
}

export const SOURCE_KINDS = ['fixed', 'chart', 'file', 'portfolio'] as const satisfies readonly SourceEntry['kind'][];

export const EMPTY_DRAFT: SourceDraft = {
  ...{ symbol: '', kind: 'fixed', name: '', currency: '', price: '', change: '', chart: '', path: '' },
  ...{ field: 'price', parts: [{ symbol: '', quantity: '1' }] },
};

/** The form of an entry that is in the list. */
export function draftOf(symbol: string, entry: SourceEntry): SourceDraft {
  const common = { ...EMPTY_DRAFT, symbol, kind: entry.kind, name: entry.name ?? '' };
  if (entry.kind === 'chart') return { ...common, chart: entry.symbol };
  const { currency } = entry;
  if (entry.kind === 'fixed')
    return { ...common, currency, price: String(entry.price), change: String(entry.change ?? '') };
  if (entry.kind === 'file') return { ...common, currency, path: entry.path, field: entry.field };
  const parts = entry.parts.map((part) => ({ symbol: part.symbol, quantity: String(part.quantity) }));
  return { ...common, currency, parts };
}

/** The entry that a form describes; null while something is missing or does not fit. */
export function entryOf(draft: SourceDraft): SourceEntry | null {
  const { kind, currency, name, symbol } = draft;
  const { data } = sourceEntry.safeParse({
    ...{ kind, ...ownFields(draft) },
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(kind !== 'chart' && { currency }),
  });
  return symbol.trim() === '' || symbol.trim().length > 31 ? null : (data ?? null);
}

function ownFields({ kind, price, change, chart, path, field, parts }: SourceDraft): object {
  switch (kind) {
    case 'fixed':
      return { price: numberOf(price), ...(change.trim() !== '' && { change: numberOf(change) }) };
    case 'chart':
      return { symbol: chart.trim() };
    case 'file':
      return { path, format: /\.csv$/i.test(path) ? 'csv' : 'json', field: field.trim() };
    case 'portfolio':
      return { parts: parts.map((part) => ({ symbol: part.symbol, quantity: numberOf(part.quantity) })) };
  }
}

/** JavaScript takes an empty text for 0. */
const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text));

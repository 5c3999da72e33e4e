import { describe, expect, it } from 'vitest';
import type { SourceEntry } from '../../../src-shared/contract/ticker-source.ts';
import { draftOf, EMPTY_DRAFT, entryOf } from './source-draft.ts';

const ENTRIES: SourceEntry[] = [
  { kind: 'fixed', price: 1.5, change: -0.25, name: 'House', currency: 'CHF ' },
  { kind: 'fixed', price: 0, currency: '' },
  { kind: 'chart', symbol: 'AAPL' },
  { kind: 'file', path: 'oil.csv', format: 'csv', field: 'litres', currency: 'l ' },
  { kind: 'file', path: 'sun.JSON', format: 'json', field: 'watts', currency: '' },
  { kind: 'portfolio', parts: [{ symbol: 'AAPL', quantity: 2.5 }], name: 'Savings', currency: '' },
];

describe('the form of a price for tickers', () => {
  it.each(ENTRIES)('shows an entry of the list and gives the same one back: %o', (entry) => {
    expect(entryOf(draftOf('HOUSE', entry))).toEqual(entry);
  });

  it.each([
    ['no symbol', { price: '1' }],
    ['a symbol that is too long', { symbol: 'x'.repeat(32), price: '1' }],
    ['no price', { symbol: 'A', price: ' ' }],
    ['a price that is not a number', { symbol: 'A', price: '1,5' }],
    ['no symbol at the chart endpoint', { symbol: 'A', kind: 'chart' as const }],
    ['no file', { symbol: 'A', kind: 'file' as const }],
    ['a part without a quantity', { symbol: 'A', kind: 'portfolio' as const, parts: [{ symbol: 'B', quantity: '' }] }],
    ['a part without a symbol', { symbol: 'A', kind: 'portfolio' as const }],
  ])('gives nothing with %s', (_, draft) => {
    expect(entryOf({ ...EMPTY_DRAFT, ...draft })).toBeNull();
  });
});

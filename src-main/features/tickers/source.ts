import { timingSafeEqual } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import Papa from 'papaparse';
import type { SourceEntry, WebhookQuote } from '../../../src-shared/contract/ticker-source.ts';
import { TICKER_RANGES } from '../../../src-shared/contract/ticker-ranges.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { type MarketDeps, thinOut, tryQuote } from './market.ts';
import { hashToken, type SourceList } from './source-list.ts';

const MAX_DATA_BYTES = 4 * 1024 * 1024;
const CACHED_MS = 60_000;
const MAX_CACHED = 200;
const MAX_POINTS = 60;
/** A portfolio within a portfolio within … */
const MAX_DEPTH = 3;

export interface SourceDeps extends MarketDeps {
  /** What is offered now; null while there is no list or it is damaged. */
  readList: () => Promise<SourceList | null>;
  nothingLeaves: () => boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
}

interface Answer {
  status: number;
  body: object;
}
interface Wish {
  symbol: string;
  range: (typeof TICKER_RANGES)[number];
  points: number;
}
interface Value {
  price: number;
  previous: number | null;
  name: string;
  currency: string;
  spark: number[];
}

export interface TickerPrices {
  /** Answers `GET /quote?token=&symbol=&range=&points=` of tickers. */
  answer(target: string): Promise<Answer>;
  /** What a ticker would get for an entry of this list. Throws why it has no price, as far as that is known. */
  tryEntry(list: SourceList, symbol: string): Promise<WebhookQuote | null>;
}

/** The prices of a list, as tickers fetch them. */
export function createTickerPrices(deps: SourceDeps): TickerPrices {
  const cached = new Map<string, { until: number; value: Promise<Value> }>();

  /** One request for all devices that ask within a minute. */
  function chartOf(entry: Extract<SourceEntry, { kind: 'chart' }>, { range, points }: Wish): Promise<Value> {
    if (deps.nothingLeaves()) return Promise.reject(fail('ticker.nothing_leaves'));
    const key = `${entry.symbol} ${range} ${points}`;
    const known = cached.get(key);
    if (known && known.until > deps.now()) return known.value;
    const value = tryQuote(deps, { source: 'yahoo', symbol: entry.symbol, range, points, repo: '' });
    cached.set(key, { until: deps.now() + CACHED_MS, value });
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
    return value;
  }

  async function valueOf(list: SourceList, wish: Wish, depth = 0): Promise<Value | null> {
    const entry = Object.hasOwn(list.symbols, wish.symbol) ? list.symbols[wish.symbol] : undefined;
    if (entry === undefined || depth > MAX_DEPTH) return null;
    if (entry.kind === 'chart') return chartOf(entry, wish);
    if (entry.kind === 'fixed') return fixedValue(wish.symbol, entry);
    if (entry.kind === 'file') return fileValue(wish, entry, list.folder);
    const parts = entry.parts.map(async ({ symbol, quantity }) => ({
      quantity,
      value: await valueOf(list, { ...wish, symbol }, depth + 1),
    }));
    return sumOf(wish.symbol, entry, await Promise.all(parts));
  }

  return {
    async answer(target) {
      const url = URL.parse(target, 'http://source');
      if (url === null || url.pathname !== '/quote') return { status: 404, body: { ok: false } };
      const list = await deps.readList();
      if (list === null) return { status: 503, body: { ok: false } };
      if (!isKnown(list, url.searchParams.get('token') ?? '')) return { status: 401, body: { ok: false } };
      const wish = wishOf(url.searchParams);
      const value = await valueOf(list, wish).catch(() => null);
      return value === null ? { status: 404, body: { ok: false } } : { status: 200, body: quoteOf(wish, value) };
    },
    async tryEntry(list, symbol) {
      const wish: Wish = { symbol, range: '1d', points: MAX_POINTS };
      const value = await valueOf(list, wish);
      return value && quoteOf(wish, value);
    },
  };
}

function wishOf(query: URLSearchParams): Wish {
  const points = Number(query.get('points') ?? MAX_POINTS);
  return {
    symbol: query.get('symbol') ?? '',
    range: TICKER_RANGES.find((one) => one === query.get('range')?.toLowerCase()) ?? '1d',
    points: Number.isInteger(points) && points >= 0 ? Math.min(points, MAX_POINTS) : MAX_POINTS,
  };
}

function quoteOf({ symbol, range }: Wish, value: Value): WebhookQuote {
  const { price, previous, name, currency, spark } = value;
  const change = previous === null ? {} : { change: Number((price - previous).toFixed(6)) };
  return { symbol, name, price, currency: prefixOf(currency), ...change, spark, range: range.toUpperCase(), ok: true };
}

/** Tickers print at most five bytes before the price. */
function prefixOf(currency: string): string {
  if (currency === 'USD') return '$';
  return /^[A-Z]{3}$/.test(currency) ? `${currency} ` : currency;
}

/** Compares with every token in the same time. */
function isKnown({ hashes }: SourceList, token: string): boolean {
  const given = hashToken(token);
  return hashes.filter((hash) => timingSafeEqual(hash, given)).length > 0;
}

function fixedValue(symbol: string, entry: Extract<SourceEntry, { kind: 'fixed' }>): Value {
  const { price, change, name = symbol, currency } = entry;
  return { price, previous: change === undefined ? null : price - change, name, currency, spark: [] };
}

async function fileValue(
  { symbol, points }: Wish,
  entry: Extract<SourceEntry, { kind: 'file' }>,
  folder: string,
): Promise<Value | null> {
  const text = await readWithin(folder, entry.path);
  const closes = entry.format === 'csv' ? columnOf(text, entry.field) : valuesOf(text, entry.field);
  const price = closes.at(-1);
  if (price === undefined) return null;
  const { name = symbol, currency } = entry;
  return { price, previous: closes.at(-2) ?? null, name, currency, spark: thinOut(closes, points) };
}

/** A file in the folder of the list or below it, also after links were followed. */
async function readWithin(listFolder: string, path: string): Promise<string> {
  const folder = await realpath(listFolder);
  const file = await realpath(join(folder, path));
  if (!file.startsWith(folder + sep)) throw fail('vault.path_outside');
  if ((await stat(file)).size > MAX_DATA_BYTES) throw fail('upload.too_large', { limit: MAX_DATA_BYTES });
  return readFile(file, 'utf8');
}

/** The numbers of a column, by its title in the first row. */
function columnOf(text: string, field: string): number[] {
  const { data } = Papa.parse<Record<string, string>>(text.trim(), { header: true, skipEmptyLines: true });
  return data.map((row) => Number((row[field] ?? '').trim() || NaN)).filter(Number.isFinite);
}

/** A number, or numbers with the newest last, under a key of an object. */
function valuesOf(text: string, field: string): number[] {
  const value = (JSON.parse(text) as Record<string, unknown> | null)?.[field];
  return (Array.isArray(value) ? value : [value]).filter((one): one is number => Number.isFinite(one));
}

/** The worth of all parts; unknown if one of them is, or if they are in several currencies. */
function sumOf(
  symbol: string,
  entry: Extract<SourceEntry, { kind: 'portfolio' }>,
  parts: readonly { quantity: number; value: Value | null }[],
): Value | null {
  const currencies = new Set(parts.map(({ value }) => value?.currency));
  if (parts.some(({ value }) => value === null) || currencies.size > 1) return null;
  const total = (pick: (value: Value) => number | null): number | null =>
    parts.reduce<number | null>((sum, { quantity, value }) => {
      const one = pick(value!);
      return sum === null || one === null ? null : Number((sum + quantity * one).toFixed(6));
    }, 0);
  const [first] = currencies;
  return {
    price: total(({ price }) => price)!,
    previous: total(({ previous }) => previous),
    name: entry.name ?? symbol,
    currency: entry.currency || (first ?? ''),
    spark: [],
  };
}

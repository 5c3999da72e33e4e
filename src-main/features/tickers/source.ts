import { timingSafeEqual } from 'node:crypto';
import type { SourceEntry, WebhookQuote } from '../../../src-shared/contract/ticker-source.ts';
import { TICKER_RANGES } from '../../../src-shared/contract/ticker-ranges.ts';
import { addressGroup } from '../../platform/http/client-address.ts';
import { createFailureLimit } from '../../platform/http/rate-limit.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { type MarketDeps, thinOut, tryQuote } from './market.ts';
import { createNumberReader } from './source-files.ts';
import { hashToken, type SourceList } from './source-list.ts';

const CACHED_MS = 60_000;
const MAX_CACHED = 200;
const MAX_POINTS = 60;
/** A portfolio within a portfolio within … */
const MAX_DEPTH = 3;
/** Entries that one answer looks up: 50 parts of 50 parts of 50 parts would be 125,000. */
const MAX_LOOKUPS = 200;
/** Wrong tokens of one address; a device with an old address asks for its rows, a program that guesses for more. */
const MAX_WRONG = 30;
const WRONG_WINDOW_MS = 60_000;

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
  /** Seconds, for an address that gave too many wrong tokens. */
  retryAfter?: number;
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
type FileEntry = Extract<SourceEntry, { kind: 'file' }>;

export interface TickerPrices {
  /** Answers `GET /quote?token=&symbol=&range=&points=` of a ticker at this address. */
  answer(target: string, from: string): Promise<Answer>;
  /** What a ticker would get for an entry of this list. Throws why it has no price, as far as that is known. */
  tryEntry(list: SourceList, symbol: string): Promise<WebhookQuote | null>;
}

/** The prices of a list, as tickers fetch them. */
export function createTickerPrices(deps: SourceDeps): TickerPrices {
  const valueOf = createValueReader(deps);
  const wrong = createFailureLimit({ clock: deps, failures: MAX_WRONG, windowMs: WRONG_WINDOW_MS });

  async function answerKnown(list: SourceList, query: URLSearchParams): Promise<Answer> {
    const wish = wishOf(query);
    const value = await valueOf(list, wish).catch(() => null);
    return value === null ? { status: 404, body: { ok: false } } : { status: 200, body: quoteOf(wish, value) };
  }

  return {
    async answer(target, from) {
      const url = URL.parse(target, 'http://source');
      if (url === null || url.pathname !== '/quote') return { status: 404, body: { ok: false } };
      const group = addressGroup(from);
      const blockedMs = wrong.blockedFor(group);
      if (blockedMs > 0) return { status: 429, body: { ok: false }, retryAfter: Math.ceil(blockedMs / 1000) };
      const list = await deps.readList();
      if (list === null) return { status: 503, body: { ok: false } };
      if (isKnown(list, url.searchParams.get('token') ?? '')) return answerKnown(list, url.searchParams);
      wrong.addFailure(group);
      return { status: 401, body: { ok: false } };
    },
    async tryEntry(list, symbol) {
      const wish: Wish = { symbol, range: '1d', points: MAX_POINTS };
      const value = await valueOf(list, wish);
      return value && quoteOf(wish, value);
    },
  };
}

/** Looks up what a symbol of a list is worth; null if it has no value. */
function createValueReader(deps: SourceDeps): (list: SourceList, wish: Wish) => Promise<Value | null> {
  const readChart = createChartReader(deps);
  const readNumbers = createNumberReader<Pick<Value, 'previous' | 'spark'> & { price: number | undefined }>();

  /** `budget` is shared by all parts of an answer. */
  async function valueOf(list: SourceList, wish: Wish, budget: { left: number }, depth = 0): Promise<Value | null> {
    const entry = Object.hasOwn(list.symbols, wish.symbol) ? list.symbols[wish.symbol] : undefined;
    budget.left -= 1;
    if (entry === undefined || depth > MAX_DEPTH || budget.left < 0) return null;
    if (entry.kind === 'chart') return readChart(entry.symbol, wish);
    if (entry.kind === 'fixed') return fixedValue(wish.symbol, entry);
    if (entry.kind === 'file') return fileValue(list.folder, entry, wish);
    const parts = entry.parts.map(async ({ symbol, quantity }) => ({
      quantity,
      value: await valueOf(list, { ...wish, symbol }, budget, depth + 1),
    }));
    return sumOf(wish.symbol, entry, await Promise.all(parts));
  }

  async function fileValue(folder: string, entry: FileEntry, { symbol, points }: Wish): Promise<Value | null> {
    const { price, previous, spark } = await readNumbers(folder, entry, String(points), (numbers) => ({
      price: numbers.at(-1),
      previous: numbers.at(-2) ?? null,
      spark: thinOut(numbers, points),
    }));
    const { name = symbol, currency } = entry;
    return price === undefined ? null : { price, previous, name, currency, spark };
  }

  return (list, wish) => valueOf(list, wish, { left: MAX_LOOKUPS });
}

/** Sends one request for all devices that ask within a minute. */
function createChartReader(deps: SourceDeps): (symbol: string, wish: Wish) => Promise<Value> {
  const cached = new Map<string, { until: number; value: Promise<Value> }>();
  return (symbol, { range, points }) => {
    if (deps.nothingLeaves()) return Promise.reject(fail('ticker.nothing_leaves'));
    const key = `${symbol} ${range} ${points}`;
    const known = cached.get(key);
    if (known && known.until > deps.now()) return known.value;
    const value = tryQuote(deps, { source: 'yahoo', symbol, range, points, repo: '' });
    cached.set(key, { until: deps.now() + CACHED_MS, value });
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
    return value;
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

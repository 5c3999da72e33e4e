import type { z } from 'zod';
import type { FoundSymbol, TriedQuote } from '../../../src-shared/contract/tickers.ts';
import {
  type Chart,
  chartReply,
  foundItem,
  LISTING_KEY,
  portalReply,
  publishedQuote,
  searchReply,
  seriesReply,
} from '../../../src-shared/ticker/market-shapes.ts';
import { fail } from '../../platform/kernel/errors.ts';

/** The hosts that symbols are asked for, and nothing else. */
const CHART = 'https://query1.finance.yahoo.com';
const CHART_MIRROR = 'https://query2.finance.yahoo.com';
const PORTAL = 'https://www.cash.ch';
const PUBLISHED = 'https://raw.githubusercontent.com';
const ALLOWED = new Set([CHART, CHART_MIRROR, PORTAL, PUBLISHED]);

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_FOUND = 10;
/** An empty one is refused with 429. */
const AGENT = 'Mozilla/5.0 (Hearth)';
const DAY_SECONDS = 86_400;

/** Candles and closes of each time span, as the firmware has them (firmware/core/source/request.cpp). */
const SPANS = {
  '1d': { interval: '5m', closes: 2 },
  '5d': { interval: '30m', closes: 5 },
  '1mo': { interval: '1d', closes: 22 },
  '3mo': { interval: '1d', closes: 65 },
  '6mo': { interval: '1d', closes: 130 },
  ytd: { interval: '1d', closes: 130 },
  '1y': { interval: '1wk', closes: 260 },
  '2y': { interval: '1wk', closes: 400 },
  '5y': { interval: '1mo', closes: 400 },
  max: { interval: '1mo', closes: 400 },
} as const;
type Range = keyof typeof SPANS;

export interface MarketDeps {
  /** How a request is sent; tests have a market of their own. */
  send: typeof fetch;
}

export interface QuoteWish {
  source: 'yahoo' | 'cash' | 'github';
  symbol: string;
  range: Range;
  points: number;
  repo: string;
}

/** The search word for the portal: the digits of a pasted link, otherwise the text without quotes and backslashes. */
export function searchWord(text: string): string {
  const digits = /^https?:/i.test(text.trim()) ? /\d{5,12}/.exec(text)?.[0] : undefined;
  return digits ?? text.replace(/["\\]/g, '').trim();
}

const GROUPS = ['equity', 'derivative', 'fund', 'bond', 'index', 'diverse', 'cryptoCurrency'] as const;
const WITHOUT_ISIN = new Set<string>(['index', 'cryptoCurrency']);

/** Instruments that the portal finds for a text. */
export async function searchSymbols(deps: MarketDeps, text: string): Promise<FoundSymbol[]> {
  const word = searchWord(text);
  if (word === '') return [];
  const parts = GROUPS.map((name) => {
    const kind = name[0]!.toUpperCase() + name.slice(1);
    return `${name}{items{... on ${kind}{listingId mName market mCur${WITHOUT_ISIN.has(name) ? '' : ' mIsin'}}}}`;
  });
  const options = 'sort:Relevance,sortOrder:Descending,limit:10,offset:0';
  const query = `query{textSearch(publication:CASH,search:"${word}",${options}){${parts.join(' ')}}}`;
  const { data } = await readJson(deps, portalAddress(query), searchReply);
  return GROUPS.flatMap((name) => data.textSearch[name]?.items ?? [])
    .flatMap((found) => foundItem.safeParse(found).data ?? [])
    .slice(0, MAX_FOUND)
    .map(({ listingId, mName, market, mCur, mIsin }) => ({
      ...{ key: listingId, name: mName ?? '', market: market ?? '', currency: mCur ?? '' },
      isin: mIsin ?? null,
    }));
}

/** What a source says about a symbol. Throws `ticker.unknown_symbol` or `ticker.source_failed`. */
export function tryQuote(deps: MarketDeps, wish: QuoteWish): Promise<TriedQuote> {
  if (wish.source === 'yahoo') return chartQuote(deps, wish);
  if (!LISTING_KEY.test(wish.symbol)) return Promise.reject(fail('ticker.listing_key'));
  return wish.source === 'cash' ? portalQuote(deps, wish) : readPublished(deps, wish);
}

async function chartQuote(deps: MarketDeps, { symbol, range, points }: QuoteWish): Promise<TriedQuote> {
  const { interval } = SPANS[range];
  const chart = await readChart(deps, symbol, range, interval);
  const { meta } = chart;
  const closes = chart.indicators.quote[0]?.close ?? [];
  return {
    name: meta.shortName ?? meta.longName ?? symbol,
    price: meta.regularMarketPrice,
    currency: meta.currency,
    previous: await previousClose(deps, symbol, interval, chart),
    spark: thinOut(closes, points),
  };
}

/** The close before the day of the price: `chartPreviousClose` is the one before the charted span. */
async function previousClose(deps: MarketDeps, symbol: string, interval: string, chart: Chart): Promise<number | null> {
  if (interval.endsWith('m')) return chart.meta.previousClose ?? null;
  if (interval === '1d') return closeBefore(chart);
  return closeBefore(await readChart(deps, symbol, '5d', '1d'));
}

function closeBefore({ meta, timestamp, indicators }: Chart): number | null {
  const dayOf = (seconds: number): number => Math.floor((seconds + meta.gmtoffset) / DAY_SECONDS);
  const today = dayOf(meta.regularMarketTime ?? timestamp.at(-1) ?? 0);
  const closes = indicators.quote[0]?.close ?? [];
  const before = closes.filter((close, at) => Boolean(close) && dayOf(timestamp[at] ?? Infinity) < today);
  return before.at(-1) ?? null;
}

async function readChart(deps: MarketDeps, symbol: string, range: string, interval: string): Promise<Chart> {
  const path = `/v8/finance/chart/${encodeURIComponent(symbol)}?range=${range}&interval=${interval}`;
  const reply = await readJson(deps, CHART + path, chartReply).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ticker.unknown_symbol') throw error;
    return readJson(deps, CHART_MIRROR + path, chartReply);
  });
  const chart = reply.chart.result?.[0];
  if (chart === undefined) throw fail('ticker.unknown_symbol');
  return chart;
}

const portalAddress = (query: string): string => `${PORTAL}/_/api/graphql/prod?query=${encodeURIComponent(query)}`;

async function portalQuote(deps: MarketDeps, { symbol, range, points }: QuoteWish): Promise<TriedQuote> {
  const fields = 'lval iNetVperprV perfPercentage mCur mShortName';
  const quoteQuery = `query{quoteList(listingKeys:"${symbol}"){quoteList{edges{node{...on Instrument{${fields}}}}}}}`;
  const { data } = await readJson(deps, portalAddress(quoteQuery), portalReply);
  const found = data.quoteList.quoteList.edges[0]?.node;
  if (found === undefined || !(found.lval > 0)) throw fail('ticker.unknown_symbol');
  const span = `frequency:"1d" from:"2020-01-01" to:"2100-01-01" max:"${SPANS[range].closes}"`;
  const seriesQuery = `query{integration{solid{chart(listingKey:"${symbol}" ${span}){timeserie{prices{close}}}}}}`;
  // A failed series is not an error, as on the device.
  const series = await readJson(deps, portalAddress(seriesQuery), seriesReply).catch(() => null);
  const prices = series?.data.integration.solid.chart.timeserie.prices ?? [];
  const change = found.iNetVperprV ?? NaN;
  return {
    ...{ name: found.mShortName ?? symbol, price: found.lval, currency: found.mCur ?? '' },
    previous: Number.isFinite(change) ? Number((found.lval - change).toFixed(6)) : null,
    spark: thinOut(
      prices.map(({ close }) => close),
      points,
    ),
  };
}

async function readPublished(deps: MarketDeps, { symbol, repo, points }: QuoteWish): Promise<TriedQuote> {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) throw fail('ticker.repo_missing');
  const quote = await readJson(deps, `${PUBLISHED}/${repo}/data/quotes/${symbol}.json`, publishedQuote);
  if (!quote.ok) throw fail('ticker.unknown_symbol');
  const { price, change, currency, name = symbol } = quote;
  const previous = change === undefined ? null : Number((price - change).toFixed(6));
  return { name, price, currency, previous, spark: thinOut(quote.spark, points) };
}

/** At most `points` closes, spread evenly, the newest kept. */
export function thinOut(closes: readonly (number | null)[], points: number): number[] {
  const valid = closes.filter((close): close is number => close !== null && Number.isFinite(close));
  const wanted = Math.min(points, 60);
  if (valid.length < 2 || wanted < 2) return [];
  if (valid.length <= wanted) return valid;
  return Array.from({ length: wanted }, (_, at) => valid[Math.round((at * (valid.length - 1)) / (wanted - 1))]!);
}

/** Reads JSON from one of the allowed hosts: bounded, without cookies, without redirects to elsewhere. */
async function readJson<T>({ send }: MarketDeps, address: string, shape: z.ZodType<T>): Promise<T> {
  const { origin, hostname } = new URL(address);
  if (!ALLOWED.has(origin)) throw fail('ticker.source_failed', { host: hostname });
  const failed = (cause?: unknown) => fail('ticker.source_failed', { host: hostname }, cause);
  const reply = await send(address, {
    headers: { accept: 'application/json', 'user-agent': AGENT },
    redirect: 'error',
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw failed(error);
  });
  if (reply.status === 404) throw fail('ticker.unknown_symbol');
  if (!reply.ok) throw failed();
  const parsed = shape.safeParse(await readBounded(reply).catch(() => null));
  if (!parsed.success) throw failed();
  return parsed.data;
}

async function readBounded(reply: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new RangeError('The reply is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

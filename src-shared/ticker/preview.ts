import type { TriedQuote } from '../contract/tickers.ts';
import type { DeviceQuote, DeviceSettings, DeviceStatus, TickerSymbol } from './device/shapes.ts';
import { valueAt } from './settings/check.ts';
import { TICKER_REASONS, type TickerQuote, type TickerReason, type TickerView } from './screen.ts';

/** One page that a device can show. */
export type PreviewPage = { kind: 'symbol'; index: number } | { kind: 'watchlist' | 'portfolio' | 'clock' };

const filled = (settings: DeviceSettings): TickerSymbol[] =>
  settings.ticker.symbols.filter(({ symbol }) => symbol.trim() !== '').slice(0, 8);

/** The pages that a device with these settings turns through. */
export function previewPages(settings: DeviceSettings): PreviewPage[] {
  const symbols = filled(settings);
  const mode = valueAt(settings, 'mode');
  const pages: PreviewPage[] = symbols.map((_, index) => ({ kind: 'symbol', index }));
  if (valueAt(settings, 'ticker.watchlist') === true && symbols.length > 0) pages.push({ kind: 'watchlist' });
  if (valueAt(settings, 'ticker.showPortfolio') === true && symbols.some(({ qty }) => qty > 0))
    pages.push({ kind: 'portfolio' });
  if (mode === 'clock') return [{ kind: 'clock' }];
  return mode === 'carousel' ? [...pages, { kind: 'clock' }] : pages;
}

/** What a source said about a symbol, by `quoteKey`. */
export type TriedQuotes = ReadonlyMap<string, Pick<TriedQuote, 'price' | 'previous' | 'currency' | 'name' | 'spark'>>;

/** Which reply of a source a row is drawn with: another time span is another chart. */
export const quoteKey = ({ source, symbol }: TickerSymbol, range: string): string => `${source} ${symbol} ${range}`;

/** The time span of a row: its own, otherwise that of all. */
export const rangeOf = (settings: DeviceSettings, { range }: TickerSymbol): string =>
  range || String(valueAt(settings, 'ticker.range') ?? '1d');

/**
 * What the firmware draws for a page: with the device's own prices where it has some, otherwise with samples. A device
 * does not tell its charts: they are those of the source if it was asked (`tried`), otherwise invented ones that fit
 * the price and its change.
 */
export function previewView(
  settings: DeviceSettings,
  status: DeviceStatus | null,
  page: number,
  tried: TriedQuotes = new Map(),
): TickerView {
  const symbols = filled(settings);
  const pages = previewPages(settings);
  const shown = pages[Math.min(page, pages.length - 1)];
  const view = {
    brightness: Number(valueAt(settings, 'brightness') ?? 100),
    online: status?.connected ?? true,
    time: localSeconds(status),
    // A device labels a chart with the time span that it asked for.
    quotes: symbols.map((row) => ({ range: rangeOf(settings, row), ...quoteOf(row, status, settings, tried) })),
  };
  if (shown === undefined) return { ...view, scene: 'no-symbols', ...nameOf(status) };
  if (shown.kind === 'clock') return { ...view, scene: 'clock' };
  const turned = pages.filter(({ kind }) => kind !== 'clock').length;
  const at = pages.indexOf(shown);
  return shown.kind === 'symbol'
    ? { ...view, scene: 'ticker', index: shown.index, page: at, pages: turned }
    : { ...view, scene: shown.kind, page: at, pages: turned };
}

const nameOf = (status: DeviceStatus | null): { network?: string; address?: string } =>
  status === null ? {} : { network: status.ssid, address: status.ip };

/** The local time of the device; the reply has it with its offset. Without one, a clock that people know from shops. */
function localSeconds(status: DeviceStatus | null): number | null {
  if (status !== null && status.time === undefined) return null;
  const text = status?.time ?? '2026-01-05T10:10:00+00:00';
  const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000;
  return Number.isFinite(seconds) ? seconds : null;
}

function quoteOf(
  row: TickerSymbol,
  status: DeviceStatus | null,
  settings: DeviceSettings,
  tried: TriedQuotes,
): TickerQuote {
  const points = Number(valueAt(settings, 'ticker.points') ?? 48);
  const real = status?.tickers.find(({ symbol, source }) => symbol === row.symbol && source === row.source);
  const found = tried.get(quoteKey(row, rangeOf(settings, row)));
  if (real?.valid && real.price !== undefined) {
    const first = real.change === undefined ? real.price : difference(real.price, real.change);
    const spark = found?.spark ?? sampleChart(row.symbol, first, real.price, points);
    return { ...realQuote(real, real.price), spark: spark.slice(-points) };
  }
  if (found === undefined) return sampleQuote(row, points);
  const { price, previous, currency, name, spark } = found;
  return { state: 'fresh', price, ...(previous !== null && { previous }), currency, name, spark };
}

function realQuote(quote: DeviceQuote, price: number): TickerQuote {
  const { change, basis, currency, age, fresh, error, httpStatus, source } = quote;
  const reason = error.replaceAll('_', '-') as TickerReason;
  return {
    state: fresh ? 'fresh' : 'stale',
    price,
    ...(change !== undefined && basis === 'day' && { previous: difference(price, change) }),
    ...(currency !== undefined && { currency }),
    currencyIsPrefix: source === 'webhook' || source === 'github',
    ...(age !== undefined && { ageS: age }),
    ...(TICKER_REASONS.includes(reason) && { reason }),
    ...(httpStatus !== undefined && { httpStatus }),
  };
}

/** As decimal numbers are subtracted, without the noise of binary ones. */
function difference(one: number, other: number): number {
  const places = Math.max(...[one, other].map((value) => (`${value}`.split('.')[1] ?? '').length));
  return Number((one - other).toFixed(Math.min(places, 12)));
}

/** A number that is the same for the same symbol each time. */
const seedOf = (symbol: string): number =>
  [...symbol].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7);

/** The same invented prices for the same symbol each time. */
function sampleQuote({ symbol }: TickerSymbol, points: number): TickerQuote {
  const seed = seedOf(symbol);
  const previous = 20 + (seed % 400);
  const price = Number((previous * (1 + ((seed % 7) - 3) / 80)).toFixed(2));
  return { state: 'fresh', price, previous, currency: 'USD', spark: sampleChart(symbol, previous, price, points) };
}

/** An invented chart between two prices; without room for one, none. */
function sampleChart(symbol: string, first: number, last: number, points: number): number[] {
  if (points < 2) return [];
  const seed = seedOf(symbol);
  const height = Math.max(Math.abs(last - first), Math.abs(last) / 40);
  return Array.from({ length: points }, (_, at) => {
    const part = at / (points - 1);
    const wave = Math.sin(part * Math.PI * (3 + (seed % 4))) * Math.sin(part * Math.PI) * height;
    return Number((first + (last - first) * part + wave / 2).toPrecision(9));
  });
}

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

/** What the firmware draws for a page: with the device's own prices where it has some, otherwise with samples. */
export function previewView(settings: DeviceSettings, status: DeviceStatus | null, page: number): TickerView {
  const symbols = filled(settings);
  const pages = previewPages(settings);
  const shown = pages[Math.min(page, pages.length - 1)];
  const view = {
    brightness: Number(valueAt(settings, 'brightness') ?? 100),
    online: status?.connected ?? true,
    time: localSeconds(status),
    quotes: symbols.map((row) => quoteOf(row, status)),
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

function quoteOf(row: TickerSymbol, status: DeviceStatus | null): TickerQuote {
  const real = status?.tickers.find(({ symbol, source }) => symbol === row.symbol && source === row.source);
  return real?.valid && real.price !== undefined ? realQuote(real, real.price) : sampleQuote(row);
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

/** The same invented prices for the same symbol each time. */
function sampleQuote({ symbol }: TickerSymbol): TickerQuote {
  const seed = [...symbol].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7);
  const previous = 20 + (seed % 400);
  const spark = Array.from({ length: 48 }, (_, at) =>
    Number((previous * (1 + Math.sin(at / 6 + seed) / 40 + (at * ((seed % 7) - 3)) / 4000)).toFixed(2)),
  );
  return { state: 'fresh', price: spark.at(-1)!, previous, currency: 'USD', spark };
}

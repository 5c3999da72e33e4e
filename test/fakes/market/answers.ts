/** Data of one symbol in the fake market; closes are oldest first. */
export interface Listing {
  price: number;
  previousClose: number;
  /** Close before the charted span: not the previous close. */
  spanClose?: number;
  currency: string;
  name: string;
  closes: (number | null)[];
}

const DAY = 86_400;
const STEP: Record<string, number> = { '5m': 300, '30m': 1800, '1d': DAY, '1wk': 7 * DAY, '1mo': 30 * DAY };

/** The chart endpoint's body. `now` in seconds; the newest close is of `now`, those before it one candle apart. */
export function chartBody(
  symbol: string,
  listing: Listing,
  { interval, now }: { interval: string; now: number },
): string {
  const step = STEP[interval] ?? DAY;
  const timestamp = listing.closes.map((_, index) => now - (listing.closes.length - 1 - index) * step);
  const { price, previousClose, spanClose = previousClose, currency, name, closes } = listing;
  const meta = {
    currency,
    symbol,
    exchangeName: 'NMS',
    gmtoffset: 0,
    regularMarketTime: now,
    regularMarketPrice: price,
    chartPreviousClose: interval.endsWith('m') ? previousClose : spanClose,
    ...(interval.endsWith('m') && { previousClose }),
    shortName: name,
    longName: `${name} Incorporated`,
  };
  return JSON.stringify({
    chart: {
      result: [
        { meta, timestamp, indicators: { quote: [{ open: closes, close: closes }], adjclose: [{ adjclose: closes }] } },
      ],
      error: null,
    },
  });
}

export const unknownChart = JSON.stringify({
  chart: { result: null, error: { code: 'Not Found', description: 'No data found, symbol may be delisted' } },
});

/** The quote of the portal: numbers as text with Swiss separators; an unknown key has an empty price. */
export function portalQuote(listing: Listing | undefined): string {
  const swiss = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, "'");
  const change = listing && listing.price - listing.previousClose;
  const node =
    listing && change !== undefined
      ? {
          lval: swiss(listing.price),
          iNetVperprV: change.toFixed(2),
          perfPercentage: ((change / listing.previousClose) * 100).toFixed(2),
          mCur: listing.currency,
          mShortName: listing.name,
        }
      : { lval: '', iNetVperprV: '', perfPercentage: '', mCur: '', mShortName: '' };
  return JSON.stringify({ data: { quoteList: { quoteList: { edges: [{ node }] } } } });
}

/** The newest `max` closes: real numbers, oldest first. */
export function portalSeries(listing: Listing | undefined, max: number): string {
  const prices = (listing?.closes ?? [])
    .filter((close) => close !== null)
    .slice(-max)
    .map((close) => ({ close }));
  return JSON.stringify({ data: { integration: { solid: { chart: { timeserie: { prices } } } } } });
}

/** The webhook object, which is also the content of a published file. */
export function webhookBody(
  symbol: string,
  listing: Listing,
  { range, points }: { range: string; points: number },
): string {
  const { price, previousClose, currency, name, closes } = listing;
  return JSON.stringify({
    symbol,
    name,
    price,
    currency,
    change: Number((price - previousClose).toFixed(4)),
    changePct: Number((((price - previousClose) / previousClose) * 100).toFixed(4)),
    spark: points === 0 ? [] : closes.filter((close) => close !== null).slice(-points),
    range: range.toUpperCase(),
    ok: true,
  });
}

/** The search of the portal: all listings whose key or name has the word, as equities. */
export function portalSearch(listings: ReadonlyMap<string, Listing>, document: string): string {
  const word = /search:"([^"]*)"/.exec(document)?.[1]?.toLowerCase() ?? '';
  const items = [...listings]
    .filter(([key, { name }]) => word !== '' && (key.startsWith(word) || name.toLowerCase().includes(word)))
    .map(([key, { name, currency }]) => ({ listingId: key, mName: name, market: 'SIX', mCur: currency, mIsin: null }));
  const none = { items: [] };
  return JSON.stringify({ data: { textSearch: { equity: { items }, fund: none, bond: null, index: none } } });
}

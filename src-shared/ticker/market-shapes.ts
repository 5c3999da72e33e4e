import { z } from 'zod';

/** What sources of prices answer, as far as it is used. All of it is foreign and bounded. */

/** As the portal writes keys of listings: valor, market, currency. */
export const LISTING_KEY = /^\d{1,12}-\d{1,6}-\d{1,6}$/;

/** More than any price; what is beyond it is not one. Sums and differences of such numbers stay numbers. */
const MAX_PRICE = 1e15;
const price = z.number().min(-MAX_PRICE).max(MAX_PRICE);
/** One candle that is not a price is one that is missing. */
const close = price.nullable().catch(null);

export const foundItem = z.object({
  listingId: z.string().regex(LISTING_KEY),
  mName: z.string().max(200).nullish(),
  market: z.string().max(100).nullish(),
  mCur: z.string().max(20).nullish(),
  mIsin: z.string().max(20).nullish(),
});
const group = z.object({ items: z.array(z.unknown()).max(1000).nullish() }).nullish();
export const searchReply = z.object({ data: z.object({ textSearch: z.record(z.string(), group) }) });

const closesOf = z.array(close).max(20_000);
export const chartReply = z.object({
  chart: z.object({
    result: z
      .array(
        z.object({
          meta: z.object({
            regularMarketPrice: price,
            regularMarketTime: z.number().optional(),
            gmtoffset: z.number().default(0),
            previousClose: price.optional().catch(undefined),
            currency: z.string().max(20).default(''),
            shortName: z.string().max(200).optional(),
            longName: z.string().max(200).optional(),
          }),
          timestamp: z.array(z.number()).max(20_000).default([]),
          indicators: z.object({ quote: z.array(z.object({ close: closesOf.default([]) })).max(4) }),
        }),
      )
      .nullable(),
  }),
});
export type Chart = NonNullable<z.output<typeof chartReply>['chart']['result']>[number];

/** The portal writes numbers as text, with Swiss separators. */
const swissNumber = z
  .string()
  .max(40)
  .transform((text) => (text.trim() === '' ? NaN : Number(text.replace(/['’\s]/g, '').replace(',', '.'))))
  .transform((value) => (Math.abs(value) <= MAX_PRICE ? value : NaN));
const node = z.object({
  lval: swissNumber,
  iNetVperprV: swissNumber.nullish(),
  mCur: z.string().max(20).nullish(),
  mShortName: z.string().max(200).nullish(),
});
export const portalReply = z.object({
  data: z.object({ quoteList: z.object({ quoteList: z.object({ edges: z.array(z.object({ node })).max(10) }) }) }),
});
export const seriesReply = z.object({
  data: z.object({
    integration: z.object({
      solid: z.object({
        chart: z.object({
          timeserie: z.object({ prices: z.array(z.object({ close })).max(2000) }),
        }),
      }),
    }),
  }),
});

export const publishedQuote = z.object({
  price,
  name: z.string().max(200).optional(),
  currency: z.string().max(20).default(''),
  change: price.optional().catch(undefined),
  spark: z.array(close).max(1000).default([]),
  ok: z.boolean().default(true),
});

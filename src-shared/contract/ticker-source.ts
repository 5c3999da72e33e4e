import { z } from 'zod';

/** The file that makes Hearth a source of prices for tickers in the home network (ADR 0131). */

const label = z.string().min(1).max(31);
const shown = { name: z.string().max(60).optional(), currency: z.string().max(10).default('') };

const fixed = z.strictObject({
  kind: z.literal('fixed'),
  price: z.number(),
  change: z.number().optional(),
  ...shown,
});
const chart = z.strictObject({ kind: z.literal('chart'), symbol: label, name: z.string().max(60).optional() });
const file = z.strictObject({
  kind: z.literal('file'),
  /** Beside the list, or in a folder there. */
  path: z.string().min(1).max(300),
  format: z.enum(['csv', 'json']),
  /** The column or key of the price. In a CSV file the last row is the newest. */
  field: z.string().min(1).max(60).default('price'),
  ...shown,
});
const portfolio = z.strictObject({
  kind: z.literal('portfolio'),
  /** Other symbols of this list, which must be in one currency. */
  parts: z
    .array(z.strictObject({ symbol: label, quantity: z.number().min(0) }))
    .min(1)
    .max(50),
  ...shown,
});

const entry = z.discriminatedUnion('kind', [fixed, chart, file, portfolio]);
export type SourceEntry = z.output<typeof entry>;

export const tickerSource = z.strictObject({
  /** One token for each device; the address that the device gets contains it. */
  devices: z.array(z.strictObject({ name: label, token: z.string().min(16).max(100) })).max(50),
  symbols: z.record(label, entry),
});
export type TickerSource = z.output<typeof tickerSource>;

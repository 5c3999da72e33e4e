import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { id, idParams, timestamp } from './wire.ts';

/** The list that makes Hearth a source of prices for tickers in the home network (ADR 0131 and 0146). */

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

export const sourceEntry = z.discriminatedUnion('kind', [fixed, chart, file, portfolio]);
export type SourceEntry = z.output<typeof sourceEntry>;

/** The list as a file that the configuration names. */
export const tickerSource = z.strictObject({
  /** One token for each device; the address that the device gets contains it. */
  devices: z.array(z.strictObject({ name: label, token: z.string().min(16).max(100) })).max(50),
  symbols: z.record(label, sourceEntry),
});

export const MAX_SOURCE_DEVICES = 50;
export const MAX_SOURCE_SYMBOLS = 100;

const sourceDevice = z.object({ id, name: z.string(), created_at: timestamp });
export type SourceDevice = z.output<typeof sourceDevice>;

const sourceView = z.object({
  /** `failed`: it should run, but its port is taken. */
  state: z.enum(['off', 'on', 'failed']),
  /** The configuration names a file as list: that one counts, and nothing can be changed here. */
  is_file: z.boolean(),
  /** Where devices in the home network reach it, without the token. */
  addresses: z.array(z.string()),
  devices: z.array(sourceDevice),
  symbols: z.array(z.object({ symbol: z.string(), entry: sourceEntry })),
  /** The CSV and JSON files that entries may read. */
  files: z.array(z.string()),
  /** The folder of these files; null for callers on another computer. */
  folder: z.string().nullable(),
});
export type SourceView = z.output<typeof sourceView>;

const webhookQuote = z.object({
  symbol: z.string(),
  name: z.string(),
  price: z.number(),
  /** Printed before the price. */
  currency: z.string(),
  change: z.number().optional(),
  /** Oldest first. */
  spark: z.array(z.number()),
  range: z.string(),
  ok: z.literal(true),
});
/** What a ticker reads from a webhook. */
export type WebhookQuote = z.output<typeof webhookQuote>;

const storedDevice = z.object({
  id: z.number(),
  name: z.string(),
  /** SHA-256 of its token, in hexadecimal digits. */
  hash: z.string(),
  created_at: z.string(),
  /** While it may still be restored. */
  removed_at: z.string().nullable(),
});
export type StoredDevice = z.output<typeof storedDevice>;

/** The list as the page edits it, one row of the settings in the database. */
export const storedList = z.object({
  is_on: z.boolean(),
  /** Ids are not used twice. */
  next_id: z.number(),
  devices: z.array(storedDevice),
  symbols: z.array(z.object({ symbol: z.string(), entry: sourceEntry })),
});
export type StoredList = z.output<typeof storedList>;

const LIST_ERRORS = ['ticker.source_is_file', 'ticker.source_full'] as const;
const base = '/api/tickers/source';

/** Prices that tickers in the home network fetch from Hearth. */
export const tickerSourceList = {
  get: endpoint({
    method: 'GET',
    path: base,
    access: 'admin',
    reply: sourceView,
    summary: 'Lists the prices that tickers in the home network may fetch from Hearth, and which devices may.',
  }),
  turn: endpoint({
    method: 'PUT',
    path: `${base}/state`,
    access: 'admin',
    audit: 'ticker.source',
    body: z.strictObject({ is_on: z.boolean() }),
    reply: sourceView,
    errors: ['ticker.source_is_file'],
    summary: 'Opens or closes the port on which tickers fetch prices. It is closed at first.',
  }),
  setSymbol: endpoint({
    method: 'PUT',
    path: `${base}/symbols`,
    access: 'admin',
    audit: 'ticker.source',
    body: z.strictObject({
      symbol: label,
      /** Its name until now, if it is to be replaced. */
      before: label.nullable().default(null),
      /** Null removes it. */
      entry: sourceEntry.nullable(),
    }),
    reply: sourceView,
    errors: [...LIST_ERRORS, 'ticker.symbol_listed'],
    summary: 'Adds, replaces or removes one symbol of the list.',
  }),
  tryEntry: endpoint({
    method: 'POST',
    path: `${base}/try`,
    access: 'admin',
    body: z.strictObject({ symbol: label, entry: sourceEntry }),
    reply: z.object({ quote: webhookQuote.nullable(), failure: errorReference.nullable() }),
    summary: 'What a ticker would get for an entry, before it is saved. A symbol of a chart leaves this computer.',
  }),
  addDevice: endpoint({
    method: 'POST',
    path: `${base}/devices`,
    access: 'admin',
    audit: 'ticker.source',
    status: 201,
    body: z.strictObject({ name: label }),
    reply: z.object({
      device: sourceDevice,
      /** What the device gets as address of its webhook; the token in it is not stored and not shown again. */
      addresses: z.array(z.string()),
      view: sourceView,
    }),
    errors: LIST_ERRORS,
    summary: 'Lets one more device fetch prices, and gives it the address with its token.',
  }),
  removeDevice: endpoint({
    method: 'DELETE',
    path: `${base}/devices/{id}`,
    access: 'admin',
    audit: 'ticker.source',
    params: idParams,
    reply: sourceView,
    errors: ['ticker.source_is_file', 'ticker.source_device_unknown'],
    summary: 'Ends at once that a device may fetch prices.',
  }),
  restoreDevice: endpoint({
    method: 'POST',
    path: `${base}/devices/{id}/restore`,
    access: 'admin',
    audit: 'ticker.source',
    params: idParams,
    reply: sourceView,
    errors: [...LIST_ERRORS, 'ticker.source_device_unknown'],
    summary: 'Lets a device fetch prices again with the token that it has, within a day after it was removed.',
  }),
} as const;

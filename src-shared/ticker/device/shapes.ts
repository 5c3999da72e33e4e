import { z } from 'zod';
import { TICKER_SOURCES } from '../settings/fields.ts';

/** What a device sends is foreign: only what is used is read, and it is bounded. */
const text = z.string().max(300);
const count = z.number().finite();

/** Keys without a control here, also of newer firmware, pass through and are written back. */
const symbol = z.looseObject({
  symbol: text,
  name: text.default(''),
  source: z.enum(TICKER_SOURCES).catch('webhook'),
  qty: count.default(0),
  cost: count.default(0),
  /** Missing from firmware that does not have them for each row. */
  range: text.optional(),
  pollSec: count.optional(),
  above: count.optional(),
  below: count.optional(),
});
export type TickerSymbol = z.output<typeof symbol>;

/** A file of settings, which may hold a part of them; lists have rows, whatever else is in them. */
export const settingsFile = z.looseObject({
  hostname: text.optional(),
  wifi: z
    .array(z.looseObject({ ssid: text, pass: text.nullish() }))
    .max(64)
    .optional(),
  ticker: z.looseObject({ symbols: z.array(symbol).max(64).optional() }).optional(),
});

/** The reply to `get` and of `GET /api/config`; keys of newer firmware are kept. */
export const deviceSettings = z.looseObject({
  hostname: text,
  wifi: z.array(z.object({ ssid: text, passSet: z.boolean().default(false) })).max(16),
  ticker: z.looseObject({ symbols: z.array(symbol).max(64) }),
  chip: text,
  board: text.default(''),
  features: z.looseObject({ github: z.boolean().default(false), lightSensor: z.boolean().default(false) }).optional(),
});
export type DeviceSettings = z.output<typeof deviceSettings>;

const quote = z.object({
  symbol: text,
  source: text,
  valid: z.boolean(),
  fresh: z.boolean(),
  error: text.default(''),
  httpStatus: count.optional(),
  retryIn: count.optional(),
  price: count.optional(),
  currency: text.optional(),
  age: count.optional(),
  change: count.optional(),
  changePct: count.optional(),
  basis: z.enum(['range', 'day']).optional(),
});
export type DeviceQuote = z.output<typeof quote>;

/** The reply to `info` and of `GET /api/status`. */
export const deviceStatus = z.object({
  version: text,
  chip: text,
  board: text.default(''),
  hostname: text,
  mode: z.enum(['ap', 'sta']),
  connected: z.boolean(),
  ssid: text,
  ip: text,
  rssi: count,
  heap: count,
  maxblk: count,
  uptime: count,
  reset: text,
  safeMode: z.boolean().default(false),
  crashes: count.default(0),
  synced: z.boolean(),
  time: text.optional(),
  night: z.boolean().default(false),
  updateMsg: text.optional(),
  tickers: z.array(quote).max(64),
});
export type DeviceStatus = z.output<typeof deviceStatus>;

/** The reply to settings that were taken, also of `POST /api/config`. */
export const savedReply = z.object({ ok: z.literal(true), reboot: z.boolean() });

/** The reply to `set`. */
export const setReply = z.union([savedReply, z.object({ ok: z.literal(false), key: text, rule: text })]);

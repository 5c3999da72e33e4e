import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { TICKER_RANGES } from './ticker-ranges.ts';
import { freeText } from './wire.ts';

/** One instrument that the portal's search found. */
const foundSymbol = z.object({
  /** The listing key: what a device takes as symbol. */
  key: z.string(),
  name: z.string(),
  market: z.string(),
  currency: z.string(),
  isin: z.string().nullable(),
});
export type FoundSymbol = z.output<typeof foundSymbol>;

/** What a source answered, as a device would show it. */
const triedQuote = z.object({
  name: z.string(),
  price: z.number(),
  currency: z.string(),
  /** The previous close; null if the source did not tell it. */
  previous: z.number().nullable(),
  /** Oldest first. */
  spark: z.array(z.number()),
});
export type TriedQuote = z.output<typeof triedQuote>;

/** It is put between quotation marks in a header of the request. */
const userName = z
  .string()
  .max(31)
  .regex(/^[ !#-[\]-~\u00a0-\uffff]*$/)
  .default('admin');
/** Where a device is, and who asks it. The password is used for this call and not stored. */
const reach = {
  address: freeText(200),
  user: userName,
  password: z.string().max(63).default(''),
};
/** Of the device, by src-shared/ticker/device/shapes.ts; what newer firmware adds passes through. */
const status = z.record(z.string(), z.unknown());
const settings = z.record(z.string(), z.unknown());

const ADDRESS_ERRORS = [
  'ticker.address_refused',
  'ticker.device_silent',
  'ticker.password_wrong',
  'ticker.not_hearth',
] as const;

/** An image that comes with Hearth: one for a whole board, written to the beginning of its memory. */
const bundledImage = z.object({
  /** The tag of the board. */
  board: z.string(),
  name: z.string(),
  version: z.string(),
  /** As in manifests of ESP Web Tools. */
  chip: z.string(),
  bytes: z.number(),
});
export type BundledImage = z.output<typeof bundledImage>;

/** Tickers on the network, and symbols for them. The page reaches both only through these endpoints. */
export const tickers = {
  search: endpoint({
    method: 'POST',
    path: '/api/tickers/symbols/search',
    access: 'session',
    body: z.strictObject({ text: freeText(300) }),
    reply: z.object({ found: z.array(foundSymbol) }),
    errors: ['ticker.nothing_leaves', 'ticker.source_failed'],
    summary: 'Asks the Swiss portal for instruments by link, ISIN, valor or name. The text leaves this computer.',
  }),
  tryQuote: endpoint({
    method: 'POST',
    path: '/api/tickers/symbols/try',
    access: 'session',
    body: z.strictObject({
      source: z.enum(['yahoo', 'cash', 'github']),
      symbol: freeText(31),
      range: z.enum(TICKER_RANGES),
      points: z.int().min(0).max(60),
      /** `owner/name`, for `github`. */
      repo: z.string().max(100).default(''),
    }),
    reply: z.object({ quote: triedQuote.nullable(), failure: errorReference.nullable() }),
    errors: ['ticker.nothing_leaves'],
    summary: 'Asks a source for one symbol, as a device would. The symbol leaves this computer.',
  }),
  listFirmware: endpoint({
    method: 'GET',
    path: '/api/tickers/firmware',
    access: 'session',
    reply: z.object({ images: z.array(bundledImage) }),
    summary: 'Lists the firmware for tickers that comes with this copy of Hearth. There may be none.',
  }),
  readFirmware: endpoint({
    method: 'GET',
    path: '/api/tickers/firmware/{board}',
    access: 'session',
    params: z.object({ board: z.string().max(40) }),
    reply: 'bytes',
    errors: ['ticker.firmware_missing', 'ticker.firmware_damaged'],
    summary: 'The image of one board, compared with its SHA-256.',
  }),
  discover: endpoint({
    method: 'POST',
    path: '/api/tickers/discover',
    access: 'editor',
    body: z.strictObject({ seconds: z.int().min(0).max(5) }),
    reply: z.object({
      devices: z.array(
        z.object({
          name: z.string(),
          address: z.string(),
          /** Null if the device tells nothing without its password. */
          version: z.string().nullable(),
          board: z.string().nullable(),
        }),
      ),
    }),
    summary: 'Listens for some seconds for tickers in the home network (multicast DNS).',
  }),
  readDevice: endpoint({
    method: 'POST',
    path: '/api/tickers/device',
    access: 'editor',
    body: z.strictObject(reach),
    reply: z.object({ status, settings }),
    errors: ADDRESS_ERRORS,
    summary: 'Reads state and settings of a device in the home network.',
  }),
  writeDevice: endpoint({
    method: 'POST',
    path: '/api/tickers/device/settings',
    access: 'editor',
    audit: 'ticker.configure',
    body: z.strictObject({ ...reach, document: settings }),
    reply: z.object({ settings }),
    errors: [
      ...ADDRESS_ERRORS,
      'ticker.setting_refused',
      'ticker.settings_too_long',
      'ticker.not_kept',
      'ticker.device_busy',
      'ticker.not_saved',
    ],
    summary: 'Writes some settings of a device in the home network, and reads them back.',
  }),
  actDevice: endpoint({
    method: 'POST',
    path: '/api/tickers/device/action',
    access: 'editor',
    body: z.strictObject({ ...reach, action: z.enum(['refresh', 'reboot', 'presence']) }),
    reply: z.object({ ok: z.literal(true) }),
    errors: [...ADDRESS_ERRORS, 'ticker.device_busy', 'ticker.code_shown'],
    summary: 'Lets a device fetch now, start again, or show the code that proves presence.',
  }),
  updateDevice: endpoint({
    method: 'POST',
    path: '/api/tickers/device/update',
    access: 'editor',
    audit: 'ticker.update',
    file: 'file',
    query: z.object({
      address: freeText(200).optional(),
      user: userName,
      /** Given as fields of the form, which are in no log. */
      password: z.string().max(63).default(''),
      /** The code on the screen, where the device wants one. */
      code: z
        .string()
        .regex(/^\d{0,6}$/)
        .default(''),
    }),
    reply: z.object({
      status,
      /** Settings that the new firmware had lost, and that were put back. */
      restored: z.array(z.string()),
    }),
    errors: [
      ...ADDRESS_ERRORS,
      'ticker.update_unreadable',
      'ticker.update_other_board',
      'ticker.update_too_large',
      'ticker.update_not_signed',
      'ticker.update_not_stored',
      'ticker.presence_needed',
      'ticker.device_busy',
      'ticker.not_kept',
      'ticker.setting_refused',
      'ticker.not_saved',
      'upload.no_file',
    ],
    summary: 'Installs an update on a device in the home network, and keeps its settings.',
  }),
} as const;

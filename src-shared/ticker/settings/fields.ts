import { TICKER_RANGES } from '../../contract/ticker-ranges.ts';

/**
 * The settings of a device with their limits, as firmware/core/settings/fields.cpp has them; a test compares the two
 * tables. Lists (`wifi`, `ticker.symbols`) are in check.ts.
 */

/** What a setting accepts. `characters` are code points, `bytes` those of UTF-8. */
export type Rule =
  | { kind: 'flag' }
  | { kind: 'whole'; low: number; high: number }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'time' }
  | { kind: 'text' | 'host' | 'address' | 'repo' | 'zone'; characters: number; bytes: number }
  /** Never read back; `isKept`: an empty one leaves the stored one. */
  | { kind: 'secret'; characters: number; bytes: number; isKept: boolean };

export const TICKER_SOURCES = ['yahoo', 'cash', 'github', 'webhook'] as const;
export type TickerSource = (typeof TICKER_SOURCES)[number];

export const MAX_SYMBOLS = 8;
export const MAX_NETWORKS = 4;
export const MIN_SECRET_CHARACTERS = 8;
export const MAX_SSID_BYTES = 32;
export const MAX_WIFI_PASSWORD_BYTES = 64;
export const SYMBOL_LIMITS = {
  symbol: { characters: 23, bytes: 31 },
  name: { characters: 19, bytes: 39 },
} as const;
/** A document of settings, in bytes. */
export const MAX_SETTINGS_BYTES = 16_384;

const flag = { kind: 'flag' } as const;
const time = { kind: 'time' } as const;
const whole = (low: number, high: number) => ({ kind: 'whole', low, high }) as const;
const choice = <T extends string>(...choices: T[]) => ({ kind: 'choice', choices }) as const;
const text = <K extends 'text' | 'host' | 'address' | 'repo' | 'zone'>(kind: K, characters: number, bytes: number) =>
  ({ kind, characters, bytes }) as const;
const secret = (characters: number, bytes: number, isKept: boolean) =>
  ({ kind: 'secret', characters, bytes, isKept }) as const;

/** By the path of the setting. */
export const SETTING_FIELDS = {
  hostname: text('host', 32, 32),
  apSsid: text('text', 32, 32),
  apPass: secret(63, 63, false),
  mode: choice('stocks', 'clock', 'carousel'),
  carouselSec: whole(5, 3600),
  httpTimeout: whole(1000, 20_000),
  brightness: whole(0, 100),
  autoBrightness: flag,
  backlightInverted: flag,
  rotation: whole(0, 3),
  language: choice('en', 'de'),
  'ticker.webhookUrl': text('address', 200, 200),
  'ticker.repo': text('repo', 100, 100),
  'ticker.range': choice(...TICKER_RANGES),
  'ticker.points': whole(0, 60),
  'ticker.pollSec': whole(10, 3600),
  'ticker.rotateSec': whole(2, 3600),
  'ticker.colorInverted': flag,
  'ticker.changeOnRange': flag,
  'ticker.showName': flag,
  'ticker.showPrice': flag,
  'ticker.showChange': flag,
  'ticker.showChart': flag,
  'ticker.showRangeLabel': flag,
  'ticker.showPageDots': flag,
  'ticker.showPortfolio': flag,
  'ticker.showUpdatedAgo': flag,
  'ticker.showMarket': flag,
  'ticker.extendedHours': flag,
  'ticker.rangeBar': choice('off', 'day', '52w'),
  'ticker.watchlist': flag,
  'ticker.showClock': flag,
  'clock.tz': text('text', 39, 39),
  'clock.tzPosix': text('zone', 47, 47),
  'clock.nightEnabled': flag,
  'clock.nightStart': time,
  'clock.nightEnd': time,
  'clock.nightLevel': whole(0, 100),
  'clock.nightClock': flag,
  'clock.weekendOwn': flag,
  'clock.weekendStart': time,
  'clock.weekendEnd': time,
  'clock.hours12': flag,
  'display.colorOrder': choice('auto', 'rgb', 'bgr'),
  'display.invert': flag,
  'display.rGain': whole(50, 150),
  'display.gGain': whole(50, 150),
  'display.bGain': whole(50, 150),
  'auth.enabled': flag,
  'auth.user': text('text', 31, 31),
  'auth.pass': secret(63, 63, true),
} as const satisfies Record<string, Rule>;

export type SettingPath = keyof typeof SETTING_FIELDS;

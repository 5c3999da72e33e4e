import type { SqliteValue } from '../ports.ts';

/** Seconds from 1970-01-01 to 2001-01-01, where Apple's clocks start. */
const APPLE_EPOCH = 978_307_200;
/**
 * Larger numbers count nanoseconds since 2001: as seconds they would be after the year 5170. Messages has used
 * nanoseconds since iOS 11.
 */
const MAX_SECONDS = 1e11;
const MIN_MS = Date.UTC(1970, 0, 2);
const MAX_MS = Date.UTC(2200, 0, 1);

/** Text of a column; null if it is empty or not text. */
export function textOf(value: SqliteValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** The number in a column, which may be stored as text; null for anything else. */
export function numberOf(value: SqliteValue | undefined): number | null {
  const isNumeric =
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The number in a column, rounded to an integer; null for anything else. */
export const intOf = (value: SqliteValue | undefined): number | null => {
  const number = numberOf(value);
  return number === null ? null : clamp(Math.round(number));
};

/** Integers on the wire must be exact. */
const clamp = (value: number): number => Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));

/** Whether a column is set, as a number or as text. */
export const flagOf = (value: SqliteValue | undefined): boolean =>
  value !== null && value !== undefined && value !== 0 && value !== 0n && value !== '' && value !== '0';

/** The bytes of a column; null if it is empty or not a blob. */
export const bytesOf = (value: SqliteValue | undefined): Uint8Array | null =>
  value instanceof Uint8Array && value.length > 0 ? value : null;

/**
 * Converts a time in seconds or nanoseconds since 2001 to milliseconds since 1970; null for 0, which means none, and
 * for times outside a phone's lifetime.
 */
export function appleMs(value: SqliteValue | undefined): number | null {
  const number = numberOf(value);
  if (number === null || number === 0) return null;
  const seconds = Math.abs(number) > MAX_SECONDS ? number / 1e9 : number;
  const ms = (seconds + APPLE_EPOCH) * 1000;
  return ms >= MIN_MS && ms < MAX_MS ? ms : null;
}

const DAY_MS = 86_400_000;
/** The last formatted day: rows are mostly in order of time, so that consecutive rows share their day. */
let lastDay = { number: -1, text: '' };
const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Formats a time in UTC: `2026-11-21T08:30:00`. */
export function toTime(ms: number | null): string | null {
  if (ms === null || !(ms >= MIN_MS && ms < MAX_MS)) return null;
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.number) lastDay = { number: day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  const seconds = Math.floor((ms - day * DAY_MS) / 1000);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
  return `${lastDay.text}T${time}`;
}

/** Converts a time since 2001 to a timestamp of the wire. */
export const appleTime = (value: SqliteValue | undefined): string | null => toTime(appleMs(value));

/** Converts a calendar's time in seconds since 2001; from the year 1600, because calendars contain birthdays. */
export function calendarTime(value: SqliteValue | undefined): string | null {
  const seconds = numberOf(value);
  const date = new Date(((seconds ?? Number.NaN) + APPLE_EPOCH) * 1000);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1600 || date.getTime() >= MAX_MS
    ? null
    : date.toISOString().slice(0, 19);
}

/** Converts a time in seconds since 1970 to a timestamp of the wire. */
export function unixTime(value: SqliteValue | undefined): string | null {
  const number = numberOf(value);
  return number === null || number === 0 ? null : toTime(number * 1000);
}

const UTF8 = new TextDecoder('utf-8', { fatal: false });
/** Decodes UTF-8; invalid bytes become U+FFFD. */
export const utf8 = (bytes: Uint8Array): string => UTF8.decode(bytes);

/** Formats 16 bytes as `XXXXXXXX-XXXX-…`; text is returned unchanged. */
export function uuidOf(value: SqliteValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!(value instanceof Uint8Array) || value.length !== 16) return null;
  const hex = [...value]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

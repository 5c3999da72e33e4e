import type { SqliteValue } from '../ports.ts';

/** Seconds from 1970-01-01 to 2001-01-01, where Apple's clocks start. */
const APPLE_EPOCH = 978_307_200;
/** Above this a number counts nanoseconds since 2001: as seconds it would be the year 5170. Messages changed over with iOS 11. */
const SURELY_NANOSECONDS = 1e11;
const MIN_MS = Date.UTC(1970, 0, 2);
const MAX_MS = Date.UTC(2200, 0, 1);

/** Text of a column; null if it is empty or not text. */
export function textOf(value: SqliteValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** A number of a column, also of one that was stored as text; null of all else. */
export function numberOf(value: SqliteValue | undefined): number | null {
  const isNumeric =
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

export const intOf = (value: SqliteValue | undefined): number | null => {
  const number = numberOf(value);
  return number === null ? null : clamp(Math.round(number));
};

/** Whole numbers of the wire are exact. */
const clamp = (value: number): number => Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));

export const flagOf = (value: SqliteValue | undefined): boolean =>
  value !== null && value !== undefined && value !== 0 && value !== 0n && value !== '' && value !== '0';

export const bytesOf = (value: SqliteValue | undefined): Uint8Array | null =>
  value instanceof Uint8Array && value.length > 0 ? value : null;

/**
 * Converts a moment in seconds or nanoseconds since 2001 to milliseconds since 1970; null for 0, which means none, and
 * for moments outside a phone's lifetime.
 */
export function appleMs(value: SqliteValue | undefined): number | null {
  const number = numberOf(value);
  if (number === null || number === 0) return null;
  const seconds = Math.abs(number) > SURELY_NANOSECONDS ? number / 1e9 : number;
  const ms = (seconds + APPLE_EPOCH) * 1000;
  return ms >= MIN_MS && ms < MAX_MS ? ms : null;
}

const DAY_MS = 86_400_000;
/** Rows come in the order of time, so that the day is mostly that of the row before. */
let lastDay = { number: -1, text: '' };
const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `2026-11-21T08:30:00`, in UTC. */
export function toTime(ms: number | null): string | null {
  if (ms === null || !(ms >= MIN_MS && ms < MAX_MS)) return null;
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.number) lastDay = { number: day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  const seconds = Math.floor((ms - day * DAY_MS) / 1000);
  return `${lastDay.text}T${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A moment since 2001 as a timestamp of the wire. */
export const appleTime = (value: SqliteValue | undefined): string | null => toTime(appleMs(value));

/** Converts a moment of a calendar, in seconds; from 1600 on, because calendars contain birthdays. */
export function calendarTime(value: SqliteValue | undefined): string | null {
  const seconds = numberOf(value);
  const date = new Date(((seconds ?? Number.NaN) + APPLE_EPOCH) * 1000);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1600 || date.getTime() >= MAX_MS
    ? null
    : date.toISOString().slice(0, 19);
}

/** A moment since 1970, in seconds, as a timestamp of the wire. */
export function unixTime(value: SqliteValue | undefined): string | null {
  const number = numberOf(value);
  return number === null || number === 0 ? null : toTime(number * 1000);
}

const UTF8 = new TextDecoder('utf-8', { fatal: false });
export const utf8 = (bytes: Uint8Array): string => UTF8.decode(bytes);
/** 16 bytes as `XXXXXXXX-XXXX-…`. */
export function uuidOf(value: SqliteValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!(value instanceof Uint8Array) || value.length !== 16) return null;
  const hex = [...value]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

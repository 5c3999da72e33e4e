import { BackupError } from '../errors.ts';

/** Reference into `$objects` of a keyed archive. */
export class Uid {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/** A dictionary; it has no prototype, so a key named `__proto__` is only a key. */
export interface PlistDictionary {
  [key: string]: PlistValue;
}

/** Integers are numbers when exact, else bigints; an absent value (binary null) is null. */
export type PlistValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | Uid
  | PlistValue[]
  | PlistDictionary;

/** The maximum nesting; Apple's own files stay below 20 levels. */
export const MAX_DEPTH = 256;

/** Creates the error for a damaged property list. */
export const damaged = (reason: string): BackupError => new BackupError('damaged_plist', { reason });

/** Creates a dictionary without a prototype. */
export const emptyDictionary = (): PlistDictionary => Object.create(null) as PlistDictionary;

/** Whether a value is a dictionary, and not an array, data, a date or a reference. */
export function isDictionary(value: unknown): value is PlistDictionary {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Date) &&
    !(value instanceof Uid)
  );
}

/** Seconds from 1970-01-01 to 2001-01-01, where Apple's clocks start. */
const APPLE_EPOCH_SECONDS = 978_307_200;

/** Converts seconds since 2001-01-01 UTC to a date; null if out of range. */
export function appleDate(seconds: number): Date | null {
  const date = new Date((seconds + APPLE_EPOCH_SECONDS) * 1000);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Converts an integer to a number if that is exact. */
export const exact = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** The maximum number of nodes of a value when it is traversed as a tree. */
const MAX_NODES = 5_000_000;
/** The maximum number of values in a file; Apple's own files stay below a hundred thousand. */
export const MAX_VALUES = 2_000_000;

/**
 * Refuses a value whose shared parts would grow exponentially during traversal (an array of twice the same array of
 * twice …). Returns the value. Throws `damaged_plist`.
 */
export function walkable<T extends PlistValue>(value: T): T {
  const sizes = new Map<object, number>();
  const sizeOf = (part: PlistValue): number => {
    if (!Array.isArray(part) && !isDictionary(part)) return 1;
    const children: readonly PlistValue[] = Array.isArray(part) ? part : Object.values(part);
    const cachedSize = sizes.get(part as object);
    if (cachedSize !== undefined) return cachedSize;
    let size = 1;
    for (const child of children) size += sizeOf(child);
    if (size > MAX_NODES) throw damaged('the property list has too many values');
    sizes.set(part as object, size);
    return size;
  };
  sizeOf(value);
  return value;
}

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

/** Deeper nesting than this is refused; Apple's own files stay under 20. */
export const MAX_DEPTH = 256;

export const damaged = (reason: string): BackupError => new BackupError('damaged_plist', { reason });

export const emptyDictionary = (): PlistDictionary => Object.create(null) as PlistDictionary;

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

/** The moment of a number of seconds since 2001-01-01 UTC; null when no calendar has it. */
export function appleDate(seconds: number): Date | null {
  const date = new Date((seconds + APPLE_EPOCH_SECONDS) * 1000);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** An integer as a number where that is exact. */
export const exact = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** Nodes of a value when it is walked as a tree. */
const MAX_NODES = 5_000_000;

/**
 * Refuses a value whose shared parts would explode during traversal (an array of twice the same array of twice …).
 * Returns the value. Throws `damaged_plist`.
 */
export function walkable<T extends PlistValue>(value: T): T {
  const sizes = new Map<object, number>();
  const sizeOf = (part: PlistValue): number => {
    if (!Array.isArray(part) && !isDictionary(part)) return 1;
    const children: readonly PlistValue[] = Array.isArray(part) ? part : Object.values(part);
    const known = sizes.get(part as object);
    if (known !== undefined) return known;
    let size = 1;
    for (const child of children) size += sizeOf(child);
    if (size > MAX_NODES) throw damaged('more values than a plist can hold');
    sizes.set(part as object, size);
    return size;
  };
  sizeOf(value);
  return value;
}

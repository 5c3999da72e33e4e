import { BinaryPlist, isBinaryPlist } from '../format/binary-plist.ts';
import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import { readPlist } from '../format/plist.ts';
import { appleDate, isDictionary, Uid, type PlistValue } from '../format/plist-value.ts';

/** The fields of an `MBFile`; a field that is missing or of the wrong type is null. Times are seconds since 1970. */
export interface FileRecord {
  size: number | null;
  mode: number | null;
  modifiedAt: number | null;
  createdAt: number | null;
  protectionClass: number | null;
  /** The target of a symbolic link: displayed, never followed. */
  target: string | null;
  /** The class (u32 little-endian) and the wrapped key, as stored. */
  encryptionKey: Uint8Array | null;
  digest: Uint8Array | null;
}

/** The record of a file that has none. */
export const NO_RECORD: FileRecord = {
  size: null,
  mode: null,
  modifiedAt: null,
  createdAt: null,
  protectionClass: null,
  target: null,
  encryptionKey: null,
  digest: null,
};

/** The fields that lists show. */
export type ShortRecord = Pick<FileRecord, 'size' | 'modifiedAt' | 'protectionClass'> & { encrypted: boolean };

/**
 * Reads the `file` column of Manifest.db: a keyed archive of `MBFile`. The archive is not resolved as a whole, so the
 * effort for a hostile record is limited to its size. Throws `damaged_plist`.
 */
export function readFileRecord(bytes: Uint8Array): FileRecord {
  const [size, modified, protectionClass, key, mode, birth, target, digest] = readFields(bytes, ALL_FIELDS);
  return {
    size: wholeNumber(size),
    modifiedAt: timeOf(modified),
    protectionClass: wholeNumber(protectionClass),
    mode: wholeNumber(mode),
    createdAt: timeOf(birth),
    target: text(target),
    encryptionKey: data(key),
    digest: data(digest),
  };
}

/** Reads the fields that lists show. Throws `damaged_plist`. */
export function readShortRecord(bytes: Uint8Array): ShortRecord {
  const [size, modified, protectionClass, key] = readFields(bytes, SHORT_FIELDS);
  return {
    size: wholeNumber(size),
    modifiedAt: timeOf(modified),
    protectionClass: wholeNumber(protectionClass),
    encrypted: key !== null,
  };
}

const SHORT_FIELDS = ['Size', 'LastModified', 'ProtectionClass', 'EncryptionKey'] as const;
const ALL_FIELDS = [...SHORT_FIELDS, 'Mode', 'Birth', 'Target', 'Digest'] as const;
const ARCHIVE_KEYS = ['$objects', '$top'] as const,
  VALUE_KEYS = ['NS.time', 'NS.data', 'NS.string', 'NS.bytes'] as const;

/**
 * Reads fields of the root object, in the order of `names`. NSData, NSString and NSDate are converted to their values,
 * and missing fields are null. A plist that is not an archive is its own root. Opening a large backup reads a million
 * records, so keys are visited only once.
 */
function readFields(bytes: Uint8Array, names: readonly string[]): PlistValue[] {
  if (!isBinaryPlist(bytes)) return readXmlFields(bytes, names);
  const plist = new BinaryPlist(bytes);
  const [archived, top] = plist.members(plist.top, ARCHIVE_KEYS);
  const objects = archived ?? plist.top;
  const follow = (index: number | undefined): number | undefined => {
    const value = index === undefined ? undefined : plist.leaf(index);
    return value instanceof Uid ? plist.element(objects, value.index) : index;
  };
  const root = top === undefined ? plist.top : follow(plist.member(top, 'root'));
  if (root === undefined) return names.map(() => null);
  return plist.members(root, names).map((at): PlistValue => {
    const value = at === undefined ? null : plist.leaf(at);
    const index = value instanceof Uid ? plist.element(objects, value.index) : at;
    if (index === undefined) return null;
    // Numbers are stored inline, data and texts as separate objects.
    const plain = value instanceof Uid ? plist.leaf(index) : value;
    if (plain !== undefined) return plain;
    const [timeAt, ...valuesAt] = plist.members(index, VALUE_KEYS);
    const seconds = timeAt === undefined ? undefined : plist.leaf(timeAt);
    if (typeof seconds === 'number') return appleDate(seconds);
    const valueAt = follow(valuesAt.find((part) => part !== undefined));
    return (valueAt === undefined ? null : plist.leaf(valueAt)) ?? null;
  });
}

/** Reads the same fields from XML, which phones do not write here. */
function readXmlFields(bytes: Uint8Array, names: readonly string[]): PlistValue[] {
  const plist = readPlist(bytes),
    record = isKeyedArchive(plist) ? unarchive(plist) : plist;
  return names.map((name) => (isDictionary(record) ? (record[name] ?? null) : null));
}

const wholeNumber = (value: PlistValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
/** Phones write whole seconds; other programs also write fractions and dates. */
function timeOf(value: PlistValue | undefined): number | null {
  if (value instanceof Date) return timeOf(value.getTime() / 1000);
  const isTime = typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
  return isTime ? Math.floor(value) : null;
}
const text = (value: PlistValue | undefined): string | null =>
  typeof value === 'string' && value !== '$null' ? value : null;
const data = (value: PlistValue | undefined): Uint8Array | null => (value instanceof Uint8Array ? value : null);

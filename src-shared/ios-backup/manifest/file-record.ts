import { BinaryPlist, isBinaryPlist } from '../format/binary-plist.ts';
import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import { readPlist } from '../format/plist.ts';
import { appleDate, isDictionary, Uid, type PlistValue } from '../format/plist-value.ts';

/** The fields of an `MBFile`; a missing field or one of another type is null. Times are seconds since 1970. */
export interface FileRecord {
  size: number | null;
  mode: number | null;
  modifiedAt: number | null;
  createdAt: number | null;
  protectionClass: number | null;
  /** Where a symbolic link leads: shown, never followed. */
  target: string | null;
  /** Class (u32 little-endian) and wrapped key, as stored. */
  encryptionKey: Uint8Array | null;
  digest: Uint8Array | null;
}

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

/** The few fields that every listing shows. */
export type ShortRecord = Pick<FileRecord, 'size' | 'modifiedAt' | 'protectionClass'> & { encrypted: boolean };

/**
 * Reads the `file` column of Manifest.db: a keyed archive of `MBFile`. Only the fields are looked up, the archive is never
 * unfolded, so a hostile record costs what it weighs. Throws `damaged_plist`.
 */
export function readFileRecord(bytes: Uint8Array): FileRecord {
  const [size, modified, protectionClass, key, mode, birth, target, digest] = fieldsOf(bytes, ALL);
  return {
    size: wholeNumber(size),
    modifiedAt: moment(modified),
    protectionClass: wholeNumber(protectionClass),
    mode: wholeNumber(mode),
    createdAt: moment(birth),
    target: text(target),
    encryptionKey: data(key),
    digest: data(digest),
  };
}

export function readShortRecord(bytes: Uint8Array): ShortRecord {
  const [size, modified, protectionClass, key] = fieldsOf(bytes, SHORT);
  return {
    size: wholeNumber(size),
    modifiedAt: moment(modified),
    protectionClass: wholeNumber(protectionClass),
    encrypted: key !== null,
  };
}

const SHORT = ['Size', 'LastModified', 'ProtectionClass', 'EncryptionKey'] as const;
const ALL = [...SHORT, 'Mode', 'Birth', 'Target', 'Digest'] as const;
const PARTS = ['$objects', '$top'] as const,
  HELD = ['NS.time', 'NS.data', 'NS.string', 'NS.bytes'] as const;

/**
 * Reads fields of the root object in the order of their names; NSData, NSString and NSDate become the values they hold,
 * missing fields null. A plist without an archive is its own root. Opening a large backup reads a million of them, so
 * keys are visited once.
 */
function fieldsOf(bytes: Uint8Array, names: readonly string[]): PlistValue[] {
  if (!isBinaryPlist(bytes)) return unfolded(bytes, names);
  const plist = new BinaryPlist(bytes);
  const [archived, top] = plist.members(plist.top, PARTS);
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
    // Numbers are stored inline; data and texts are objects of their own.
    const own = value instanceof Uid ? plist.leaf(index) : value;
    if (own !== undefined) return own;
    const [timeAt, ...heldAt] = plist.members(index, HELD);
    const seconds = timeAt === undefined ? undefined : plist.leaf(timeAt);
    if (typeof seconds === 'number') return appleDate(seconds);
    const held = follow(heldAt.find((part) => part !== undefined));
    return (held === undefined ? null : plist.leaf(held)) ?? null;
  });
}

/** The same from XML, which no phone writes here; it is unfolded whole. */
function unfolded(bytes: Uint8Array, names: readonly string[]): PlistValue[] {
  const plist = readPlist(bytes),
    record = isKeyedArchive(plist) ? unarchive(plist) : plist;
  return names.map((name) => (isDictionary(record) ? (record[name] ?? null) : null));
}

const wholeNumber = (value: PlistValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
/** Phones write whole seconds; other writers of backups also fractions and dates. */
function moment(value: PlistValue | undefined): number | null {
  if (value instanceof Date) return moment(value.getTime() / 1000);
  const isTime = typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
  return isTime ? Math.floor(value) : null;
}
const text = (value: PlistValue | undefined): string | null =>
  typeof value === 'string' && value !== '$null' ? value : null;
const data = (value: PlistValue | undefined): Uint8Array | null => (value instanceof Uint8Array ? value : null);

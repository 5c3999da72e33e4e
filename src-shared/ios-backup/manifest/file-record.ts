import { BinaryPlist, isBinaryPlist } from '../format/binary-plist.ts';
import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import { readPlist } from '../format/plist.ts';
import { appleDate, isDictionary, Uid, type PlistValue } from '../format/plist-value.ts';

/** What an `MBFile` says of an entry; a field that is missing or of another kind is null. Times are seconds since 1970. */
export interface FileRecord {
  size: number | null;
  mode: number | null;
  modifiedAt: number | null;
  createdAt: number | null;
  protectionClass: number | null;
  /** Where a symbolic link leads: shown, never followed. */
  target: string | null;
  /** Class (u32 little-endian) and wrapped key, as they stand. */
  encryptionKey: Uint8Array | null;
  digest: Uint8Array | null;
}

export const NO_RECORD: FileRecord = { size: null, mode: null, modifiedAt: null, createdAt: null, protectionClass: null, target: null, encryptionKey: null, digest: null };

/** The few fields that every listing shows. */
export type ShortRecord = Pick<FileRecord, 'size' | 'modifiedAt' | 'protectionClass'> & { encrypted: boolean };

/**
 * Reads the `file` column of Manifest.db: a keyed archive of `MBFile`. Only the fields are looked up, the archive is never
 * unfolded, so a hostile record costs what it weighs. Throws `damaged_plist`.
 */
export function readFileRecord(bytes: Uint8Array): FileRecord {
  const record = openRecord(bytes);
  return {
    size: wholeNumber(record('Size')), modifiedAt: moment(record('LastModified')), protectionClass: wholeNumber(record('ProtectionClass')), mode: wholeNumber(record('Mode')), createdAt: moment(record('Birth')),
    target: text(record('Target')), encryptionKey: data(record('EncryptionKey')), digest: data(record('Digest')),
  };
}

export function readShortRecord(bytes: Uint8Array): ShortRecord {
  const record = openRecord(bytes);
  return { size: wholeNumber(record('Size')), modifiedAt: moment(record('LastModified')), protectionClass: wholeNumber(record('ProtectionClass')), encrypted: record('EncryptionKey') !== null };
}

type RecordFields = (name: string) => PlistValue;

/** Fields of the root object; NSData, NSString and NSDate come as what they hold. A plist that is no archive is its own root. */
function openRecord(bytes: Uint8Array): RecordFields {
  if (!isBinaryPlist(bytes)) return unfolded(bytes);
  const plist = new BinaryPlist(bytes);
  const objects = plist.member(plist.top, '$objects') ?? plist.top, top = plist.member(plist.top, '$top');
  const follow = (index: number | undefined): number | undefined => {
    const value = index === undefined ? undefined : plist.leaf(index);
    return value instanceof Uid ? plist.element(objects, value.index) : index;
  };
  const root = top === undefined ? plist.top : follow(plist.member(top, 'root'));
  return (name) => {
    const index = root === undefined ? undefined : follow(plist.member(root, name));
    if (index === undefined) return null;
    const time = plist.member(index, 'NS.time'), seconds = time === undefined ? undefined : plist.leaf(time);
    if (typeof seconds === 'number') return appleDate(seconds);
    const held = follow(plist.member(index, 'NS.data') ?? plist.member(index, 'NS.string') ?? plist.member(index, 'NS.bytes'));
    return plist.leaf(held ?? index) ?? null;
  };
}

/** The same from XML, which no phone writes here; it is unfolded whole. */
function unfolded(bytes: Uint8Array): RecordFields {
  const plist = readPlist(bytes), record = isKeyedArchive(plist) ? unarchive(plist) : plist;
  return (name) => (isDictionary(record) ? record[name] ?? null : null);
}

const wholeNumber = (value: PlistValue): number | null => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null);
/** Phones write whole seconds; other writers of backups also fractions and dates. */
const moment = (value: PlistValue): number | null => (value instanceof Date ? moment(value.getTime() / 1000) : typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : null);
const text = (value: PlistValue): string | null => (typeof value === 'string' && value !== '$null' ? value : null);
const data = (value: PlistValue): Uint8Array | null => (value instanceof Uint8Array ? value : null);

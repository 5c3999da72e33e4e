import { BinaryPlist, isBinaryPlist } from './binary-plist.ts';
import { damaged, isDictionary, walkable, type PlistDictionary, type PlistValue } from './plist-value.ts';
import { readXmlPlist } from './xml-plist.ts';

/** Property lists of phones are far smaller: Info.plist with the icons of 500 apps has less than 30 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a binary or XML property list. Throws `damaged_plist`. */
export function readPlist(bytes: Uint8Array): PlistValue {
  if (bytes.length > MAX_BYTES) throw damaged('larger than 256 MB');
  return isBinaryPlist(bytes) ? walkable(new BinaryPlist(bytes).value()) : readXmlPlist(bytes);
}

/** Reads a property list whose root must be a dictionary. Throws `damaged_plist`. */
export function readPlistDictionary(bytes: Uint8Array): PlistDictionary {
  const value = readPlist(bytes);
  if (!isDictionary(value)) throw damaged('the root is not a dictionary');
  return value;
}

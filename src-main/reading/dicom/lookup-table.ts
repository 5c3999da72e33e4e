import type { DataSet, Tag } from './data-set.ts';

/** A lookup table (PS3.3, C.11.1.1): the first value has index `first`; what is outside gets the first or last entry. */
export interface LookupTable {
  first: number;
  /** Of an entry. */
  bits: number;
  entries: ArrayLike<number>;
}

/** Reads a table by its descriptor and data; null if either is missing. */
export function readLookupTable(data: DataSet, descriptor: Tag, entries: Tag, isSigned: boolean): LookupTable | null {
  const words = data.numbers(descriptor, 'US');
  const [declared, first, bits] = words;
  if (declared === undefined || first === undefined || bits === undefined) return null;
  const count = declared & 0xffff || 65_536;
  const values = readEntries(data, entries, count);
  if (values.length === 0) return null;
  // The first value is signed as pixels are, whatever the VR says.
  const index = isSigned && first > 0x7fff ? first - 0x1_0000 : first;
  return { first: index, bits: bits & 0xff || 16, entries: values };
}

/** Entries of 8 bits may fill bytes instead of words. */
function readEntries(data: DataSet, tag: Tag, count: number): ArrayLike<number> {
  const bytes = data.littleEndian(tag, data.vr(tag) ?? 'OW');
  if (bytes.length > 0 && bytes.length < 2 * count && bytes.length >= count) return bytes.subarray(0, count);
  return data
    .numbers(tag, 'US')
    .slice(0, count)
    .map((value) => value & 0xffff);
}

/** The entry for a stored value. Values outside get the first or the last entry (PS3.3 C.11.1.1). */
export const lookUp = ({ first, entries }: LookupTable, value: number): number =>
  entries[Math.max(0, Math.min(entries.length - 1, Math.round(value) - first))] ?? 0;

import {
  MAX_DEPTH,
  MAX_VALUES,
  Uid,
  appleDate,
  damaged,
  emptyDictionary,
  exact,
  type PlistDictionary,
  type PlistValue,
} from './plist-value.ts';

/** Format: CFBinaryPList.c (opensource.apple.com): `bplist0?`, objects, offset table, trailer of 32 bytes. */
const MAGIC = [0x62, 0x70, 0x6c, 0x69, 0x73, 0x74, 0x30];
const TRAILER_BYTES = 32;

export const isBinaryPlist = (bytes: Uint8Array): boolean =>
  bytes.length >= 8 && MAGIC.every((byte, i) => bytes[i] === byte);

/**
 * The position of an object's bytes or references. `kind` is the high half of its marker, `count` its length in units
 * of that kind.
 */
interface Marker {
  kind: number;
  low: number;
  count: number;
  at: number;
}

/**
 * A binary property list that is read object by object: the index of a million file records needs only some fields of
 * each. Objects of a valid file do not overlap, so the size of everything decoded is limited to the length of the file,
 * and hostile files can't exhaust memory.
 */
export class BinaryPlist {
  readonly objectCount: number;
  readonly top: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly refSize: number;
  private readonly offsetSize: number;
  private readonly tableAt: number;

  constructor(bytes: Uint8Array) {
    if (!isBinaryPlist(bytes) || bytes.length < 8 + TRAILER_BYTES) throw damaged('not a binary plist');
    // A plain Uint8Array, because slices of Node's Buffer would share memory with the file.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const trailer = bytes.length - TRAILER_BYTES;
    this.offsetSize = bytes[trailer + 6]!;
    this.refSize = bytes[trailer + 7]!;
    this.objectCount = this.readUnsigned(trailer + 8, 8);
    this.top = this.readUnsigned(trailer + 16, 8);
    this.tableAt = this.readUnsigned(trailer + 24, 8);
    const hasValidSizes = this.offsetSize >= 1 && this.offsetSize <= 8 && this.refSize >= 1 && this.refSize <= 8;
    if (
      !hasValidSizes ||
      this.tableAt < 8 ||
      this.tableAt + this.objectCount * this.offsetSize > trailer ||
      this.top >= this.objectCount
    )
      throw damaged('the trailer does not fit the file');
  }

  /** Reads the whole tree. */
  value(): PlistValue {
    const resolved: PlistValue[] = [],
      state = new Uint8Array(this.objectCount);
    let budget = this.tableAt,
      values = MAX_VALUES;
    const read = (index: number, depth: number): PlistValue => {
      if (state[index] === 2) return resolved[index] as PlistValue;
      if (state[index] === 1) throw damaged('an object contains itself');
      if (depth > MAX_DEPTH) throw damaged('nested too deeply');
      state[index] = 1;
      const marker = this.marker(index);
      budget -= this.sizeOf(marker);
      if (budget < 0) throw damaged('objects overlap');
      const isCollection = marker.kind >= 0xa && marker.kind <= 0xd;
      values -= isCollection ? 1 + marker.count : 1;
      if (values < 0) throw damaged('the property list has too many values');
      const readValue = (): PlistValue => {
        if (marker.kind === 0xd) return this.dictionary(marker, (ref) => read(ref, depth + 1));
        const isList = marker.kind === 0xa || marker.kind === 0xb || marker.kind === 0xc;
        if (!isList) return this.scalar(marker);
        return Array.from({ length: marker.count }, (_, i) => read(this.ref(marker, i), depth + 1));
      };
      const value = readValue();
      state[index] = 2;
      resolved[index] = value;
      return value;
    };
    return read(this.top, 0);
  }

  /** Returns the value of a single object; undefined for a collection. */
  leaf(index: number): PlistValue | undefined {
    const marker = this.marker(index);
    return marker.kind >= 0xa && marker.kind <= 0xd ? undefined : this.scalar(marker);
  }

  /** Returns the object under a key of a dictionary; undefined if the object is not one or lacks the key. */
  member(index: number, key: string): number | undefined {
    const marker = this.marker(index);
    if (marker.kind !== 0xd) return undefined;
    for (let i = 0; i < marker.count; i += 1)
      if (this.spells(this.ref(marker, i), key)) return this.ref(marker, marker.count + i);
    return undefined;
  }

  /** Finds the objects under several keys of a dictionary in one pass; undefined for each missing key. */
  members(index: number, keys: readonly string[]): (number | undefined)[] {
    const refs: (number | undefined)[] = keys.map(() => undefined);
    const marker = this.marker(index);
    if (marker.kind !== 0xd) return refs;
    for (let i = 0, missing = keys.length; i < marker.count && missing > 0; i += 1) {
      const { kind, count, at } = this.marker(this.ref(marker, i));
      if (kind !== 0x5) continue;
      for (let k = 0; k < keys.length; k += 1) {
        if (refs[k] !== undefined || !this.isSpelled(at, count, keys[k]!)) continue;
        refs[k] = this.ref(marker, marker.count + i);
        missing -= 1;
        break;
      }
    }
    return refs;
  }

  /** Returns an element of an array; undefined if the object is not one or is shorter. */
  element(index: number, position: number): number | undefined {
    const marker = this.marker(index);
    return marker.kind === 0xa && position < marker.count ? this.ref(marker, position) : undefined;
  }

  private spells(index: number, text: string): boolean {
    const { kind, count, at } = this.marker(index);
    return kind === 0x5 && this.isSpelled(at, count, text);
  }

  private isSpelled(at: number, count: number, text: string): boolean {
    if (count !== text.length) return false;
    for (let i = 0; i < count; i += 1) if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** Of equal keys the first counts, as in Apple's parser (CFBinaryPList.c adds each pair by CFDictionaryAddValue). */
  private dictionary(marker: Marker, read: (ref: number) => PlistValue): PlistDictionary {
    const out = emptyDictionary();
    for (let i = 0; i < marker.count; i += 1) {
      const key = read(this.ref(marker, i));
      if (typeof key !== 'string') throw damaged('a key is not a string');
      const value = read(this.ref(marker, marker.count + i));
      if (!(key in out)) out[key] = value;
    }
    return out;
  }

  private scalar({ kind, low, count, at }: Marker): PlistValue {
    switch (kind) {
      case 0x0:
        if (low === 8) return false;
        return low === 9 ? true : null;
      case 0x1:
        return this.integer(at, count);
      case 0x2:
        return count === 4 ? this.view.getFloat32(at) : this.view.getFloat64(at);
      case 0x3:
        return appleDate(this.view.getFloat64(at));
      case 0x4:
        return this.bytes.slice(at, at + count);
      case 0x5:
        return LATIN.decode(this.bytes.subarray(at, at + count));
      case 0x6:
        return UTF16.decode(this.bytes.subarray(at, at + count * 2));
      case 0x7:
        return UTF8.decode(this.bytes.subarray(at, at + count));
      case 0x8:
        return new Uid(this.readUnsigned(at, count));
      default:
        throw damaged(`object of unknown kind ${kind}`);
    }
  }

  /** Integers of 8 and 16 bytes are signed, shorter ones unsigned. */
  private integer(at: number, size: number): number | bigint {
    if (size < 8) return this.readUnsigned(at, size);
    if (size === 8) return exact(this.view.getBigInt64(at));
    return exact((this.view.getBigInt64(at) << 64n) | this.view.getBigUint64(at + 8));
  }

  private marker(index: number): Marker {
    if (index >= this.objectCount) throw damaged('a reference to a missing object');
    const start = this.readUnsigned(this.tableAt + index * this.offsetSize, this.offsetSize);
    if (start < 8 || start >= this.tableAt) throw damaged('an object is outside the file');
    const byte = this.bytes[start]!,
      kind = byte >> 4,
      low = byte & 15;
    const marker =
      low === 15 && kind >= 0x4 && kind !== 0x8
        ? this.readLongMarker(kind, start + 1)
        : { kind, low, count: countOf(kind, low), at: start + 1 };
    if (marker.at + this.sizeOf(marker) - 1 > this.tableAt) throw damaged('an object is longer than the file');
    return marker;
  }

  /** A length of 15 or more follows the marker as an integer. */
  private readLongMarker(kind: number, at: number): Marker {
    const width = this.bytes[at]!;
    if (at >= this.tableAt || width >> 4 !== 1 || (width & 15) > 3) throw damaged('a length is not an integer');
    const size = 2 ** (width & 15);
    return { kind, low: 15, count: this.readUnsigned(at + 1, size), at: at + 1 + size };
  }

  /** The size of an object with its marker; for a collection, of its references. */
  private sizeOf({ kind, count }: Marker): number {
    if (kind === 0xd) return 1 + count * 2 * this.refSize;
    if (kind === 0xa || kind === 0xb || kind === 0xc) return 1 + count * this.refSize;
    return 1 + (kind === 0x6 ? count * 2 : count);
  }

  private ref({ at }: Marker, position: number): number {
    return this.readUnsigned(at + position * this.refSize, this.refSize);
  }

  /** Reads a big-endian unsigned integer within the file: a length, an offset or a reference, all below 2^53. */
  private readUnsigned(at: number, size: number): number {
    let value = 0;
    for (let i = 0; i < size; i += 1) value = value * 256 + this.bytes[at + i]!;
    if (value > Number.MAX_SAFE_INTEGER) throw damaged('a length is too large');
    return value;
  }
}

/** Returns the number of bytes, characters or references of an object from the low half of its marker. */
function countOf(kind: number, low: number): number {
  switch (kind) {
    case 0x0:
      return 0;
    case 0x1:
      if (low <= 4) return 1 << low;
      break;
    case 0x2:
      if (low === 2 || low === 3) return 1 << low;
      break;
    case 0x3:
      if (low === 3) return 8;
      break;
    case 0x8:
      return low + 1;
    default:
      return low;
  }
  throw damaged('a number has an invalid width');
}

const LATIN = new TextDecoder('latin1'),
  UTF8 = new TextDecoder('utf-8'),
  UTF16 = new TextDecoder('utf-16be');

import dicomParser, { type ByteArrayParser, type Element } from 'dicom-parser';
import { swapBytes } from './byte-order.ts';
import { textDecoding, type TextDecoding } from './character-sets.ts';

/** A tag as dicom-parser writes it: `x00100010`. */
export type Tag = `x${string}`;
/** The VRs of numbers: strings (decimal, integer) and binary ones. */
export const NUMBER_VRS = ['DS', 'IS', 'US', 'SS', 'UL', 'SL', 'FL', 'FD'] as const;
export type NumberVr = (typeof NUMBER_VRS)[number];

/** What dicom-parser reads. */
interface ParsedElements {
  byteArray: Uint8Array;
  byteArrayParser: ByteArrayParser;
  elements: Record<string, Element>;
}

/** Bytes of a binary number, and how it is read. */
const BINARY: Readonly<Record<string, readonly [bytes: number, read: keyof ByteArrayParser]>> = {
  US: [2, 'readUint16'],
  SS: [2, 'readInt16'],
  OW: [2, 'readUint16'],
  UL: [4, 'readUint32'],
  SL: [4, 'readInt32'],
  FL: [4, 'readFloat'],
  FD: [8, 'readDouble'],
};
/** Bytes of a word in binary values. */
const WORDS: Readonly<Record<string, number>> = { OW: 2, US: 2, SS: 2, OF: 4, OL: 4, UL: 4, SL: 4, OD: 8, OV: 8 };
/** Values of an element that are read; the longest that are needed are lookup tables of 65 536 entries. */
const MAX_NUMBERS = 65_536;
const MAX_TEXT_BYTES = 2 ** 20;

/** A text whose bytes are characters. */
export const latin1: TextDecoding = (bytes) => Buffer.from(bytes).toString('latin1');

/** The elements of an object, or of an item of a sequence. */
export class DataSet {
  readonly #parsed: ParsedElements;
  readonly #decode: TextDecoding;

  /** Texts are decoded by the Specific Character Set of the elements, or else by that of their parent. */
  constructor(parsed: ParsedElements, parentDecoding: TextDecoding) {
    this.#parsed = parsed;
    this.#decode = latin1;
    const terms = this.texts('x00080005');
    this.#decode = terms.length > 0 ? textDecoding(terms) : parentDecoding;
  }

  /** In the order of the file, without delimiters. */
  tags(): Tag[] {
    return (Object.keys(this.#parsed.elements) as Tag[]).filter((tag) => !tag.startsWith('xfffe'));
  }

  /** As the file names it; null in files without VRs. */
  vr(tag: Tag): string | null {
    return this.#parsed.elements[tag]?.vr ?? null;
  }

  /** In bytes, as the file says it; null for encapsulated pixels. */
  length(tag: Tag): number | null {
    const element = this.#parsed.elements[tag];
    return element?.hadUndefinedLength === true ? null : (element?.length ?? 0);
  }

  has(tag: Tag): boolean {
    return this.#parsed.elements[tag] !== undefined;
  }

  /** The bytes of a value, not copied; fewer than it should have where the file is cut off. */
  bytes(tag: Tag): Uint8Array {
    const element = this.#parsed.elements[tag];
    if (!element) return new Uint8Array();
    return this.#parsed.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  }

  /** The bytes of a binary value in little endian, whatever the order in the file. */
  littleEndian(tag: Tag, vr: string): Uint8Array {
    const bytes = this.bytes(tag);
    const size = WORDS[vr] ?? 1;
    if (size === 1 || this.#parsed.byteArrayParser !== dicomParser.bigEndianByteArrayParser) return bytes;
    const copy = Uint8Array.from(bytes);
    swapBytes(copy, size);
    return copy;
  }

  /** All values of a text with several of them, without padding. */
  texts(tag: Tag): string[] {
    const bytes = this.bytes(tag);
    if (bytes.length === 0) return [];
    return this.#decode(bytes.subarray(0, MAX_TEXT_BYTES)).split('\\').map(withoutPadding);
  }

  /** The first value of a text; null if it is absent or empty. */
  text(tag: Tag): string | null {
    return this.texts(tag)[0] || null;
  }

  /**
   * A text of one value, in which a backslash is a character and spaces count but at its end (PS3.5, table 6.2-1: LT, ST,
   * UT, UR); all values of UC.
   */
  paragraph(tag: Tag): string {
    return this.#decode(this.bytes(tag).subarray(0, MAX_TEXT_BYTES)).replace(/\0/g, '').replace(/ +$/, '');
  }

  /** Finite numbers of an element; `vr` is what the standard says, for files and elements without VRs. */
  numbers(tag: Tag, vr: NumberVr): number[] {
    const element = this.#parsed.elements[tag];
    if (!element) return [];
    const [size, read] = BINARY[element.vr ?? ''] ?? (isText(element.vr) ? [] : (BINARY[vr] ?? []));
    if (size === undefined || read === undefined) return this.texts(tag).flatMap(finiteNumber);
    const { byteArray, byteArrayParser } = this.#parsed;
    const count = Math.min(MAX_NUMBERS, Math.floor(this.bytes(tag).length / size));
    return Array.from({ length: count }, (_, i) =>
      byteArrayParser[read](byteArray, element.dataOffset + i * size),
    ).filter(Number.isFinite);
  }

  /** The first number of an element. */
  number(tag: Tag, vr: NumberVr): number | null {
    return this.numbers(tag, vr)[0] ?? null;
  }

  /** The items of a sequence. */
  items(tag: Tag): DataSet[] {
    const items = this.#parsed.elements[tag]?.items ?? [];
    return items.flatMap(({ dataSet }) => (dataSet ? [new DataSet(dataSet, this.#decode)] : []));
  }

  /** One item of a sequence, 0-based; null where there is none. */
  item(tag: Tag, index = 0): DataSet | null {
    const dataSet = this.#parsed.elements[tag]?.items?.[index]?.dataSet;
    return dataSet ? new DataSet(dataSet, this.#decode) : null;
  }
}

const isText = (vr: string | undefined): boolean => vr === 'DS' || vr === 'IS' || vr === 'LO' || vr === 'SH';

/** Without the NULs and spaces of PS3.5, section 6.2. */
const withoutPadding = (text: string): string => text.replace(/\0/g, '').trim();

/** Number() reads no digits as 0. */
function finiteNumber(text: string): number[] {
  const value = Number(text.replace(',', '.'));
  return text !== '' && Number.isFinite(value) ? [value] : [];
}

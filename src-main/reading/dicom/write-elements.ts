import { swapBytes } from './byte-order.ts';

/** How elements are written. */
export interface Coding {
  isExplicit: boolean;
  isBigEndian: boolean;
}

/** An element with its value as it is written, or the items of a sequence. */
export interface WrittenElement {
  /** Eight hexadecimal digits. */
  tag: string;
  vr: string;
  value: Uint8Array | WrittenElement[][];
}

export const LITTLE_ENDIAN: Coding = { isExplicit: true, isBigEndian: false };
/** PS3.5, table 7.1-1: VRs whose length has 32 bits. */
const LONG_VRS = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const ITEM = 'FFFEE000';
const ITEM_HEAD = 8;
const MAX_SHORT = 0xffff;

/** A text or UID with its padding (PS3.5, section 6.2). */
export const textElement = (tag: string, vr: string, ...values: string[]): WrittenElement => ({
  ...{ tag, vr },
  value: padded(Buffer.from(values.join('\\'), 'latin1'), vr),
});

/** A text in an object whose character set is Unicode. */
export const unicodeElement = (tag: string, vr: string, ...values: string[]): WrittenElement => ({
  ...{ tag, vr },
  value: padded(Buffer.from(values.join('\\')), vr),
});

const BYTES = /^(O[BDFLVW]|U[IN])$/;
/** PS3.5, section 7.1.1: values have an even length. */
const padded = (bytes: Uint8Array, vr: string): Uint8Array =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.of(BYTES.test(vr) ? 0 : 0x20)]);

/** Elements in the order of their tags, sequences and items with their lengths. */
export const writeElements = (elements: readonly WrittenElement[], coding: Coding): Buffer =>
  Buffer.concat(elements.toSorted((a, b) => (a.tag < b.tag ? -1 : 1)).flatMap((one) => writeElement(one, coding)));

function writeElement({ tag, vr, value }: WrittenElement, coding: Coding): Uint8Array[] {
  const content = value instanceof Uint8Array ? padded(value, vr) : writeItems(value, coding);
  // A short VR cannot hold a longer value, which only broken files have: UN can.
  const written = coding.isExplicit && !LONG_VRS.has(vr) && content.length > MAX_SHORT ? 'UN' : vr;
  return [elementHead(tag, written, content.length, coding), content];
}

/** Tag, VR and length of an element; the length 0xFFFFFFFF is undefined. */
export function elementHead(tag: string, vr: string, length: number, coding: Coding): Buffer {
  const head = [tagBytes(tag, coding)];
  if (!coding.isExplicit) return Buffer.concat([...head, uint(length, 4, coding)]);
  if (LONG_VRS.has(vr)) return Buffer.concat([...head, Buffer.from(vr), Buffer.alloc(2), uint(length, 4, coding)]);
  return Buffer.concat([...head, Buffer.from(vr), uint(length, 2, coding)]);
}

const writeItems = (items: WrittenElement[][], coding: Coding): Buffer =>
  Buffer.concat(items.map((item) => writeItem(item, coding)));

/** An item of a sequence, with its length. */
export function writeItem(elements: WrittenElement[], coding: Coding): Buffer {
  const content = writeElements(elements, coding);
  return Buffer.concat([tagBytes(ITEM, coding), uint(content.length, 4, coding), content]);
}

/** Where the items of a sequence begin, from the start of its value. */
export function itemOffsets(items: readonly WrittenElement[][], coding: Coding): number[] {
  let at = 0;
  return items.map((item) => {
    const start = at;
    at += ITEM_HEAD + writeElements(item, coding).length;
    return start;
  });
}

/** An unsigned number in two or four bytes, in the byte order of the coding. */
export function uint(value: number, size: 2 | 4, { isBigEndian }: Coding): Buffer {
  const bytes = Buffer.alloc(size);
  if (isBigEndian) bytes.writeUIntBE(value, 0, size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
}

function tagBytes(tag: string, { isBigEndian }: Coding): Buffer {
  const bytes = Buffer.from(tag, 'hex');
  if (!isBigEndian) swapBytes(bytes, 2);
  return bytes;
}

const IMPLEMENTATION_UID = '2.25.216871246534201854290365870325841062187';
const PREAMBLE_BYTES = 128;

/** Preamble and file meta information (PS3.10, section 7.1). */
export function fileHead({
  sopClass,
  instance,
  syntax,
}: {
  sopClass: string;
  instance: string;
  syntax: string;
}): Buffer {
  const meta = writeElements(
    [
      { tag: '00020001', vr: 'OB', value: Buffer.of(0, 1) },
      textElement('00020002', 'UI', sopClass),
      textElement('00020003', 'UI', instance),
      textElement('00020010', 'UI', syntax),
      textElement('00020012', 'UI', IMPLEMENTATION_UID),
      textElement('00020013', 'SH', 'HEARTH'),
    ],
    LITTLE_ENDIAN,
  );
  const length = writeElements(
    [{ tag: '00020000', vr: 'UL', value: uint(meta.length, 4, LITTLE_ENDIAN) }],
    LITTLE_ENDIAN,
  );
  return Buffer.concat([Buffer.alloc(PREAMBLE_BYTES), Buffer.from('DICM'), length, meta]);
}

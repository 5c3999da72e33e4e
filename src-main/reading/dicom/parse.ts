import { constants, inflateRawSync } from 'node:zlib';
import dicomParser, { type ByteArrayParser, type ByteStream, type Element } from 'dicom-parser';
import { textDecoding } from './character-sets.ts';
import { DataSet, latin1, type Tag } from './data-set.ts';
import { DicomError } from './dicom-error.ts';
import {
  EXPLICIT_BIG_ENDIAN,
  EXPLICIT_LITTLE_ENDIAN,
  IMPLICIT_LITTLE_ENDIAN,
  transferSyntax,
  type TransferSyntax,
} from './transfer-syntaxes.ts';

const PREAMBLE_BYTES = 128;
const PREFIX = 'DICM';
const PIXEL_DATA: Tag = 'x7fe00010';
/** Elements of all levels; an enhanced object of 4 000 frames has about as many. */
const MAX_ELEMENTS = 200_000;
/** A deflated object is decompressed as a whole. */
const MAX_INFLATED_BYTES = 128 * 2 ** 20;
const UNDEFINED_LENGTH = 0xffff_ffff;
/** Explicit VRs with a length of 32 bits (PS3.5, table 7.1-1) that dicom-parser takes for short ones. */
const LONG_VRS = new Set(['OV', 'SV', 'UV']);

/** A parsed object. */
export interface DicomObject {
  data: DataSet;
  /** The file meta information, which may be empty. */
  meta: DataSet;
  syntaxUid: string;
  syntax: TransferSyntax;
  /** The element with pixels, of which `bytes` may lack the end if only the head of the file was read. */
  pixelElement: Element | null;
  /** Whether the bytes end, or make no sense any more, before an end of the elements. */
  isCutOff: boolean;
  /** What the positions in elements refer to: the file, or what it inflates to. */
  content: Uint8Array;
}

interface Start {
  position: number;
  meta: DataSet;
  syntaxUid: string;
}

/** Whether bytes are the beginning of a DICOM file, with its preamble or without. */
export function isDicom(head: Uint8Array): boolean {
  return hasPrefix(head) || guessSyntax(head) !== null;
}

const hasPrefix = (head: Uint8Array): boolean => latin1(head.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + 4)) === PREFIX;

/**
 * Parses an object up to its pixel data, in bounded time and memory. What comes after the place where a file is cut off
 * or broken is missing.
 * @throws DicomError `not_dicom`, `damaged`, `too_complex`, `too_large`
 */
export function parseDicom(bytes: Uint8Array): DicomObject {
  const { position, meta, syntaxUid } = findStart(bytes);
  const syntax = transferSyntax(syntaxUid);
  const content = syntax.isDeflated ? inflate(bytes.subarray(position)) : bytes;
  const parser = syntax.isBigEndian ? dicomParser.bigEndianByteArrayParser : dicomParser.littleEndianByteArrayParser;
  const start = syntax.isDeflated ? 0 : position;
  if (start >= content.length) throw new DicomError('damaged', 'there is nothing after the file meta information');
  const stream = boundedStream(parser, content, start);
  const elements = readElements(stream, syntax.isExplicit);
  const data = new DataSet({ byteArray: content, byteArrayParser: parser, elements }, textDecoding([]));
  const pixelElement = elements[PIXEL_DATA] ?? elements['x7fe00008'] ?? elements['x7fe00009'] ?? null;
  const isCutOff = pixelElement === null && stream.position !== content.length;
  return { data, meta, syntaxUid, syntax, pixelElement, isCutOff, content };
}

/** Reads the file meta information (PS3.10, section 7.1), or guesses the syntax of a file without it. */
function findStart(bytes: Uint8Array): Start {
  const isPart10 = hasPrefix(bytes);
  const guessed = isPart10 ? null : guessSyntax(bytes);
  if (!isPart10 && guessed === null) throw new DicomError('not_dicom', 'no preamble and no elements');
  const from = isPart10 ? PREAMBLE_BYTES + 4 : 0;
  const elements: Record<string, Element> = {};
  const parser = dicomParser.littleEndianByteArrayParser;
  const stream = boundedStream(parser, bytes, Math.min(from, bytes.length - 1));
  let position = from;
  while (position + 8 <= bytes.length && parser.readUint16(bytes, position) === 2) {
    stream.position = position;
    const element = readOne(stream, true);
    if (element === null) break;
    elements[element.tag] = element;
    position = stream.position;
  }
  const meta = new DataSet({ byteArray: bytes, byteArrayParser: parser, elements }, latin1);
  const declared = meta.text('x00020010');
  const rest = bytes.subarray(position);
  const syntaxUid = declared ?? guessSyntax(rest) ?? guessed ?? EXPLICIT_LITTLE_ENDIAN;
  return { position, meta, syntaxUid: confirmSyntax(rest, syntaxUid) };
}

/** Some devices declare a VR and write none, or the reverse; the first element shows it. */
function confirmSyntax(rest: Uint8Array, declared: string): string {
  const { isExplicit, isDeflated, isBigEndian } = transferSyntax(declared);
  if (isDeflated || isBigEndian || declared === '') return declared;
  const isNative = declared === EXPLICIT_LITTLE_ENDIAN || declared === IMPLICIT_LITTLE_ENDIAN;
  if (!isNative || isPlausible(rest, { isExplicit, isBigEndian })) return declared;
  const other = isExplicit ? IMPLICIT_LITTLE_ENDIAN : EXPLICIT_LITTLE_ENDIAN;
  return isPlausible(rest, { isExplicit: !isExplicit, isBigEndian }) ? other : declared;
}

function guessSyntax(head: Uint8Array): string | null {
  const uids = [EXPLICIT_LITTLE_ENDIAN, IMPLICIT_LITTLE_ENDIAN, EXPLICIT_BIG_ENDIAN];
  return uids.find((uid) => isPlausible(head, transferSyntax(uid))) ?? null;
}

/** Elements that are looked at, and how long the first ones of an object may be. */
const PROBED_ELEMENTS = 3;
const MAX_PROBED_LENGTH = 4096;
const FIRST_GROUPS = new Set([0x0002, 0x0004, 0x0008]);

/** Whether the first elements have ascending tags of the first groups, known VRs and sensible lengths. */
function isPlausible(
  head: Uint8Array,
  { isExplicit, isBigEndian }: Pick<TransferSyntax, 'isExplicit' | 'isBigEndian'>,
) {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let [position, before] = [0, -1];
  for (let count = 0; count < PROBED_ELEMENTS; count += 1) {
    if (position + 8 > head.length) return false;
    const group = view.getUint16(position, !isBigEndian);
    const tag = group * 0x1_0000 + view.getUint16(position + 2, !isBigEndian);
    if (tag <= before || (count === 0 && !FIRST_GROUPS.has(group))) return false;
    const vr = latin1(head.subarray(position + 4, position + 6));
    if (isExplicit !== /^[A-Z]{2}$/.test(vr)) return false;
    const isLong = isExplicit && /^(O[BDFLVW]|SQ|SV|U[CNRTV])$/.test(vr);
    if (isLong && position + 12 > head.length) return false;
    const lengthAt = position + (isExplicit ? 6 : 4) + (isLong ? 2 : 0);
    const length =
      isExplicit && !isLong ? view.getUint16(lengthAt, !isBigEndian) : view.getUint32(lengthAt, !isBigEndian);
    // A sequence among the first elements is as good as a third element.
    if (length === UNDEFINED_LENGTH) return count > 0;
    if (length > MAX_PROBED_LENGTH) return false;
    position = lengthAt + (isExplicit && !isLong ? 2 : 4) + length;
    before = tag;
  }
  return true;
}

function inflate(deflated: Uint8Array): Uint8Array {
  try {
    const options = { maxOutputLength: MAX_INFLATED_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateRawSync(deflated, options);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new DicomError(isTooLarge ? 'too_large' : 'damaged', 'the deflated data set', error);
  }
}

/** A stream that refuses to read more elements than an object may have, and knows all long VRs. */
function boundedStream(parser: ByteArrayParser, bytes: Uint8Array, position: number): ByteStream {
  const stream = new dicomParser.ByteStream(parser, bytes, position);
  const readUint16 = stream.readUint16.bind(stream);
  // A tag takes two reads, and an item of a sequence is read twice.
  let left = MAX_ELEMENTS * 3;
  stream.readUint16 = () => {
    if ((left -= 1) < 0) throw new DicomError('too_complex', `more than ${MAX_ELEMENTS} elements`);
    return readUint16();
  };
  const readFixedString = stream.readFixedString.bind(stream);
  // Only VRs are read by it.
  stream.readFixedString = (length) => {
    const vr = readFixedString(length);
    return LONG_VRS.has(vr) ? 'OB' : vr;
  };
  return stream;
}

/** Reads the elements of the first level up to the pixel data, or up to where the bytes end or make no sense. */
function readElements(stream: ByteStream, isExplicit: boolean): Record<string, Element> {
  const elements: Record<string, Element> = {};
  while (stream.position + 8 <= stream.byteArray.length) {
    const element = readOne(stream, isExplicit);
    if (element === null) break;
    // The first of two elements with the same tag counts.
    elements[element.tag] ??= element;
    if (element.tag >= PIXEL_DATA) break;
  }
  return elements;
}

/** One element with its items, and the stream after it; null where it can't be read. Pixel data are not followed. */
function readOne(stream: ByteStream, isExplicit: boolean): Element | null {
  const start = stream.position;
  try {
    return isExplicit
      ? dicomParser.readDicomElementExplicit(stream, stream.warnings, PIXEL_DATA)
      : dicomParser.readDicomElementImplicit(stream, PIXEL_DATA);
  } catch (error) {
    if (error instanceof DicomError) throw error;
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new DicomError('too_complex', 'sequences are nested too deeply', error);
    return skipBroken(stream, start, isExplicit);
  }
}

const vrAt = (stream: ByteStream, start: number): string => latin1(stream.byteArray.subarray(start + 4, start + 6));

/** Goes past a sequence of known length whose content is broken; null if its length is unknown. */
function skipBroken(stream: ByteStream, start: number, isExplicit: boolean): Element | null {
  const lengthAt = start + (isExplicit ? 8 : 4);
  if (lengthAt + 4 > stream.byteArray.length || (isExplicit && vrAt(stream, start) !== 'SQ')) return null;
  stream.position = start;
  const tag = dicomParser.readTag(stream);
  stream.position = lengthAt;
  const length = stream.readUint32();
  const dataOffset = stream.position;
  if (length === UNDEFINED_LENGTH || dataOffset + length > stream.byteArray.length) return null;
  stream.seek(length);
  return { tag, vr: 'SQ', length, dataOffset, items: [] };
}

import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { createVaultFile, imageSource } from '../../platform/vault/vault-files.ts';
import { DicomError } from './dicom-error.ts';
import type { WrappedPlace } from './requests.ts';
import { EXPLICIT_LITTLE_ENDIAN } from './transfer-syntaxes.ts';
import { fileHead, LITTLE_ENDIAN, textElement, uint, unicodeElement, writeElements } from './write-elements.ts';

const MAX_PIXELS = 50e6;
const MAX_SIDE = 0xffff;
/** Secondary Capture Image Storage (PS3.3, A.8.1). */
const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7';
const MAX_DESCRIPTION = 64;

/** Scans of paper: their longer side has at least 130 dots an inch, and the proportions of A4 or Letter. */
const MIN_PAPER_SIDE = 1430;
const PAPERS = [Math.SQRT2, 11 / 8.5];
const PAPER_TOLERANCE = 0.02;
/** Makers of phones and cameras in the EXIF data of a photo. */
const CAMERA =
  /apple|samsung|google|xiaomi|huawei|canon|nikon|sony|olympus|panasonic|fuji|motorola|oneplus|honor|oppo/i;

/**
 * Writes a picture, such as a PNG of a viewer, as a DICOM object into the new file `target`: its pixels are decoded, and
 * the same picture gives the same bytes. Returns false for a photo of a camera or a scan of paper, which is
 * read as a document instead.
 * @throws DicomError `damaged`, `too_large`, and errors of the file system
 */
export async function wrapImage(path: string, target: string, place: WrappedPlace): Promise<boolean> {
  if (await isPaper(path)) return false;
  const image = sharp(imageSource(path), { limitInputPixels: MAX_PIXELS }).autoOrient().flatten().toColourspace('srgb');
  const { data, info } = await decode(image);
  if (info.width > MAX_SIDE || info.height > MAX_SIDE) throw new DicomError('too_large', 'a side');
  const isGray = info.channels === 1;
  const number = (tag: string, value: number) => ({ tag, vr: 'US', value: uint(value, 2, LITTLE_ENDIAN) });
  const elements = [
    textElement('00080005', 'CS', 'ISO_IR 192'),
    textElement('00080008', 'CS', 'DERIVED', 'SECONDARY'),
    textElement('00080016', 'UI', SECONDARY_CAPTURE),
    textElement('00080018', 'UI', place.instance),
    ...['00080020', '00080030', '00080050', '00080090', '00100010', '00100020', '00100030', '00100040'].map((tag) =>
      textElement(tag, EMPTY_VRS[tag]!, ''),
    ),
    textElement('00080060', 'CS', 'OT'),
    textElement('00080064', 'CS', 'WSD'),
    unicodeElement('0008103E', 'LO', shortened(place.description)),
    textElement('0020000D', 'UI', place.study),
    textElement('0020000E', 'UI', place.series),
    textElement('00200010', 'SH', ''),
    textElement('00200011', 'IS', '1'),
    textElement('00200013', 'IS', String(place.number)),
    ...[number('00280002', isGray ? 1 : 3), textElement('00280004', 'CS', isGray ? 'MONOCHROME2' : 'RGB')],
    // Grays are shown as they are, not spread over the whole range.
    ...(isGray
      ? [textElement('00281050', 'DS', '128'), textElement('00281051', 'DS', '256')]
      : [number('00280006', 0)]),
    ...[number('00280010', info.height), number('00280011', info.width), number('00280100', 8)],
    ...[number('00280101', 8), number('00280102', 7), number('00280103', 0)],
    { tag: '7FE00010', vr: 'OB', value: data },
  ];
  const head = fileHead({ sopClass: SECONDARY_CAPTURE, instance: place.instance, syntax: EXPLICIT_LITTLE_ENDIAN });
  const file = createVaultFile(target);
  try {
    file.write(Buffer.concat([head, writeElements(elements, LITTLE_ENDIAN)]));
    file.end();
  } finally {
    file.close();
  }
  return true;
}

async function isPaper(path: string): Promise<boolean> {
  const { exif, width, height } = await sharp(imageSource(path), { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: unknown) => {
      throw new DicomError('damaged', 'the picture can’t be read', error);
    });
  if (exif && CAMERA.test(exif.toString('latin1'))) return true;
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  return longer >= MIN_PAPER_SIDE && PAPERS.some((paper) => Math.abs(longer / shorter / paper - 1) < PAPER_TOLERANCE);
}

/** Attributes that an object has to have, also without a value. */
const EMPTY_VRS: Readonly<Record<string, string>> = {
  '00080020': 'DA',
  '00080030': 'TM',
  '00080050': 'SH',
  '00080090': 'PN',
  '00100010': 'PN',
  '00100020': 'LO',
  '00100030': 'DA',
  '00100040': 'CS',
};

/** Pictures whose pixels are all gray are stored as such. */
async function decode(image: Sharp): Promise<{ data: Buffer; info: OutputInfo }> {
  try {
    const decoded = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    return decoded.info.channels === 3 ? asGray(decoded) : decoded;
  } catch (error) {
    throw new DicomError('damaged', 'the picture can’t be decoded', error);
  }
}

function asGray(decoded: { data: Buffer; info: OutputInfo }): { data: Buffer; info: OutputInfo } {
  const { data, info } = decoded;
  const gray = Buffer.alloc(data.length / 3);
  for (let at = 0; at < gray.length; at += 1) {
    const value = data[3 * at]!;
    if (data[3 * at + 1] !== value || data[3 * at + 2] !== value) return decoded;
    gray[at] = value;
  }
  return { data: gray, info: { ...info, channels: 1 } };
}

/** A long text may not be cut within a character. */
const shortened = (text: string): string => Array.from(text).slice(0, MAX_DESCRIPTION).join('').replaceAll('\\', '/');

import { createVaultFile, type NewFile } from '../../platform/vault/vault-files.ts';
import { openObject, type OpenObject } from './open-object.ts';
import { DicomError } from './dicom-error.ts';
import type { DataSet } from './data-set.ts';
import { jsonModel, vrOf, type JsonModel } from './json-model.ts';
import { EXPLICIT_BIG_ENDIAN, EXPLICIT_LITTLE_ENDIAN } from './transfer-syntaxes.ts';
import { deidentified, type Deidentification } from './deidentify.ts';
import {
  elementHead,
  fileHead,
  textElement,
  writeElements,
  type Coding,
  type WrittenElement,
} from './write-elements.ts';

/** Bytes that are copied at once. */
const PIECE = 2 ** 20;
const UNDEFINED_LENGTH = 0xffff_ffff;
const ITEM = 0xfffe_e000;
const SEQUENCE_END = 0xfffe_e0dd;

/** Identifiers under which an object was filed, for headers that lack them. */
export interface Identifiers {
  study: string;
  series: string;
  instance: string;
  sopClass: string;
}

/**
 * Writes an object with a complete file meta information into a new file, de-identified or as it is, and returns its
 * elements. Pixels are copied as they are coded. A deflated object is written plainly.
 * @throws DicomError, and errors of the file system
 */
export function exportObject(
  path: string,
  target: string,
  identifiers: Identifiers,
  options: Deidentification | null,
): JsonModel {
  const opened = openObject(path);
  const file = createVaultFile(target);
  try {
    const { object } = opened;
    const syntax = object.syntax.isDeflated ? EXPLICIT_LITTLE_ENDIAN : object.syntaxUid;
    const coding: Coding = { isExplicit: object.syntax.isExplicit, isBigEndian: syntax === EXPLICIT_BIG_ENDIAN };
    const elements = withIdentifiers(
      options ? deidentified(object.data, options) : allElements(object.data),
      identifiers,
    );
    const uidOf = (tag: string): string => valueOf(elements, tag);
    const head = fileHead({ sopClass: uidOf('00080016'), instance: uidOf('00080018'), syntax });
    file.write(Buffer.concat([head, writeElements(elements, coding)]));
    copyPixels(opened, file, coding);
    file.end();
  } finally {
    file.close();
    opened.close();
  }
  const written = openObject(target);
  try {
    return jsonModel(written.object, '');
  } finally {
    written.close();
  }
}

const valueOf = (elements: readonly WrittenElement[], tag: string): string => {
  const value = elements.find((one) => one.tag === tag)?.value;
  return value instanceof Uint8Array
    ? Buffer.from(value)
        .toString('latin1')
        .replace(/[\0 ]+$/, '')
    : '';
};

function withIdentifiers(
  elements: WrittenElement[],
  { study, series, instance, sopClass }: Identifiers,
): WrittenElement[] {
  const wanted = { '00080016': sopClass, '00080018': instance, '0020000D': study, '0020000E': series };
  const missing = Object.entries(wanted).filter(([tag]) => valueOf(elements, tag) === '');
  const tags = new Set(missing.map(([tag]) => tag));
  return [...elements.filter(({ tag }) => !tags.has(tag)), ...missing.map(([tag, uid]) => textElement(tag, 'UI', uid))];
}

/** Elements up to the pixels, as they are. */
function allElements(data: DataSet): WrittenElement[] {
  return data.tags().flatMap((tag) => {
    const key = tag.slice(1).toUpperCase();
    if (key.endsWith('0000') || key === '7FE00010' || key === '7FE00008' || key === '7FE00009') return [];
    const vr = vrOf(data, tag, data.number('x00280103', 'US') === 1);
    return [{ tag: key, vr, value: vr === 'SQ' ? data.items(tag).map(allElements) : data.bytes(tag) }];
  });
}

/** Copies pixel data piece by piece. What follows them is left out: padding and signatures. */
function copyPixels({ object, source }: OpenObject, file: NewFile, coding: Coding): void {
  const { pixelElement } = object;
  if (pixelElement === null) return;
  const isEncapsulated = pixelElement.hadUndefinedLength === true || pixelElement.length === UNDEFINED_LENGTH;
  const start = pixelElement.dataOffset;
  const end = isEncapsulated ? endOfFragments(source, start) : start + pixelElement.length;
  if (end > source.length) throw new DicomError('damaged', 'pixels are cut off');
  const tag = pixelElement.tag.slice(1).toUpperCase();
  const vr = isEncapsulated ? 'OB' : (pixelElement.vr ?? 'OW');
  file.write(elementHead(tag, vr, isEncapsulated ? UNDEFINED_LENGTH : end - start, coding));
  for (let at = start; at < end; at += PIECE) file.write(source.read(at, Math.min(PIECE, end - at)));
}

/** @throws DicomError `damaged` */
function endOfFragments(source: OpenObject['source'], start: number): number {
  for (let at = start; at + 8 <= source.length;) {
    const head = Buffer.from(source.read(at, 8));
    const tag = head.readUInt16LE(0) * 0x1_0000 + head.readUInt16LE(2);
    if (tag === SEQUENCE_END) return at + 8;
    if (tag !== ITEM) break;
    at += 8 + head.readUInt32LE(4);
  }
  throw new DicomError('damaged', 'fragments have no end');
}

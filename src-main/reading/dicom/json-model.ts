import { creatorOf } from './describe-elements.ts';
import { NUMBER_VRS, type DataSet, type NumberVr, type Tag } from './data-set.ts';
import { elementName } from './element-names.ts';
import { decodedPhotometric } from './image-layout.ts';
import type { DicomObject } from './parse.ts';

/** An element in the DICOM JSON model (PS3.18, annex F). */
export interface JsonElement {
  vr: string;
  Value?: unknown[];
  /** Base64. */
  InlineBinary?: string;
  BulkDataURI?: string;
}
/** Elements by their tag in eight hexadecimal digits. */
export type JsonModel = Record<string, JsonElement>;

/** Longer binary values are named by an address instead of being sent with the others. */
const MAX_INLINE_BYTES = 1024;
const MAX_DEPTH = 32;
const BINARY_NUMBERS: ReadonlySet<string> = new Set(NUMBER_VRS.filter((vr) => vr !== 'DS' && vr !== 'IS'));
const BYTES = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN']);
/** Texts with a single value, in which a backslash is a character. */
const PARAGRAPHS = new Set(['LT', 'ST', 'UT', 'UR']);
const CHARACTER_SET: Tag = 'x00080005';
const AVAILABLE_SYNTAX = '00083002';

/** Smallest and largest pixel value, padding and the like, which are signed where pixels are (PS3.5, section 6.2). */
const SIGNED_WITH_PIXELS = new Set(['x00280106', 'x00280107', 'x00280108', 'x00280109', 'x00280120', 'x00280121']);

interface Place {
  /** Address of values that are not sent, up to the path of their element. */
  bulk: string;
  path: string;
  depth: number;
  isSigned: boolean;
}

/**
 * The elements of an object up to its pixels. Pixels and long binary values have an address that begins with `bulk`.
 * What says how pixels are coded describes them as they are after decoding, and texts are Unicode.
 */
export function jsonModel(object: DicomObject, bulk: string): JsonModel {
  const { data, syntaxUid, pixelElement } = object;
  const model = modelOf(data, { bulk, path: '', depth: 0, isSigned: data.number('x00280103', 'US') === 1 });
  if (data.has(CHARACTER_SET)) model['00080005'] = { vr: 'CS', Value: ['ISO_IR 192'] };
  model[AVAILABLE_SYNTAX] = { vr: 'UI', Value: [syntaxUid] };
  if (pixelElement) {
    const tag = pixelElement.tag.slice(1).toUpperCase();
    model[tag] = {
      vr: pixelElement.vr === 'OB' ? 'OB' : (elementName(pixelElement.tag as Tag, null).vr ?? 'OW'),
      BulkDataURI: `${bulk}/frames`,
    };
    describeDecoded(model, object);
  }
  return Object.fromEntries(Object.entries(model).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeDecoded(model: JsonModel, { data, syntax, pixelElement }: DicomObject): void {
  if (data.number('x00280002', 'US') !== 3 || pixelElement?.hadUndefinedLength !== true || syntax.pixels === null)
    return;
  const photometric = data.text('x00280004') ?? 'RGB';
  model['00280004'] = { vr: 'CS', Value: [decodedPhotometric(syntax.pixels, photometric, 3)] };
  model['00280006'] = { vr: 'US', Value: [0] };
}

function modelOf(data: DataSet, place: Place): JsonModel {
  const model: JsonModel = {};
  for (const tag of data.tags()) {
    const key = tag.slice(1).toUpperCase();
    if (key.endsWith('0000') || key.startsWith('7FE0')) continue;
    model[key] = elementOf(data, tag, { ...place, path: place.path === '' ? key : `${place.path}.${key}` });
  }
  return model;
}

/** The VR of an element: as the file names it, or else as the standard does. */
export function vrOf(data: DataSet, tag: Tag, isSigned: boolean): string {
  const named = data.vr(tag);
  if (named !== null && named !== 'UN') return named;
  const usual = elementName(tag, creatorOf(data, tag)).vr;
  if (usual === 'US' && isSigned && SIGNED_WITH_PIXELS.has(tag)) return 'SS';
  // The value of an unknown VR is coded as in files without VRs, which short texts and bytes are as well.
  if (data.items(tag).length > 0) return 'SQ';
  return named === 'UN' ? 'UN' : (usual ?? 'UN');
}

function elementOf(data: DataSet, tag: Tag, place: Place): JsonElement {
  const vr = vrOf(data, tag, place.isSigned);
  if (vr === 'SQ') return sequenceOf(data, tag, place);
  const length = data.bytes(tag).length;
  if (length === 0) return { vr };
  if (BYTES.has(vr))
    return length > MAX_INLINE_BYTES
      ? { vr, BulkDataURI: `${place.bulk}/bulkdata/${place.path}` }
      : { vr, InlineBinary: Buffer.from(data.littleEndian(tag, vr)).toString('base64') };
  if (vr === 'AT') return { vr, Value: tagsIn(data.numbers(tag, 'US')) };
  if (BINARY_NUMBERS.has(vr)) return withValues(vr, data.numbers(tag, vr as NumberVr));
  if (PARAGRAPHS.has(vr)) return { vr, Value: [data.paragraph(tag)] };
  const texts = vr === 'UC' ? data.paragraph(tag).split('\\').map(withoutEnd) : data.texts(tag);
  return withValues(vr, texts.map(JSON_VALUES[vr] ?? ((text) => (text === '' ? null : text))));
}

const withoutEnd = (text: string): string => text.replace(/ +$/, '');

const withValues = (vr: string, values: unknown[]): JsonElement =>
  values.every((value) => value === null) ? { vr } : { vr, Value: values };

function sequenceOf(data: DataSet, tag: Tag, place: Place): JsonElement {
  if (place.depth >= MAX_DEPTH) return { vr: 'SQ' };
  const items = data
    .items(tag)
    .map((item, index) => modelOf(item, { ...place, path: `${place.path}.${index}`, depth: place.depth + 1 }));
  return items.length === 0 ? { vr: 'SQ' } : { vr: 'SQ', Value: items };
}

const GROUPS = ['Alphabetic', 'Ideographic', 'Phonetic'] as const;

function personName(text: string): Record<string, string> | null {
  const groups = text.split('=').flatMap((group, i) => {
    const parts = group.replace(/\^+$/, '');
    return parts !== '' && GROUPS[i] ? [[GROUPS[i], parts]] : [];
  });
  return groups.length === 0 ? null : (Object.fromEntries(groups) as Record<string, string>);
}

/** The place of a number counts, also beside values that are empty or none, which stay as they are (PS3.18, F.2.3). */
function decimal(text: string): number | string | null {
  const value = Number(text.replace(',', '.'));
  if (text === '') return null;
  return Number.isFinite(value) ? value : text;
}

/** Values of texts that the model does not write as texts. */
const JSON_VALUES: Readonly<Record<string, ((text: string) => unknown) | undefined>> = {
  PN: personName,
  DS: decimal,
  IS: decimal,
};

const hex = (value = 0): string => value.toString(16).padStart(4, '0').toUpperCase();

const tagsIn = (halves: number[]): string[] =>
  Array.from({ length: halves.length >> 1 }, (_, i) => `${hex(halves[2 * i])}${hex(halves[2 * i + 1])}`);

/**
 * The bytes of an element that an address of the model names, in little endian; null where there is none.
 * `path` has tags and the numbers of items: `00400275.0.00081140`.
 */
export function bulkValue({ data }: DicomObject, path: string): Uint8Array | null {
  const parts = path.split('.');
  let at: DataSet | null = data;
  for (let i = 0; i + 2 < parts.length && at; i += 2) at = at.item(tagOf(parts[i]!), Number(parts[i + 1]));
  const tag = tagOf(parts.at(-1)!);
  return at?.has(tag) ? at.littleEndian(tag, vrOf(at, tag, false)) : null;
}

const tagOf = (key: string): Tag => `x${key.toLowerCase()}`;

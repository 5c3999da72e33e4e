import type { InstanceKind } from './sop-classes.ts';
import type { JsonModel } from './json-model.ts';
import {
  fileHead,
  itemOffsets,
  LITTLE_ENDIAN,
  textElement,
  uint,
  unicodeElement,
  writeElements,
  type WrittenElement,
} from './write-elements.ts';

/** A file of a disc with what its directory says about it. */
export interface DiscFile {
  /** Components of the file ID, of eight characters at most (PS3.10, section 8.2). */
  fileId: readonly string[];
  model: JsonModel;
  kind: InstanceKind;
}

/** A record with those below it. */
interface Entry {
  type: string;
  elements: WrittenElement[];
  below: Entry[];
}
/** Keys of a record: tag, VR, and what the standard demands where the header is silent; null demands nothing. */
type Keys = readonly (readonly [tag: string, vr: string, invented: string | null])[];

const DIRECTORY_CLASS = '1.2.840.10008.1.3.10';
const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
const IN_USE = 0xffff;
/** Tag, VR, reserved bytes and length of the sequence of records. */
const SEQUENCE_HEAD = 12;

/** PS3.3, annex F.5. Values are invented as dcmtk does where the header lacks one that must be there. */
const PATIENT: Keys = [
  ['00100010', 'PN', ''],
  ['00100020', 'LO', 'UNKNOWN'],
];
const STUDY: Keys = [
  ['00080020', 'DA', '19000101'],
  ['00080030', 'TM', '000000'],
  ['00081030', 'LO', ''],
  ['0020000D', 'UI', ''],
  ['00200010', 'SH', '1'],
  ['00080050', 'SH', ''],
];
const SERIES: Keys = [
  ['00080060', 'CS', 'OT'],
  ['0020000E', 'UI', ''],
  ['00200011', 'IS', '1'],
  ['0008103E', 'LO', null],
];
const NUMBERED: Keys = [['00200013', 'IS', '1']];
const CONTENT_TIME: Keys = [
  ['00080023', 'DA', '19000101'],
  ['00080033', 'TM', '000000'],
];
const REPORT: Keys = [...NUMBERED, ...CONTENT_TIME, ['0040A491', 'CS', 'PARTIAL'], ['0040A493', 'CS', 'UNVERIFIED']];
const PRESENTATION: Keys = [
  ...NUMBERED,
  ['00700080', 'CS', 'UNNAMED'],
  ['00700081', 'LO', ''],
  ['00700082', 'DA', '19000101'],
  ['00700083', 'TM', '000000'],
  ['00700084', 'PN', ''],
];
const DOCUMENT: Keys = [...NUMBERED, ...CONTENT_TIME, ['00420010', 'ST', ''], ['00420012', 'LO', 'application/pdf']];

/** Names of records by SOP class, for objects that are not pictures. */
const TYPES: readonly [prefix: string, type: string, keys: Keys][] = [
  ['1.2.840.10008.5.1.4.1.1.88.59', 'KEY OBJECT DOC', [...NUMBERED, ...CONTENT_TIME]],
  ['1.2.840.10008.5.1.4.1.1.88.', 'SR DOCUMENT', REPORT],
  ['1.2.840.10008.5.1.4.1.1.11.', 'PRESENTATION', PRESENTATION],
  ['1.2.840.10008.5.1.4.1.1.104.', 'ENCAP DOC', DOCUMENT],
  ['1.2.840.10008.5.1.4.1.1.9.', 'WAVEFORM', [...NUMBERED, ...CONTENT_TIME]],
];

/** The DICOMDIR of a disc: patients, studies, series and objects, each with where the next one is. */
export function writeDirectory(files: readonly DiscFile[], directoryUid: string): Buffer {
  const entries = grouped(files, ['00100020', '00100010'], 'PATIENT', PATIENT, (ofPatient) =>
    grouped(ofPatient, ['0020000D'], 'STUDY', STUDY, (ofStudy) =>
      grouped(ofStudy, ['0020000E'], 'SERIES', SERIES, (ofSeries) => ofSeries.map(fileEntry)),
    ),
  );
  const head = fileHead({ sopClass: DIRECTORY_CLASS, instance: directoryUid, syntax: EXPLICIT_LITTLE_ENDIAN });
  const linear = flatten(entries);
  // Offsets have a fixed length, so that a first pass tells where each record will be.
  const blank = linear.map((entry) => recordOf(entry, 0, 0));
  const start = head.length + writeElements(directoryHead(0, 0), LITTLE_ENDIAN).length + SEQUENCE_HEAD;
  const offsets = itemOffsets(blank, LITTLE_ENDIAN).map((offset) => start + offset);
  const at = new Map(linear.map((entry, index) => [entry, offsets[index]!]));
  const next = new Map(siblings(entries).map(([entry, after]) => [entry, at.get(after)!]));
  const records = linear.map((entry) => recordOf(entry, next.get(entry) ?? 0, at.get(entry.below[0]!) ?? 0));
  const [first, last] = [at.get(entries[0]!) ?? 0, at.get(entries.at(-1)!) ?? 0];
  const elements = [...directoryHead(first, last), { tag: '00041220', vr: 'SQ', value: records }];
  return Buffer.concat([head, writeElements(elements, LITTLE_ENDIAN)]);
}

const offsetElement = (tag: string, offset: number): WrittenElement => ({
  ...{ tag, vr: 'UL' },
  value: uint(offset, 4, LITTLE_ENDIAN),
});
const shortElement = (tag: string, value: number): WrittenElement => ({
  ...{ tag, vr: 'US' },
  value: uint(value, 2, LITTLE_ENDIAN),
});

const directoryHead = (first: number, last: number): WrittenElement[] => [
  textElement('00041130', 'CS', 'HEARTH'),
  offsetElement('00041200', first),
  offsetElement('00041202', last),
  shortElement('00041212', 0),
];

const recordOf = ({ type, elements }: Entry, next: number, lower: number): WrittenElement[] => [
  offsetElement('00041400', next),
  shortElement('00041410', IN_USE),
  offsetElement('00041420', lower),
  textElement('00041430', 'CS', type),
  ...elements,
];

function grouped(
  files: readonly DiscFile[],
  by: readonly string[],
  type: string,
  keys: Keys,
  below: (files: DiscFile[]) => Entry[],
): Entry[] {
  const groups = Map.groupBy(files, ({ model }) => JSON.stringify(by.map((tag) => textOf(model, tag))));
  return [...groups.values()].map((group) => ({
    type,
    elements: keyElements(group[0]!.model, keys),
    below: below(group),
  }));
}

function fileEntry({ fileId, model, kind }: DiscFile): Entry {
  const sopClass = textOf(model, '00080016');
  const [, type, keys] =
    TYPES.find(([prefix]) => sopClass.startsWith(prefix)) ??
    (kind === 'image' ? ['', 'IMAGE', NUMBERED] : ['', 'PRIVATE', []]);
  const concept = model['0040A043'];
  return {
    type,
    below: [],
    elements: [
      ...(type === 'PRIVATE' ? [textElement('00041432', 'UI', sopClass)] : []),
      textElement('00041500', 'CS', ...fileId),
      textElement('00041510', 'UI', sopClass),
      textElement('00041511', 'UI', textOf(model, '00080018')),
      textElement('00041512', 'UI', textOf(model, '00083002')),
      ...keyElements(model, keys),
      ...(needsConcept(type) ? [conceptElement(concept?.Value?.[0] as JsonModel | undefined)] : []),
    ],
  };
}

const needsConcept = (type: string): boolean =>
  type === 'SR DOCUMENT' || type === 'KEY OBJECT DOC' || type === 'ENCAP DOC';

/** What a document is, as a code: that of its header, or a document of any kind. */
const conceptElement = (code: JsonModel | undefined): WrittenElement => ({
  tag: '0040A043',
  vr: 'SQ',
  value: [
    [
      unicodeElement('00080100', 'SH', (code && textOf(code, '00080100')) || '121181'),
      unicodeElement('00080102', 'SH', (code && textOf(code, '00080102')) || 'DCM'),
      unicodeElement('00080104', 'LO', (code && textOf(code, '00080104')) || 'DICOM Object Catalog'),
    ],
  ],
});

function keyElements(model: JsonModel, keys: Keys): WrittenElement[] {
  const found = keys.flatMap(([tag, vr, invented]) => {
    const text = textOf(model, tag);
    return text === '' && invented === null ? [] : [unicodeElement(tag, vr, text || (invented ?? ''))];
  });
  const isAscii = found.every(({ value }) => (value as Uint8Array).every((byte) => byte < 0x80));
  return isAscii ? found : [textElement('00080005', 'CS', 'ISO_IR 192'), ...found];
}

/** The first value of an attribute as text; a name with all its groups. */
function textOf(model: JsonModel, tag: string): string {
  const value = model[tag]?.Value?.[0];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const { Alphabetic = '', Ideographic = '', Phonetic = '' } = value as Record<string, string>;
  return [Alphabetic, Ideographic, Phonetic].join('=').replace(/=+$/, '');
}

const flatten = (entries: readonly Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...flatten(entry.below)]);

/** Each record with the next one of the same parent. */
const siblings = (entries: readonly Entry[]): [Entry, Entry][] => [
  ...entries.slice(1).map((after, index): [Entry, Entry] => [entries[index]!, after]),
  ...entries.flatMap(({ below }) => siblings(below)),
];

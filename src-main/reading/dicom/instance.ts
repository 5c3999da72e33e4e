import { createHash } from 'node:crypto';
import { withoutInvisible } from '../../../src-shared/contract/wire.ts';
import type { DataSet, Tag } from './data-set.ts';
import { DicomError } from './dicom-error.ts';
import { frameData } from './functional-groups.ts';
import { parseDicom, type DicomObject } from './parse.ts';
import { personName } from './person-name.ts';
import { kindOfInstance, type InstanceKind } from './sop-classes.ts';

export { isDicom } from './parse.ts';

/** Of one object; the largest slides of pathology have about as many tiles. A header may claim any number. */
const MAX_FRAMES = 300_000;
/** Characters of a text that is listed. The standard allows 64 for most of them. */
const MAX_TEXT = 200;

/** What the header of a DICOM object says. Texts are null where it says nothing. */
export interface DicomInstance {
  /** Empty where the header has none. */
  sopClassUid: string;
  /** UIDs that are missing are replaced by ones that are derived from what else is the same. */
  sopInstanceUid: string;
  studyInstanceUid: string;
  seriesInstanceUid: string;
  transferSyntaxUid: string;
  kind: InstanceKind;
  patient: {
    /** Given, middle and family name. */
    name: string | null;
    id: string | null;
    /** YYYY-MM-DD */
    birthDate: string | null;
    sex: string | null;
    /** In years, at the time of the study. */
    age: number | null;
  };
  study: {
    /** YYYY-MM-DD */
    date: string | null;
    /** HH:MM:SS, or as much of it as is known. */
    time: string | null;
    description: string | null;
    accessionNumber: string | null;
    institution: string | null;
    referringPhysician: string | null;
  };
  series: { number: number | null; modality: string | null; bodyPart: string | null; description: string | null };
  instanceNumber: number | null;
  /** Along the normal of Image Orientation (Patient), in millimeters; null when the header has no position. */
  position: number | null;
  frames: number;
  /** Null without pixels. */
  rows: number | null;
  columns: number | null;
  windowCenter: number | null;
  windowWidth: number | null;
  /** Whether the bytes have the header up to the pixels or the end; otherwise, more of the file may say more. */
  isComplete: boolean;
}

/**
 * Reads the header of a DICOM object, of which the pixels may be missing, in bounded time and memory.
 * @throws DicomError `not_dicom`, `damaged`, `too_complex`, `too_large`
 */
export function readInstance(bytes: Uint8Array): DicomInstance {
  const object = parseDicom(bytes);
  const { data, meta } = object;
  const rows = positive(data.number('x00280010', 'US'));
  const columns = positive(data.number('x00280011', 'US'));
  const sopClassUid = data.text('x00080016') ?? meta.text('x00020002') ?? '';
  const hasPixels = mayHavePixels(object, rows !== null && columns !== null);
  const first = frameData(data, 0);
  return {
    ...identify(object, sopClassUid, hasPixels, bytes),
    kind: kindOfInstance(sopClassUid, hasPixels),
    patient: {
      name: cleanText(personName(data.text('x00100010'), { withTitles: false })),
      id: cleanText(data.text('x00100020')),
      birthDate: isoDate(data.text('x00100030')),
      sex: cleanText(data.text('x00100040')),
      age: ageInYears(data.text('x00101010')),
    },
    study: {
      date: isoDate(firstText(data, ['x00080020', 'x00080021', 'x00080022', 'x00080023'])),
      time: isoTime(firstText(data, ['x00080030', 'x00080031', 'x00080032', 'x00080033'])),
      description: cleanText(data.text('x00081030')),
      accessionNumber: cleanText(data.text('x00080050'), 64),
      institution: cleanText(data.text('x00080080')),
      referringPhysician: cleanText(personName(data.text('x00080090'), { withTitles: true })),
    },
    series: {
      number: whole(data.number('x00200011', 'IS')),
      modality: cleanText(data.text('x00080060'), 16),
      bodyPart: cleanText(data.text('x00180015')),
      description: cleanText(data.text('x0008103e')),
    },
    instanceNumber: data.number('x00200013', 'IS'),
    position: positionAlongNormal(
      first.numbers('x00209116', 'x00200037', 'DS'),
      first.numbers('x00209113', 'x00200032', 'DS'),
    ),
    frames: hasPixels ? Math.min(MAX_FRAMES, Math.max(1, Math.trunc(data.number('x00280008', 'IS') ?? 1))) : 0,
    rows: hasPixels ? rows : null,
    columns: hasPixels ? columns : null,
    windowCenter: first.numbers('x00289132', 'x00281050', 'DS')[0] ?? null,
    windowWidth: first.numbers('x00289132', 'x00281051', 'DS')[0] ?? null,
    isComplete: !object.isCutOff,
  };
}

/** Whether there are pixels; where the elements are cut off before them, the size of an image says so. */
const mayHavePixels = ({ pixelElement, isCutOff }: DicomObject, hasSize: boolean): boolean =>
  pixelElement === null ? isCutOff && hasSize : pixelElement.length > 0;

type Identity = Pick<
  DicomInstance,
  'sopClassUid' | 'sopInstanceUid' | 'studyInstanceUid' | 'seriesInstanceUid' | 'transferSyntaxUid'
>;

/**
 * @throws DicomError `not_dicom` when there is nothing to file the object by, and `damaged` when identifiers may be in
 * the part that is missing
 */
function identify(object: DicomObject, sopClassUid: string, hasPixels: boolean, bytes: Uint8Array): Identity {
  const { data, meta, syntaxUid } = object;
  const instance = data.text('x00080018') ?? meta.text('x00020003');
  const [study, series] = [data.text('x0020000d'), data.text('x0020000e')];
  if (sopClassUid === '' && !hasPixels && (instance ?? study ?? series) === null)
    throw new DicomError('not_dicom', 'no identifiers and no pixels');
  if (object.isCutOff && (instance === null || study === null || series === null))
    throw new DicomError('damaged', 'the elements end before the identifiers');
  const texts = (tags: Tag[]): string => JSON.stringify(tags.map((tag) => data.text(tag)));
  // Patient, birth date, date, accession number and study ID; then modality and series number.
  const studyInstanceUid =
    study ??
    derivedUid(`study ${texts(['x00100010', 'x00100020', 'x00100030', 'x00080020', 'x00080050', 'x00200010'])}`);
  const seriesInstanceUid = series ?? derivedUid(`series ${studyInstanceUid} ${texts(['x00080060', 'x00200011'])}`);
  const sopInstanceUid = instance ?? derivedUid(bytes);
  return { sopClassUid, sopInstanceUid, studyInstanceUid, seriesInstanceUid, transferSyntaxUid: syntaxUid };
}

/** A UID made of a UUID (PS3.5, annex B.2) that is the same for the same content. */
function derivedUid(content: string | Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return `2.25.${BigInt(`0x${hash}`)}`;
}

const firstText = (data: DataSet, tags: Tag[]): string | null =>
  tags.map((tag) => data.text(tag)).find((text) => text !== null) ?? null;

/** A text as one line of characters that are seen, cut off at `max`; null where none are. */
function cleanText(text: string | null, max: number = MAX_TEXT): string | null {
  const line = withoutInvisible(text ?? '').replace(/[\s\p{Cc}]+/gu, ' ');
  return [...line.slice(0, 2 * max)].slice(0, max).join('').trim() || null;
}

/** Null for a number that is none of the standard's integers. */
const whole = (value: number | null): number | null => (Number.isSafeInteger(value) ? value : null);

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

/** A date of PS3.5, table 6.2-1, or of its predecessor: `19991231` or `1999.12.31`. */
function isoDate(value: string | null): string | null {
  const [, year, month, day] = /^(\d{4})\.?(\d{2})\.?(\d{2})/.exec(value ?? '') ?? [];
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? null : date;
}

/** An age of PS3.5, table 6.2-1: `045Y`, `018M`, `006W`, `002D`. */
function ageInYears(value: string | null): number | null {
  const [, count, unit = 'Y'] = /^(\d{1,3})([DWMY])$/.exec(value ?? '') ?? [];
  if (count === undefined) return null;
  return Math.floor(Number(count) / { D: 365.25, W: 52.18, M: 12, Y: 1 }[unit as 'D' | 'W' | 'M' | 'Y']);
}

function isoTime(value: string | null): string | null {
  const [, hours, minutes, seconds] = /^([01]\d|2[0-3]):?([0-5]\d)?:?([0-5]\d)?/.exec(value ?? '') ?? [];
  return hours === undefined ? null : [hours, minutes, seconds].filter((part) => part !== undefined).join(':');
}

function positionAlongNormal(orientation: number[], position: number[]): number | null {
  const [rx, ry, rz, cx, cy, cz] = orientation;
  const [x, y, z] = position;
  if (cz === undefined || z === undefined) return null;
  return (ry! * cz - rz! * cy!) * x! + (rz! * cx! - rx! * cz) * y! + (rx! * cy! - ry! * cx!) * z;
}

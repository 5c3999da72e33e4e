import { createHmac } from 'node:crypto';
import { foldName } from '../../../src-shared/medical/name-fold.ts';
import type { DataSet, Tag } from './data-set.ts';
import { elementName } from './element-names.ts';
import { vrOf } from './json-model.ts';
import { replacedUid } from './replaced-uid.ts';
import { actionOf, isRemovedGroup, keeperOf, type Action } from './confidentiality-profile.ts';
import { textElement, unicodeElement, type WrittenElement } from './write-elements.ts';

/** What of an object may stay when it is de-identified. */
export interface Deidentification {
  /** Random, and the same for all objects of an export: it makes UIDs and the pseudonym. */
  secret: string;
  dates: 'remove' | 'shift' | 'keep';
  /** By which dates are moved, if they are. */
  shiftDays: number;
  keepsDescriptions: boolean;
  keepsDevice: boolean;
  keepsPatient: boolean;
}

interface Context extends Deidentification {
  /** Words that may not stay in descriptions. */
  words: readonly string[];
  /** Whether texts of the object are coded as Unicode, Latin 1, or something else. */
  charset: 'unicode' | 'latin' | 'other';
}

/** UIDs that say what an object is, not which one. */
const CLASS_UIDS = new Set(['00020002', '00020010', '00080016', '0008001A', '00081150', '0008010C']);
const STANDARD_ROOT = '1.2.840.10008.';
/** Sequences that name other objects: their UIDs are replaced as all others are. */
const REFERENCES = new Set(['00081140', '00082112']);
const BIRTH = new Set(['00100030', '00100032']);
/** PS3.16, context group 7050. */
const CODES = {
  basic: ['113100', 'Basic Application Confidentiality Profile'],
  descriptions: ['113105', 'Clean Descriptors Option'],
  keep: ['113106', 'Retain Longitudinal Temporal Information Full Dates Option'],
  shift: ['113107', 'Retain Longitudinal Temporal Information Modified Dates Option'],
  patient: ['113108', 'Retain Patient Characteristics Option'],
  device: ['113109', 'Retain Device Identity Option'],
} as const;
const DUMMIES: Readonly<Record<string, string>> = {
  DA: '20000101',
  TM: '000000',
  DT: '20000101000000',
  AS: '000Y',
  DS: '0',
  IS: '0',
  PN: 'Anonymous',
};
const TEXTS = new Set(['AE', 'CS', 'LO', 'LT', 'SH', 'ST', 'UC', 'UR', 'UT']);

/** A name that is the same for all objects of a patient in an export, and tells nothing. */
export const pseudonym = ({ secret }: Pick<Deidentification, 'secret'>, patient: string): string =>
  `ANON-${createHmac('sha256', secret).update(`patient ${patient}`).digest('hex').slice(0, 8).toUpperCase()}`;

/** The elements of an object that stay, in the place of those that identify somebody, and what was done. */
export function deidentified(data: DataSet, options: Deidentification): WrittenElement[] {
  const context: Context = { ...options, words: identifyingWords(data), charset: charsetOf(data) };
  const name = pseudonym(options, data.text('x00100020') ?? data.text('x00100010') ?? '');
  const own = cleaned(data, context).filter(({ tag }) => !ADDED.has(tag));
  return [
    ...own,
    textElement('00100010', 'PN', name),
    textElement('00100020', 'LO', name),
    textElement('00120062', 'CS', 'YES'),
    textElement('00120063', 'LO', 'DICOM PS3.15 2024b', 'Basic profile'),
    { tag: '00120064', vr: 'SQ', value: codesOf(options).map(codeItem) },
    textElement('00280303', 'CS', { remove: 'REMOVED', shift: 'MODIFIED', keep: 'UNMODIFIED' }[options.dates]),
  ];
}

const ADDED = new Set(['00100010', '00100020', '00120062', '00120063', '00120064', '00280303']);

const codesOf = ({ dates, keepsDescriptions, keepsDevice, keepsPatient }: Deidentification) => [
  CODES.basic,
  ...(dates === 'remove' ? [] : [CODES[dates]]),
  ...(keepsDescriptions ? [CODES.descriptions] : []),
  ...(keepsPatient ? [CODES.patient] : []),
  ...(keepsDevice ? [CODES.device] : []),
];

const codeItem = ([value, meaning]: readonly [string, string]): WrittenElement[] => [
  textElement('00080100', 'SH', value),
  textElement('00080102', 'SH', 'DCM'),
  textElement('00080104', 'LO', meaning),
];

/** Words of names, addresses and institutions, and numbers of the patient and the study. */
function identifyingWords(data: DataSet): string[] {
  const tags = [
    ...['x00100010', 'x00100020', 'x00100030', 'x00101000', 'x00101001', 'x00101005', 'x00101040', 'x00101060'],
    ...['x00080050', 'x00080080', 'x00080081', 'x00080090', 'x00081040', 'x00081048', 'x00081050', 'x00081060'],
    ...['x00081070', 'x00200010', 'x00321032'],
  ] as Tag[];
  const words = tags.flatMap((tag) => data.texts(tag)).flatMap((text) => foldName(text).split(/[^\p{L}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word.length >= 3);
}

function cleaned(data: DataSet, context: Context): WrittenElement[] {
  return data.tags().flatMap((tag) => {
    const key = tag.slice(1).toUpperCase();
    if (key.endsWith('0000') || key.startsWith('7FE0001')) return [];
    return cleanElement(data, tag, key, context);
  });
}

function cleanElement(data: DataSet, tag: Tag, key: string, context: Context): WrittenElement[] {
  const vr = vrOf(data, tag, data.number('x00280103', 'US') === 1);
  const action = actionOf(key);
  const kept = { tag: key, vr, value: data.bytes(tag) };
  if (key.slice(0, 4) === '7FE0') return [kept];
  if (isKept(key, vr, context)) return [withMovedDate(kept, data.texts(tag), context)];
  const keeper = keeperOf(key);
  if (keeper === 'descriptions' && context.keepsDescriptions && vr !== 'SQ')
    return [cleanedText(key, vr, data.texts(tag), context)];
  if (vr === 'UI') return [uidElement(key, data.texts(tag), action, context)].flat();
  if (vr === 'SQ') return cleanSequence(data, tag, key, action, context);
  // A sequence that a device wrote without its VR could hide anything.
  if (vr === 'UN' && elementName(tag, null).vr === 'SQ') return [];
  if (action === null) return [withMovedDate(kept, data.texts(tag), context)];
  return replaced(key, vr, action);
}

/** Whether an option keeps what the profile would remove. */
function isKept(key: string, vr: string, { dates, keepsDevice, keepsPatient }: Context): boolean {
  const keeper = keeperOf(key);
  if (keeper === 'device') return keepsDevice && vr !== 'UI';
  if (keeper === 'patient') return keepsPatient;
  const isTime = vr === 'DA' || vr === 'TM' || vr === 'DT' || key === '00080201';
  return dates !== 'remove' && isTime && !BIRTH.has(key) && !isRemovedGroup(key);
}

function uidElement(key: string, uids: string[], action: Action | null, context: Context): WrittenElement[] {
  if (action === 'X') return [];
  const isStable = (uid: string): boolean => CLASS_UIDS.has(key) || uid === '' || uid.startsWith(STANDARD_ROOT);
  return [textElement(key, 'UI', ...uids.map((uid) => (isStable(uid) ? uid : replacedUid(context, uid))))];
}

/** Items are cleaned in turn, unless the profile removes or empties the sequence. */
function cleanSequence(
  data: DataSet,
  tag: Tag,
  key: string,
  action: Action | null,
  context: Context,
): WrittenElement[] {
  const isDevice = keeperOf(key) === 'device' && context.keepsDevice;
  if (action === 'X' && !isDevice) return [];
  const staysEmpty = (action === 'Z' || action === 'D') && !isDevice && !REFERENCES.has(key);
  return [{ tag: key, vr: 'SQ', value: staysEmpty ? [] : data.items(tag).map((item) => cleaned(item, context)) }];
}

function replaced(key: string, vr: string, action: Action): WrittenElement[] {
  if (action === 'X') return [];
  if (action === 'Z') return [{ tag: key, vr, value: Buffer.alloc(0) }];
  const dummy = DUMMIES[vr] ?? (TEXTS.has(vr) ? 'ANONYMIZED' : null);
  return [dummy === null ? { tag: key, vr, value: Buffer.alloc(0) } : textElement(key, vr, dummy)];
}

/** Dates move by the same number of days, so that the time between them stays. */
function withMovedDate(element: WrittenElement, texts: string[], { dates, shiftDays }: Context): WrittenElement {
  if (dates !== 'shift' || (element.vr !== 'DA' && element.vr !== 'DT')) return element;
  return textElement(element.tag, element.vr, ...texts.map((text) => moved(text, shiftDays)));
}

/** A date without a month or day can't be moved by days, and is emptied. */
function moved(text: string, days: number): string {
  const [, year, month, day, rest] = /^(\d{4})\.?(\d{2})\.?(\d{2})(.*)$/.exec(text) ?? [];
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day)) + days * 86_400_000;
  if (!Number.isFinite(date)) return '';
  return new Date(date).toISOString().slice(0, 10).replaceAll('-', '') + rest;
}

function charsetOf(data: DataSet): Context['charset'] {
  const terms = data.texts('x00080005');
  if (terms.includes('ISO_IR 192')) return 'unicode';
  return terms.length === 1 && terms[0] === 'ISO_IR 100' ? 'latin' : 'other';
}

function cleanedText(key: string, vr: string, texts: string[], { words, charset }: Context): WrittenElement {
  const clean = texts.map((text) => cleanText(text, words));
  if (charset === 'unicode') return unicodeElement(key, vr, ...clean);
  const other = charset === 'latin' ? /[^\x20-\x7e\xa0-\xff]/g : /[^\x20-\x7e]/g;
  return textElement(key, vr, ...clean.map((text) => text.replace(other, '')));
}

/** A description without the words that identify somebody, nor long numbers. */
function cleanText(text: string, words: readonly string[]): string {
  return text
    .split(/(\s+|[,;:/_()^-])/)
    .map((part) => (words.includes(foldName(part)) || /\d{5,}/.test(part) ? '' : part))
    .join('')
    .replace(/\s{2,}/g, ' ')
    .trim();
}

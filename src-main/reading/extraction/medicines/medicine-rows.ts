import { findDirections, findFrequency } from '../../../../src-shared/medical/directions.ts';
import {
  findBareStrength,
  findDuration,
  findQuantity,
  findScheme,
  findStrength,
  tidyStrength,
} from '../../../../src-shared/medical/dose.ts';
import type { FoundMedication } from '../extraction.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Line } from '../layout/lines.ts';
import type { Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { cellsOf, type Cells, countsInRow, dayScheme, dayWords, type MedicineColumn } from './medicine-columns.ts';
import {
  cutAt,
  findMedicineNames,
  isForm,
  isKnownMedicine,
  namesOf,
  NUMBERING,
  withoutBullet,
} from './medicine-names.ts';
import { isTaken } from './medicine-prose.ts';

export const NOT_A_NAME =
  /\b(?:tel|fax|page|seite|datum|date|geb|dob|born|patient|puls|blutdruck|total|cholesterol|glucose|mmhg|kreatinin|serum)\b/iu;

const MIN_WORDS_OF_FULL_LINE = 7;

export interface Around {
  inSection: boolean;
  /** Whether the line before is a row. */
  follows: boolean;
  /** Whether the next line says how to take it. */
  isDirected: boolean;
}

/** How certainly a line names a medicine. */
function evidenceOf(line: Line, { inSection, follows, isDirected }: Around, ctx: RowContext): number {
  const { text } = line;
  const scheme = findScheme(text);
  const isDosed = findStrength(text) !== null || (inSection && findFrequency(text) !== null);
  const parts = follows || isDirected || isDosed ? line.words : line.segments;
  return (
    (scheme && !ctx.parseDate(text) ? 1 : 0) +
    (findStrength(text) ? 1 : 0) +
    (isKnownMedicine(text) ? 1 : 0) +
    (!scheme && findFrequency(text) ? 0.5 : 0) +
    (inSection ? 0.7 : 0) +
    (!inSection && follows ? 0.3 : 0) +
    (isDirected ? 0.8 : 0) +
    (parts.some((part) => isForm(part.text.replace(/[,;.]+$/, ''))) ? 0.5 : 0) +
    (withoutBullet(text) === text.trim() ? 0 : 0.2) +
    (isListedBrand(line, { follows, isDirected }) ? 0.6 : 0)
  );
}

/** "3. Zinksalbe bei Bedarf", "3) STERIMAR" over its directions: the next item of a list, though nobody knows it. */
function isListedBrand({ text }: Line, { follows, isDirected }: Pick<Around, 'follows' | 'isDirected'>): boolean {
  const item = withoutBullet(text);
  if (!follows || item === text.trim() || OTHER_ADVICE.test(item)) return false;
  const directions = findFrequency(item);
  const isAmount = directions !== null && TAKEN_AS.test(directions.text);
  return isAmount ? LISTED_NAME.test(item.slice(0, directions.index)) : isDirected && LISTED_NAME.test(item);
}
const LISTED_NAME = /^\p{Lu}[\p{L}’'-]{3,}(?: \p{L}[\p{L}’'-]+){0,2}[\s,:]*$/u;
/** An amount, or only when it is needed. */
const TAKEN_AS =
  /^(?:\d|[½¼]|one|two|eine?|une?|uno?|bei bedarf|(?:as|if) (?:needed|required)|si besoin|à la demande|al bisogno)/iu;
/** Items of a list that name other advice: "3. Gewichtskontrolle bei Bedarf", "Physiotherapie". */
const OTHER_ADVICE = new RegExp(
  [
    String.raw`kontroll|therapi|gymnast|übung|bewegung|diät|kost(?!\p{L})|mess|verband|strümpf|schon|pflege|control|`,
    String.raw`check|exercise|physio|therapy|diet|visit|review|dressing|stocking|rest(?!\p{L})|suivi|régime|exercice|mesure|`,
    String.raw`contrôle|pansement|bas(?!\p{L})|repos|rééduc|dieta|eserciz|misur|medicazion|calze|riposo|fisio`,
  ].join(''),
  'iu',
);

/** "Trimbow" before "2 inalazioni due volte al giorno". */
const BRAND_ALONE = /^(?:[-–•*]\s*)?\p{Lu}\p{L}{3,}(?: \p{Ll}{5,})?\s+$/u;
/** Words of a sentence that only mentions a medicine: "… erwägen wir Adalimumab." */
const MIN_WORDS_OF_MENTION = 6;
/** A line with fewer signs than this does not name a medicine. */
const MIN_EVIDENCE = 1.6;

/** The row of a line, or null if it does not name a medicine certainly enough. */
export function readLine(
  line: Line,
  { columns, substance: above }: { columns: Column<MedicineColumn>[] | null; substance: string | null },
  around: Around,
  ctx: RowContext,
): FoundMedication | null {
  const { text } = line;
  const scheme = findScheme(text),
    // In "0-0-0-12 IE", the unit is that of the scheme.
    strength = strengthIn(scheme ? text.replace(scheme[0], ' '.repeat(scheme[0].length)) : text);
  const evidence = evidenceOf(line, around, ctx);
  const cells = columns ? cellsOf(line, columns) : {};
  const first = findFrequency(text);
  const isDosedName =
    around.inSection && first !== null && BRAND_ALONE.test(text.slice(0, first.index).replace(NUMBERING, ''));
  if (isDosedName && !strength && !scheme && evidence < MIN_EVIDENCE && /^\d/.test(first.text))
    return readLine(line, { columns, substance: above }, { ...around, isDirected: true }, ctx);
  const isNamed =
    strength ||
    scheme ||
    isKnownMedicine(text) ||
    (around.isDirected && (around.inSection || around.follows)) ||
    isListedBrand(line, around) ||
    (around.inSection && (isFormed(text, first) || hasNameAndDirections(cells)));
  if (evidence < MIN_EVIDENCE || !isNamed || line.words.length > 24) return null;
  if (isOther(line, { cells, strength, scheme, first }, around)) return null;
  if (!columns && !isTaken(sentenceBefore(line, strength?.index))) return null;
  const names = namesOf(line, cells, strength?.[0]);
  // The name is printed slightly higher than the rest of its row.
  const brand = names.brand ?? above,
    substance = names.brand === null ? names.substance : (names.substance ?? above);
  if (!brand) return null;
  const inWords = dayWords(cells);
  const told = [cells.frequency, inWords].find((cell) => cell && findFrequency(cell)) ?? null;
  // "20 units at night" states the dose too if no other cell does.
  const own = told !== null && strength !== null ? told.replace(strength[0], '') : told;
  const printed = own ?? behind(text, strength);
  const isListed =
    columns !== null || (withoutBullet(text).startsWith(brand) && (around.inSection || /^\P{Ll}/u.test(text)));
  const frequency = isListed ? findDirections(printed) : findFrequency(printed);
  const day =
    dayScheme(line, columns, frequency === null ? 1 : 2) ??
    (frequency === null || columns !== null ? countsInRow(text.slice(endOf(strength))) : null);
  return {
    brand_name: brand,
    active_ingredient_original: substance,
    dosage: dosageOf(strength, cells),
    form: cells.form ?? names.form,
    frequency: day ?? frequency?.text ?? cells.frequency ?? inWords ?? null,
    duration: findDuration(behind(text, strength))?.text ?? cells.duration ?? null,
    quantity: findQuantity(text)?.[0] ?? cells.quantity ?? null,
    prescribed_date: ctx.dates(line.page).event,
    confidence: Math.min(0.98, confidenceOf(line.words) * (0.6 + 0.12 * Math.min(3, evidence))),
    place: placeOf(line.page, line.words),
  };
}

/** "Steovit D3 cp, le matin": in a list, a capitalized name with its form and directions, though nobody knows it. */
function isFormed(text: string, first: Part | { index: number } | null): boolean {
  const words = text
    .slice(0, first?.index ?? 0)
    .replace(NUMBERING, '')
    .trim()
    .split(/[\s,;:]+/);
  return (
    first !== null &&
    words.length <= MAX_WORDS_OF_FORMED &&
    /^\p{Lu}\p{L}{2}/u.test(words[0] ?? '') &&
    words.slice(1).some(isForm)
  );
}
const MAX_WORDS_OF_FORMED = 6;

/** A row of a table with a name and how it is taken. */
const hasNameAndDirections = ({ name, frequency }: Cells): boolean =>
  name !== undefined && /^\p{L}{3}/u.test(name) && frequency !== undefined && findFrequency(frequency) !== null;

/** What was found in a line. */
interface Found {
  cells: Cells;
  strength: Part | null;
  scheme: RegExpExecArray | null;
  first: { text: string; index: number } | null;
}

/** Whether a line is about something else than a medicine, or a sentence that only mentions one. */
function isOther(line: Line, { cells, strength, scheme, first }: Found, { inSection }: Around): boolean {
  const { text, segments, words } = line;
  const isSentence = segments.length === 1;
  // What else a row says, such as the reason "Blutdruck", does not make it a vital sign.
  const named = `${cells.name ?? ''} ${cells.substance ?? ''}`.trim() || cutAt(text, [strength?.index, scheme?.index]);
  if (NOT_A_NAME.test(named) || SENTENCE_END.test(named) || REST_OF_BRACKETS.test(named)) return true;
  if (strength && SHARE.test(strength[0]) && !isKnownMedicine(named)) return true;
  if (!inSection && isSentence && words.length > 12 && !scheme) return true;
  if (!inSection && !scheme && isInSentence(line)) return true;
  return !strength && !first && isSentence && words.length >= MIN_WORDS_OF_MENTION;
}

/** "EF 60%", "AUF 100 %", "Inabile al lavoro al 100%": no unknown remedy is that strong. */
const SHARE = /^(?:[5-9]\d|100)\s?%$/u;

/** "Adalimumab) zu erwägen." goes on with a sentence. */
const REST_OF_BRACKETS = /^[^(]*\p{L}\)\s\p{Ll}/u;

/** "Kontrolle beim Hausarzt. Arbeitsunfähigkeit" */
const SENTENCE_END = /\p{Ll}{4}\.\s+\p{Lu}/u;

/** Where a text states how strong a medicine is; `0` is the text as of a match. */
interface Part {
  0: string;
  index: number;
}

/** "30 ml" of a solution is its pack; its strength would be per volume. */
const PACK = /^(?:[5-9]|\d{2,4})(?:[.,]0)?\s?ml$/iu;
const dosageOf = (strength: Part | null, { strength: cell }: Cells): string | null => {
  if (strength && !PACK.test(strength[0])) return tidyStrength(strength[0]);
  return strength ? null : (cell ?? null);
};

const endOf = (part: Part | null): number => (part ? part.index + part[0].length : 0);

/** A strength with its unit, or numbers behind a name: "Fostair 200/6", "Atorvastatin 40". */
function strengthIn(text: string): Part | null {
  const strength = findStrength(text);
  // "Ventolin 2 puffs" says how much of it is taken.
  if (strength) return /(?:puffs?|hub)$/i.test(strength[0]) || BODY_WEIGHT.test(strength[0]) ? null : strength;
  const bare = findBareStrength(text);
  if (!bare) return null;
  const isPair = bare[0].includes('/');
  const words = text.slice(0, bare.index).trim().split(/\s+/);
  const isKnown = findMedicineNames(words).at(-1)?.to === words.length;
  return isKnown || (isPair && withoutBullet(words.join(' ')).split(' ').length <= 2) ? bare : null;
}

/** "3480 g" is what a newborn weighs. */
const BODY_WEIGHT = /^\d[.' ]?\d{3}\s?g$/u;

/** "nimmt Allopurinol 300 mg. Eine Demenz …" goes on from the line above; readMedicinesInProse reads it as a whole. */
const isInSentence = ({ segments, words }: Line): boolean =>
  segments.length === 1 &&
  words.length >= MIN_WORDS_OF_FULL_LINE &&
  /^\p{Ll}/u.test(words[0]?.text ?? '') &&
  findMedicineNames([words[0]?.text ?? '']).length === 0;

/** The words of the sentence before the medicine whose strength is at a position. */
function sentenceBefore({ text }: Line, strength: number | undefined): string {
  const words = cutAt(text, [strength]).split(/\s+/);
  const name = findMedicineNames(words).at(-1);
  return name
    ? (words
        .slice(0, name.from)
        .join(' ')
        .split(/[.;]\s/)
        .at(-1) ?? '')
    : '';
}

/** The text after the strength; all of it if there is none or the directions are before it. */
function behind(text: string, strength: Part | null): string {
  const rest = text.slice(endOf(strength));
  return findFrequency(rest) || findDuration(rest) ? rest : text;
}

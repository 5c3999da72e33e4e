import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findDuration, findQuantity, findScheme, findStrength } from '../../../../src-shared/medical/dose.ts';
import type { FoundMedication } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isGivenOnce, isStopped, startsWith } from '../languages/assertion.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { cellsOf, dayScheme, dayWords, findMedicineHeaders, type MedicineColumn } from './medicine-columns.ts';
import { afterHeading, endsList, inTheirColumn, isListHeading } from './medicine-headings.ts';
import {
  cutAt,
  findMedicineNames,
  isForm,
  isKnownMedicine,
  isSubstance,
  namesOf,
  NUMBERING,
  withoutBullet,
} from './medicine-names.ts';
import { hasSeveralMedicines, isChange, isTaken, readMedicinesInProse } from './medicine-prose.ts';

const NOT_A_NAME =
  /\b(?:tel|fax|page|seite|datum|date|geb|patient|puls|blutdruck|total|cholesterol|glucose|mmhg|kreatinin|serum)\b/iu;

/** Lines that state how to take the medicine above: "S: 1-0-0-0", "Sig. one at night". */
const DIRECTIONS = new RegExp(
  [
    String.raw`^(?:(?:d\.?\s?)?s\.?\s?:|sig(?:na)?\s?[.:]|(?:d\.?\s?)?s\.\s+(?=\d|½|\p{L})|dj\s|`,
    String.raw`(?:dosierung|dosieranweisung|anwendung|einnahme|directions|dose|dosage|posologie|posologia)\s?:|`,
    String.raw`\d(?:[/.,]\d)?\s?[-–]\s?\d(?:[/.,]\d)?\s?[-–]\s?\d)`,
  ].join(''),
  'iu',
);

const INSTRUCTION = new RegExp(
  [
    String.raw`^(?:(?:one|two|half|\d)(?: or two)? to be |take|apply|inhale|inject|use|chew|give|instill|place|prendre|`,
    String.raw`prenez|appliquer|tomar|assumere|prendere|einnehmen|nehmen sie)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Whether a line begins with a frequency: "1 2 fois par jour pendant 7 jours". */
const isDirections = (text: string): boolean =>
  DIRECTIONS.test(text) || INSTRUCTION.test(text) || (findFrequency(text)?.index ?? Infinity) <= 4;

const firstWord = (name: string | null): string => fold(name ?? '').split(' ')[0] ?? '';

/** Returns the medicines of all pages: tables with headings, lists after a heading, and single lines with a dose. */
export function readMedications(layout: Layout, ctx: RowContext): FoundMedication[] {
  const { pages } = layout;
  const rows = pages.flatMap((page) => {
    const listed = readPage(page, ctx);
    const isSame = (row: FoundMedication, name: string): boolean =>
      [row.brand_name, row.active_ingredient_original].some((own) => firstWord(own) === name);
    const rows = [...listed];
    for (const { changes, ...row } of readMedicinesInProse(page, ctx)) {
      const name = firstWord(row.brand_name ?? row.active_ingredient_original);
      const before = (changes ? rows : listed).find((one) => isSame(one, name));
      if (!before) rows.push(row);
      else if (changes) takeDose(before, row);
    }
    return rows;
  });
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = fold(`${row.brand_name ?? ''} ${row.dosage ?? ''} ${row.frequency ?? ''}`);
    return seen.has(key) ? false : seen.add(key);
  });
}

/** A dose that the text changes is the one from now on. */
function takeDose(row: FoundMedication, changed: FoundMedication): void {
  row.dosage = changed.dosage ?? row.dosage;
  row.frequency = changed.frequency ?? row.frequency;
}

/** State while reading a page. */
interface PageState {
  columns: Column<MedicineColumn>[] | null;
  inSection: boolean;
  /** Whether the lines are under a heading of medicines that are no longer taken or not tolerated. */
  isNotTaken: boolean;
  /** Lines since the last row. */
  idle: number;
  /** A substance whose brand follows. */
  substance: string | null;
  /** The line before, if it was about medicines that are not taken. */
  skipped: Line | null;
  rows: FoundMedication[];
}

/** Number of lines without a row after which a list ends. */
const MAX_IDLE_LINES = 3;

function readPage(page: LayoutPage, ctx: RowContext): FoundMedication[] {
  const headers = findMedicineHeaders(page);
  const state: PageState = {
    columns: null,
    inSection: false,
    isNotTaken: false,
    idle: 0,
    substance: null,
    skipped: null,
    rows: [],
  };
  const lines = inTheirColumn(page.lines);
  lines.forEach((line, index) => {
    const header = headers.get(index);
    state.isNotTaken = header === undefined && isNotTaken(line, state.isNotTaken);
    const rest = header ? null : afterHeading(line);
    if (header) Object.assign(state, { columns: header.columns, inSection: true, idle: 0, skipped: null });
    else if (state.isNotTaken || isOut(line, state)) Object.assign(state, { idle: MAX_IDLE_LINES, substance: null });
    else if (rest) {
      Object.assign(state, { columns: null, inSection: true, idle: 0 });
      takeRow(state, rest, lines[index + 1], ctx);
    } else if (isListHeading(line.text)) Object.assign(state, { columns: null, inSection: true, idle: 0 });
    else if (endsList(line.text)) Object.assign(state, { columns: null, inSection: false });
    else if (!takeLoneName(state, line, lines[index + 1])) takeRow(state, line, lines[index + 1], ctx);
  });
  return state.rows;
}

/** Whether a line is about medicines that were stopped or given once, or continues such a sentence. */
function isOut(line: Line, state: PageState): boolean {
  const before = state.skipped;
  const continues =
    before !== null &&
    !/[.)]$/.test(before.text.trimEnd()) &&
    before.words.length >= MIN_WORDS_OF_FULL_LINE &&
    line.segments.length === 1 &&
    !/^[-–—•·*●▪]|^\d{1,2}[.)]/u.test(line.text) &&
    !isListHeading(line.text);
  const isStart =
    isStopped(line.text) || line.segments.some(isStoppedCell) || isGivenOnce(line.text) || isAllergy(line);
  state.skipped = isStart || continues ? line : null;
  return isStart || continues;
}

/** "Stopped" in a column of changes. */
const isStoppedCell = ({ text, words }: Segment): boolean => words.length <= 3 && startsWith('stopped_after', text) > 0;

const MIN_WORDS_OF_FULL_LINE = 7;
/** "Allergies: penicillin 1 g (rash)". */
const isAllergy = ({ text }: Line): boolean => startsWith('allergy', text) > 0;

/** A heading has at most this many words beside those that make it one. */
const MAX_HEADING_REST = 3;

/** Whether a line is in a list of medicines that are no longer taken or not tolerated; other headings end the list. */
function isNotTaken({ text, words }: Line, before: boolean): boolean {
  const cue = Math.max(startsWith('stopped', text), startsWith('allergy', text));
  if (cue > 0) return words.length <= cue + MAX_HEADING_REST && findStrength(text) === null;
  const isHeading =
    isListHeading(text) ||
    endsList(text) ||
    startsWith('taken', text) > 0 ||
    (text.trimEnd().endsWith(':') && words.length <= 2 * MAX_HEADING_REST);
  return before && !isHeading;
}

/** Assigns a line with a single name to the row of its brand or substance; false if it is not such a line. */
function takeLoneName(state: PageState, line: Line, next: Line | undefined): boolean {
  const name = state.inSection ? loneName(line) : null;
  if (name === null) return false;
  const before = state.idle === 0 ? state.rows.at(-1) : undefined;
  if (isSubstance(name)) {
    if (before && before.active_ingredient_original === null && !(next && startsRow(next)))
      before.active_ingredient_original = name;
    else state.substance = name;
    return true;
  }
  if (!before || before.brand_name === null || !isSubstance(before.brand_name)) return false;
  Object.assign(before, { active_ingredient_original: before.brand_name, brand_name: name });
  return true;
}

/** Adds the row of a line, or continues the previous one. */
function takeRow(state: PageState, line: Line, next: Line | undefined, ctx: RowContext): void {
  const { rows, inSection, idle } = state;
  const before = rows.at(-1);
  const isContinuation = isDirections(line.text);
  const follows = before !== undefined && idle <= 1 && before.place?.page === line.page;
  const isDirected = next !== undefined && isDirections(next.text);
  const isProse = hasSeveralMedicines(line) || isChange(line);
  const row = isContinuation || isProse ? null : readLine(line, state, { inSection, follows, isDirected }, ctx);
  if (row) {
    rows.push(row);
    Object.assign(state, { idle: 0, substance: null });
    return;
  }
  continueRow(before, line, (inSection || isContinuation) && idle === 0);
  state.idle += 1;
  if (state.idle > MAX_IDLE_LINES) Object.assign(state, { columns: null, inSection: false });
}

/**
 * The name on a line that contains nothing else: a substance above or below its brand. Numbering and single letters are
 * ignored.
 */
function loneName(line: Line): string | null {
  const named = line.segments.filter(({ text }) => /\p{L}{3}/u.test(text)),
    others = line.segments.filter(({ text }) => !/\p{L}{3}/u.test(text));
  const text = named[0]?.text.replace(NUMBERING, '').trim() ?? '';
  const isAlone =
    named.length === 1 &&
    others.every((segment) => segment.text.length <= 3) &&
    text.split(' ').length <= 3 &&
    /^[\p{L}\s,/()+-]+$/u.test(text);
  return isAlone && !isForm(text) && !findFrequency(text) && !isListHeading(text) && !NOT_A_NAME.test(text)
    ? text.replace(/^\((.*)\)$/, '$1')
    : null;
}

/** Whether a line begins with a brand and states its strength. */
const startsRow = (line: Line): boolean =>
  findStrength(line.text) !== null &&
  /^(?:\d{1,2}[.)]?\s+)?\p{Lu}\p{L}{2}/u.test(line.text) &&
  !DIRECTIONS.test(line.text);

/** Adds a second line to its row: "1-0-1-0 for 30 days" under the medicine. */
function continueRow(row: FoundMedication | undefined, line: Line, follows: boolean): void {
  if (!row || !follows || line.words.length > 20) return;
  row.frequency ??= findFrequency(line.text)?.text ?? null;
  row.duration ??= findDuration(line.text)?.text ?? null;
  row.quantity ??= findQuantity(line.text)?.[0] ?? null;
}

interface Around {
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
  const parts = follows || isDirected || findStrength(text) ? line.words : line.segments;
  return (
    (scheme && !ctx.parseDate(text) ? 1 : 0) +
    (findStrength(text) ? 1 : 0) +
    (isKnownMedicine(text) ? 1 : 0) +
    (!scheme && findFrequency(text) ? 0.5 : 0) +
    (inSection ? 0.7 : 0) +
    (!inSection && follows ? 0.3 : 0) +
    (isDirected ? 0.8 : 0) +
    (parts.some((part) => isForm(part.text.replace(/[,;.]+$/, ''))) ? 0.5 : 0) +
    (withoutBullet(text) === text.trim() ? 0 : 0.2)
  );
}

/** A line with fewer signs than this does not name a medicine. */
const MIN_EVIDENCE = 1.6;

function readLine(
  line: Line,
  { columns, substance: above }: PageState,
  around: Around,
  ctx: RowContext,
): FoundMedication | null {
  const { text } = line;
  const scheme = findScheme(text),
    // In "0-0-0-12 IE", the unit is that of the scheme.
    strength = findStrength(scheme ? text.replace(scheme[0], ' '.repeat(scheme[0].length)) : text);
  const evidence = evidenceOf(line, around, ctx);
  const cells = columns ? cellsOf(line, columns) : {};
  const isNamed =
    strength || scheme || isKnownMedicine(text) || (around.isDirected && (around.inSection || around.follows));
  if (evidence < MIN_EVIDENCE || !isNamed || line.words.length > 24) return null;
  // What else a row says, such as the reason "Blutdruck", does not make it a vital sign.
  const named = `${cells.name ?? ''} ${cells.substance ?? ''}`.trim();
  if (NOT_A_NAME.test(named || cutAt(text, [strength?.index, scheme?.index]))) return null;
  if (!around.inSection && line.segments.length === 1 && line.words.length > 12 && !scheme) return null;
  if (!columns && !isTaken(sentenceBefore(line, strength?.index))) return null;
  const names = namesOf(line, cells.name, cells.substance);
  // The name is printed slightly higher than the rest of its row.
  const brand = names.brand ?? above,
    substance = names.brand === null ? names.substance : (names.substance ?? above);
  if (!brand) return null;
  const own = [cells.frequency, dayWords(cells)].find((cell) => cell && findFrequency(cell)) ?? null;
  const frequency = findFrequency(own ?? behind(text, strength));
  const day = dayScheme(line, columns, frequency === null ? 1 : 2);
  return {
    brand_name: brand,
    active_ingredient_original: substance,
    dosage: strength ? tidyStrength(strength[0]) : (cells.strength ?? null),
    form: cells.form ?? names.form,
    frequency: (day ?? frequency?.text ?? cells.frequency ?? null)?.replace(/%(?=\s?-)|(?<=-\s?)%/g, '½') ?? null,
    duration: findDuration(behind(text, strength))?.text ?? cells.duration ?? null,
    quantity: findQuantity(text)?.[0] ?? cells.quantity ?? null,
    prescribed_date: ctx.dates(line.page).event,
    confidence: Math.min(0.98, confidenceOf(line.words) * (0.6 + 0.12 * Math.min(3, evidence))),
    place: placeOf(line.page, line.words),
  };
}

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
function behind(text: string, strength: RegExpExecArray | null): string {
  const rest = strength ? text.slice(strength.index + strength[0].length) : text;
  return findFrequency(rest) || findDuration(rest) ? rest : text;
}

/** "850mg" has a space, and micro its sign. */
const tidyStrength = (printed: string): string =>
  printed
    .replace(/(\d)(\p{L}|µ)/u, '$1 $2')
    .replace(/\b[up]g\b/, 'µg')
    .replace(/\s+/g, ' ');

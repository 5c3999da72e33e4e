import {
  findDuration,
  findFrequency,
  findQuantity,
  findScheme,
  findStrength,
} from '../../../../src-shared/medical/dose.ts';
import { loadWords } from '../../knowledge/words.ts';
import type { FoundMedication } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isStopped, startsWith } from '../languages/assertion.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { columnAt, findHeaders, type Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { readMedicinesInProse } from './medicine-prose.ts';

const MEDICINE_COLUMNS = [
  'name',
  'substance',
  'strength',
  'form',
  'frequency',
  'duration',
  'quantity',
  'morning',
  'noon',
  'evening',
  'night',
  'other',
] as const;
type MedicineColumn = (typeof MEDICINE_COLUMNS)[number];

const findHeadings = createPhraseFinder(loadWords('medicine-columns', MEDICINE_COLUMNS));
const DAY_PARTS = ['morning', 'noon', 'evening', 'night'] as const;

/** Headings that begin a list of medicines, and those that end it. */
const SECTION = new RegExp(
  [
    String.raw`^(?:your (?:medications|medicines)|ihre medikamente|vos médicaments|i suoi farmaci|rp\.?|rx|r\/|℞|`,
    String.raw`prescription|medications?|current medications?|discharge medications?|medication (?:on|`,
    String.raw`at) discharge|treatment|therapy|medikation(?: bei (?:austritt|entlassung|eintritt))?|`,
    String.raw`aktuelle medikation|entlass(?:ungs)?medikation|austrittsmedikation|medikamente|therapie|verordnung|`,
    String.raw`traitement(?: (?:à la sortie|de sortie|actuel|médicamenteux|prescrit))?|médicaments|médication|`,
    String.raw`ordonnance|terapia(?: (?:alla dimissione|domiciliare|in atto|farmacologica|consigliata))?|farmaci|`,
    String.raw`prescrizione|bei austritt|(?:privat(?:e )?|kassen)?(?:rezept|prescription)|ricetta(?: medica|`,
    String.raw` bianca)?)(?!\p{L})[^.]{0,25}$`,
  ].join(''),
  'iu',
);
const OTHER_SECTION = new RegExp(
  [
    String.raw`^(?:diagnos|befund|beurteilung|procedere|anamnese|allerg|history|findings|assessment|plan|labor|`,
    String.raw`impression|conclusion|follow|verlauf|examen|résultats|esame|anamnesi|decorso|conclusioni|impfung|`,
    String.raw`signature|unterschrift|mit freundlichen|yours|sincerely|cordial)`,
  ].join(''),
  'iu',
);

/** Substances, brands and dosage forms, which identify a medicine even without a table or a dose. */
const WORDS = loadWords('medicine-names', ['substance', 'brand', 'form']);
const NAMES = new Set([...WORDS.substance, ...WORDS.brand].map(fold));
const KNOWN_FORMS = new Set(WORDS.form.map(fold));
const isKnown = (text: string): boolean =>
  fold(text)
    .split(' ')
    .some((word) => word.length > 3 && NAMES.has(word));
const isForm = (text: string): boolean => KNOWN_FORMS.has(fold(text));
const isSubstance = (text: string): boolean => /^[\p{Ll}(][\p{L}\s,/+-]{3,}\)?$/u.test(text.trim());
const NOT_A_NAME =
  /\b(?:tel|fax|page|seite|datum|date|geb|patient|puls|blutdruck|total|cholesterol|glucose|mmhg|kreatinin|serum)\b/iu;

/** Number of a list item, including letters that look like a one. */
const NUMBERING = /^(?:[\dlI]{1,2}[.)]?)\s+/;
/** Lines that state how to take the medicine above: "S: 1-0-0-0", "Sig. one at night". */
const DIRECTIONS = new RegExp(
  [
    String.raw`^(?:(?:d\.?\s?)?s\.?\s?:|sig(?:na)?\s?[.:]|(?:d\.?\s?)?s\.\s+(?=\d|½|\p{L})|`,
    String.raw`\d(?:[/.,]\d)?\s?[-–]\s?\d(?:[/.,]\d)?\s?[-–]\s?\d)`,
  ].join(''),
  'iu',
);

/** Whether a line begins with a frequency: "1 2 fois par jour pendant 7 jours". */
const isDirections = (text: string): boolean =>
  DIRECTIONS.test(text) ||
  /^(?:take|apply|inhale|inject|use|chew|give|prendre|prenez|assumere|prendere|einnehmen|nehmen sie)(?!\p{L})/iu.test(
    text,
  ) ||
  (findFrequency(text)?.index ?? Infinity) <= 4;

const firstWord = (name: string | null): string => fold(name ?? '').split(' ')[0] ?? '';

/** Returns the medicines of all pages: tables with headings, lists after a heading, and single lines with a dose. */
export function readMedications(layout: Layout, ctx: RowContext): FoundMedication[] {
  const { pages } = layout;
  const rows = pages.flatMap((page) => {
    const listed = readPage(page, ctx);
    const names = new Set(listed.flatMap((row) => [row.brand_name, row.active_ingredient_original].map(firstWord)));
    const inProse = readMedicinesInProse(page, ctx).filter(
      (row) => !names.has(firstWord(row.brand_name ?? row.active_ingredient_original)),
    );
    return [...listed, ...inProse];
  });
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = fold(`${row.brand_name ?? ''} ${row.dosage ?? ''} ${row.frequency ?? ''}`);
    return seen.has(key) ? false : seen.add(key);
  });
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
  rows: FoundMedication[];
}

/** Number of lines without a row after which a list ends. */
const MAX_IDLE_LINES = 3;

function readPage(page: LayoutPage, ctx: RowContext): FoundMedication[] {
  const headers = new Map(
    findHeaders(page, findHeadings)
      .filter(({ columns }) => columns.some(({ role }) => role === 'name' || role === 'substance'))
      .map((header) => [header.index, header]),
  );
  const state: PageState = { columns: null, inSection: false, isNotTaken: false, idle: 0, substance: null, rows: [] };
  page.lines.forEach((line, index) => {
    const header = headers.get(index);
    state.isNotTaken = header === undefined && isNotTaken(line, state.isNotTaken);
    if (header) Object.assign(state, { columns: header.columns, inSection: true, idle: 0 });
    else if (state.isNotTaken || isStopped(line.text)) Object.assign(state, { idle: MAX_IDLE_LINES, substance: null });
    else if (SECTION.test(line.text.replace(/[:\s]+$/, '')))
      Object.assign(state, { columns: null, inSection: true, idle: 0 });
    else if (OTHER_SECTION.test(line.text)) Object.assign(state, { columns: null, inSection: false });
    else if (!takeLoneName(state, line, page.lines[index + 1])) takeRow(state, line, ctx);
  });
  return state.rows;
}

/** A heading has at most this many words beside those that make it one. */
const MAX_HEADING_REST = 3;

/** Whether a line is in a list of medicines that are no longer taken or not tolerated; other headings end the list. */
function isNotTaken({ text, words }: Line, before: boolean): boolean {
  const cue = Math.max(startsWith('stopped', text), startsWith('allergy', text));
  if (cue > 0) return words.length <= cue + MAX_HEADING_REST && findStrength(text) === null;
  const isHeading =
    SECTION.test(text.replace(/[:\s]+$/, '')) ||
    OTHER_SECTION.test(text) ||
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
function takeRow(state: PageState, line: Line, ctx: RowContext): void {
  const { rows, columns, inSection, idle, substance } = state;
  const before = rows.at(-1);
  const isContinuation = isDirections(line.text);
  const follows = before !== undefined && idle <= 1 && before.place?.page === line.page;
  const row = isContinuation ? null : readLine(line, columns, { inSection, follows }, ctx, substance);
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
  return isAlone && !isForm(text) && !findFrequency(text) && !SECTION.test(text) && !NOT_A_NAME.test(text)
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
  if (!row || !follows || line.words.length > 14) return;
  row.frequency ??= findFrequency(line.text)?.text ?? null;
  row.duration ??= findDuration(line.text)?.text ?? null;
  row.quantity ??= findQuantity(line.text)?.[0] ?? null;
}

function readLine(
  line: Line,
  columns: Column<MedicineColumn>[] | null,
  { inSection, follows }: { inSection: boolean; follows: boolean },
  ctx: RowContext,
  above: string | null,
): FoundMedication | null {
  const text = line.text;
  const scheme = findScheme(text),
    strength = findStrength(text);
  const isKnownName = isKnown(text);
  const frequency = findFrequency(text);
  const evidence =
    (scheme && !ctx.parseDate(text) ? 1 : 0) +
    (strength ? 1 : 0) +
    (isKnownName ? 1 : 0) +
    (frequency && !scheme ? 0.5 : 0) +
    (inSection ? 0.7 : 0) +
    (!inSection && follows ? 0.3 : 0) +
    ((follows ? line.words : line.segments).some(({ text: part }) => isForm(part.replace(/[,;.]+$/, ''))) ? 0.5 : 0);
  const parts = columns ? byColumns(line, columns) : {};
  if (evidence < 1.6 || (!strength && !isKnownName && !scheme) || line.words.length > 24) return null;
  // What else a row says, such as the reason "Blutdruck", does not make it a vital sign.
  const named = `${parts.name ?? ''} ${parts.substance ?? ''}`.trim();
  if (NOT_A_NAME.test(named || cutAt(text, [strength?.index, scheme?.index]))) return null;
  if (!inSection && line.segments.length === 1 && line.words.length > 12 && !scheme) return null;
  const names = namesOf(line, parts.name, parts.substance);
  // The name is printed slightly higher than the rest of its row.
  const brand = names.brand ?? above,
    substance = names.brand === null ? names.substance : (names.substance ?? above),
    form = names.form;
  if (!brand) return null;
  const day = dayScheme(line, columns, frequency === null ? 1 : 2);
  return {
    brand_name: brand,
    active_ingredient_original: substance,
    dosage:
      strength?.[0]
        .replace(/(\d)(\p{L}|µ)/u, '$1 $2')
        .replace(/\b[up]g\b/, 'µg')
        .replace(/\s+/g, ' ') ??
      parts.strength ??
      null,
    form: parts.form ?? form,
    frequency: (day ?? frequency?.text ?? parts.frequency ?? null)?.replace(/%(?=\s?-)|(?<=-\s?)%/g, '½') ?? null,
    duration:
      findDuration(strength ? text.slice(strength.index + strength[0].length) : text)?.text ?? parts.duration ?? null,
    quantity: findQuantity(text)?.[0] ?? parts.quantity ?? null,
    prescribed_date: ctx.dates(line.page).event,
    confidence: Math.min(0.98, confidenceOf(line.words) * (0.6 + 0.12 * Math.min(3, evidence))),
    place: placeOf(line.page, line.words),
  };
}

function byColumns(line: Line, columns: Column<MedicineColumn>[]): Partial<Record<MedicineColumn, string>> {
  const cells: Partial<Record<MedicineColumn, string>> = {};
  for (const [index, segment] of line.segments.entries()) {
    if (index === 0 && line.segments.length > 1 && NUMBERING.test(`${segment.text} `)) continue;
    const column = columnAt(columns, segment.bbox[0], segment.bbox[0] + segment.bbox[2]);
    if (column) cells[column.role] = cells[column.role] ? `${cells[column.role]} ${segment.text}` : segment.text;
  }
  return cells;
}

/**
 * Converts numbers under morning, noon, evening and night to `1-0-1-0`. Fewer numbers than `minCounts` belong to words:
 * "alle drei Tage 1".
 */
function dayScheme(line: Line, columns: Column<MedicineColumn>[] | null, minCounts: number): string | null {
  if (!columns || DAY_PARTS.filter((part) => columns.some(({ role }) => role === part)).length < 3) return null;
  const counts = new Map<MedicineColumn, string>();
  for (const word of line.words.filter(({ text }) => /^(?:\d{1,2}(?:[.,/]\d)?|½|¼)$/.test(text))) {
    const column = columnAt(columns, word.x, word.x + word.w);
    if (column && (DAY_PARTS as readonly string[]).includes(column.role)) counts.set(column.role, word.text);
  }
  const parts = DAY_PARTS.filter((part) => columns.some(({ role }) => role === part));
  return counts.size >= minCounts ? parts.map((part) => counts.get(part) ?? '0').join('-') : null;
}

interface Names {
  brand: string | null;
  substance: string | null;
  form: string | null;
}

/** Finds brand, substance and form by column, by segment, or in the words before the strength. */
function namesOf(line: Line, named: string | undefined, substanceCell: string | undefined): Names {
  const bullet = /^(?:[-•·*–«»]|\d{1,2}[.)]\s*|\d{1,2}\s+(?=\p{L}{3}))\s*/u;
  const segments = line.segments
    .map((segment) => segment.text.replace(bullet, '').trim())
    .filter((text) => text !== '');
  const head = (named ?? segments.find((text) => /\p{L}{3}/u.test(text)) ?? '').replace(bullet, '');
  const beforeStrength = cutAt(head, [findStrength(head)?.index, findScheme(head)?.index]);
  const formWord =
    [...beforeStrength.split(/\s+/), ...segments.flatMap((text) => text.split(/\s+/))].find(isForm) ?? null;
  const inBrackets = /\(([^)\d]{4,40})\)/.exec(head)?.[1] ?? null;
  const brand = beforeStrength
    .replace(/\([^)]*\)?/g, ' ')
    .split(/\s+/)
    .filter((word) => !isForm(word))
    .join(' ')
    .replace(/^(?:rp\.?|rx)\s*:?\s*/i, '')
    .replace(/[\s,;:–-]+$/u, '')
    .trim();
  const next = segments[segments.indexOf(head) + 1];
  const substance =
    substanceCell ??
    inBrackets ??
    (next && !named && isSubstance(next) && !isForm(next) && !findFrequency(next) ? next : null);
  return { brand: /\p{L}{3}/u.test(brand) && brand.split(' ').length <= 6 ? brand : null, substance, form: formWord };
}

function cutAt(text: string, positions: (number | undefined)[]): string {
  const first = Math.min(...positions.map((position) => position ?? text.length));
  return text.slice(0, first);
}

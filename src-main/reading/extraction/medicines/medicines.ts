import { findDirections, findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findDuration, findQuantity, findStrength, tidyStrength } from '../../../../src-shared/medical/dose.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { FoundMedication } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isGivenOnce, isStopped, startsWith } from '../languages/assertion.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import {
  type Cells,
  cellsOf,
  dayWords,
  findMedicineHeaders,
  type MedicineColumn,
  rowAfterStay,
} from './medicine-columns.ts';
import { directionsOf, INSTRUCTION, isDirections, isSupply } from './medicine-directions.ts';
import { afterHeading, endsList, isBeforeStay, isListHeading } from './medicine-headings.ts';
import {
  inTheirColumn,
  withCountsBetween,
  withLabelledStrengths,
  withUnitsOfScan,
  withNewDoses,
  withWholeLabels,
  withWholeStrengths,
} from './medicine-lines.ts';
import { withCards, withListColumns } from './list-columns.ts';
import { isForm, isSubstance, NUMBERING } from './medicine-names.ts';
import { hasSeveralMedicines, isChange, readMedicinesInProse } from './medicine-prose.ts';
import { NOT_A_NAME, readLine } from './medicine-rows.ts';
import { isNearer, startsRow, takeLabelledSubstance, takeSubstanceAndForm } from './medicine-substances.ts';
import {
  continuesForm,
  isAllergy,
  isGivenInSentence,
  isNotTaken,
  isStopOf,
  isStoppedCell,
  notTakenLabel,
} from './not-taken.ts';

const firstWord = (name: string | null): string => fold(name ?? '').split(' ')[0] ?? '';

/** Returns the medicines of all pages: tables with headings, lists after a heading, and single lines with a dose. */
export function readMedications(layout: Layout, ctx: RowContext): FoundMedication[] {
  const { pages } = layout;
  const before = new Set<FoundMedication>();
  const rows = pages.flatMap((printed) => {
    const tables = new Set([...findMedicineHeaders(printed).values()].map(({ line }) => line));
    const page = { ...printed, lines: withCards(withListColumns(printed.lines, tables)) };
    const { rows: listed, skipped, beforeStay } = readPage(page, ctx);
    for (const row of beforeStay) before.add(row);
    const isSame = (row: FoundMedication, name: string): boolean =>
      [row.brand_name, row.active_ingredient_original].some((own) => firstWord(own) === name);
    const rows = [...listed];
    for (const { changes, isBefore, ...row } of readMedicinesInProse(page, skipped, ctx)) {
      if (isBefore) before.add(row);
      const name = firstWord(row.brand_name ?? row.active_ingredient_original);
      const own = (changes ? rows : listed).find((one) => isSame(one, name));
      if (!own) rows.push(row);
      else if (changes) takeDose(own, row);
    }
    return rows;
  });
  // What was taken before a stay counts where nothing says what is taken after it.
  const after = rows.filter((row) => !before.has(row));
  return withoutRepeats(after.some(({ frequency }) => frequency !== null) ? after : rows);
}

/** A medicine counts once if it is printed again with the same dose, or without saying how it is taken. */
function withoutRepeats(rows: readonly FoundMedication[]): FoundMedication[] {
  const seen = new Set<string>();
  const nameOf = (row: FoundMedication): string => firstWord(row.brand_name ?? row.active_ingredient_original);
  const isSupply = (row: FoundMedication): boolean =>
    row.frequency === null &&
    rows.some(
      (other) =>
        other.frequency !== null &&
        nameOf(other) === nameOf(row) &&
        (row.dosage === null || amountOf(other) === amountOf(row)),
    );
  return rows.filter((row) => {
    const key = fold(`${row.brand_name ?? ''} ${row.dosage ?? ''} ${row.frequency ?? ''}`);
    return seen.has(key) || isSupply(row) ? false : seen.add(key);
  });
}

/** The numbers of a dosage: "100 micrograms" and "100 micrograms/dose" are one. */
const amountOf = ({ dosage }: FoundMedication): string => /^[\d.,/+ ]+/.exec(dosage ?? '')?.[0].trim() ?? '';

/** A dose that the text changes is the one from now on. */
function takeDose(row: FoundMedication, changed: FoundMedication): void {
  row.dosage = changed.dosage ?? row.dosage;
  row.frequency = changed.frequency ?? row.frequency;
}

const MIN_WORDS_OF_FULL_LINE = 7;

/** State while reading a page. */
interface PageState {
  columns: Column<MedicineColumn>[] | null;
  inSection: boolean;
  /** Whether the lines are under a heading of medicines that are no longer taken or not tolerated. */
  isNotTaken: boolean;
  /** Left edge of the label of a form that heads such medicines; what is right of it belongs to it. */
  notTakenFrom: number | null;
  /** Index of the line that heads them. */
  notTakenAt: number;
  /** Texts of the last row of a table by column, which the next line may go on. */
  cells: Cells;
  /** Lines since the last row. */
  idle: number;
  /** The line of directions above, which this one may go on. */
  directions: string;
  /** A substance whose brand follows. */
  substance: string | null;
  /** The line before, if it was about medicines that are not taken. */
  skipped: Line | null;
  /** Directions in the line above, which a label of a pharmacy prints over the name. */
  above: string | null;
  /** Rows that had their directions above. */
  labels: number;
  /** The rows under a heading of what was taken before a stay in hospital. */
  beforeStay: Set<FoundMedication>;
  isBeforeStay: boolean;
  rows: FoundMedication[];
}

/** Number of lines without a row after which a list ends. */
const MAX_IDLE_LINES = 3;

interface PageMedicines {
  rows: FoundMedication[];
  skipped: Set<PageWord>;
  beforeStay: Set<FoundMedication>;
}

/** The medicines that a page lists, and the words under headings of those that are not taken. */
function readPage(page: LayoutPage, ctx: RowContext): PageMedicines {
  const skipped = new Set<PageWord>();
  const state: PageState = {
    columns: null,
    inSection: false,
    isNotTaken: false,
    notTakenFrom: null,
    notTakenAt: -1,
    cells: {},
    idle: 0,
    directions: '',
    substance: null,
    skipped: null,
    above: null,
    labels: 0,
    beforeStay: new Set(),
    isBeforeStay: false,
    rows: [],
  };
  const printed = page.source === 'ocr' ? withUnitsOfScan(page.lines) : page.lines;
  const whole = withLabelledStrengths(withCountsBetween(withWholeLabels(printed)));
  const lines = withNewDoses(withWholeStrengths(inTheirColumn(whole)));
  const headers = findMedicineHeaders({ ...page, lines });
  lines.forEach((line, index) => {
    const header = headers.get(index);
    if (header || !continuesForm(line, state.notTakenFrom)) {
      const label = header ? null : notTakenLabel(line);
      // The next label of a form ends what the one before heads.
      const before = state.isNotTaken && state.notTakenFrom === null;
      state.notTakenFrom = label;
      // "Medicines stopped" over "Medicine   Reason"
      const isTitled = header !== undefined && before && index - header.index + header.first - state.notTakenAt <= 1;
      const isHeaded = header ? isTitled : label !== null || isNotTaken(line, before);
      if (isHeaded && !before) state.notTakenAt = index;
      state.isNotTaken = isHeaded;
    }
    const rest = header ? null : afterHeading(line);
    if (header && !state.isNotTaken)
      Object.assign(state, { columns: header.columns, inSection: true, idle: 0, skipped: null });
    else if (state.idle <= 1 && isStopOf(state.rows.at(-1), line)) state.rows.pop();
    else if (state.isNotTaken || isOut(line, state) || isGivenInSentence(lines[index - 1], line)) {
      if (state.isNotTaken && index - state.notTakenAt <= MAX_LINES_NOT_TAKEN)
        for (const word of line.words) skipped.add(word);
      Object.assign(state, { idle: MAX_IDLE_LINES, substance: null });
    } else if (rest) {
      state.isBeforeStay = isBeforeStay(line.text);
      Object.assign(state, { columns: null, inSection: true, idle: 0 });
      takeRow(state, rest, lines[index + 1], ctx);
    } else if (isListHeading(line.text)) {
      const columns = goesOnBelow(state.columns, lines[index + 1]) ? state.columns : null;
      Object.assign(state, { columns, inSection: true, idle: 0, isBeforeStay: isBeforeStay(line.text) });
    } else if (endsList(line.text)) Object.assign(state, { columns: null, inSection: false });
    else if (
      !takeLabelledSubstance(state.idle === 0 ? state.rows.at(-1) : undefined, line) &&
      !continueCells(state, line) &&
      !continueDirections(state, line) &&
      !takeLoneName(state, line, lines[index + 1])
    )
      takeRow(state, line, lines[index + 1], ctx);
  });
  return { rows: state.rows, skipped, beforeStay: state.beforeStay };
}
/** Running text so far below a heading of medicines that are not taken may be about others. */
const MAX_LINES_NOT_TAKEN = 4;

/** Whether the row below a heading within a table has the table's columns: "Bedarfsmedikation" in a plan of the day. */
function goesOnBelow(columns: PageState['columns'], below: Line | undefined): boolean {
  if (!columns || !below) return false;
  const { name, substance, ...others } = cellsOf(below, columns);
  return (name ?? substance) !== undefined && Object.keys(others).length >= MIN_CELLS_OF_ROW;
}
const MIN_CELLS_OF_ROW = 3;

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

/** Adds the second line of the cells of a row: "micrograms" under "100/6", "Tropfen" under "1x wöchentlich 30". */
function continueCells({ columns, rows, idle, cells: before }: PageState, line: Line): boolean {
  const row = rows.at(-1);
  if (!columns || !row || idle > 0 || row.place?.page !== line.page) return false;
  const printed = cellsOf(line, columns);
  const below = withStrength(printed, row);
  const isStrength = below !== printed;
  if (!isStrength && findStrength(line.text) !== null) return false;
  const { name, substance, strength, ...others } = below;
  const directions = directionsIn(below);
  const whole = `${directionsIn(before) ?? ''} ${directions ?? ''}`.trim();
  const found = findDirections(whole)?.text ?? null;
  const goesOn = name === undefined && found !== null && found === whole && !/^\d/.test(directions ?? '');
  const isRest =
    line.segments.every(({ text }) => (isStrength && text === printed.name) || /^[(\p{Ll}]/u.test(text)) || goesOn;
  const { other: _remark, ...own } = others;
  const isOther = Object.values(own).length > (directions === null ? 0 : 1);
  // "tablet" below "Augmentin (co-amoxiclav)"
  const isFormBelow = name !== undefined && isForm(name);
  if (!isRest || isOther || (name !== undefined && !isFormBelow && !name.startsWith('('))) return false;
  if (name === undefined && strength === undefined && directions === null) return false;
  if (isFormBelow) row.form ??= name;
  const other = substance ?? (isFormBelow ? undefined : name?.replace(/^\(|\)$/g, ''));
  if (other !== undefined) row.active_ingredient_original ??= other;
  if (isStrength) row.brand_name = row.brand_name?.replace(NUMBER_AT_END, '') ?? null;
  if (strength !== undefined) row.dosage = `${row.dosage ?? before.strength ?? ''} ${strength}`.trim();
  if (directions !== null) row.frequency = found ?? whole;
  return true;
}

/** "75 mcg" below "Levothyroxine", "IU" below "Vitamin D3 1000": a name cell that is the strength of the row above. */
function withStrength(cells: Cells, row: FoundMedication): Cells {
  const { name, ...others } = cells;
  if (name === undefined || cells.strength !== undefined || row.dosage !== null) return cells;
  const strength = `${NUMBER_AT_END.exec(row.brand_name ?? '')?.[0] ?? ''} ${name}`.trim();
  return findStrength(strength)?.[0] === strength ? { ...others, strength: tidyStrength(strength) } : cells;
}
const NUMBER_AT_END = /\s\d[\d.,]*$/u;

/** The cell that says how a medicine is taken, or words across the columns of the day. */
const directionsIn = (cells: Cells): string | null => cells.frequency ?? dayWords(cells);

/** The end of directions on a line of its own: "jour" below "max. 6 par". */
const OF_TIME = new RegExp(
  [
    String.raw`^(?:jours?|giorn[oi]|tage?n?|täglich|days?|daily|semaines?|settiman[ae]|wochen?|weeks?|mois|mes[ei]|`,
    String.raw`months?|meals?|repas|pasti|essen|tablets?|patient)\.?$`,
  ].join(''),
  'iu',
);

/** "levotiroxina, compresse" below a brand with its strength is a card, under whatever heading. */
const FORM_BEHIND = /^\p{Ll}[\p{L} /-]{3,}, \p{Ll}{4,}$/u;

/** Assigns a line with a single name to the row of its brand or substance; false if it is not such a line. */
function takeLoneName(state: PageState, line: Line, next: Line | undefined): boolean {
  const before = state.idle === 0 ? state.rows.at(-1) : undefined;
  if (before && takeSubstanceAndForm(before, line, next)) return true;
  const isOnCard = before?.dosage != null && FORM_BEHIND.test(line.text);
  const name = state.inSection || isOnCard ? loneName(line) : null;
  if (name === null) return false;
  if (isSubstance(name) && !OF_TIME.test(name)) {
    const isOfNext = next !== undefined && startsRow(next) && !isNearer(line, before, next);
    if (before && before.active_ingredient_original === null && !isOfNext) before.active_ingredient_original = name;
    else state.substance = name;
    return true;
  }
  if (!before || before.brand_name === null || !isSubstance(before.brand_name)) return false;
  Object.assign(before, { active_ingredient_original: before.brand_name, brand_name: name });
  return true;
}

/** Adds the row of a line, or continues the previous one. */
function takeRow(state: PageState, printed: Line, next: Line | undefined, ctx: RowContext): void {
  const { rows, inSection, idle } = state;
  const line = state.columns ? rowAfterStay(printed, state.columns) : printed;
  if (!line) {
    Object.assign(state, { idle: MAX_IDLE_LINES, substance: null });
    return;
  }
  const before = rows.at(-1);
  const isContinuation = isDirections(line.text);
  const follows = before !== undefined && idle <= 1 && before.place?.page === line.page;
  const isDirected = next !== undefined && isDirections(next.text);
  const isProse = hasSeveralMedicines(line) || isChange(line);
  const row = isContinuation || isProse ? null : readLine(line, state, { inSection, follows, isDirected }, ctx);
  const above = state.above;
  state.above = isContinuation && isOverName(line, state) ? directionsOf(line.text) : null;
  if (row) {
    const isDirectedBelow = isDirected && directionsOf(next.text) !== null;
    if (row.frequency === null && above !== null && (!isDirectedBelow || state.labels > 0)) {
      row.frequency = above;
      state.labels += 1;
    }
    rows.push(row);
    if (state.isBeforeStay) state.beforeStay.add(row);
    Object.assign(state, {
      idle: 0,
      substance: null,
      directions: line.text,
      cells: state.columns ? cellsOf(line, state.columns) : {},
    });
    return;
  }
  continueRow(before, line, (inSection || isContinuation) && idle === 0);
  state.directions = isContinuation ? line.text : '';
  // The pack may be between a name and its directions.
  state.idle += isSupply(line.text) ? 0 : 1;
  if (state.idle > MAX_IDLE_LINES) Object.assign(state, { columns: null, inSection: false });
}

/** Whether directions are above the name that they belong to, as on the label of a pharmacy; so has every later one. */
const isOverName = ({ text }: Line, { rows, labels, idle }: PageState): boolean =>
  INSTRUCTION.test(text) && (rows.length === labels || idle > MAX_IDLE_LINES);

/**
 * The name on a line that contains nothing else: a substance above or below its brand. Numbering and single letters are
 * ignored.
 */
function loneName(line: Line): string | null {
  const named = line.segments.filter(({ text }) => /\p{L}{3}/u.test(text)),
    others = line.segments.filter(({ text }) => !/\p{L}{3}/u.test(text));
  const [whole = '', form = ''] = named[0]?.text.replace(NUMBERING, '').trim().split(', ') ?? [];
  const text = form === '' || isForm(form) ? whole : `${whole}, ${form}`;
  const isAlone =
    named.length === 1 &&
    others.every((segment) => segment.text.length <= 3) &&
    text.split(' ').length <= 3 &&
    /^[\p{L}\s,/()+-]+$/u.test(text);
  return isAlone &&
    !isForm(text) &&
    !findFrequency(text) &&
    !isListHeading(text) &&
    !NOT_A_NAME.test(text) &&
    startsWith('taken', text) === 0
    ? text.replace(/^\((.*)\)$/, '$1')
    : null;
}

/** Adds the end of directions that are broken into two lines: "tablets at night" under "… and TWO". */
function continueDirections(state: PageState, line: Line): boolean {
  const row = state.rows.at(-1);
  const before = directionsOf(state.directions);
  if (!row || before === null || before !== row.frequency || !/^\p{Ll}/u.test(line.text)) return false;
  const whole = directionsOf(`${state.directions} ${line.text}`);
  if (whole === null || whole === before || !whole.startsWith(before)) return false;
  Object.assign(row, { frequency: whole });
  state.directions = '';
  return true;
}

/** Adds a second line to its row: "1-0-1-0 for 30 days" under the medicine. */
function continueRow(row: FoundMedication | undefined, line: Line, follows: boolean): void {
  if (!row || !follows || line.words.length > 20) return;
  row.frequency ??= directionsOf(line.text);
  row.duration ??= findDuration(line.text)?.text ?? null;
  row.quantity ??= findQuantity(line.text)?.[0] ?? null;
}

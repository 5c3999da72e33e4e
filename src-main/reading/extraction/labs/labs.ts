import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { FoundLabResult } from '../extraction.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';
import { monthOf } from '../languages/months.ts';
import type { RowContext } from '../row-context.ts';
import { findMedicineHeaders } from '../medicines/medicine-columns.ts';
import { endsList, isListHeading } from '../medicines/medicine-headings.ts';
import { doubted } from './doubted.ts';
import { withoutArrows, withoutArrowsBehind } from './lab-arrows.ts';
import { joinBadges } from './lab-badges.ts';
import { unfoldBlocks } from './lab-blocks.ts';
import { unfoldCards } from './lab-cards.ts';
import { decimalMark } from './lab-decimal-mark.ts';
import { addDoubtOfMention } from './lab-doubt-names.ts';
import { addDoubtsOfLostPoints, addDoubtsOfTable } from './lab-doubt.ts';
import { raiseRanges } from './lab-ranges-below.ts';
import { dateOfPanel, dayOfSentence, isResultsHeading, panelOf, statedUnit, unitOfPanel } from './lab-panels.ts';
import { leadingFlag } from './lab-marks.ts';
import { explainsMarks } from './lab-names.ts';
import { completeName, continueName, type Named } from './lab-name-lines.ts';
import { addDoubtsOfPage, preparePage } from './lab-page.ts';
import { repeatsInOtherUnit } from './lab-other-unit.ts';
import { timedCells } from './lab-time-tables.ts';
import { transposedCells } from './lab-transposed.ts';
import { linesOfWordColumns } from './lab-word-columns.ts';
import { unitOf } from './lab-repair.ts';
import { toResults } from './lab-results.ts';
import { introduced, resultsInSentence, statesLimit } from './lab-prose.ts';
import { repairCells } from './lab-scan-repair.ts';
import { isKnownTest, repairName } from './lab-words.ts';
import { isUnitless } from './plausible-limits.ts';
import { cellsUnder, cellsWithout, type LabCells } from './lab-rows.ts';
import { isDated, labTables, partsOf, type LabTable } from './lab-table.ts';

/** Number of lines without a row after which a table, or a column of results without headings, ends. */
const TABLE_GAP_LINES = 4;
/** A line this far below the one above it, as a fraction of the page height, is the footer and not a row. */
const FOOTER_GAP = 0.3;
/** Tolerance for aligned edges of numbers in one column, as a fraction of the page width. */
const SAME_COLUMN = 0.012;
const SAMPLES: readonly [string, RegExp][] = [
  ['serum', /\b(?:serum|sérum|siero)\b/i],
  ['plasma', /\bplasma\b/i],
  // "Mittelstrahlharn", "Leuko i.U.", "U-Protein", but not "Harnstoff"
  ['urine', /\burin|harn(?!\p{L})|(?<!\p{L})i\.\s?U\.|^U-(?=\p{L})/iu],
  ['urine', /(?<!\p{L})harn(?:status|streifen|sediment|kultur|befund)/iu],
  ['blood', /\b(?:whole blood|vollblut|edta|sang total|sangue intero)\b/i],
  ['stool', /\b(?:stool|stuhl\p{L}*|selles|feci)\b/iu],
  ['cerebrospinal fluid', /\b(?:csf|cerebrospinal fluid|liquor\p{L}*|lcr|liquide céphalo-rachidien)\b/iu],
];
/** Lines of letterheads, footers, prescriptions and invoices. */
const NEVER_A_ROW = new RegExp(
  [
    String.raw`\b(?:tel|ph|phone|fax)\.?:?\s*\(?(?:\+\d|0\d{1,4}\))|\b(?:www\.|https?:|iban(?!\p{L})|bic(?!\p{L})|(?:page|seite|pagina|blatt)\s*\d)|@|`,
    String.raw`\b\d\s?[-–]\s?\d\s?[-–]\s?\d(?:\s?[-–]\s?\d)?\b|\b(?:comprimés?|tabletten?|filmtabl\w*|tablets?|`,
    String.raw`capsules?|kapseln?|gélules?|compresse|tbl\.?|cpr\.?|ampoules?|ampullen?|fial[ae]|gouttes|tropfen|gocce|`,
    String.raw`sachets?|bustin[ae]|puffs?|hübe?)(?!\p{L})|`,
    String.raw`^(?:hinweise?|bemerkung(?:en)?|kommentar|notes?|comments?|remarks?|remarques?|commento|osservazioni)\s*:|`,
    String.raw`^(?:conclusions?|conclusione|beurteilung|interpr[eé]tation|commentaire)(?:\s*:|\s{2})`,
  ].join(''),
  'iu',
);

/** "Collected February 3, 2026 8:15 AM" has a number, but it is a day. */
const isDay = ({ text }: Line): boolean => monthOf(MONTH_AND_DAY.exec(text)?.[1] ?? '') !== null;
const MONTH_AND_DAY = /^\p{L}+:?\s(?:on\s)?(\p{L}{3,9})\s\d{1,2},\s(?:19|20)\d\d(?!\d)/u;

const isNeverARow = (line: Line): boolean =>
  NEVER_A_ROW.test(line.text) || explainsMarks(line.text) || statesLimit(line) || isDay(line);

/** Laboratory results of all pages, in reading order. */
export function readLabResults(layout: Layout, ctx: RowContext): FoundLabResult[] {
  const { pages } = layout;
  const decimal = decimalMark(pages);
  const found = pages.flatMap((page) => {
    const rows = readPage(page, ctx, decimal);
    return page.source === 'ocr' ? withoutArrows(withoutArrowsBehind(rows)) : rows;
  });
  return addDoubtOfMention(addDoubtsOfTable(found), pages);
}

/** State while reading a page from top to bottom. */
interface Progress {
  table: LabTable | null;
  gap: number;
  panel: string | null;
  sample: string | null;
  /** A name whose results are on the next line. */
  pending: LabCells | null;
  last: FoundLabResult | null;
  /** Where the name of the last result is printed. */
  named: Named | null;
  /** Whether the lines are under a heading of medicines. */
  isOfMedicines: boolean;
  /** Horizontal span of the last result without headings. */
  column: { from: number; to: number } | null;
  /** The unit that a line above the table states for all of its rows. */
  statedUnit: string | null;
  /** The unit and the date in the heading of the rows: "Elektrolyte (mmol/l)", "Labor vom 3.4.2024". */
  panelUnit: string | null;
  panelDate: string | null;
  /** Date in the words that introduce results in a sentence; the sentence may span several lines. */
  sentenceDate: string | null;
}

function readPage(numbered: LayoutPage, ctx: RowContext, decimal: '.' | ',' | null): FoundLabResult[] {
  const printed = preparePage(numbered);
  const { page: carded, cards } = unfoldCards(joinBadges(printed));
  const { lines, blocks } = unfoldBlocks(raiseRanges(carded));
  const page = { ...printed, lines };
  const { tables, headerLines } = labTables(page, ctx);
  const words = linesOfWordColumns(page);
  const rows: FoundLabResult[] = [];
  const now: Progress = {
    table: null,
    gap: 0,
    panel: null,
    sample: null,
    pending: null,
    last: null,
    named: null,
    column: null,
    isOfMedicines: false,
    statedUnit: null,
    panelUnit: null,
    panelDate: null,
    sentenceDate: null,
  };
  const marked = new Set<FoundLabResult>();
  const days = new Map([...timedCells(page), ...transposedCells(page, ctx)]);
  const medicines = new Set([...findMedicineHeaders(page).values()].map((header) => header.line));
  page.lines.forEach((line, index) => {
    const ofDay = days.get(line);
    if (ofDay) {
      rows.push(...resultsOfDay(ofDay, { page, ctx, decimal, now }));
      return;
    }
    if (headerLines.has(index)) {
      now.table = tables.get(index) ?? now.table;
      now.gap = 0;
      now.isOfMedicines = false;
      // "Labor 18.11.2025   Test   Wert   Einheit"
      const [label] = line.segments;
      if (label && isResultsHeading(partOf(line, [label]))) now.panelDate = dateOfPanel(partOf(line, [label]), ctx);
      return;
    }
    if (isFarBelow(page.lines[index - 1], line)) Object.assign(now, { table: null, column: null });
    // The rows under "Medication on discharge" are not results, whatever table was before.
    if (medicines.has(line) || isMedicineHeading(line))
      Object.assign(now, { table: null, pending: null, isOfMedicines: true });
    else if (isResultsHeading(line) || endsList(line.text) || introduced(line)) now.isOfMedicines = false;
    if (now.isOfMedicines) return;
    const unit = unitOfPanel(line);
    const found =
      unit !== null || isNeverARow(line)
        ? []
        : rowsOfLine(line, { page, ctx, decimal, now, marked, words, isBlock: blocks.has(line) || cards.has(line) });
    if (found.length > 0) {
      if (now.gap > 0 || rows.length === 0)
        rows.push(
          ...rowsAbove(index, { page, ctx, decimal, now: { ...now }, marked, words, isBlock: false }, headerLines),
        );
      rows.push(...found);
      now.last = found.at(-1) ?? null;
      now.gap = 0;
      return;
    }
    if (isResultsHeading(line)) Object.assign(now, { panelDate: dateOfPanel(line, ctx), gap: 0 });
    now.sentenceDate = null;
    now.statedUnit = statedUnit(line) ?? now.statedUnit;
    if (continueUnit(rows.at(-1), line, { page, ctx, now }) || continueName(rows.at(-1), line, now)) return;
    const heading = panelOf(line, page, index);
    if (unit !== null || heading) now.panelUnit = unit;
    if (heading) {
      now.panel = heading;
      now.sample = sampleOf(heading);
    } else {
      now.sample = sampleOf(line.text) ?? now.sample;
      now.gap += 1;
    }
    if (now.gap > TABLE_GAP_LINES) Object.assign(now, { table: null, column: null, panelUnit: null, panelDate: null });
  });
  const found = addDoubtsOfLostPoints(withoutRepeats(withStars(rows, marked)), page);
  return addDoubtsOfPage(found, page);
}

const isFarBelow = (above: Line | undefined, line: Line): boolean =>
  above !== undefined && line.y - above.y > FOOTER_GAP;

/** "Empfohlene Medikation", alone in its line. */
const isMedicineHeading = ({ segments, text }: Line): boolean => segments.length === 1 && isListHeading(text);

/** The results of one row of a table in which the tests are columns. */
const resultsOfDay = (
  cells: readonly LabCells[],
  { page, ctx, decimal, now }: Pick<Reading, 'page' | 'ctx' | 'decimal' | 'now'>,
) => {
  const rows = cells.flatMap((cell) =>
    toResults(cell, {
      ...{ page, ctx, decimal, panel: now.panel, isInColumn: false, isInRun: false },
      sample: sampleOf(cell.name) ?? now.sample,
    }),
  );
  // A scan lost the range in the heading of a column where the others have one.
  const mayLack = page.source !== 'ocr' || !rows.some(hasRange);
  return rows.map((row): FoundLabResult => {
    const isLost = !mayLack && row.value !== null && !hasRange(row);
    return isLost ? doubted(row, 'range_missing') : row;
  });
};

/**
 * Where some names of a page have a star and others not, the star marks results that are out of range, and words
 * without it are usual ones.
 */
function withStars(rows: FoundLabResult[], marked: ReadonlySet<FoundLabResult>): FoundLabResult[] {
  if (marked.size === 0 || rows.every((row) => marked.has(row))) return rows;
  return rows.map((row) => {
    const isInWords = row.value === null;
    return hasRange(row) || !(isInWords || marked.has(row)) ? row : { ...row, is_abnormal: marked.has(row) };
  });
}

const hasRange = (row: FoundLabResult): boolean =>
  row.reference_range_low !== null || row.reference_range_high !== null;

/** Rows directly above the first sure one of a column, which only its position shows to be results. */
function rowsAbove(index: number, reading: Reading, headerLines: ReadonlySet<number>): FoundLabResult[] {
  const { page, now } = reading;
  const rows: FoundLabResult[] = [];
  for (let above = index - 1; above >= 0 && !headerLines.has(above); above -= 1) {
    const line = page.lines[above],
      below = page.lines[above + 1];
    if (!line || !below || now.table || below.y - line.y > 2 * Math.max(page.lineHeight, line.h)) break;
    if (isNeverARow(line) || unitOfPanel(line) !== null || line.segments.length === 1) break;
    const found = rowsOfLine(line, reading);
    if (found.length === 0) break;
    rows.unshift(...found);
  }
  return rows;
}

interface Reading {
  page: LayoutPage;
  ctx: RowContext;
  decimal: '.' | ',' | null;
  now: Progress;
  /** Rows with a star before their name. */
  marked: Set<FoundLabResult>;
  /** Lines of lists with results in words. */
  words: ReadonlySet<Line>;
  isBlock: boolean;
}

function rowsOfLine(printed: Line, { page, ctx, decimal, now, marked, words, isBlock }: Reading): FoundLabResult[] {
  const { line, flag } = isBlock ? { line: printed, flag: null } : leadingFlag(printed);
  const sentence = isBlock ? null : introduced(line);
  if (sentence) now.sentenceDate = dayOfSentence(sentence.introduction, ctx);
  const prose = isBlock || now.table ? null : resultsInSentence(sentence?.line ?? line);
  const inSentence = prose?.lines ?? [];
  const read =
    now.table && !sentence && !isBlock
      ? partsOf(line, now.table).map(([columns, part]) => cellsUnder(part, columns))
      : (inSentence.length > 0 ? inSentence : [sentence?.line ?? line])
          .flatMap(cellsWithout)
          .map((cells) => ({ ...cells, isUnderHeader: isBlock || prose?.isList === true }));
  const own =
    read.some((cells) => cells !== null && cells.values.length > 0) || !now.table ? [] : rowOfItself(line, now.table);
  const rows: FoundLabResult[] = [];
  const isOfConcentrations = !isBlock && now.table?.isOfConcentrations === true;
  for (const printedCells of own.length > 0 ? own : read) {
    if (!printedCells || repeatsInOtherUnit(printedCells)) continue;
    const cells = repairCells(printedCells, { isScanned: page.source === 'ocr', isOfConcentrations });
    const named = completeName(cells, now, rows.at(-1) ?? now.last);
    cells.flag ??= flag;
    if (now.panelUnit !== null && !isUnitless(cells.name)) cells.unit ??= now.panelUnit;
    if (cells.isUnderHeader && (isOfConcentrations || !isUnitless(cells.name)))
      cells.unit ??= now.table?.unit ?? now.statedUnit;
    else if (isKnownTest(cells.name) && !isUnitless(cells.name) && cells.range !== null) cells.unit ??= now.statedUnit;
    const token = cells.values[0]?.token;
    const isInWords = words.has(line);
    const isInColumn =
      isInWords ||
      (token !== undefined &&
        now.column !== null &&
        !cells.isUnderHeader &&
        (Math.abs(token.from - now.column.from) < SAME_COLUMN ||
          Math.abs(token.to - now.column.to) < SAME_COLUMN ||
          Math.abs(token.from + token.to - now.column.from - now.column.to) < SAME_COLUMN));
    const results = toResults(cells, {
      page,
      panel: now.panel,
      sample: sampleOf(cells.name) ?? sampleOf(cells.beside) ?? now.sample,
      ctx,
      isInColumn,
      isInRun: isInWords || now.column !== null,
      decimal,
    }).map((row, i) => dated(row, cells, { now, ofColumn: cells.values[i]?.date ?? null, ctx }));
    rows.push(...results);
    if (results.length > 0) now.named = named;
    if (cells.isStarred) for (const row of results) marked.add(row);
    if (results.length > 0 && token) now.column = { from: token.from, to: token.to };
    now.pending = results.length === 0 && cells.values.length === 0 && cells.name !== '' && now.table ? cells : null;
  }
  return rows;
}

/** The row of a table without headings below another one, if it has name, number, unit and range. */
function rowOfItself(line: Line, { groups }: LabTable): LabCells[] {
  if (groups.flat().some((column) => column.role === 'previous' || isDated(column))) return [];
  const [cells, ...others] = cellsWithout(line);
  const isWhole =
    cells &&
    (cells.unit !== null || isUnitless(cells.name)) &&
    cells.range !== null &&
    isKnownTest(repairName(cells.name));
  return isWhole && others.length === 0 ? [cells] : [];
}

/** The date of its column takes precedence over that of the sentence or heading, and these over the sample's. */
function dated(
  row: FoundLabResult,
  cells: LabCells,
  { now, ofColumn, ctx }: { now: Progress; ofColumn: string | null; ctx: RowContext },
): FoundLabResult {
  const sure = now.table?.sureDate ?? null;
  if (ofColumn !== null) return sure === null || ofColumn === sure ? row : doubted(row, 'poor_print');
  const beside = cells.dateBeside === null ? null : ctx.parseDate(cells.dateBeside);
  if (beside !== null) return { ...row, test_date: beside };
  return { ...row, test_date: (cells.isUnderHeader ? null : now.sentenceDate) ?? now.panelDate ?? row.test_date };
}

/** Adds the unit that a card prints below the name of its test: "Creatinine   118   50-98" over "µmol/L". */
function continueUnit(
  row: FoundLabResult | undefined,
  line: Line,
  { page, ctx, now }: Pick<Reading, 'page' | 'ctx' | 'now'>,
): boolean {
  const isBelow = row?.place != null && now.gap === 0 && line.y - row.place.bbox[1] < MAX_UNIT_LINES * line.h;
  if (!row || !isBelow || row.value === null || row.unit !== null || line.segments.length > 1) return false;
  if (!isUnit(line.text) || isUnitless(row.test_name_original)) return false;
  const international = ctx.language === 'fr' || ctx.language === 'it';
  row.unit = unitOf(line.text, row.test_name_original, { scanned: page.source === 'ocr', international });
  row.doubt = row.doubt.filter((doubt) => doubt !== 'unit_missing');
  return true;
}
const MAX_UNIT_LINES = 3;

const sampleOf = (text: string): string | null => SAMPLES.find(([, form]) => form.test(text))?.[0] ?? null;

/** A line that was read twice, or printed twice on one page, is one result. */
function withoutRepeats(rows: FoundLabResult[]): FoundLabResult[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = JSON.stringify([row.test_name_original, row.value_text, row.unit, row.test_date]);
    return seen.has(key) ? false : seen.add(key);
  });
}

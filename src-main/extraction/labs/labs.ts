import { isOutside, parseReferenceRange, type ReferenceRange } from '../../../src-shared/medical/reference-range.ts';
import { parseNumber, repairNumber, type PrintedNumber } from '../../../src-shared/medical/number.ts';
import { cleanUnit } from '../../../src-shared/medical/unit.ts';
import type { FoundLabResult } from '../extraction.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findHeaders, type Column, type Header } from '../layout/table.ts';
import { boxAround } from '../layout/geometry.ts';
import type { RowContext } from '../row-context.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
import { readCells, type LabCells } from './lab-rows.ts';
import { isKnownTest, isMicroTest, isWordResult } from './lab-words.ts';

/** Lines without a row after which a table has ended. */
const TABLE_GAP_LINES = 4;
/** Evidence that a line without a table around it is a result. */
const LEAST_EVIDENCE = 2;
const PANEL_WORDS = 6;
const SAMPLES: readonly [string, RegExp][] = [['serum', /\bserum|sérum|siero\b/i], ['plasma', /\bplasma/i], ['urine', /\burine?|urina\b/i], ['blood', /\b(?:whole blood|vollblut|edta|sang total|sangue intero)\b/i], ['stool', /\b(?:stool|stuhl|selles|feci)\b/i]];
/** Lines of letterheads and footers that have a number and look like a row. */
const NOT_A_TEST = /(?:^|\b)(?:tel|telefon|phone|fax|page|seite|pagina|geb|born|date|datum|data|iban|total due|summe|betrag|gesamtbetrag|street|strasse|straße|via|rue|plz|age|alter|patient|nhs|ahv|pid|order|auftrag|rechnung|invoice|facture|fattura|mrn|postfach|p\.?o\.? box|blood pressure|blutdruck|tension|pressione|pulse|puls|pouls|polso|weight|gewicht|poids|peso|height|grösse|größe|taille|altezza|bmi|temp\w*|spo2|minuten|minutes|minuti|uhr)\b/iu;

/** Laboratory results of all pages, in reading order. */
export function readLabResults(layout: Layout, ctx: RowContext): FoundLabResult[] {
  const pages = layout.pages.filter(({ page }) => !ctx.pages || (page >= ctx.pages[0] && page <= ctx.pages[1]));
  return pages.flatMap((page) => readPage(page, ctx));
}

interface Table { columns: Column<LabColumn>[]; groups: Column<LabColumn>[][] }

function readPage(page: LayoutPage, ctx: RowContext): FoundLabResult[] {
  const headers = new Map(findHeaders(page, findLabHeadings).filter(isLabHeader).map((header) => [header.index, header]));
  const rows: FoundLabResult[] = [];
  let table: Table | null = null, gap = 0, panel: string | null = null, sample: string | null = null, pendingName: LabCells | null = null;
  page.lines.forEach((line, index) => {
    const header = headers.get(index);
    if (header) {
      table = toTable(header, ctx);
      gap = 0;
      return;
    }
    sample = SAMPLES.find(([, form]) => form.test(line.text))?.[0] ?? sample;
    let found = 0;
    for (const [columns, part] of partsOf(line, table)) {
      const cells = readCells(part, columns);
      if (!cells) continue;
      if (pendingName && cells.name === '' && cells.values.length > 0) Object.assign(cells, { name: pendingName.name, nameToken: pendingName.nameToken });
      const made = toResults(cells, { page, panel, sample, ctx });
      rows.push(...made);
      found += made.length;
      pendingName = made.length === 0 && cells.values.length === 0 && cells.name !== '' && table ? cells : null;
    }
    if (found === 0) {
      const heading = panelOf(line, page);
      if (heading) panel = heading;
      else gap += 1;
      if (gap > TABLE_GAP_LINES) table = null;
    } else gap = 0;
  });
  return withoutRepeats(rows);
}

/** A laboratory's header names what was tested or found, and at least one thing besides. */
const isLabHeader = ({ columns }: Header<LabColumn>): boolean => {
  const roles = new Set(columns.map((column) => column.role));
  return (roles.has('test') && (roles.has('value') || roles.has('unit') || roles.has('range'))) || (roles.has('value') && (roles.has('unit') || roles.has('range')));
};

/** Columns of the header, dates among them as columns of values; two tables side by side each begin with a column of tests. */
function toTable(header: Header<LabColumn>, ctx: RowContext): Table {
  const dated = header.line.segments.flatMap((segment): Column<LabColumn>[] => {
    const date = ctx.parseDate(segment.text);
    return date && segment.words.length <= 3 ? [{ role: 'value', from: segment.bbox[0], to: segment.bbox[0] + segment.bbox[2], text: date }] : [];
  });
  const named = dated.length > 0 ? header.columns.filter((column) => !(column.role === 'value' && dated.some((date) => date.from < column.to && date.to > column.from))) : header.columns;
  const columns = [...named, ...dated].sort((a, b) => a.from - b.from);
  if (!columns.some((column) => column.role === 'test')) {
    const first = columns[0];
    if (first && first.from > 0.12) columns.unshift({ role: 'test', from: 0, to: Math.max(0.05, first.from - 0.05), text: '' });
  }
  const groups: Column<LabColumn>[][] = [];
  for (const column of columns) {
    if (column.role === 'test' && groups.length > 0 && groups.at(-1)?.some((other) => other.role === 'value' || other.role === 'range')) groups.push([column]);
    else if (groups.length === 0) groups.push([column]);
    else groups.at(-1)?.push(column);
  }
  return { columns, groups };
}

/** The line cut where a second table begins. */
function partsOf(line: Line, table: Table | null): [Column<LabColumn>[] | null, Line][] {
  if (!table || table.groups.length < 2) return [[table?.columns ?? null, line]];
  return table.groups.flatMap((columns, i): [Column<LabColumn>[], Line][] => {
    const from = i === 0 ? -1 : (columns[0]?.from ?? 0) - 0.02, to = (table.groups[i + 1]?.[0]?.from ?? 2) - 0.02;
    const segments = line.segments.filter((segment: Segment) => segment.bbox[0] >= from && segment.bbox[0] < to);
    const words = segments.flatMap((segment) => segment.words);
    return segments.length ? [[columns, { ...line, segments, words, bbox: boxAround(words), text: segments.map((segment) => segment.text).join('  ') }]] : [];
  });
}

interface Surroundings { page: LayoutPage; panel: string | null; sample: string | null; ctx: RowContext }

function toResults(cells: LabCells, { page, panel, sample, ctx }: Surroundings): FoundLabResult[] {
  const name = cleanName(cells.name);
  if (!isName(name) || cells.values.length === 0) return [];
  const range = cells.range === null ? null : parseReferenceRange(cells.range, ctx.sex);
  const known = isKnownTest(name);
  const dates = ctx.dates(page.page);
  const values = cells.values.some((value) => value.column?.text && /^\d{4}-/.test(value.column.text)) ? cells.values : cells.values.slice(0, 1);
  return values.flatMap(({ text, token, column }): FoundLabResult[] => {
    const number = readNumber(text);
    const isWord = number === null && isWordResult(text);
    const evidence = (number ? 1 : isWord ? 0.5 : 0) + (cells.unit ? 1 : 0) + (range ? 1 : 0) + (cells.flag ? 0.5 : 0) + (known ? 1 : 0) + (cells.underHeader ? 1 : 0);
    if (evidence < LEAST_EVIDENCE || (number === null && !isWord && !(cells.underHeader && (range || cells.unit)))) return [];
    if (!cells.underHeader && !known && !(cells.unit && range)) return [];
    const unit = cells.unit ? microUnit(cleanUnit(cells.unit), name) : null;
    const ownDate = column && /^\d{4}-/.test(column.text) ? column.text : null;
    const words = [...(cells.nameToken?.words ?? []), ...token.words];
    const sure = number === null && !isWord ? 0.3 : 1;
    return [{
      test_name_original: name, value: number?.value ?? null, value_text: text.trim(), unit,
      reference_range_low: range?.low ?? null, reference_range_high: range?.high ?? null,
      is_abnormal: abnormal(number, isWord ? text : null, range, cells), sample_type: sample, panel_name: panel,
      test_date: ownDate ?? dates.collected ?? dates.event,
      confidence: Math.min(0.99, confidenceOf(words) * (0.7 + 0.06 * Math.min(5, evidence)) * sure), place: placeOf(page.page, [...cells.line.words]),
    }];
  });
}

function readNumber(text: string): PrintedNumber | null {
  const direct = parseNumber(text);
  if (direct) return direct;
  const repaired = repairNumber(text);
  return repaired === null ? null : parseNumber(repaired);
}

/** Range and value decide; a flag only where there is no range. A word is abnormal when the laboratory expects another. */
function abnormal(number: PrintedNumber | null, word: string | null, range: ReferenceRange | null, { flag, range: printed }: LabCells): boolean {
  if (number && range) return isOutside(number.value, number.comparator, range);
  if (flag !== null) return flag !== 'normal';
  if (word !== null && printed !== null && isWordResult(printed)) return word.trim().slice(0, 3).toLowerCase() !== printed.trim().slice(0, 3).toLowerCase();
  return false;
}

/** OCR without the letter µ reads `pmol/L` or `Hmol/L`; for these tests that would be a million times too little, or nothing. */
function microUnit(unit: string, name: string): string {
  return isMicroTest(name) && /^[^mn\d%]{0,2}mol\s?\/?/i.test(unit) && !/^(?:mmol|mol|nmol)/i.test(unit) ? unit.replace(/^[^mn\d%]{0,2}(?=mol)/i, 'µ') : unit;
}

const cleanName = (name: string): string => name.replace(/^[\s*•·«»\-–|.,:;]+|[\s:;|.,*…_-]+$/gu, '').replace(/\s+/g, ' ').trim();
const isName = (name: string): boolean => /\p{L}/u.test(name) && (name.replace(/[^\p{L}]/gu, '').length >= 2 || /^(?:K|Na|Ca|Mg|Fe|P|Cl)$/.test(name)) && name.length <= 70 && !NOT_A_TEST.test(name);

/** A short line alone at the left that introduces rows. */
function panelOf(line: Line, page: LayoutPage): string | null {
  const [segment] = line.segments;
  if (!segment || line.segments.length > 1 || segment.words.length > PANEL_WORDS || segment.bbox[0] > 0.5) return null;
  const next = page.lines[page.lines.indexOf(line) + 1];
  return /^\p{L}/u.test(segment.text) && !/[.:]$/.test(segment.text.replace(/:$/, '')) && next !== undefined && next.y - line.y < 4 * page.lineHeight ? segment.text.replace(/:$/, '') : null;
}

/** The same line read twice, or printed twice on one page, is one result. */
function withoutRepeats(rows: FoundLabResult[]): FoundLabResult[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = JSON.stringify([row.test_name_original, row.value_text, row.unit, row.test_date]);
    return seen.has(key) ? false : seen.add(key);
  });
}

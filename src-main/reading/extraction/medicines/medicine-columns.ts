import { loadWords } from '../../knowledge/words.ts';
import { findStrength } from '../../../../src-shared/medical/dose.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { partOf } from '../layout/line-parts.ts';
import { columnAt, findHeaders, type Column, type Header } from '../layout/table.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { isListHeading } from './medicine-headings.ts';
import { NUMBERING } from './medicine-names.ts';

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
  'before',
  'after',
  'continued',
  'other',
] as const;
export type MedicineColumn = (typeof MEDICINE_COLUMNS)[number];
export type Cells = Partial<Record<MedicineColumn, string>>;

const findHeadings = createPhraseFinder(loadWords('medicine-columns', MEDICINE_COLUMNS));
const DAY_PARTS = ['morning', 'noon', 'evening', 'night'] as const;
type DayPart = (typeof DAY_PARTS)[number];
const isDayPart = (role: MedicineColumn): role is DayPart => (DAY_PARTS as readonly string[]).includes(role);

/** "8 Uhr", "08:00", "12h", "07h00", "6 pm" above a column. */
const HOUR =
  /^(um |ore |à |at |h\.? )?(\d{1,2})(?:[.:]\d\d|(?=h\d\d$))?\s?(?:(uhr|h(?:\d\d)?|heures?|ore)|([ap])\.?m\.?)?$/iu;
const PART_UNTIL: readonly [hour: number, part: DayPart][] = [
  [11, 'morning'],
  [16, 'noon'],
  [21, 'evening'],
  [25, 'night'],
];

/** The part of the day of a heading with a time. */
function dayPartAt({ text }: Segment): { role: DayPart; text: string } | null {
  const match = HOUR.exec(text.trim());
  const [, before, printed, unit, half] = match ?? [];
  if (!match || !(before ?? unit ?? half ?? text.includes(':'))) return null;
  const hour = Number(printed) + (half?.toLowerCase() === 'p' && Number(printed) < 12 ? 12 : 0);
  const role = hour < 4 ? 'night' : PART_UNTIL.find(([until]) => hour < until)?.[1];
  return role ? { role, text } : null;
}

/** Headers of tables of medicines by the index of their last line. */
export function findMedicineHeaders(page: LayoutPage): Map<number, Header<MedicineColumn>> {
  const headers = findHeaders<MedicineColumn>(page, findHeadings, dayPartAt);
  return new Map(
    headers
      .filter(({ first }) => !hasDays(page.lines[first - 1]))
      // "Ramipril   5 mg   matin midi soir" is a row.
      .filter(({ line }) => findStrength(line.text) === null)
      .map(withStay)
      .filter(({ columns }) => new Set(columns.map(({ role }) => role)).size > 1)
      .map(withNames)
      .filter(({ columns }) => columns.some(({ role }) => role === 'name' || role === 'substance'))
      // "CHANGED medicines" heads a list; its words do not head columns.
      .filter(({ line }) => line.segments.length > 1 || !isListHeading(line.text))
      .map((header) => [header.index, header]),
  );
}

/** Whether a line has days: the hours under them are those at which samples were taken. */
const hasDays = (line: Line | undefined): boolean =>
  (line?.segments ?? []).filter(({ text }) => IS_DAY.test(text)).length > 1;
const IS_DAY = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/;

/** Over a plan of the day, the column of the medicines often has no heading: "Morning   Noon   Evening   Night". */
function withNames(header: Header<MedicineColumn>): Header<MedicineColumn> {
  const { columns } = header;
  const [first] = columns;
  const isDay =
    columns.filter(({ role }) => isDayPart(role)).length >= MIN_DAY_PARTS &&
    columns.every(({ role }) => role !== 'name' && role !== 'substance');
  if (!first || !isDay || first.from < MIN_LEFT) return header;
  return { ...header, columns: [{ role: 'name', from: 0, to: first.from / 2, text: '' }, ...columns] };
}
const MIN_DAY_PARTS = 3;
/** Left of the parts of the day, there is room for names. */
const MIN_LEFT = 0.2;

/** Columns of what was taken before and after a stay count where a table has both: else they belong to its title. */
function withStay(header: Header<MedicineColumn>): Header<MedicineColumn> {
  const { columns, line } = header;
  const hasBoth = line.segments.length > 2 && hasRole(columns, 'before') && hasRole(columns, 'after');
  return hasBoth ? header : { ...header, columns: columns.filter(({ role }) => role !== 'before' && role !== 'after') };
}
const hasRole = (columns: readonly Column<MedicineColumn>[], wanted: MedicineColumn): boolean =>
  columns.some(({ role }) => role === wanted);

/** A row without what was taken before a stay; null if its cells say that the medicine is not taken any more. */
export function rowAfterStay(line: Line, columns: readonly Column<MedicineColumn>[]): Line | null {
  const { name, substance, before, after } = cellsOf(line, columns);
  const roleOf = ({ bbox: [x, , w] }: Segment) => columnAt(columns, x, x + w)?.role;
  if ((name ?? substance) === undefined) return line;
  if (line.segments.some((segment) => NO.test(segment.text) && roleOf(segment) === 'continued')) return null;
  if (!hasRole(columns, 'after')) return line;
  if (after === undefined ? before !== undefined : NOTHING.test(after)) return null;
  return partOf(
    line,
    line.segments.filter((segment) => roleOf(segment) !== 'before'),
  );
}
const NO = /^(?:no|n|nein|non|✗|✘|☒)\.?$/iu;
const NOTHING = /^(?:[-–—/0]+|entfällt|none|aucun|nessuno)$/iu;

/** The text of a line in each column. */
export function cellsOf(line: Line, columns: readonly Column<MedicineColumn>[]): Cells {
  const cells: Cells = {};
  for (const [index, segment] of line.segments.entries()) {
    if (index === 0 && line.segments.length > 1 && NUMBERING.test(`${segment.text} `)) continue;
    const column = columnAt(columns, segment.bbox[0], segment.bbox[0] + segment.bbox[2]);
    // "–   Lisinopril": a cell of a brand or substance that has none.
    if ((column?.role === 'name' || column?.role === 'substance') && /^[-–—/]+$/.test(segment.text)) continue;
    if (column) cells[column.role] = cells[column.role] ? `${cells[column.role]} ${segment.text}` : segment.text;
  }
  return cells;
}

/** A number of pieces; OCR reads "½" as "Y2", "Ya", "Vz" or a percent sign, 0 as a letter, and lines as bars. */
function countIn(text: string): string | null {
  const bare = text.replace(/^[|([{_]+(?=.)|(?<=.)[|)\]}_.]+$/g, '');
  if (/^(?:\d{1,2}(?:[.,/]\d)?|\d?[½¼¾]|1\/2)$/.test(bare)) return bare;
  if (/^[-–—]$/.test(bare)) return '0';
  if (/^[Oo]$/.test(bare)) return '0';
  if (/^(?:[Il|]|[Ii]l)$/.test(bare)) return '1';
  return /^(?:[YV][a2z%]|%|Y%|’?\/2)$/.test(bare) ? '½' : null;
}

const MIN_COUNTS = 3,
  MAX_COUNTS = 4;
/**
 * Three or four single counts beside each other behind a strength, under headings that were not read: "15 mg   0   0
 * 1   0", "15 mg | 0 | 0 | 1".
 */
export function countsInRow(text: string): string | null {
  const words = text.trim().split(/\s+/);
  const bare = words.filter((word) => word !== '|');
  const counts = (bare.length < words.length - 1 ? bare : words).map(countIn);
  const from = counts.findIndex((_, at) => counts.slice(at, at + MIN_COUNTS).every((count) => count !== null));
  const end = counts.findIndex((count, at) => at > from && count === null);
  const run = from < 0 ? [] : counts.slice(from, end < 0 ? undefined : end);
  const isScheme = run.length >= MIN_COUNTS && run.length <= MAX_COUNTS && run.some((count) => count !== '0');
  return isScheme ? run.join('-') : null;
}

/**
 * Converts numbers under morning, noon, evening and night to `1-0-1-0`. Fewer numbers than `minCounts` belong to words:
 * "alle drei Tage 1".
 */
export function dayScheme(
  line: Line,
  columns: readonly Column<MedicineColumn>[] | null,
  minCounts: number,
): string | null {
  const parts = DAY_PARTS.filter((part) => columns?.some(({ role }) => role === part));
  if (!columns || parts.length < 3) return null;
  const counts = new Map<DayPart, string>();
  // "Bisoprolol-ratiopharm 2,5 mg" may reach below the first heading of the day.
  const [first, ...others] = line.segments;
  const isNamed = first !== undefined && others.length > 0 && /\p{L}{3}.*\d/u.test(first.text);
  for (const word of isNamed ? others.flatMap(({ words }) => words) : line.words) {
    const role = columnAt(columns, word.x, word.x + word.w)?.role;
    const count = role && isDayPart(role) ? countIn(word.text) : null;
    if (count !== null && role && isDayPart(role) && !counts.has(role)) counts.set(role, count);
  }
  const isTaken = [...counts.values()].some((count) => count !== '0');
  return isTaken && counts.size >= minCounts ? parts.map((part) => counts.get(part) ?? '0').join('-') : null;
}

/** Words across the columns of the day instead of numbers: "nach INR", "bei Bedarf". */
export function dayWords(cells: Cells): string | null {
  const words = DAY_PARTS.flatMap((part) => cells[part] ?? []).join(' ');
  return /\p{L}{2}/u.test(words) ? words : null;
}

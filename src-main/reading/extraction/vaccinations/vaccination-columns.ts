import { createPhraseFinder } from '../languages/phrases.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, findHeaders, type Column, type Header } from '../layout/table.ts';
import { loadWords } from '../../knowledge/words.ts';
import { notGivenAt } from './vaccine-words.ts';

const VACCINE_COLUMNS = ['date', 'vaccine', 'disease', 'manufacturer', 'lot', 'dose', 'other'] as const;
export type VaccineColumn = (typeof VACCINE_COLUMNS)[number];
export type VaccineColumns = readonly Column<VaccineColumn>[];

const findHeadings = createPhraseFinder(loadWords('vaccine-columns', VACCINE_COLUMNS));

/** Headers of tables of vaccinations by the index of their last line. */
export function findVaccineHeaders(page: LayoutPage): Map<number, Header<VaccineColumn>> {
  return new Map(
    findHeaders(page, findHeadings)
      .filter(({ columns }) => columns.some(({ role }) => role === 'vaccine' || role === 'disease'))
      .map((header) => [header.index, { ...header, columns: [...header.columns, ...unnamed(header)] }]),
  );
}

/** Columns whose heading has no known role; they keep their cells out of the neighboring columns. */
function unnamed({ line, columns }: Header<VaccineColumn>): Column<VaccineColumn>[] {
  return line.segments.flatMap(({ text, bbox: [from, , width] }): Column<VaccineColumn>[] =>
    columns.some((column) => column.from < from + width && column.to > from)
      ? []
      : [{ role: 'other', from, to: from + width, text }],
  );
}

/** The column that a segment is in. */
export const columnOf = (
  { bbox: [from, , width] }: Segment,
  columns: VaccineColumns | null,
): Column<VaccineColumn> | undefined => columnAt(columns ?? [], from, from + width);

/** Under "Next due". */
export const isDue = (segment: Segment, columns: VaccineColumns | null): boolean =>
  notGivenAt(columnOf(segment, columns)?.text ?? '') >= 0;

/** "Expires", "verwendbar bis", "péremption": days of a batch, not of a vaccination. */
const EXPIRY =
  /(?<!\p{L})(?:exp(?:ir(?:y|es|ation|e))?|use (?:by|before)|verfall|ablauf|haltbar|verwendbar|péremption|scadenza)/iu;

/** Under the day on which a batch expires. */
export const isExpiry = (segment: Segment, columns: VaccineColumns | null): boolean =>
  EXPIRY.test(columnOf(segment, columns)?.text ?? '');

/** Segments of a line by their column, those of one column joined. */
export function vaccineCells(line: Line, columns: VaccineColumns): Partial<Record<VaccineColumn, string>> {
  const cells: Partial<Record<VaccineColumn, string>> = {};
  for (const segment of line.segments) {
    const role = columnOf(segment, columns)?.role;
    if (role) cells[role] = cells[role] ? `${cells[role]} ${segment.text}` : segment.text;
  }
  return cells;
}

import type { FoundLabResult } from '../extraction.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Segment } from '../layout/lines.ts';
import { doubted } from './doubted.ts';
import { hasAnyRange, lineOf } from './lab-doubt.ts';

/** Ranges of so many rows that begin at one edge are a column; a lower limit is narrower than this. */
const MIN_ROWS = 2,
  SAME_EDGE = 0.015,
  MAX_LOST = 0.08;
/** "5 - " is wider than so many characters of a number, "< " is not. */
const MIN_LOST_CHARACTERS = 2.3;

type Scan = Pick<LayoutPage, 'source' | 'lines'>;

/** Adds the signs of doubt in the limits of a scan, and returns the rows. */
export const addDoubtsOfLimits = (rows: FoundLabResult[], page: Scan): FoundLabResult[] =>
  page.source === 'ocr' ? addDoubtsOfLostLimits(addDoubtsOfLostDashes(rows, page), page) : rows;

/**
 * Marks the numbers of a scan whose range lost its dash, and has no decimals where the number has some: "5.6   3   5"
 * may have been "3.5 - 5.2".
 */
function addDoubtsOfLostDashes(rows: FoundLabResult[], { lines }: Scan): FoundLabResult[] {
  return rows.map((row) => {
    const { value, reference_range_low: low, reference_range_high: high } = row;
    const isCut = value !== null && !Number.isInteger(value) && low !== null && high !== null;
    const texts = isCut ? (lineOf(row, lines)?.words.map(({ text }) => text.replace(/[[\](){}]/g, '')) ?? []) : [];
    const isLost = texts.some((text, i) => text === String(low) && texts[i + 1] === String(high));
    const areWhole = Number.isInteger(low) && Number.isInteger(high);
    return isLost && areWhole ? doubted(row, 'decimals_differ') : row;
  });
}

/** A range with both limits: "3.5 - 5.1". */
const BOTH = /\d\D+\d+[^\p{L}]*$/u;

/**
 * Marks the numbers of a scan with one limit, "5", that begins to the right of where the ranges of the other rows begin:
 * the lower one is lost.
 */
function addDoubtsOfLostLimits(rows: FoundLabResult[], { lines }: Scan): FoundLabResult[] {
  const cellsOf = (row: FoundLabResult): readonly Segment[] => lineOf(row, lines)?.segments.slice(1) ?? [];
  const edges = rows
    .filter(hasAnyRange)
    .flatMap((row) => cellsOf(row).flatMap(({ text, bbox: [x] }) => (BOTH.test(text) ? [x] : [])));
  const isEdge = (x: number): boolean => edges.filter((edge) => Math.abs(edge - x) < SAME_EDGE).length >= MIN_ROWS;
  const isBehindEdge = ({ text, bbox: [x, , width] }: Segment): boolean => {
    const least = Math.max(SAME_EDGE, (MIN_LOST_CHARACTERS * width) / text.length);
    return edges.some((edge) => x - edge > least && x - edge < MAX_LOST && isEdge(edge));
  };
  return rows.map((row) => {
    const { value, reference_range_low: low, reference_range_high: high } = row;
    const limit = (low === null) === (high === null) ? null : (low ?? high);
    const isLost = (cell: Segment): boolean =>
      /^\d+(?:[.,]\d+)?$/.test(cell.text) && Number(cell.text.replace(',', '.')) === limit && isBehindEdge(cell);
    return value !== null && limit !== null && cellsOf(row).some(isLost) ? doubted(row, 'range_missing') : row;
  });
}

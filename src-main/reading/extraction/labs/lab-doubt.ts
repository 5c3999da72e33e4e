import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import type { FoundLabResult } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isUnitless, plausibleLimits } from './plausible-limits.ts';
import { isWideTest } from './lab-words.ts';

/** Below this confidence, the print was hard to read. */
const MIN_CONFIDENCE = 0.6;
/** A number this many times above or below its range is rare; of some tests it is not. */
const FAR = 5;
const FAR_OF_WIDE_TEST = 100;
const LONG_NAME_WORDS = 6;
/** Bounds of different decimals whose ratio is larger than this, and numbers this many times outside, lost a point. */
const MIXED_RATIO = 9;
const POINT_LOST = 3;
/** A table has ranges or units if this share of at least this many other rows have them. */
const MOST = 0.6;
const MIN_ROWS = 3;

/** What the signs of doubt need beside the row itself. */
export interface PrintOf {
  /** Printed texts of value and range, to compare their decimals; null for a row without a number and a range. */
  value: string;
  range: string | null;
  isScanned: boolean;
  /** Whether a second look at the number read other digits. */
  readingsDiffer: boolean;
  /** Whether the number had to be repaired. */
  isRepaired: boolean;
}

/** Signs in the row itself. */
export function ownDoubts(row: Omit<FoundLabResult, 'doubt'>, print: PrintOf): LabDoubt[] {
  const doubts: LabDoubt[] = [];
  const { value, unit } = row;
  if (row.confidence < MIN_CONFIDENCE) doubts.push('poor_print');
  if (print.readingsDiffer) doubts.push('readings_differ');
  const isUnitUnclear = unit === null ? !isUnitless(row.test_name_original) : print.isScanned && ucumOf(unit) === null;
  if (value !== null && isUnitUnclear) doubts.push('unit_missing');
  if (value !== null && isFar(row, value)) doubts.push('far_from_range');
  if (value !== null && print.isScanned && (print.isRepaired || haveOtherDecimals(print)))
    doubts.push('decimals_differ');
  const limits = value === null ? null : plausibleLimits(row.test_name_original, unit);
  if (limits && value !== null && (value < limits.low || value > limits.high)) doubts.push('value_impossible');
  if (fold(row.test_name_original).split(' ').length > LONG_NAME_WORDS) doubts.push('name_long');
  if (value === null && row.is_abnormal && print.isScanned) doubts.push('abnormal_in_words');
  return doubts;
}

function isFar(row: Omit<FoundLabResult, 'doubt'>, value: number): boolean {
  const { reference_range_low: low, reference_range_high: high } = row;
  const factor = isWideTest(row.test_name_original) ? FAR_OF_WIDE_TEST : FAR;
  return (high !== null && high > 0 && value > factor * high) || (low !== null && low > 0 && value < low / factor);
}

const decimalsOf = (text: string): number => /[.,](\d+)/.exec(text)?.[1]?.length ?? 0;

/**
 * Laboratories print value and range with the same decimals. Where they differ and the numbers do not fit each other, a
 * point was lost: "42" beside "3.5 - 5.1", "35 - 51" beside "4.2", "3.5 - 51".
 */
function haveOtherDecimals({ value, range }: PrintOf): boolean {
  const bounds = range?.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const numbers = bounds.map((bound) => Number(bound.replace(',', '.')));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const decimals = bounds.map(decimalsOf);
  if (bounds.length === 0) return false;
  if (new Set(decimals).size > 1) return least > 0 && most / least > MIXED_RATIO;
  const number = Number(/\d+(?:[.,]\d+)?/.exec(value)?.[0].replace(',', '.') ?? most);
  if (decimalsOf(value) === decimals[0]) return false;
  return decimalsOf(value) === 0 ? number > POINT_LOST * most : number < least / POINT_LOST;
}

/** Adds the signs that follow from the other rows of a document, and returns the rows. */
export function addDoubtsOfTable(rows: readonly FoundLabResult[]): FoundLabResult[] {
  const hasRange = (row: FoundLabResult): boolean =>
    row.reference_range_low !== null || row.reference_range_high !== null;
  return rows.map((row) => {
    const others = rows.filter(
      (other) => other !== row && other.value !== null && other.place?.page === row.place?.page,
    );
    const ranged = others.filter(hasRange).length;
    const isAlone = row.value !== null && !hasRange(row) && others.length >= MIN_ROWS && ranged > MOST * others.length;
    return isAlone ? { ...row, doubt: [...row.doubt, 'range_missing'] } : row;
  });
}

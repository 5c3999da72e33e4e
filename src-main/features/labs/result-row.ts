import type { LabDoubt } from '../../../src-shared/contract/lab-doubt.ts';
import type { LabPoint } from '../../../src-shared/contract/labs.ts';
import type { Comparator } from '../../../src-shared/contract/wire.ts';
import { parseNumber } from '../../../src-shared/medical/number.ts';
import { isOutside } from '../../../src-shared/medical/reference-range.ts';

/** A stored result as trends use it. `date` is its own date, otherwise that of its document. */
export interface ResultRow {
  id: number;
  document_id: number | null;
  document_filename: string | null;
  laboratory: string | null;
  page: number | null;
  test_name_original: string;
  date: string | null;
  value: number | null;
  value_text: string | null;
  unit: string | null;
  reference_range_low: number | null;
  reference_range_high: number | null;
  is_abnormal: boolean | null;
  reference_range_comparator: Comparator | null;
  doubt: LabDoubt[];
  panel_name: string | null;
  /** Whether a user added or changed it. */
  edited: boolean;
}

/** The comparator in front of a printed number: `<` of `< 0.3`. */
export const comparatorOf = (valueText: string | null): Comparator | null =>
  valueText === null ? null : (parseNumber(valueText)?.comparator ?? null);

/**
 * The side of its own reference range on which a result lies; `abnormal` if it is flagged without a side. The flag
 * "normal" of a user or laboratory takes precedence over the range.
 */
export function flagOf(
  row: Pick<ResultRow, 'value' | 'value_text' | 'is_abnormal' | 'reference_range_low' | 'reference_range_high'>,
): LabPoint['flag'] {
  if (row.is_abnormal === false) return null;
  const { value, reference_range_low: low, reference_range_high: high } = row;
  if (value !== null && isOutside(value, comparatorOf(row.value_text), { low, high }))
    return high !== null && value >= high ? 'high' : 'low';
  return row.is_abnormal ? 'abnormal' : null;
}

/** Orders results oldest first, those without a date last. */
export function byDate(a: { date: string | null; id: number }, b: { date: string | null; id: number }): number {
  if (a.date === b.date) return a.id - b.id;
  if (a.date === null) return 1;
  return b.date === null || a.date < b.date ? -1 : 1;
}

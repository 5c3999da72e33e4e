import type { LabChanges, LabResult } from '../../../../src-shared/contract/labs.ts';
import type { Comparator } from '../../../../src-shared/contract/wire.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { isOutside, parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { rangeOf, type RangeToShow } from '../../../client/lab-text.ts';

/** Form values of a result; `flag` can defer to the reference range. */
export interface LabValues {
  name: string;
  value: string;
  unit: string;
  range: string;
  date: string;
  sample: string;
  flag: 'by_range' | 'normal' | 'abnormal';
}
export type LabField = keyof LabValues;

export const NO_RESULT: LabValues = {
  name: '',
  value: '',
  unit: '',
  range: '',
  date: '',
  sample: '',
  flag: 'by_range',
};

/** Formats a range so that it can be typed: `30-300`, `<5`, `≤5`, `>1`. */
export function rangeAsTyped({ low, high, comparator = null }: RangeToShow): string {
  if (low !== null && high !== null) return `${low}-${high}`;
  if (high !== null) return `${comparator === '≤' ? '≤' : '<'}${high}`;
  return low === null ? '' : `${comparator === '≥' ? '≥' : '>'}${low}`;
}

/** The sign of a typed range with one bound. */
const comparatorTyped = (range: string): Comparator | null => parseNumber(range)?.comparator ?? null;

/** Whether a typed value is outside a typed range; null if they cannot be compared. */
function isAbnormal(valueText: string | null, range: { low: number | null; high: number | null }): boolean | null {
  const number = parseNumber(valueText ?? '');
  return number === null || (range.low === null && range.high === null)
    ? null
    : isOutside(number.value, number.comparator, range);
}

/** The form values of a result. */
export function valuesOfResult(row: LabResult): LabValues {
  const range = rangeOf(row);
  const value = row.value_text ?? (row.value === null ? '' : String(row.value));
  const flagByHand = row.is_abnormal ? 'abnormal' : 'normal';
  const flag = row.is_abnormal === isAbnormal(value, range) || row.is_abnormal === null ? 'by_range' : flagByHand;
  return {
    name: row.test_name_original,
    value,
    unit: row.unit ?? '',
    range: rangeAsTyped(range),
    date: row.test_date ?? '',
    sample: row.sample_type ?? '',
    flag,
  };
}

/** The fields with invalid input. */
export function wrongFields({ name, range }: LabValues): LabField[] {
  return [
    ...(name.trim() === '' ? ['name' as const] : []),
    ...(range.trim() !== '' && parseReferenceRange(range) === null ? ['range' as const] : []),
  ];
}

/** All fields of a form, as the API expects them. */
export function fieldsOf(values: LabValues): Omit<
  LabChanges,
  'norm_lab_test_id' | 'panel_name' | 'document_id' | 'confirmed' | 'reopened'
> & {
  test_name_original: string;
} {
  const text = (typed: string): string | null => typed.trim() || null;
  const range = parseReferenceRange(values.range) ?? { low: null, high: null };
  const value_text = text(values.value);
  return {
    test_name_original: values.name.trim(),
    value: parseNumber(value_text ?? '')?.value ?? null,
    value_text,
    unit: text(values.unit),
    reference_range_low: range.low,
    reference_range_high: range.high,
    reference_range_comparator: comparatorTyped(values.range),
    sample_type: text(values.sample),
    test_date: text(values.date),
    is_abnormal: values.flag === 'by_range' ? isAbnormal(value_text, range) : values.flag === 'abnormal',
  };
}

/** What an undone edit restores: a doubtful result is doubtful again. */
export const reopenedOf = ({ doubt, edited_fields }: LabResult): NonNullable<LabChanges['reopened']> => ({
  doubt,
  edited_fields,
});

/** The changed fields with their new values, and the `undo` that restores them. */
export function labChangesOf(row: LabResult, values: LabValues): { changes: LabChanges; undo: LabChanges } {
  const before = valuesOfResult(row);
  if ((Object.keys(before) as LabField[]).every((field) => before[field] === values[field]))
    return { changes: {}, undo: {} };
  const after = fieldsOf(values);
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => after[name] !== row[name] && (name !== 'reference_range_comparator' || before.range !== values.range),
  );
  const changes = Object.fromEntries(names.map((name) => [name, after[name]])) as LabChanges,
    undo = Object.fromEntries(names.map((name) => [name, row[name]])) as LabChanges;
  // Number and text are always written together, so that the server derives neither from the other.
  const changesValue = changes.value !== undefined || changes.value_text !== undefined;
  return {
    changes: changesValue ? { ...changes, value: after.value ?? null, value_text: after.value_text ?? null } : changes,
    undo: {
      ...undo,
      ...(changesValue && { value: row.value, value_text: row.value_text }),
      ...(changes.test_name_original !== undefined && { norm_lab_test_id: row.norm_lab_test_id }),
      reopened: reopenedOf(row),
    },
  };
}

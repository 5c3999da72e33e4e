import type { LabDoubt } from '../../../src-shared/contract/lab-doubt.ts';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { parseNumber } from '../../../src-shared/medical/number.ts';
import { isOutside } from '../../../src-shared/medical/reference-range.ts';
import { unitText } from '../../../src-shared/medical/ucum-code.ts';

/** What a doubtful value may be, as it would be printed, and why it is proposed. */
export interface Candidate {
  value_text: string;
  unit: string | null;
  source: 'first_reading' | 'second_reading' | 'point_moved' | 'usual_unit';
}

/** Doubts that a lost or misplaced point explains. */
const OF_LOST_POINT: ReadonlySet<LabDoubt> = new Set([
  'decimals_differ',
  'far_from_range',
  'value_impossible',
  'curve_differs',
]);
/** A number this many times below the only bound of a range is rarely the value. */
const MAX_BELOW = 100;

/**
 * What a doubtful result may be: as read, as a second look read it, with the point moved so that it agrees with its
 * range, and in the usual unit of its test.
 */
export function candidatesOf(result: LabResult): Candidate[] {
  const { unit, evidence, doubt } = result;
  const first = result.value_text ?? (result.value === null ? '' : String(result.value));
  const second = evidence?.second_reading;
  const usual = result.unit_preferred === null ? null : unitText(result.unit_preferred);
  const isUnitOpen = doubt.includes('unit_missing') || doubt.includes('unit_inferred');
  const mayHaveLostPoint = doubt.some((code) => OF_LOST_POINT.has(code));
  const filed = filedText(result, first);
  const candidates: Candidate[] = [
    ...(filed === null ? [] : [{ value_text: filed, unit, source: 'point_moved' } as const]),
    { value_text: first, unit, source: 'first_reading' },
    ...(second === undefined ? [] : [{ value_text: second, unit, source: 'second_reading' } as const]),
    ...(mayHaveLostPoint ? withPointMoved(result, first) : []).map(
      (value_text) => ({ value_text, unit, source: 'point_moved' }) as const,
    ),
    ...(isUnitOpen && usual !== null ? [{ value_text: first, unit: usual, source: 'usual_unit' } as const] : []),
  ];
  const isSame = (a: Candidate, b: Candidate): boolean => a.value_text === b.value_text && a.unit === b.unit;
  return candidates.filter(
    (candidate, index) =>
      candidate.value_text !== '' && candidates.findIndex((other) => isSame(candidate, other)) === index,
  );
}

/** The value in the store where the reader put a lost point back: `4.8` of a printed `48`; null where they agree. */
function filedText({ value }: LabResult, printed: string): string | null {
  if (value === null || !isBareNumber(printed) || (parseNumber(printed)?.value ?? value) === value) return null;
  return String(value).replace('.', printed.includes(',') ? ',' : '.');
}

/** Without words around it, as in `24 h: 1.2`. */
const isBareNumber = (text: string): boolean => /^[<>≤≥~=+-]*\s*\d[\d.,'’\s]*$/.test(text.trim());

/** Whether a chosen text is another value than the stored one. */
export const isOtherValue = ({ value, value_text }: Pick<LabResult, 'value' | 'value_text'>, chosen: string): boolean =>
  chosen !== (value_text ?? String(value)) || (isBareNumber(chosen) && parseNumber(chosen)?.value !== value);

/** The text with its decimal point one or two places further, where only that puts the number into its range. */
function withPointMoved({ reference_range_low: low, reference_range_high: high }: LabResult, text: string): string[] {
  const printed = /\d+(?:[.,]\d+)?/.exec(text)?.[0];
  const number = parseNumber(text);
  if (printed === undefined || number === null || (low === null && high === null)) return [];
  const fits = (value: number): boolean =>
    !isOutside(value, null, { low, high }) && (low !== null || high === null || value * MAX_BELOW >= high);
  if (fits(number.value)) return [];
  const moved = (places: number): string[] =>
    // Only printed digits can have lost their point to the left.
    (/[.,]/.test(printed) ? [-places, places] : [-places])
      .map((shift) => movePoint(printed, shift))
      .filter((number) => fits(Number(number.replace(',', '.'))))
      .map((number) => text.replace(printed, number));
  const byOne = moved(1);
  return byOne.length > 0 ? byOne : moved(2);
}

/** `122` by one place to the left is `12.2`, by one to the right `1220`. */
export function movePoint(printed: string, shift: number): string {
  const mark = printed.includes(',') ? ',' : '.';
  const [whole = '', fraction = ''] = printed.split(/[.,]/);
  const digits = `00${whole}${fraction}00`;
  const at = 2 + whole.length + shift;
  const before = digits.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(at).replace(/0+$/, '');
  return after === '' ? before : `${before}${mark}${after}`;
}

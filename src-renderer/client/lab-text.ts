import type { LabResult } from '../../src-shared/contract/labs.ts';
import type { Comparator } from '../../src-shared/contract/wire.ts';
import { formatDecimal, NARROW_SPACE } from '../ui/format/formats.ts';

const COMPARATORS: Record<string, string> = { '<': '<', '>': '>', '<=': '≤', '>=': '≥', '≤': '≤', '≥': '≥', '~': '~' };

/** Number of decimals of a printed number: 1 for "12,0". */
function decimalsOf(printed: string): number {
  return /[.,](\d+)\s*$/.exec(printed)?.[1]?.length ?? 0;
}

/** Formats a result: "< 0.6", "12.0", "negative". Numbers keep their printed decimals. */
export function labValueText(result: Pick<LabResult, 'value' | 'value_text'>, locale: string): string {
  const printed = result.value_text?.trim() ?? '';
  if (result.value === null) return printed;
  const [, sign] = /^(<=|>=|[<>≤≥~])/.exec(printed) ?? [];
  const bare = printed.replace(/^(<=|>=|[<>≤≥~])\s*/, '');
  // Keep printed text such as "24 h: 1.2", which contains more than its number.
  if (bare !== '' && !/^[+-]?[\d.,'’\s]+$/.test(bare)) return printed;
  const number = formatDecimal(result.value, decimalsOf(bare), locale);
  return sign ? `${COMPARATORS[sign]}${NARROW_SPACE}${number}` : number;
}

/** A reference range; one with a single bound may have its printed sign. */
export interface RangeToShow {
  low: number | null;
  high: number | null;
  comparator?: Comparator | null;
}

/** Formats a reference range: "12–16", "< 5", "≤ 5", "> 1"; empty without bounds. */
export function rangeText({ low, high, comparator = null }: RangeToShow, locale: string): string {
  const decimals = Math.max(...[low, high].map((bound) => (bound === null ? 0 : decimalsOf(String(bound)))));
  if (low !== null && high !== null)
    return `${formatDecimal(low, decimals, locale)}–${formatDecimal(high, decimals, locale)}`;
  const bound = high ?? low;
  if (bound === null) return '';
  return `${signOf(high !== null, comparator)}${NARROW_SPACE}${formatDecimal(bound, decimals, locale)}`;
}

/** The sign of a bound: the printed one if it is on the same side. */
function signOf(isUpper: boolean, printed: Comparator | null): Comparator {
  if (isUpper) return printed === '≤' ? '≤' : '<';
  return printed === '≥' ? '≥' : '>';
}

/** The range of a stored result. */
export const rangeOf = (
  row: Pick<LabResult, 'reference_range_low' | 'reference_range_high' | 'reference_range_comparator'>,
): RangeToShow => ({
  low: row.reference_range_low,
  high: row.reference_range_high,
  comparator: row.reference_range_comparator,
});

/** Signs of flagged results, so that color is not the only mark. */
export const FLAG_SIGNS = { high: '▲', low: '▼', abnormal: '!' } as const;

/** The side of the reference range that a result is on; `abnormal` for textual results, which have no side. */
export function flagOf(
  result: Pick<LabResult, 'value' | 'is_abnormal' | 'reference_range_low' | 'reference_range_high'>,
): 'high' | 'low' | 'abnormal' | null {
  const { value, reference_range_low: low, reference_range_high: high } = result;
  if (result.is_abnormal === false) return null;
  if (value !== null && high !== null && value > high) return 'high';
  if (value !== null && low !== null && value < low) return 'low';
  return result.is_abnormal ? 'abnormal' : null;
}

import type { LabResult } from '../../src-shared/contract/labs.ts';

/** Narrow no-break space: between number and unit, comparator and number. */
const THIN = '\u202f';
const COMPARATORS: Record<string, string> = { '<': '<', '>': '>', '<=': '≤', '>=': '≥', '≤': '≤', '≥': '≥', '~': '~' };

/** Digits after the separator of a printed number: 1 for "12,0"; 0 where there is none. */
function decimalsOf(printed: string): number {
  return /[.,](\d+)\s*$/.exec(printed)?.[1]?.length ?? 0;
}

/** A number in the reader's writing, with at least the decimals that were printed. */
export function numberText(value: number, decimals: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: Math.min(decimals, 6),
    maximumFractionDigits: 6,
    useGrouping: 'min2',
  }).format(value);
}

/** A result as people write it: "< 0.6", "12.0", "negative". A number keeps its printed decimals. */
export function labValueText(result: Pick<LabResult, 'value' | 'value_text'>, locale: string): string {
  const printed = result.value_text?.trim() ?? '';
  if (result.value === null) return printed;
  const [, sign] = /^(<=|>=|[<>≤≥~])/.exec(printed) ?? [];
  const bare = printed.replace(/^(<=|>=|[<>≤≥~])\s*/, '');
  // Where the words around the number say more than the number ("24 h: 1.2"), they stay as printed.
  if (bare !== '' && !/^[+-]?[\d.,'’\s]+$/.test(bare)) return printed;
  const number = numberText(result.value, decimalsOf(bare), locale);
  return sign ? `${COMPARATORS[sign]}${THIN}${number}` : number;
}

/** Reference range: "12–16", "< 5", "≥ 1"; empty where none was printed. */
export function rangeText(low: number | null, high: number | null, locale: string): string {
  const decimals = Math.max(...[low, high].map((bound) => (bound === null ? 0 : decimalsOf(String(bound)))));
  if (low !== null && high !== null)
    return `${numberText(low, decimals, locale)}–${numberText(high, decimals, locale)}`;
  if (high !== null) return `<${THIN}${numberText(high, decimals, locale)}`;
  return low === null ? '' : `>${THIN}${numberText(low, decimals, locale)}`;
}

/** Signs that mark a flagged result, besides its color. */
export const FLAG_SIGNS = { high: '▲', low: '▼', abnormal: '!' } as const;

/** Which side of its reference range a result is on; `abnormal` for results in words, which have no side. */
export function flagOf(
  result: Pick<LabResult, 'value' | 'is_abnormal' | 'reference_range_low' | 'reference_range_high'>,
): 'high' | 'low' | 'abnormal' | null {
  const { value, reference_range_low: low, reference_range_high: high } = result;
  if (result.is_abnormal === false) return null;
  if (value !== null && high !== null && value > high) return 'high';
  if (value !== null && low !== null && value < low) return 'low';
  return result.is_abnormal ? 'abnormal' : null;
}

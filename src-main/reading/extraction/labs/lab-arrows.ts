import type { FoundLabResult } from '../extraction.ts';
import { doubted } from './doubted.ts';

/** So many arrows that were read as a sign or digit show that the page prints them before its numbers. */
const MIN_ARROWS = 2;
/** An arrow in front of a number, which is read as an exclamation mark, and in other rows as a one. */
const AS_SIGN = /^[!¡|]\s?(?=\d)/;
const AS_DIGIT = /^[!¡|1]\s?(?=\d)/;

/**
 * Removes arrows that a scan read as the first digit of numbers: "!66" beside "20-42" and, on the same page, "18,2"
 * beside "4.0-6.0", where "↑66" and "↑8,2" are printed. What is left is outside of the range as well.
 */
export function withoutArrows(rows: readonly FoundLabResult[]): FoundLabResult[] {
  const arrows = rows.filter((row) => AS_SIGN.test(row.value_text) && behindArrow(row) !== null).length;
  if (arrows < MIN_ARROWS) return [...rows];
  return rows.map((row) => {
    const value = AS_DIGIT.test(row.value_text) ? behindArrow(row) : null;
    if (value === null) return row;
    return doubted({ ...row, value, value_text: row.value_text.replace(AS_DIGIT, '') }, 'poor_print');
  });
}

/** The number behind the first sign of a value, if it is outside of the range; otherwise null. */
function behindArrow({ value, value_text: text, ...row }: FoundLabResult): number | null {
  const rest = Number(text.replace(AS_DIGIT, '').replace(',', '.'));
  const { reference_range_low: low, reference_range_high: high } = row;
  const isOutside = (high !== null && rest > high) || (low !== null && rest < low);
  return value !== null && Number.isFinite(rest) && isOutside ? rest : null;
}

/** How a scan reads an arrow behind a number. */
const AS_LAST_DIGIT = /[147]$/;
/** A whole number so many times above its range has a digit too many, on a page that prints arrows. */
const MAX_RATIO_TO_RANGE = 5;

/**
 * Removes arrows that a scan read as the last digit of numbers: "6.11" and "18.41" beside "3.5-5.3" and "2.5-7.8", where
 * "6.1↑" and "18.4↑" are printed. Two numbers with a decimal more than their ranges show it; then whole numbers
 * far above their range lose their last digit, too.
 */
export function withoutArrowsBehind(rows: readonly FoundLabResult[]): FoundLabResult[] {
  const beforeArrow = (row: FoundLabResult): number | null => {
    const rest = Number(row.value_text.slice(0, -1).replace(',', '.'));
    const { reference_range_low: low, reference_range_high: high } = row;
    const isOutside = (high !== null && rest > high) || (low !== null && rest < low);
    return AS_LAST_DIGIT.test(row.value_text) && row.is_abnormal === true && isOutside ? rest : null;
  };
  const decimals = (value: number | null): number =>
    value === null ? 0 : (/\.(\d+)$/.exec(`${value}`)?.[1]?.length ?? 0);
  const hasDecimalMore = (row: FoundLabResult): boolean => {
    const printed = Math.max(decimals(row.reference_range_low), decimals(row.reference_range_high));
    return decimals(row.value) === Math.max(2, printed + 1) && beforeArrow(row) !== null;
  };
  const isFar = ({ value, reference_range_high: high }: FoundLabResult): boolean =>
    Number.isInteger(value) && high !== null && (value ?? 0) > MAX_RATIO_TO_RANGE * high;
  const arrows = rows.filter(hasDecimalMore).length;
  if (arrows < MIN_ARROWS) return [...rows];
  return rows.map((row) => {
    const value = hasDecimalMore(row) || isFar(row) ? beforeArrow(row) : null;
    if (value === null) return row;
    const isSure = arrows > MIN_ARROWS && hasDecimalMore(row);
    const whole = { ...row, value, value_text: row.value_text.slice(0, -1) };
    return isSure ? whole : doubted(whole, 'poor_print');
  });
}

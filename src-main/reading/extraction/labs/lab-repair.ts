import { parseNumber } from '../../../../src-shared/medical/number.ts';
import type { ReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import { cleanUnit, nearestUnit } from '../../../../src-shared/medical/unit.ts';
import { editDistance, fold } from '../fold.ts';
import { USUAL_UNITS } from './lab-units.ts';
import { LOWER_BOUND_TESTS } from './lab-words.ts';

const BY_NAME = USUAL_UNITS.toSorted((a, b) => b.name.length - a.name.length);
const decimalsOf = (text: string): number => /[.,](\d+)/.exec(text)?.[1]?.length ?? 0;
/** "Birke (t3)": antibodies against an allergen with its code. */
const ALLERGEN = /\s\(?[a-z]{1,2}\d{1,3}\)?$/;
const SAMPLE_LETTER = /^(?:s|p|b|u|serum|plasma)\s/;

/** Units in which a test is usually reported; empty for a test that is not listed. */
function usualUnits(name: string): readonly string[] {
  const folded = ALLERGEN.test(name) ? 'ige' : fold(name).replace(SAMPLE_LETTER, '');
  return (
    BY_NAME.find(
      (known) =>
        folded === known.name ||
        (folded.startsWith(known.name) && (known.name.length > 3 || folded[known.name.length] === ' ')),
    )?.units ?? []
  );
}

/** Whether a part of the unit (UCUM) was lost: `/L` or `U` of a test that is reported in `L/L` or `ng/L`. */
export function isPartOfUnit(name: string, code: string): boolean {
  const usual = usualUnits(name).map((unit) => ucumOf(unit) ?? '');
  if (usual.length === 0) return false;
  const isWhole = (unit: string): boolean => unit.includes('/') || unit === '%';
  const isCount = code.startsWith('/') && !usual.some((unit) => /^(?:10\*\d+)?\//.test(unit));
  return isCount || (!code.includes('/') && code !== '%' && usual.every(isWhole));
}

/**
 * Corrects a printed unit. In a scan, the usual units of the test are considered as well: `pmol/L` of creatinine is
 * `µmol/L`. `international` means that the language writes UI for IU.
 */
export function unitOf(
  printed: string,
  name: string,
  { scanned: isScanned, international: isInternational }: { scanned: boolean; international: boolean },
): string {
  const unit = cleanUnit(printed);
  if (/^\/\s?m[lL]$/.test(printed.trim())) return unit;
  // A sedimentation in the first hour is printed in "mm" alone.
  if (unit === 'mm') return unit;
  // In small print, "l/l" grows together.
  if (isScanned && unit === 'U' && usualUnits(name).includes('L/L')) return 'L/L';
  const microUnits = isScanned && isInternational ? MICRO_UNITS.exec(printed.trim()) : null;
  if (microUnits) return `µUI/${microUnits[1] ? 'm' : ''}L`;
  const nearest = isScanned ? nearestUnit(unit, usualUnits(name), (a, b) => editDistance(a, b)) : null;
  const isDamagedMilli = nearest !== null && /^[mµ]U\//.test(nearest) && !/^[mµ]U\s?\/\s?m?L$/i.test(printed.trim());
  if (isScanned && isInternational && (isDamagedMilli || isPrintedInternational(printed)))
    return (nearest ?? unit).replace(/(?<=^[mkµu]?)U(?=\/)/, 'UI');
  // Another spelling of the same unit is not an error: `mm/hr`.
  if (nearest === null || ucumOf(nearest) === ucumOf(unit)) return unit;
  // "x10/6/pL" was printed with a sign of multiplication.
  return /^[x×]{1,2}\s?10/i.test(unit) && nearest.startsWith('10^') ? `x${nearest}` : nearest;
}

/** What OCR makes of "µUI/mL": "HUlI/ML", "yUImL". */
const MICRO_UNITS = /^[LHyj]U[Il1|!]{1,2}\s?\/?\s?([mM]?)[lL]$/;

/** What OCR makes of "UI/L" and "mUI/L": "[Ul/L]", "UVL", "mULl", "mul", "mul/L". */
const isPrintedInternational = (printed: string): boolean =>
  /^[[(]?(?:(?:[mµu]?U|[mµ]u)[Il1|!]\s?\/\s?m?[LlI1]|UVL|[mµ][Uu][LIl1|]{1,2})[\])]?$/.test(printed.trim());

/**
 * In a range that decreases, the lower bound lost its decimal point, since both bounds have the same number of
 * decimals: `35-5.3` was `3.5-5.3`.
 */
export function rangeWithLostPoint(text: string): ReferenceRange | null {
  const [, left = '', right = ''] =
    /^[[({\s]*(\d+)\s*(?:[-–—]|to|bis|à|a)\s*(\d+[.,]\d+)[\])}\s]*$/.exec(text.trim()) ?? [];
  const low = Number(left) / 10 ** decimalsOf(right),
    high = Number(right.replace(',', '.'));
  return left !== '' && Number(left) > high && low <= high ? { low, high } : null;
}

/** The range of a row whose dash was not recognized, since its brackets hold two numbers far apart: `(30   400)`. */
export function rangeWithLostDash(line: string): ReferenceRange | null {
  const [, left = '', right = ''] = /[[(](\d+(?:[.,]\d+)?)\s{2,}(\d+(?:[.,]\d+)?)[\])]/.exec(line) ?? [];
  const [low, high] = [Number(left.replace(',', '.')), Number(right.replace(',', '.'))];
  return left !== '' && low < high ? { low, high } : null;
}

/** A bound that lost its comparator (`90]`) is a lower limit for tests that have one, and an upper limit otherwise. */
export function rangeOfBound(bound: string, name: string): ReferenceRange | null {
  const value = parseNumber(bound.replace(/[\s\])(,;]+$/, ''))?.value;
  if (value === undefined) return null;
  const folded = fold(name).replace(/\b0h\b/, 'oh');
  return LOWER_BOUND_TESTS.some((test) => folded.startsWith(test))
    ? { low: value, high: null }
    : { low: null, high: value };
}

/**
 * A range whose upper bound lost its point, where the printed flag says so: `6.4   < 50   HIGH` was compared with 5.0.
 * Returns the same range if the flag does not contradict it.
 */
export function rangeByFlag(valueText: string, value: number, range: ReferenceRange, isHigh: boolean): ReferenceRange {
  const { low, high } = range;
  const decimals = decimalsOf(valueText);
  if (!isHigh || high === null || decimals === 0 || value > high || !Number.isInteger(high)) return range;
  const lowered = high / 10 ** decimals;
  return value > lowered && value < MAX_ABOVE * lowered && (low ?? 0) < lowered ? { low, high: lowered } : range;
}
const MAX_ABOVE = 4;

const NUMBERS = /\d+(?:[.,]\d+)?/g;

export interface Repaired {
  value: number;
  range: ReferenceRange;
  isRepaired: boolean;
}

/**
 * Restores decimal points that a scan lost. Laboratories print value and range with the same number of decimals, so
 * `58` beside `3.5 - 5.1` was `5.8`, and `35 - 51` beside `4.8` was `3.5 - 5.1`. Numbers that already agree are not
 * changed.
 */
export function repairDecimals(valueText: string, value: number, rangeText: string, range: ReferenceRange): Repaired {
  const same: Repaired = { value, range, isRepaired: false };
  const bounds = rangeText.match(NUMBERS) ?? [];
  const ofRange = Math.max(0, ...bounds.map(decimalsOf)),
    ofValue = decimalsOf(valueText);
  const { low, high } = range;
  const top = high ?? (low === null ? null : low * 4),
    bottom = low ?? (high === null ? null : high / 50);
  if (top === null || bottom === null) return same;
  const near = (number: number, lowest: number, highest: number): boolean =>
    number >= lowest / 3 && number <= highest * 3;
  if (ofValue === 0 && ofRange > 0 && bounds.every((bound) => decimalsOf(bound) > 0) && value > top * 3) {
    const lowered = value / 10 ** ofRange;
    return near(lowered, bottom, top) ? { value: lowered, range, isRepaired: true } : same;
  }
  const [, last = ''] = bounds;
  // "3.5 - 51": only the upper bound lost its point.
  if (bounds.length === 2 && ofRange > 0 && decimalsOf(last) === 0 && low !== null && high !== null && high > 9 * low) {
    const lowered = high / 10 ** ofRange;
    const fits = lowered > low && lowered < 9 * low && value <= 3 * lowered && ofValue > 0;
    return fits ? { value, range: { low, high: lowered }, isRepaired: true } : same;
  }
  if (ofValue > 0 && ofRange === 0 && value < bottom / 3 && (low !== null || value < top / 20)) {
    const divide = (bound: number | null): number | null => (bound === null ? null : bound / 10 ** ofValue);
    return near(value, bottom / 10 ** ofValue, top / 10 ** ofValue)
      ? { value, range: { low: divide(low), high: divide(high) }, isRepaired: true }
      : same;
  }
  return same;
}

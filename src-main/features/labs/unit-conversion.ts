import ucum from '@lhncbc/ucum-lhc';
import { annotationsOf, isOwnScale, ucumOf } from '../../../src-shared/medical/ucum-code.ts';

/** A measured substance: grams per mole, charge of the ion, and conversions that follow from neither, in UCUM codes. */
export interface Substance {
  molarMass: number | null;
  charge: number | null;
  rules: readonly { from: string; to: string; factor: number; offset: number }[];
}

/** `converted = printed × factor + offset`; `by` says whether it needed the substance or dimensions alone. */
export interface Conversion {
  factor: number;
  offset: number;
  by: 'units' | 'substance';
}
export type Refusal = 'no_unit' | 'unknown_unit' | 'other_quantity' | 'needs_molar_mass';

/** Converts one printed unit to another, or returns why it can't. A missing unit is null. */
export type ConvertUnits = (
  from: string | null,
  to: string | null,
  substance: Substance | null,
) => Conversion | Refusal;

const SAME: Conversion = { factor: 1, offset: 0, by: 'units' };
/** Results in urine are stated per amount or mass of creatinine (113.12 g/mol). */
const CREATININE = { molarMass: 113.12, charge: null, rules: [] } as const satisfies Substance;
/**
 * Fractions of a whole. Ratios of different quantities (`mmol/mol`, `mg/g`) are another scale with the same dimension.
 */
const SHARE = /^(?:%|\[ppth\]|1|([a-zA-Z]+)\/\1)$/;
const PER_AMOUNT = /^([^/]+)\/([kmun]?(?:g|mol))(?:\{creat\})?$/;

/**
 * Creates a unit conversion by UCUM, which converts between mass and amount of substance by molar mass. It caches
 * results, so a long series converts each unit once.
 */
export function createUnitConversion(): ConvertUnits {
  const cache = new Map<string, Conversion | Refusal>();
  return (from, to, substance) => {
    if (from === to) return SAME;
    if (from === null || to === null || from.trim() === '' || to.trim() === '') return 'no_unit';
    const source = ucumOf(from),
      target = ucumOf(to);
    if (source === null || target === null)
      return from.trim().toLowerCase() === to.trim().toLowerCase() ? SAME : 'unknown_unit';
    const key = JSON.stringify([source, target, substance]);
    const cached = cache.get(key);
    if (cached) return cached;
    const result = byRule(source, target, substance) ?? convert(source, target, substance);
    cache.set(key, result);
    return result;
  };
}

/** Applies a rule of the substance, in either direction, to units of the same quantities as the rule's units. */
function byRule(source: string, target: string, substance: Substance | null): Conversion | null {
  for (const rule of substance?.rules ?? []) {
    const from = ucumOf(rule.from),
      to = ucumOf(rule.to);
    if (from === null || to === null) continue;
    for (const [own, other, factor, offset] of [
      [from, to, rule.factor, rule.offset],
      [to, from, 1 / rule.factor, -rule.offset / rule.factor],
    ] as const) {
      const before = byDimension(source, own),
        after = byDimension(other, target);
      if (typeof before === 'string' || typeof after === 'string') continue;
      return {
        factor: before.factor * factor * after.factor,
        offset: (before.offset * factor + offset) * after.factor + after.offset,
        by: 'substance',
      };
    }
  }
  return null;
}

function convert(source: string, target: string, substance: Substance | null): Conversion | Refusal {
  const plain = byDimension(source, target);
  if (
    plain !== 'other_quantity' ||
    isOwnScale(source) ||
    isOwnScale(target) ||
    annotationsOf(source) !== annotationsOf(target)
  )
    return plain;
  const relative = perAmount(source, target, substance);
  if (relative) return relative;
  // Units of equal dimensions that `byDimension` rejects are different quantities.
  if (linear(source, target, {})) return 'other_quantity';
  const options = { molecularWeight: substance?.molarMass ?? null, charge: substance?.charge ?? null };
  const found = linear(source, target, options);
  if (found) return { ...found, by: 'substance' };
  return linear(source, target, { molecularWeight: 1, charge: 1 }) ? 'needs_molar_mass' : 'other_quantity';
}

/** Converts units by their dimensions alone. */
function byDimension(source: string, target: string): Conversion | 'other_quantity' {
  if (source === target) return SAME;
  if (isOwnScale(source) || isOwnScale(target) || annotationsOf(source) !== annotationsOf(target))
    return 'other_quantity';
  // UCUM treats a mole as a pure number, but molecules per liter differ from cells per liter, and 42 mmol/mol from
  // 4.2 %.
  if (/mol/.test(source) !== /mol/.test(target) || SHARE.test(source) !== SHARE.test(target)) return 'other_quantity';
  const found = linear(source, target, {});
  return found ? { ...found, by: 'units' } : 'other_quantity';
}

/** Converts `mg/g` to `mg/mmol`: the denominator is creatinine, the numerator the substance. */
function perAmount(source: string, target: string, substance: Substance | null): Conversion | Refusal | null {
  const a = PER_AMOUNT.exec(source),
    b = PER_AMOUNT.exec(target);
  if (!a || !b) return null;
  const above = convert(a[1] ?? '', b[1] ?? '', substance);
  if (typeof above === 'string') return above;
  const below = convert(a[2] ?? '', b[2] ?? '', CREATININE);
  if (typeof below === 'string') return below;
  return { factor: above.factor / below.factor, offset: 0, by: 'substance' };
}

/** The linear conversion of the library; null if it rejects the units. */
function linear(
  source: string,
  target: string,
  options: { molecularWeight?: number | null; charge?: number | null },
): { factor: number; offset: number } | null {
  const library = ucum.UcumLhcUtils.getInstance();
  const convertNumber = (value: number): number | null => library.convertUnitTo(source, value, target, options).toVal;
  const offset = convertNumber(0),
    one = convertNumber(1);
  if (offset === null || one === null) return null;
  return { factor: roundNoise(one - offset), offset: roundNoise(offset) };
}

/** Rounds to twelve digits, because the library returns 1.0000000000000002. */
const roundNoise = (value: number): number => Number(value.toPrecision(12));

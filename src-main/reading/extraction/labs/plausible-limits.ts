import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import { atOnce } from '../../../platform/kernel/in-slices.ts';
import type { LabTestEntry } from '../../knowledge/entry.ts';
import { loadEntries, readResource } from '../../knowledge/load.ts';
import { indexing, type Index } from '../../knowledge/lookup.ts';
import { readTable } from '../../knowledge/table.ts';

export interface Limits {
  low: number;
  high: number;
}

/** The limits of each test by unit. */
const LIMITS = new Map<string, Map<string, Limits>>();
for (const { code, unit, low, high } of readTable(readResource('plausible-limits.tsv'), [
  'code',
  'unit',
  'low',
  'high',
]))
  LIMITS.set(code, (LIMITS.get(code) ?? new Map<string, Limits>()).set(unit, { low: Number(low), high: Number(high) }));

/** An amount in a volume: its kind, and how many of the kind are in a liter. */
interface Concentration {
  kind: string;
  perLiter: number;
}
const PREFIXES: Record<string, number> = { k: 1e3, '': 1, d: 1e-1, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12, f: 1e-15 };
const CONCENTRATION = /^(?:(10\*\d+)|([kmunpf]?)(g|mol|\[IU\]|U|eq))?\/([dmunpf]?L|mm3)$/;

function concentrationOf(code: string): Concentration | null {
  const [, count, prefix = '', amount = 'cells', volume = ''] = CONCENTRATION.exec(code) ?? [];
  if (volume === '') return null;
  const times = count ? 10 ** Number(count.slice(3)) : (PREFIXES[prefix] ?? 1);
  const liters = volume === 'mm3' ? 1e-6 : (PREFIXES[volume.slice(0, -1)] ?? 1);
  // "8 /uL" may be cells of urine; those of blood are counted in thousands.
  const kind = amount === 'cells' && count === undefined && volume !== 'nL' ? 'single cells' : amount;
  return { kind: kind === '[IU]' ? 'U' : kind, perLiter: times / liters };
}

/** The limits of a test in a unit, converted from those in another unit of the same kind: `ng/mL` from `ug/L`. */
function limitsIn(test: string, code: string): Limits | null {
  const byUnit = LIMITS.get(test);
  const exact = byUnit?.get(code);
  const own = concentrationOf(code);
  if (!byUnit || exact || !own) return exact ?? null;
  for (const [unit, { low, high }] of byUnit) {
    const other = concentrationOf(unit);
    const factor = (other?.perLiter ?? 1) / own.perLiter;
    if (other?.kind === own.kind) return { low: low * factor, high: high * factor };
  }
  return null;
}

let tests: Index<LabTestEntry> | null = null;

/** The canonical test with a printed name, or null. The index is built with the first question. */
export function testNamed(name: string, unit: string | null): LabTestEntry | null {
  tests ??= atOnce(indexing('lab_tests', loadEntries('lab_tests')));
  return tests.match(name, null, unit)?.entry ?? null;
}

const MIN_LETTERS = 3;
/** Whether the knowledge base has a test with this name, in whatever sample; shorter names are often other words. */
export function isNameOfTest(name: string): boolean {
  tests ??= atOnce(indexing('lab_tests', loadEntries('lab_tests')));
  return name.replace(/[^\p{L}]/gu, '').length >= MIN_LETTERS && tests.candidates(name).length > 0;
}

/** The lowest and highest value of a test that a living person can have; null for an unknown test or another unit. */
export function plausibleLimits(name: string, unit: string | null): Limits | null {
  const test = testNamed(name, unit);
  // A number without a unit is compared only for tests that have none.
  const ownScale = test?.unit?.startsWith('{') && UNITLESS_NAME.test(name) ? test.unit : null;
  const code = unit === null ? ownScale : ucumOf(unit);
  return test && code !== null && test.specimen === 'blood' ? limitsIn(test.code, code) : null;
}

/** Whether results of the test have no unit, such as pH, INR, ratios and titers. */
export function isUnitless(name: string): boolean {
  const test = testNamed(name, null);
  if (UNITLESS_NAME.test(name)) return true;
  // "[pH]" and "{INR}" are none, "[IU]/L" is one.
  return test !== null && (test.unit === null || /^[{[][^/]*$/.test(test.unit) || test.unit === '1');
}

/** Whether a name says that the result is a ratio, an index, a density or a titer. */
export const hasNoUnitByName = (name: string): boolean => UNITLESS_NAME.test(name);

const UNITLESS_NAME = new RegExp(
  [
    String.raw`\b(?:ph|inr|ratio|index|quotient|quotiente|rapporto|rapport|dichte|density|densité|densità|gravity|`,
    String.raw`gewicht|peso specifico|spécifique|titer|titre|titolo|score)\b|\/`,
  ].join(''),
  'iu',
);

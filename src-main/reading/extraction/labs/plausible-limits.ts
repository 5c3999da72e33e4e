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

const LIMITS = new Map(
  readTable(readResource('plausible-limits.tsv'), ['code', 'unit', 'low', 'high']).map((row) => [
    `${row.code} ${row.unit}`,
    { low: Number(row.low), high: Number(row.high) },
  ]),
);

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
  return test && code !== null && test.specimen === 'blood' ? (LIMITS.get(`${test.code} ${code}`) ?? null) : null;
}

/** Whether results of the test have no unit, such as pH, INR, ratios and titers. */
export function isUnitless(name: string): boolean {
  const test = testNamed(name, null);
  if (UNITLESS_NAME.test(name)) return true;
  return test !== null && (test.unit === null || /^[{[]/.test(test.unit) || test.unit === '1');
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

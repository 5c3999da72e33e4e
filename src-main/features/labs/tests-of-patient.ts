import type { LabTest } from '../../../src-shared/contract/labs.ts';
import { labNameKey } from '../../../src-shared/medical/lab-name.ts';
import { foldedForms, foldTerm, removeSpaces } from '../../../src-shared/medical/name-fold.ts';
import type { LabRepository, NormTest } from './repository.ts';
import type { Spelling } from './spelling-repository.ts';

/** A test of a patient with the spellings under which its results are stored. */
export interface PatientTest {
  key: string;
  norm: NormTest | null;
  spellings: Spelling[];
}

/**
 * Key of a test without a canonical entry: its folded name, with the sample if it makes a different test (`t:urine
 * natrium`).
 */
export const nameKeyOf = ({ name, sample_type }: Pick<Spelling, 'name' | 'sample_type'>): string =>
  `t:${labNameKey(name, sample_type)}`;

/**
 * Groups spellings into tests: spellings of one canonical entry, or without an entry those with one folded name, are
 * one test.
 */
export function testsOf(
  repository: Pick<LabRepository, 'normTests'>,
  spellings: readonly Spelling[],
): Map<string, PatientTest> {
  const norms = repository.normTests([...new Set(spellings.flatMap((spelling) => spelling.norm_lab_test_id ?? []))]);
  const tests = new Map<string, PatientTest>();
  for (const spelling of spellings) {
    const norm = spelling.norm_lab_test_id === null ? null : (norms.get(spelling.norm_lab_test_id) ?? null);
    const key = norm ? `n:${norm.id}` : nameKeyOf(spelling);
    const existing = tests.get(key);
    if (existing) existing.spellings.push(spelling);
    else tests.set(key, { key, norm, spellings: [spelling] });
  }
  return tests;
}

/** Builds the wire shape of a test; `latest` provides name and panel if the test has no canonical entry. */
export function wireTest(
  { key, norm }: PatientTest,
  latest: { test_name_original: string; panel_name: string | null },
  names: LabTest['names'],
): LabTest {
  return {
    key,
    name: norm?.canonical_display ?? latest.test_name_original,
    names: norm?.seeded ? names : null,
    norm_lab_test_id: norm?.id ?? null,
    canonical_code: norm?.canonical_code ?? null,
    loinc_code: norm?.loinc_code ?? null,
    category: norm?.category ?? latest.panel_name,
  };
}

/** Whether the test has this printed or canonical name, ignoring accents and case. */
export function hasName({ norm, spellings }: PatientTest, name: string): boolean {
  const folded = foldTerm(name);
  return (
    spellings.some((spelling) => foldTerm(spelling.name) === folded) ||
    (norm !== null && [norm.canonical_display, norm.canonical_code].some((canonical) => foldTerm(canonical) === folded))
  );
}

/** Lists the printed names of tests whose printed or canonical name contains the text. */
export function namesContaining(tests: Iterable<PatientTest>, text: string): string[] {
  const forms = (name: string): string[] => foldedForms(name).map(removeSpaces);
  const parts = forms(text);
  const has = (name: string): boolean => forms(name).some((form) => parts.some((part) => form.includes(part)));
  return [...tests].flatMap(({ norm, spellings }) => {
    const byEntry = norm !== null && (has(norm.canonical_display) || has(norm.canonical_code));
    return spellings.filter((spelling) => byEntry || has(spelling.name)).map((spelling) => spelling.name);
  });
}

import { describe, expect, it, test } from 'vitest';
import type { NormTest } from './repository.ts';
import type { Spelling } from './spelling-repository.ts';
import { hasName, nameKeyOf, namesContaining, testsOf, wireTest, type PatientTest } from './tests-of-patient.ts';

const HAEMOGLOBIN: NormTest = {
  id: 7,
  canonical_code: 'hemoglobin',
  canonical_display: 'Haemoglobin',
  loinc_code: '718-7',
  category: 'Blood count',
  unit_preferred: 'g/L',
  seeded: true,
};
const spelling = (
  name: string,
  norm_lab_test_id: number | null = null,
  sample_type: string | null = null,
): Spelling => ({
  name,
  norm_lab_test_id,
  sample_type,
});
const group = (...spellings: Spelling[]) => {
  const asked: number[][] = [];
  const normTests = (ids: readonly number[]) => {
    asked.push([...ids]);
    return new Map(ids.includes(7) ? [[7, HAEMOGLOBIN]] : []);
  };
  return { asked, tests: [...testsOf({ normTests }, spellings).values()] };
};
const ofEntry = (...names: string[]): PatientTest => ({
  key: 'n:7',
  norm: HAEMOGLOBIN,
  spellings: names.map((name) => spelling(name, 7)),
});
const ofName = (...names: string[]): PatientTest => ({
  key: 't:x',
  norm: null,
  spellings: names.map((name) => spelling(name)),
});

describe('spellings', () => {
  it('of one canonical entry are one test', () => {
    const { tests, asked } = group(spelling('Hb', 7), spelling('Kalium'), spelling('Hämoglobin', 7, 'blood'));
    expect(tests.map(({ key, norm, spellings }) => [key, norm, spellings.map(({ name }) => name)])).toEqual([
      ['n:7', HAEMOGLOBIN, ['Hb', 'Hämoglobin']],
      ['t:kalium', null, ['Kalium']],
    ]);
    expect(asked).toEqual([[7]]);
  });

  it('without an entry are one test if their folded names are equal', () => {
    const { tests } = group(spelling('KALIUM'), spelling('Kalium'), spelling('S-Kalium'), spelling('Natrium'));
    expect(tests.map(({ key, spellings }) => [key, spellings.length])).toEqual([
      ['t:kalium', 3],
      ['t:natrium', 1],
    ]);
  });

  it('of a deleted entry are a test by their name', () => {
    expect(group(spelling('Hb', 8)).tests).toEqual([{ key: 't:hb', norm: null, spellings: [spelling('Hb', 8)] }]);
  });

  it('of another sample are another test', () => {
    expect([
      nameKeyOf({ name: 'Natrium', sample_type: null }),
      nameKeyOf({ name: 'Natrium', sample_type: 'Urin' }),
    ]).toEqual(['t:natrium', 't:urine natrium']);
  });
});

describe('a test', () => {
  const latest = { test_name_original: 'Hb', panel_name: 'Hämatologie' };
  const names = { de: 'Hämoglobin' };

  it('has the name, codes and category of its entry', () => {
    expect(wireTest(ofEntry('Hb'), latest, names)).toEqual({
      key: 'n:7',
      name: 'Haemoglobin',
      names,
      norm_lab_test_id: 7,
      canonical_code: 'hemoglobin',
      loinc_code: '718-7',
      category: 'Blood count',
    });
  });

  it('has no names by language if a user edited its entry', () => {
    expect(wireTest({ ...ofEntry('Hb'), norm: { ...HAEMOGLOBIN, seeded: false } }, latest, names).names).toBeNull();
  });

  it('has the printed name and panel of its latest result without an entry', () => {
    expect(wireTest(ofName('Hb'), latest, names)).toEqual({
      key: 't:x',
      name: 'Hb',
      names: null,
      norm_lab_test_id: null,
      canonical_code: null,
      loinc_code: null,
      category: 'Hämatologie',
    });
    expect(wireTest({ ...ofEntry('Hb'), norm: { ...HAEMOGLOBIN, category: null } }, latest, null).category).toBe(
      'Hämatologie',
    );
  });

  it('is found by each printed name, the name of its entry and its code, whatever their case', () => {
    const entry = ofEntry('Hb', 'Hämoglobin i.B.');
    expect(
      ['hb', 'haemoglobin i.b.', 'HAEMOGLOBIN', 'Hemoglobin', 'globin', ''].map((name) => hasName(entry, name)),
    ).toEqual([true, true, true, true, false, false]);
    expect([hasName(ofName('Hb', 'HGB'), 'hgb'), hasName(ofName('Hb'), 'hemoglobin')]).toEqual([true, false]);
  });
});

test('finds the printed names that contain a text, and all names of an entry that contains it', () => {
  const tests = [ofEntry('Hb', 'HGB'), ofName('Hämatokrit', 'Hkt'), ofName('Kalium')];
  expect(namesContaining(tests, 'hgb')).toEqual(['HGB']);
  expect(namesContaining(tests, 'globin')).toEqual(['Hb', 'HGB']);
  expect(namesContaining(tests, 'hemoglob')).toEqual(['Hb', 'HGB']);
  expect(namesContaining(tests, 'Haemoglob')).toEqual(['Hb', 'HGB']);
  expect(namesContaining(tests, 'nothing')).toEqual([]);
  expect(namesContaining(tests, '')).toEqual(['Hb', 'HGB', 'Hämatokrit', 'Hkt', 'Kalium']);
});

test('finds printed names with or without their umlauts and spaces', () => {
  const tests = [ofName('Hämatokrit'), ofName('CA 19-9')];
  for (const text of ['hämato', 'haemato', 'hamato', 'HÄMATO'])
    expect(namesContaining(tests, text), text).toEqual(['Hämatokrit']);
  for (const text of ['ca19-9', 'CA 19-9', '19 9']) expect(namesContaining(tests, text), text).toEqual(['CA 19-9']);
});

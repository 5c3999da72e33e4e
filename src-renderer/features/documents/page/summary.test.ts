import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { loadMessages } from '../../../locales/index.ts';
import { formatsOf } from '../../../ui/format/formats.ts';
import { isComposed, summaryOf } from './summary.ts';

const i18n = i18next.createInstance();
await i18n.init({
  resources: { en: await loadMessages('en'), de: await loadMessages('de') } as never,
  lng: 'en',
  interpolation: { escapeValue: false },
});

const result = (more: object) => ({
  test_name_original: 'Hb',
  test_name_canonical: 'Haemoglobin',
  test_names: { en: 'Haemoglobin', de: 'Hämoglobin' },
  value: 11.6,
  value_text: '11.6',
  unit: 'g/dL',
  is_abnormal: true,
  doubt: [],
  ...more,
});
const NOTHING = { stay: null, total: null, subjects: [], in_range: 0 };
const summary = (language: CoreLanguage, more: object): string =>
  summaryOf(
    {
      encounters: [],
      medications: [],
      vaccinations: [],
      lab_results: [],
      highlights: NOTHING,
      ...more,
    } as unknown as DocumentDetail,
    {
      t: i18n.getFixedT(language, 'document'),
      formats: formatsOf(language === 'en' ? 'en-GB' : 'de-DE', () => 2026),
      testName: (row) => row.test_names?.[language] ?? row.test_name_original,
    },
  );

test('a summary quotes results out of range in the language of the reader', () => {
  const lab_results = [result({}), result({ is_abnormal: false }), result({ doubt: ['readings_differ'] })];
  expect(summary('en', { lab_results })).toBe('3 results, out of range: Haemoglobin 11.6\u202fg/dL, 1 to check.');
  expect(summary('de', { lab_results })).toBe('3 Ergebnisse, auffällig: Hämoglobin 11,6\u202fg/dL, 1 zu prüfen.');
  const inside = { lab_results: [result({ is_abnormal: false })] };
  expect(summary('de', { ...inside, highlights: { ...NOTHING, in_range: 1 } })).toBe('1 Ergebnis, unauffällig.');
  // Without a range nobody knows.
  expect(summary('de', inside)).toBe('1 Ergebnis.');
  expect(summary('en', { lab_results: [result({ is_abnormal: null })] })).toBe('1 result.');
});

test('a summary lists diagnoses, medicines, stay and total', () => {
  const medications = ['A', 'B', 'C', 'D', 'E'].map((brand_name) => ({ brand_name, dosage: '5 mg', frequency: null }));
  const encounters = [{ diagnosis_original: 'Vorhofflimmern', diagnosis_code: 'I48.9' }];
  const stay = { from: '2025-10-11', to: '2025-10-15' };
  const total = { amount: 214.6, currency: 'CHF' };
  expect(summary('en', { medications, encounters, highlights: { stay, total, subjects: [] } })).toBe(
    'Stay 11–15 Oct 2025. Diagnoses: Vorhofflimmern (I48.9). Medicines: A 5 mg, B 5 mg, C 5 mg, D 5 mg, 1 more. ' +
      'Total 214.60\u202fCHF.',
  );
  expect(summary('de', { highlights: { stay, total, subjects: [] } })).toBe(
    'Aufenthalt 11.–15. Okt. 2025. Gesamtbetrag 214,60\u202fCHF.',
  );
  expect(summary('en', { highlights: { ...NOTHING, subjects: ['MRI right knee'] } })).toBe('MRI right knee.');
  expect(summary('en', {})).toBe('');
});

test('only a summary of the built-in reader that nobody edited is composed again', () => {
  const document = (more: object) => ({ edited_fields: null, llm_provider: 'builtin', ...more }) as DocumentDetail;
  expect(isComposed(document({}))).toBe(true);
  expect(isComposed(document({ edited_fields: ['summary_en'] }))).toBe(false);
  expect(isComposed(document({ llm_provider: 'a model' }))).toBe(false);
});

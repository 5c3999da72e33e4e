import { describe, expect, it } from 'vitest';
import { titleOf, type TitleWords } from './title.ts';

const WORDS: TitleWords = {
  type: (type) => ({ lab_test: 'Lab test', prescription: 'Prescription', specialist_report: 'Specialist report', invoice: 'Invoice' })[type ?? ''] ?? 'Other',
  and: (items) => items.join(' and '), more: (items, count) => `${items} and ${count} more`,
};
type Input = Parameters<typeof titleOf>[0];
const document = (more: object): Input => ({
  doc_type: null, original_filename: 'IMG_0231.HEIC', facility_name: null, specialty_display: null, specialty_canonical_display: null,
  lab_results: [], medications: [], vaccinations: [], encounters: [], imaging_studies: [], ...more,
} as Input);

describe('title', () => {
  it('is the file name while nothing is known', () => expect(titleOf(document({}), WORDS)).toBe('IMG 0231'));
  it('names the panels of a lab report, else its tests', () => {
    expect(titleOf(document({ doc_type: 'lab_test', lab_results: [{ panel_name: 'Lipids' }, { panel_name: 'CBC' }, { panel_name: 'Lipids' }] }), WORDS)).toBe('Lab test: Lipids and CBC');
    expect(titleOf(document({ doc_type: 'lab_test', lab_results: ['Ferritin', 'Iron', 'CRP', 'ALT'].map((name) => ({ panel_name: null, test_name_canonical: null, test_name_original: name })) }), WORDS)).toBe('Lab test: Ferritin, Iron and 2 more');
  });
  it('names one thing where two would be too long', () => {
    const long = 'Paroxysmal supraventricular tachycardia without structural heart disease';
    expect(titleOf(document({ doc_type: 'specialist_report', encounters: [{ diagnosis_original: long }, { diagnosis_original: 'Anaemia' }] }), WORDS)).toBe(`Specialist report: ${long} and 1 more`);
  });
  it('falls back to specialty and facility, then to the type', () => {
    expect(titleOf(document({ doc_type: 'specialist_report', specialty_display: 'Neurology' }), WORDS)).toBe('Specialist report: Neurology');
    expect(titleOf(document({ doc_type: 'invoice', facility_name: 'Northgate Clinic' }), WORDS)).toBe('Invoice: Northgate Clinic');
    expect(titleOf(document({ doc_type: 'other' }), WORDS)).toBe('Other');
  });
});

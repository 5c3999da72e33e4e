import { describe, expect, it } from 'vitest';
import { documentTitle, type TitleFacts } from './document-title.ts';

const NO_FACTS: TitleFacts = {
  type: null,
  tests: [],
  medicines: [],
  vaccines: [],
  diagnoses: [],
  studies: [],
  summary: null,
  findings: null,
  invoiced: [],
  total: null,
};
const title = (facts: Partial<TitleFacts>): string | null => documentTitle({ ...NO_FACTS, ...facts });

describe('documentTitle', () => {
  it('uses the subject of the document type', () => {
    expect(
      title({
        type: 'lab_test',
        tests: ['Ferritin', 'LDL cholesterol', 'Haemoglobin', 'CRP', 'TSH'],
        diagnoses: ['Anaemia'],
      }),
    ).toBe('Ferritin, LDL cholesterol, Haemoglobin +2');
    expect(title({ type: 'prescription', medicines: ['Apixaban 5 mg', 'Pantoprazole 40 mg'] })).toBe(
      'Apixaban 5 mg, Pantoprazole 40 mg',
    );
    expect(title({ type: 'discharge', diagnoses: ['Torn meniscus'], medicines: ['Ibuprofen'] })).toBe('Torn meniscus');
    expect(title({ type: 'invoice', invoiced: ['Consultation', 'ECG'], total: '214.60 CHF' })).toBe(
      'Consultation, ECG · 214.60 CHF',
    );
    expect(title({ type: 'invoice', total: '214.60 CHF', diagnoses: ['Anaemia'] })).toBe('214.60 CHF');
  });
  it('falls back to other content', () => {
    expect(title({ type: 'specialist_report', medicines: ['Omeprazole 20 mg'] })).toBe('Omeprazole 20 mg');
    expect(title({ type: 'lab_test', diagnoses: ['Anaemia'] })).toBe('Anaemia');
    expect(
      title({
        type: 'imaging_report',
        diagnoses: ['Knee pain'],
        findings: 'Horizontal tear of the medial meniscus, 3.4 mm. No effusion.',
      }),
    ).toBe('Horizontal tear of the medial meniscus, 3.4 mm. No effusion');
    expect(title({ type: 'imaging_report', studies: ['MRI right knee'], findings: 'A tear.' })).toBe('MRI right knee');
  });
  it('prefers the examination to the findings', () => {
    expect(
      title({
        type: 'imaging_report',
        findings: 'No acute abnormality.',
        summary:
          'Imaging report from Harbour Street Surgery of 2026-10-28. Examination: MRI right knee. Diagnoses: Pain.',
      }),
    ).toBe('MRI right knee');
    expect(title({ type: 'other', summary: 'Document from Helvia. Subject: Confirmation of cover 2026.' })).toBe(
      'Confirmation of cover 2026',
    );
    expect(title({ type: 'imaging_report', studies: ['CT chest'], summary: 'Examination: MRI right knee.' })).toBe(
      'CT chest',
    );
  });
  it('returns null without any describing content', () => {
    expect(title({})).toBeNull();
    expect(title({ type: 'other', findings: '  ', tests: [' '] })).toBeNull();
    expect(title({ type: 'invoice' })).toBeNull();
  });
  it('lists each name once and limits the length', () => {
    expect(title({ type: 'vaccination', vaccines: ['FSME-Immun', 'FSME-Immun', 'Priorix'] })).toBe(
      'FSME-Immun, Priorix',
    );
    const long = 'Chronic obstructive pulmonary disease with acute exacerbation';
    expect(title({ type: 'discharge', diagnoses: [long, 'Arterial hypertension, essential'] })).toBe(`${long} +1`);
    expect(title({ type: 'discharge', diagnoses: [`${long} and more words that do not fit`] })?.length).toBeLessThan(
      75,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { readPrinted } from '../../../../test/support/printed-document.ts';
import { linesOfPage } from './lines.ts';
import { separateSideColumn } from './side-column.ts';

const LETTER = [
  '                              Our ref 88-201   Clinic 27 Jan 2026',
  'South Downs Hospital',
  'Cardiology                    Mr Brendan Twigg, 14/02/1959',
  'Rapid access clinic',
  '                              Diagnoses',
  'Consultants                   Stable angina',
  'Dr B. Attwater                Hypertension',
  'Dr Yasmin Kazemi              Atrial fibrillation',
  'Eastbourne',
  '                              Medications',
  '                              Aspirin 75 mg od',
  '                              Bisoprolol 2.5 mg od',
  '                              Investigations',
  '                              ECG sinus rhythm.',
  '                              Impression',
  '                              Typical symptoms. No red flags.',
  '                              Review in six months.',
  '                              Dr Yasmin Kazemi',
];

describe('the column of a letterhead beside the text', () => {
  it('is read before the text', () => {
    const lines = separateSideColumn(linesOfPage(printedPage(LETTER))).map(({ text }) => text);
    expect(lines.slice(1, 8)).toEqual([
      'South Downs Hospital',
      'Cardiology',
      'Rapid access clinic',
      'Consultants',
      'Dr B. Attwater',
      'Dr Yasmin Kazemi',
      'Eastbourne',
    ]);
    expect(lines.slice(8, 13)).toEqual([
      'Mr Brendan Twigg, 14/02/1959',
      'Diagnoses',
      'Stable angina',
      'Hypertension',
      'Atrial fibrillation',
    ]);
    expect(readPrinted(LETTER).diagnoses.map((row) => row.diagnosis_original)).toEqual([
      'Stable angina',
      'Hypertension',
      'Atrial fibrillation',
    ]);
  });

  it('is not a column of labels, each beside its text', () => {
    const labelled = [
      'Hospital                      Mr Brendan Twigg',
      'Diagnoses                     Stable angina',
      '                              Hypertension',
      '                              Atrial fibrillation',
      '                              Gout',
      'Medication                    Aspirin 75 mg od',
      '                              Bisoprolol 2.5 mg od',
      '                              Ramipril 5 mg od',
      'Plan                          Echocardiography in two weeks,',
      '                              then a visit in the clinic,',
      '                              and a letter to the practice.',
      '                              Dr Yasmin Kazemi',
    ];
    const lines = linesOfPage(printedPage(labelled));
    expect(separateSideColumn(lines)).toEqual(lines);
  });
});

const VISIT = [
  'Patient',
  'Dolores Quintrell        Assessment',
  'DOB                      1. Primary hypothyroidism',
  '08/27/1957',
  'Sex                      2. Type 2 diabetes mellitus',
  'Female                   Thyroid nodule biopsy 2019 was benign; there was no thyroid cancer at all.',
  'Provider                 HPI',
  'Priscilla Adeyanju, DO',
  'Vitals                   A woman of 68 years is seen for follow up and both values are at goal.',
  'BP 128/74                Active medications',
  'HR 66',
  'BMI 26.1                    Alendronate 70 mg – once a week',
  'Allergies                   Atorvastatin 20 mg – 1 tablet at bedtime',
  'Sulfa (rash)             Plan',
  '                         Repeat DXA in one year.',
];

describe('a bar that reaches down the page', () => {
  it('is read before the text beside it', () => {
    const lines = separateSideColumn(linesOfPage(printedPage(VISIT))).map(({ text }) => text);
    expect(lines.slice(12, 15)).toEqual(['Allergies', 'Sulfa (rash)', 'Assessment']);
    const { diagnoses, medications } = readPrinted(VISIT);
    expect(diagnoses.map((row) => row.diagnosis_original)).toEqual([
      'Primary hypothyroidism',
      'Type 2 diabetes mellitus',
    ]);
    expect(medications.map((row) => row.brand_name)).toEqual(['Alendronate', 'Atorvastatin']);
  });

  it('is not a form whose labels are beside their values', () => {
    const form = VISIT.map((line) => (/^\S/.test(line) && !/\s{3}/.test(line) ? `${line.padEnd(25)}given` : line));
    const lines = linesOfPage(printedPage(form));
    expect(separateSideColumn(lines)).toEqual(lines);
  });
});

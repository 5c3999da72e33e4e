import { expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';

/** The lines that make a paper one of each type. */
const PAPERS: Readonly<Record<Exclude<DocumentType, 'vaccination' | 'other'>, readonly string[]>> = {
  lab_test: [
    'LABORBEFUND',
    'Natrium      140      mmol/l      136 - 145',
    'Kalium      4.1      mmol/l      3.5 - 5.1',
  ],
  prescription: ['REZEPT', 'Metformin 500 mg Tabletten 1-0-1'],
  invoice: ['RECHNUNG', 'Konsultation      45.00', 'Total CHF      45.00'],
  discharge: ['AUSTRITTSBERICHT', 'Aufenthalt vom 02.03.2026 bis 06.03.2026'],
  surgical_report: ['OPERATIONSBERICHT', 'Datum der Operation: 03.03.2026'],
  imaging_report: ['RÖNTGEN THORAX', 'Beurteilung: kein Infiltrat.'],
  medical_certificate: ['ÄRZTLICHES ZEUGNIS', 'Arbeitsunfähig vom 02.03.2026 bis 06.03.2026'],
  specialist_report: ['PNEUMOLOGISCHER BERICHT', 'Wir sahen die Patientin in der Sprechstunde.'],
};
const read = (type: keyof typeof PAPERS, ...lines: string[]) => {
  const found = readPrinted([...PAPERS[type], ...lines]);
  expect(found.doc_type.value).toBe(type);
  return found;
};

it.each<[keyof typeof PAPERS, string]>([
  ['prescription', 'Anna Hauser'],
  ['invoice', 'Anna Hauser'],
  ['medical_certificate', 'Anna Hauser'],
  ['lab_test', 'Anna Hauser'],
  ['discharge', 'Bernd Prosa'],
  ['surgical_report', 'Bernd Prosa'],
  ['imaging_report', 'Bernd Prosa'],
  ['specialist_report', 'Bernd Prosa'],
])('knows in a paper of type %s whether the family doctor wrote it or gets it', (type, doctor) => {
  const { doctor_name: found } = read(
    type,
    'Hausarzt: Dr. med. Anna Hauser',
    'Die Behandlung wurde am Vortag mit Dr. med. Bernd Prosa besprochen und fortgesetzt.',
  );
  expect(found?.value).toContain(doctor);
});

it.each<[keyof typeof PAPERS, number]>([
  ['lab_test', 0],
  ['imaging_report', 0],
  ['discharge', 1],
  ['specialist_report', 1],
  ['surgical_report', 1],
])('knows in a paper of type %s whether a diagnosis is only the question', (type, count) => {
  expect(read(type, 'Diagnose: Pneumonie').diagnoses).toHaveLength(count);
});

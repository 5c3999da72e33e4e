import type { Received } from '../fakes/model-service.ts';
import { letter } from './sample-documents.ts';

const line = (y: number, ...[name, value, unit = '', range = '']: string[]) => [
  { text: name ?? '', y },
  { text: value ?? '', x: 260, y },
  { text: unit, x: 340, y },
  { text: range, x: 430, y },
];
/** A laboratory report with a value of potassium. */
export const report = (potassium: string) =>
  letter([
    [
      { text: 'Synlabor Mittelland AG', y: 60, size: 14 },
      { text: 'Laborbefund', y: 120, size: 18 },
      { text: 'Patient: Elena Keller', y: 160 },
      { text: 'Probenentnahme: 12.11.2025', y: 192 },
      ...line(250, 'Test', 'Resultat', 'Einheit', 'Referenzbereich'),
      ...line(272, 'Kalium', potassium, 'mmol/L', '3.5 - 5.0'),
      ...line(292, 'Natrium', '140', 'mmol/L', '136 - 145'),
    ],
  ]);
/** A result as a model answers it. */
export const row = (test_name: string, value: string) => ({
  ...{ test_name, value, unit: 'mmol/L', reference_range: null, panel_name: null, sample_date: null },
});
const NAMES = { issued_date: null, doctor_name: null, facility_name: 'Synlabor Mittelland AG', specialty: null };
/** What a model answers to the question what the report is. */
export const CLASSIFIED = { doc_type: 'lab_test', event_date: '2025-11-12', ...NAMES };
export const isClassification = ({ body }: Received): boolean => 'doc_type' in body.format.properties;

import { expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const typeOf = (...lines: string[]): string => readPrinted(lines).doc_type.value;

it('knows a laboratory report without a title by its sample and the headings of its table', () => {
  expect(
    typeOf(
      'Labor Dr. Ohm & Kollegen   Hafenweg 3',
      'Einsenderin: Dr. med. Ida Muster',
      'Entnahmedatum: 18.03.2025   Berichtsdatum: 19.03.2025',
      'Untersuchung      Ergebnis   Einheit   Grenzwert     Bewertung',
      'Anti-XYZ          negativ                            unauffällig',
    ),
  ).toBe('lab_test');
  expect(
    typeOf(
      'Wyre District General',
      'Collected   16 Jan 2025 09:05    Received 16 Jan 2025',
      'Reported    17 Jan 2025 07:58',
      'Serum TSH         6.8   mU/L    (0.27 - 4.20)   H',
    ),
  ).toBe('lab_test');
});

it('reads a title in spaced letters, and none that is denied', () => {
  expect(typeOf('Site Compans', 'Prélèvement du 11/08/2025', 'E C B U', 'Leucocytes  24 000 /mL  (N < 10 000)')).toBe(
    'lab_test',
  );
  expect(typeOf('Prairie Shield', 'THIS IS NOT A BILL', 'Office visit  $240.00', 'Total  $240.00')).not.toBe('invoice');
});

it('takes headings behind the greeting for passages of a letter', () => {
  const letter = ['Red River Associates', 'Dear Dr. Muster,', 'I saw this 26-year-old teacher in our clinic today.'];
  const results = ['Hemoglobin 98 g/L   L   (120-160)', 'MCV   71 fL   L   (80-100)', 'Ferritin 4 ug/L   L   (12-150)'];
  expect(typeOf(...letter, 'Blood work today:', ...results, 'Impression', '1. Anemia')).toBe('specialist_report');
});

it('takes a paper with the days of admission and discharge in its head for that of a stay', () => {
  expect(
    typeOf(
      'Spital Rheintal Ost     Notfallstation',
      'Kurzbericht Notfall     Austritt',
      'Eintritt 16.08.2025, 23:40 Uhr - Austritt 17.08.2025, 11:00 Uhr',
      'Diagnosen',
      '- Commotio cerebri',
      'Befunde',
      'Pupillen isokor, keine Blutung und keine Fraktur im CT, unauffällige Überwachung in der Nacht.',
    ),
  ).toBe('discharge');
});

it('reads a title behind the name of its department', () => {
  expect(typeOf('Bayview', 'Emergency Department Discharge Instructions', 'Diagnosis: Ankle sprain')).toBe('discharge');
  expect(typeOf('Riverside Diagnostic Imaging', 'XR Chest', 'Report: No effusion.')).toBe('imaging_report');
});

it.each([
  ['BARMER', 'Wir übernehmen die Kosten der stationären Rehabilitation. Sie beginnt am 10.02.2025.'],
  ['Cassa malati Sole', 'Le confermiamo la garanzia per la degenza prevista dal 07.07.2025, reparto comune.'],
  ['Mutuelle Horizon', 'Nous confirmons la prise en charge de votre hospitalisation à compter du 07/04/2025.'],
])('takes a letter of an insurer, %s, for no paper of a doctor', (insurer, sentence) => {
  expect(typeOf(insurer, '3. März 2025', sentence)).toBe('other');
});

it.each([
  ['Mutterpass'],
  ['Prenatal Record'],
  ['Carnet de grossesse'],
  ['Warranty certificate'],
  ['Garantiekarte'],
  ['Conferma di garanzia'],
])('takes a %s for another paper', (title) => {
  expect(typeOf('Haus am See, Seeweg 1, 8000 Zürich', title, 'Ida Muster')).toBe('other');
});

it.each([
  ['Vielen Dank für die freundliche Überweisung der Patientin, die ich am 11.09.2025 untersucht habe.'],
  ['Je revois ce jour votre patient pour ses troubles.'],
  ['Thank you for your kind referral of this man, whom I saw on 21 August 2025.'],
  ['Ho visitato in data odierna la Sua paziente.'],
])('takes a letter that reports a visit for a report: %s', (sentence) => {
  expect(typeOf('Cabinet Muster', 'Ort, 12.09.2025', sentence, 'Tensio R 15 L 16', 'Muster')).toBe('specialist_report');
});

import { describe, expect, it } from 'vitest';
import { elena, nobody, rene } from '../../../../test/support/printed-document.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { patientReasons } from '../patient-decision.ts';
import { readDocument } from '../read-document.ts';

const report = (...lines: string[]): string[] => [
  'Synlabor Mittelland AG',
  'Laborbefund',
  ...lines,
  'Kalium    4.1   mmol/L',
];
const FIRST = report('Patient: Elena Keller', 'Geburtsdatum: 12.03.1961');

const read = (...pages: string[][]) =>
  readDocument(
    pages.map((lines, index) => printedPage(lines, index + 1)),
    nobody,
  ).patient;
const others = (...pages: string[][]) => (read(...pages).others ?? []).map(({ value }) => value);

describe('pages of somebody else', () => {
  it('are those with another name in the field of the patient', () => {
    expect(others(FIRST, report('Patient: Lukas Keller', 'Geburtsdatum: 04.03.2012'))).toEqual(['Lukas Keller']);
    expect(others(report('Patient: Tim Keller'), report('Patient: Tom Keller'))).toEqual(['Tom Keller']);
    expect(others(FIRST, report('Patient: Peter Brunner'))).toEqual(['Peter Brunner']);
  });

  it('are those with another name beside another birth date', () => {
    expect(others(FIRST, report('Peter Brunner, geb. 01.02.1950'))).toEqual(['Peter Brunner']);
  });

  it('are none of a letter with several pages, also if a page has no name or a damaged one', () => {
    expect(others(FIRST, FIRST)).toEqual([]);
    expect(others(FIRST, report('Seite 2'))).toEqual([]);
    expect(others(FIRST, report('Patient: Elema Kelter', 'Geburtsdatum: 12.03.1961'))).toEqual([]);
    expect(others(FIRST, report('Patient: Keller-Moser Elena'))).toEqual([]);
  });

  it('are not those that name the doctor, the insured or a relative', () => {
    expect(others(FIRST, report('Dr. med. Peter Brunner', 'Herr Peter Brunner'))).toEqual([]);
    expect(others(FIRST, report('Versicherter: Peter Keller'))).toEqual([]);
    expect(others(FIRST, report('Vater: Peter Keller, geb. 01.02.1950'))).toEqual([]);
  });
});

it('a document with pages of somebody else waits, whoever was chosen', () => {
  const found = read(FIRST, report('Patient: Lukas Keller', 'Geburtsdatum: 04.03.2012'));
  for (const patient of [elena, null])
    expect(patientReasons(found, { patient, household: [elena, rene], isOnlyPatient: false })).toEqual([
      { code: 'several_patients', field: 'patient_id', params: { found: 'Elena Keller, Lukas Keller' } },
    ]);
});

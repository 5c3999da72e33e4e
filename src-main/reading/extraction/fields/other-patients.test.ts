import { describe, expect, it } from 'vitest';
import { elena, nobody, rene } from '../../../../test/support/printed-document.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import type { KnownPatient } from '../extraction.ts';
import { patientReasons } from '../patient-decision.ts';
import { readDocument } from '../read-document.ts';

const report = (...lines: string[]): string[] => [
  'Synlabor Mittelland AG',
  'Laborbefund',
  ...lines,
  'Kalium    4.1   mmol/L',
];
const marco: KnownPatient = { id: 3, display_name: 'Marco Keller', date_of_birth: '2010-02-03', sex: 'M' };
const FIRST = report('Patient: Elena Keller', 'Geburtsdatum: 12.03.1961');

const readWith = (household: KnownPatient[], ...pages: string[][]) =>
  readDocument(
    pages.map((lines, index) => printedPage(lines, index + 1)),
    { ...nobody, household },
  ).patient;
const read = (...pages: string[][]) => readWith([], ...pages);
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

  it('may be parts of the patient’s page', () => {
    expect(others([...FIRST, ...report('Patient: Margaret Osei', 'Geburtsdatum: 03.08.1949')])).toEqual([
      'Margaret Osei',
    ]);
    const second = report('Marco Keller, geb. 03.02.2010');
    expect(readWith([elena, marco], [...FIRST, ...second]).others?.map(({ value }) => value)).toEqual(['Marco Keller']);
    expect(others([...FIRST, 'Mutter: Rosa Keller, geb. 01.02.1935'])).toEqual([]);
  });

  it('are those with a household member at their head', () => {
    const second = ['Marco Keller        Seite 2', 'CRP    5   mg/L   < 5'];
    expect(readWith([elena, marco], FIRST, second).others?.map(({ value }) => value)).toEqual(['Marco Keller']);
  });

  it('may have the same name beside another birth date', () => {
    const of = (birth: string) => report(`Elena Keller, geb. ${birth}`);
    expect(others(of('12.03.1961'), of('03.08.1990'))).toEqual(['Elena Keller']);
    expect(others(of('12.03.1961'), of('12.03.1961'))).toEqual([]);
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

import { describe, expect, it } from 'vitest';
import { elena, rene } from '../../../test/support/printed-document.ts';
import type { FoundPatient, KnownPatient } from './extraction.ts';
import { certainPatient, isUndecided, patientReasons, possiblePatients } from './patient-decision.ts';

const found = (name: string | null, birth: string | null = null, confidence = 0.9): FoundPatient => ({
  name: name === null ? null : { value: name, confidence, place: null },
  date_of_birth: birth === null ? null : { value: birth, confidence: 0.9, place: null },
  sex: null,
  match: null,
});
const ask = (
  who: FoundPatient,
  {
    patient = elena,
    household = [elena, rene],
    isOnlyPatient = false,
  }: Partial<Parameters<typeof patientReasons>[1]> = {},
) => patientReasons(who, { patient, household, isOnlyPatient }).map(({ code, params }) => [code, params?.['found']]);

describe('a document with a chosen patient', () => {
  it('is theirs if the page names them, in any order and with or without the birth date', () => {
    expect(ask(found('Elena Keller'))).toEqual([]);
    expect(ask(found('KELLER Elena', '1961-03-12'))).toEqual([]);
    expect(ask(found(null, '1961-03-12'))).toEqual([]);
  });

  it('asks if the page names another person, known or not', () => {
    expect(ask(found('René Müller-Rochat'))).toEqual([['other_patient', 'René Müller-Rochat']]);
    expect(ask(found('Margaret Osei', '1949-08-03'))).toEqual([['other_patient', 'Margaret Osei']]);
    expect(ask(found('Margaret Osei'), { household: [elena], isOnlyPatient: true })).toEqual([
      ['other_patient', 'Margaret Osei'],
    ]);
  });

  it('asks if sex or age in the header of an image contradict, even under the same name and birth date', () => {
    const image = (birth: string | null, header: FoundPatient['header']) => ({
      ...found('Elena Keller', birth),
      header: header!,
    });
    const other = elena.sex === 'F' ? 'M' : 'F';
    expect(ask(image('1961-03-12', { sex: other, age: null }))).toEqual([['other_sex', other]]);
    expect(ask(image('1961-03-12', { sex: other, age: null }), { patient: null })).toEqual([['other_sex', other]]);
    expect(ask(image('1961-03-12', { sex: elena.sex as 'F', age: null }))).toEqual([]);
    expect(ask(image(null, { sex: null, age: { years: 20, on: '2024-03-11' } }))).toEqual([['other_age', 20]]);
    expect(ask(image('1961-03-12', { sex: null, age: { years: 20, on: '2024-03-11' } }))).toEqual([['other_age', 20]]);
    expect(ask(image(null, { sex: null, age: { years: 62, on: '2024-03-11' } }))).toEqual([]);
    expect(ask(image(null, { sex: null, age: { years: 63, on: '2024-03-11' } }))).toEqual([]);
  });

  it('asks if the birth date contradicts, even under the same name', () => {
    expect(ask(found('Elena Keller', '1990-01-01'))).toEqual([['other_birth_date', '1990-01-01']]);
    expect(ask(found(null, '1990-01-01'))).toEqual([['other_birth_date', '1990-01-01']]);
    expect(ask(found('Elena Keller', '1990-01-01'), { patient: { ...elena, date_of_birth: null } })).toEqual([]);
  });

  it('waits if it names nobody and there are several people, and only asks if there is one', () => {
    expect(ask(found(null))).toEqual([['unnamed_patient', undefined]]);
    expect(ask(found('Clinical Indication', null, 0.3))).toEqual([['unnamed_patient', undefined]]);
    const alone = patientReasons(found(null), { patient: elena, household: [elena], isOnlyPatient: true });
    expect(alone.map(({ code }) => code)).toEqual(['patient_assumed']);
    expect(isUndecided(alone)).toBe(false);
    expect(isUndecided(patientReasons(found(null), { patient: elena, household: [elena], isOnlyPatient: false }))).toBe(
      true,
    );
  });

  it('is theirs if they are known by their first name only', () => {
    const patient: KnownPatient = { ...elena, display_name: 'Elena', date_of_birth: null };
    expect(ask(found('Elena Keller'), { patient, household: [patient] })).toEqual([]);
    expect(ask(found('Margaret Osei'), { patient, household: [patient] })).toEqual([
      ['other_patient', 'Margaret Osei'],
    ]);
  });
});

describe('a document of relatives with similar names', () => {
  const known = (id: number, display_name: string, date_of_birth: string | null = null): KnownPatient => ({
    id,
    display_name,
    date_of_birth,
    sex: null,
  });
  const scanned = found;
  const printed = (...args: Parameters<typeof found>): FoundPatient => ({ ...found(...args), is_exact: true });
  const lena = known(1, 'Lena Keller', '2015-03-03'),
    lina = known(2, 'Lina Keller', '2015-03-03');

  it('asks if another one is named more exactly than the chosen person', () => {
    const pairs: [string, string][] = [
      ['Simon Keller', 'Simone Keller'],
      ['Anna Maria Keller', 'Maria Keller'],
      ['Peter Keller', 'Hans Peter Keller'],
      ['Elena Keller-Rossi', 'Elena Keller'],
      ['Elena', 'Elena Keller'],
    ];
    for (const [chosen, other] of pairs) {
      const household = [known(3, chosen), known(4, other)];
      const [patient] = household;
      for (const make of [scanned, printed]) {
        expect(ask(make(other), { patient, household })).toEqual([['other_patient', other]]);
        expect(ask(make(chosen), { patient, household })).toEqual([]);
      }
    }
  });

  it('tells twins apart, who share their birth date', () => {
    for (const make of [scanned, printed])
      expect(ask(make('Lina Keller', '2015-03-03'), { patient: lena, household: [lena, lina] })).toEqual([
        ['other_patient', 'Lina Keller'],
      ]);
  });

  it('asks about another given name of somebody unknown, unless a scan has the birth date as well', () => {
    const only = { household: [lena] };
    expect(ask(printed('Lina Keller', '2015-03-03'), { ...only, patient: lena })).toEqual([
      ['other_patient', 'Lina Keller'],
    ]);
    expect(ask(printed('Lina Keller', '2015-03-03'), { ...only, patient: null })).toEqual([['no_patient', undefined]]);
    expect(ask(scanned('Lina Keller'), { ...only, patient: lena })).toEqual([['other_patient', 'Lina Keller']]);
    expect(ask(scanned('Lina Keller', '2015-03-03'), { ...only, patient: lena })).toEqual([]);
  });

  it('accepts a misread family name, one that is misspelled beside the birth date, and spelled-out umlauts', () => {
    const only = { patient: lena, household: [lena] };
    expect(ask(scanned('Lena Kellor'), only)).toEqual([]);
    expect(ask(printed('Lena Kellor', '2015-03-03'), only)).toEqual([]);
    expect(ask(printed('Lena Kellor'), only)).toEqual([['other_patient', 'Lena Kellor']]);
    const joerg = known(5, 'Jörg Müller');
    expect(ask(printed('Joerg Mueller'), { patient: joerg, household: [joerg] })).toEqual([]);
  });

  it('asks which namesake it is if the birth date is the other one’s', () => {
    const father = known(6, 'Peter Keller'),
      son = known(7, 'Peter Keller', '1990-01-01');
    expect(ask(printed('Peter Keller', '1990-01-01'), { patient: father, household: [father, son] })).toEqual([
      ['other_patient', 'Peter Keller'],
    ]);
  });
});

it('assumes the only patient if not even a part of a name is printed, or a part of theirs', () => {
  const alone = (part?: string) =>
    ask(
      { ...found(null), ...(part !== undefined && { name_part: part }) },
      { household: [elena], isOnlyPatient: true },
    );
  expect(alone()).toEqual([['patient_assumed', undefined]]);
  expect(alone('E. Keller')).toEqual([['patient_assumed', undefined]]);
  expect(alone('Osei')).toEqual([['unnamed_patient', undefined]]);
});

describe('a document without a chosen patient', () => {
  it('asks unless the page certainly names somebody', () => {
    expect(ask(found('Elena Keller'), { patient: null })).toEqual([]);
    expect(ask(found('Elena Keller', '1990-01-01'), { patient: null })).toEqual([['no_patient', undefined]]);
    expect(ask(found('Margaret Osei'), { patient: null })).toEqual([['no_patient', undefined]]);
  });

  it('asks which of two persons of one name it is, unless the birth date says so', () => {
    const namesake: KnownPatient = { ...elena, id: 3, date_of_birth: '1990-01-01' };
    const household = [elena, namesake];
    expect(ask(found('Elena Keller'), { patient: null, household })).toEqual([['no_patient', undefined]]);
    expect(ask(found('Elena Keller', '1990-01-01'), { patient: null, household })).toEqual([]);
    expect(certainPatient(found('Elena Keller', '1990-01-01'), household)?.id).toBe(3);
    expect(ask(found('Elena Keller'), { household })).toEqual([]);
  });
});

it('proposes the persons whom the page may name, the most likely first', () => {
  const sister: KnownPatient = { ...elena, id: 3, display_name: 'Elene Keller', date_of_birth: null };
  const names = possiblePatients({ name: 'Elena Keller', birth: '1961-03-12' }, [sister, rene, elena]);
  expect(names.map(({ id }) => id)).toEqual([elena.id, sister.id]);
  expect(possiblePatients({ name: null, birth: null }, [elena, rene])).toEqual([]);
});

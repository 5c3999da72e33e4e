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

import { describe, expect, it } from 'vitest';
import { fhirFacts } from './fhir-facts.ts';

describe('what a clinical record says', () => {
  it('of a laboratory value: value, range, meaning, day and who', () => {
    expect(
      fhirFacts({
        resourceType: 'Observation',
        status: 'final',
        code: { text: 'TSH' },
        valueQuantity: { value: 2.4, unit: 'mU/l', comparator: '<' },
        referenceRange: [{ low: { value: 0.4, unit: 'mU/l' }, high: { value: 4, unit: 'mU/l' } }],
        interpretation: [{ coding: [{ code: 'N', display: 'Normal' }] }],
        effectiveDateTime: '2023-02-01T08:30:00+01:00',
        performer: [{ display: 'Labor Mittelland' }],
      }),
    ).toEqual([
      { fact: 'value', value: '<2.4\u202fmU/l' },
      { fact: 'range', value: '0.4\u202fmU/l – 4\u202fmU/l' },
      { fact: 'meaning', value: 'Normal' },
      { fact: 'day', value: '2023-02-01' },
      { fact: 'status', value: 'final' },
      { fact: 'by', value: 'Labor Mittelland' },
    ]);
  });
  it('of blood pressure its parts, of a prescription its dosage, of an allergy its reaction', () => {
    expect(
      fhirFacts({
        component: [
          { code: { text: 'Systolic' }, valueQuantity: { value: 121, unit: 'mmHg' } },
          { code: { text: 'Diastolic' }, valueQuantity: { value: 78, unit: 'mmHg' } },
        ],
      }),
    ).toEqual([{ fact: 'parts', value: 'Systolic: 121\u202fmmHg, Diastolic: 78\u202fmmHg' }]);
    expect(
      fhirFacts({
        authoredOn: '2023-02-01',
        dosageInstruction: [{ text: '1-0-1' }],
        requester: { display: 'Dr. Frisch' },
      }),
    ).toEqual([
      { fact: 'day', value: '2023-02-01' },
      { fact: 'dosage', value: '1-0-1' },
      { fact: 'by', value: 'Dr. Frisch' },
    ]);
    expect(
      fhirFacts({
        clinicalStatus: { coding: [{ code: 'active' }] },
        reaction: [{ manifestation: [{ text: 'Hives' }] }],
      }),
    ).toEqual([
      { fact: 'status', value: 'active' },
      { fact: 'reaction', value: 'Hives' },
    ]);
  });
  it.each([null, 7, 'text', [], {}, { valueQuantity: 'x', performer: [null, 3], component: { a: 1 }, note: [[]] }])(
    'nothing of %j',
    (fhir) => expect(fhirFacts(fhir)).toEqual([]),
  );
});

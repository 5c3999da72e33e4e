import { describe, expect, it } from 'vitest';
import type { Extraction, FoundMedication, Place } from '../extraction.ts';
import { combineRows } from './combine-rows.ts';

const placeAt = (top: number): Place => ({ page: 1, bbox: [0.1, top, 0.5, 0.02] }) as Place;
const medicine = (brand: string | null, substance: string | null, top = 0.3): FoundMedication => ({
  ...{ brand_name: brand, active_ingredient_original: substance, dosage: '5 mg', form: null, frequency: null },
  ...{ duration: null, quantity: null, prescribed_date: null, confidence: 0.8, place: placeAt(top) },
});
const rowsWith = (medications: FoundMedication[]) => ({
  ...{ medications, lab_results: [], vaccinations: [], diagnoses: [], invoice_items: [], unsupported: [] },
});
const namesOf = (rules: FoundMedication[], model: FoundMedication[]) =>
  combineRows(rowsWith(rules) as Pick<Extraction, 'lab_results'> as Extraction, rowsWith(model)).medications.map(
    ({ brand_name, active_ingredient_original }) => [brand_name, active_ingredient_original],
  );

describe('a medicine that the rules and a model found', () => {
  it('is one, if they disagree which of its names is the brand', () => {
    expect(namesOf([medicine('Apixaban', 'Eliquis')], [medicine('Eliquis', 'Apixaban')])).toEqual([
      ['Eliquis', 'Apixaban'],
    ]);
  });

  it('has no name twice', () => {
    expect(namesOf([medicine('Aspirin', null)], [medicine(null, 'Aspirin')])).toEqual([[null, 'Aspirin']]);
    expect(namesOf([medicine(null, 'Octasa')], [medicine('Octasa', 'Mesalazine')])).toEqual([['Octasa', 'Mesalazine']]);
    expect(namesOf([medicine('Xarelto', null)], [medicine('Xarelto', 'Rivaroxaban')])).toEqual([
      ['Xarelto', 'Rivaroxaban'],
    ]);
  });

  it('stays two, if they are two', () => {
    expect(namesOf([medicine('Eliquis', null)], [medicine(null, 'Ramipril', 0.5)])).toEqual([
      ['Eliquis', null],
      [null, 'Ramipril'],
    ]);
  });
});

import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { contract } from '../../../client/api.ts';
import type { RowKind } from './places.ts';

/** Kinds of editable rows; lab results have their own table. */
export type ChildKind = 'encounter' | 'medication' | 'vaccination';
export interface ChildField {
  name: string;
  input: 'text' | 'long' | 'date' | 'number';
  wide?: true;
}
export type ChildRow =
  | DocumentDetail['encounters'][number]
  | DocumentDetail['medications'][number]
  | DocumentDetail['vaccinations'][number];
export type ChildValues = Record<string, string | number | null>;

interface ChildForm {
  list: 'encounters' | 'medications' | 'vaccinations';
  place: RowKind;
  fields: readonly ChildField[];
}

const text = (name: string): ChildField => ({ name, input: 'text' });
const date = (name: string): ChildField => ({ name, input: 'date' });

/** Form fields in input order, named as in the API. */
export const CHILD_FORMS: Record<ChildKind, ChildForm> = {
  encounter: {
    list: 'encounters',
    place: 'diagnosis',
    fields: [
      { name: 'diagnosis_original', input: 'text', wide: true },
      text('diagnosis_code'),
      text('specialty_original'),
      date('encounter_date'),
      date('admission_date'),
      date('discharge_date'),
      date('follow_up_date'),
      text('doctor_name'),
      text('facility_name'),
      { name: 'findings', input: 'long', wide: true },
      { name: 'follow_up_instructions', input: 'text', wide: true },
      { name: 'notes', input: 'long', wide: true },
    ],
  },
  medication: {
    list: 'medications',
    place: 'medication',
    fields: [
      text('brand_name'),
      text('active_ingredient_original'),
      text('dosage'),
      text('form'),
      text('frequency'),
      text('duration'),
      text('quantity'),
      date('prescribed_date'),
    ],
  },
  vaccination: {
    list: 'vaccinations',
    place: 'vaccination',
    fields: [
      text('vaccine_name'),
      text('manufacturer'),
      text('lot_number'),
      { name: 'dose_number', input: 'number' },
      date('date_administered'),
    ],
  },
};

export const CHILD_ENDPOINTS = {
  encounter: {
    create: contract.documentRows.createEncounter,
    update: contract.documentRows.updateEncounter,
    remove: contract.documentRows.removeEncounter,
  },
  medication: {
    create: contract.documentRows.createMedication,
    update: contract.documentRows.updateMedication,
    remove: contract.documentRows.removeMedication,
  },
  vaccination: {
    create: contract.documentRows.createVaccination,
    update: contract.documentRows.updateVaccination,
    remove: contract.documentRows.removeVaccination,
  },
} as const;

/** The form values of a row. */
export const valuesOf = (kind: ChildKind, row: ChildRow | null): ChildValues =>
  Object.fromEntries(
    CHILD_FORMS[kind].fields.map(({ name }) => [name, row ? ((row as unknown as ChildValues)[name] ?? null) : null]),
  );

/** The fields that differ, with their new values. With swapped arguments, returns the changes that undo the edit. */
export const changesOf = (before: ChildValues, after: ChildValues): ChildValues =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));

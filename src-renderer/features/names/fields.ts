import type { NameChanges, NameRow, NameType } from '../../../src-shared/contract/names.ts';

export type FieldName = keyof NameChanges;
/** The texts of the form; an empty field means no value. */
export type Values = Record<FieldName, string>;

const COMMON = ['canonical_display', 'canonical_code'] as const;

/** Fields of each kind, in the order of the form. */
export const FIELDS: Record<NameType, readonly FieldName[]> = {
  lab_tests: [...COMMON, 'loinc_code', 'category', 'unit_preferred'],
  specialties: COMMON,
  diagnoses: [...COMMON, 'icd10_code'],
  medications: [...COMMON, 'atc_code'],
  doctors: [...COMMON, 'title', 'name', 'specialty_original', 'phone', 'email'],
  facilities: [...COMMON, 'type', 'address', 'city', 'country', 'phone'],
};
const REQUIRED: ReadonlySet<FieldName> = new Set(['canonical_display', 'canonical_code', 'name']);

export const valuesOf = (type: NameType, entry: NameRow): Partial<Values> =>
  Object.fromEntries(FIELDS[type].map((field) => [field, entry[field] ?? '']));

/** What differs, as the API takes it; a required field that was emptied stays as it was. */
export function changesOf(before: Partial<Values>, after: Partial<Values>): Partial<NameChanges> {
  return Object.fromEntries(
    (Object.keys(after) as FieldName[]).flatMap((field) => {
      const text = (after[field] ?? '').trim();
      if (text === (before[field] ?? '') || (text === '' && REQUIRED.has(field))) return [];
      return [[field, text === '' ? null : text]];
    }),
  );
}

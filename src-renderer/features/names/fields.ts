import type { NameChanges, NameRow, NameType } from '../../../src-shared/contract/names.ts';

export type FieldName = keyof NameChanges;
/** Form values; an empty field means no value. */
export type Values = Record<FieldName, string>;

const COMMON_FIELDS = ['canonical_display', 'canonical_code'] as const;

/** Fields of each kind, in the order of the form. */
export const FIELDS: Record<NameType, readonly FieldName[]> = {
  lab_tests: [...COMMON_FIELDS, 'loinc_code', 'category', 'unit_preferred'],
  specialties: COMMON_FIELDS,
  diagnoses: [...COMMON_FIELDS, 'icd10_code'],
  medications: [...COMMON_FIELDS, 'atc_code'],
  doctors: [...COMMON_FIELDS, 'title', 'name', 'specialty_original', 'phone', 'email'],
  facilities: [...COMMON_FIELDS, 'type', 'address', 'city', 'country', 'phone'],
};
const REQUIRED_FIELDS: ReadonlySet<FieldName> = new Set(['canonical_display', 'canonical_code', 'name']);

/** The values of the form; `name` is what the reader sees as the name of the entry. */
export const valuesOf = (type: NameType, entry: NameRow, name: string): Partial<Values> =>
  Object.fromEntries(FIELDS[type].map((field) => [field, field === 'canonical_display' ? name : (entry[field] ?? '')]));

/** The changed fields for the API; an emptied required field is left unchanged. */
export function changesOf(before: Partial<Values>, after: Partial<Values>): Partial<NameChanges> {
  return Object.fromEntries(
    (Object.keys(after) as FieldName[]).flatMap((field) => {
      const text = (after[field] ?? '').trim();
      if (text === (before[field] ?? '') || (text === '' && REQUIRED_FIELDS.has(field))) return [];
      return [[field, text === '' ? null : text]];
    }),
  );
}

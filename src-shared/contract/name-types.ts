/** Kinds of names that have canonical entries. */
export const NAME_TYPES = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;
export type NameType = (typeof NAME_TYPES)[number];

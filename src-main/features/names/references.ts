import type { NameKind } from '../../platform/database/schema/names.ts';

/** One column that refers to entries of a kind. `r` is the table itself, `d` the document that the row belongs to. */
export interface Reference {
  table: string;
  column: string;
  /** The column with the row's patient. */
  patient: string;
  /** The column with the row's document; null for rows without one. */
  document: string | null;
  /** The join of `d`, if `patient` needs it. */
  join: string;
  /** Columns with the printed name and sample, which determine the rows that follow a spelling to another entry. */
  printed?: { columns: readonly string[]; sample?: string };
}

const OF_DOCUMENT = {
  patient: 'd.patient_id',
  document: 'r.document_id',
  join: ' JOIN documents AS d ON d.id = r.document_id',
} as const;
const OWN = { patient: 'r.patient_id', join: '' } as const;
const documents = (column: string): Reference => ({ ...OWN, table: 'documents', column, document: 'r.id' });
const studies = (column: string): Reference => ({
  ...OWN,
  table: 'imaging_studies',
  column,
  document: 'r.document_id',
});

export const TABLES: Record<NameKind, string> = {
  lab_tests: 'norm_lab_tests',
  specialties: 'norm_specialties',
  diagnoses: 'norm_diagnoses',
  medications: 'norm_medications',
  doctors: 'doctors',
  facilities: 'facilities',
};

/** Columns of an entry in addition to the common ones; the wire and the table use the same names. */
export const OWN_COLUMNS: Record<NameKind, readonly string[]> = {
  lab_tests: ['loinc_code', 'category', 'unit_preferred'],
  specialties: [],
  diagnoses: ['icd10_code'],
  medications: ['atc_code'],
  doctors: ['name', 'title', 'specialty_original', 'phone', 'email'],
  facilities: ['name', 'type', 'address', 'city', 'country', 'phone'],
};

/** The column with the code of the public code system. */
export const CODE_COLUMN: Partial<Record<NameKind, string>> = {
  lab_tests: 'loinc_code',
  diagnoses: 'icd10_code',
  medications: 'atc_code',
};

/** Whether entries of the kind can come from the knowledge base and record whether a user changed them. */
export const isSeededKind = (kind: NameKind): kind is 'lab_tests' | 'specialties' | 'diagnoses' | 'medications' =>
  kind !== 'doctors' && kind !== 'facilities';

/** All columns that refer to entries. */
export const REFERENCES: Record<NameKind, readonly Reference[]> = {
  lab_tests: [
    {
      ...OWN,
      // Results of a document whose patient is undecided have no patient, but are no more visible than the document.
      patient: 'coalesce(r.patient_id, (SELECT o.patient_id FROM documents AS o WHERE o.id = r.document_id))',
      table: 'lab_results',
      column: 'norm_lab_test_id',
      document: 'r.document_id',
      printed: { columns: ['test_name_original'], sample: 'sample_type' },
    },
  ],
  specialties: [
    { ...documents('norm_specialty_id'), printed: { columns: ['specialty_original'] } },
    { ...OWN, table: 'events', column: 'norm_specialty_id', document: null, printed: { columns: ['specialty_text'] } },
  ],
  diagnoses: [
    { ...OF_DOCUMENT, table: 'encounters', column: 'norm_diagnosis_id', printed: { columns: ['diagnosis_original'] } },
    { ...OWN, table: 'events', column: 'norm_diagnosis_id', document: null, printed: { columns: ['diagnosis_text'] } },
  ],
  medications: [
    {
      ...OF_DOCUMENT,
      table: 'medications',
      column: 'norm_medication_id',
      printed: { columns: ['active_ingredient_original', 'brand_name'] },
    },
  ],
  doctors: [documents('doctor_id'), { ...OF_DOCUMENT, table: 'encounters', column: 'doctor_id' }, studies('doctor_id')],
  facilities: [
    documents('facility_id'),
    { ...OF_DOCUMENT, table: 'encounters', column: 'facility_id' },
    studies('facility_id'),
  ],
};

/** The user who views the entries, bound as `@patients` and `@writable` (JSON), `@user`, `@admin`. */
export interface Viewer {
  patients: string;
  /** The patients whose records the user may change. */
  writable: string;
  user: number;
  admin: number;
}

/**
 * Returns conditions, one of which must hold for the viewer to see a referring row; each can use an index. Unassigned
 * documents are visible to their uploader and to administrators.
 */
export function visibleWhere({ table, patient, document }: Reference): string[] {
  const granted = `${patient} IN (SELECT value FROM json_each(@patients))`;
  if (table === 'events' || document === null) return [granted];
  const uploaded =
    document === 'r.id'
      ? 'r.uploaded_by_user_id = @user'
      : `EXISTS (SELECT 1 FROM documents AS u WHERE u.id = ${document} AND u.uploaded_by_user_id = @user)`;
  return [granted, `${patient} IS NULL AND (@admin OR ${uploaded})`];
}

import type { Database } from '../../platform/database/connection.ts';

/** One spelling under which a patient has results. */
export interface Spelling {
  norm_lab_test_id: number | null;
  name: string;
  sample_type: string | null;
}

/** A key that is equal only for equal spellings. */
export const spellingKey = ({ norm_lab_test_id, name, sample_type }: Spelling): string =>
  JSON.stringify([norm_lab_test_id, name, sample_type]);

/** IS instead of =, because entry, sample and patient may be NULL. Bind with `spellingValues`. */
export const OF_SPELLING =
  'l.patient_id IS ? AND l.norm_lab_test_id IS ? AND l.test_name_original = ? AND l.sample_type IS ?';

/** The values of `OF_SPELLING`. */
export const spellingValues = (patientId: number | null, { norm_lab_test_id, name, sample_type }: Spelling) => [
  patientId,
  norm_lab_test_id,
  name,
  sample_type,
];

/** Lists every spelling of a patient's tests. */
export const listSpellings = (db: Database, patientId: number): Spelling[] =>
  db
    .prepare(
      `SELECT DISTINCT norm_lab_test_id, test_name_original AS name, sample_type FROM lab_results
        WHERE patient_id = ?`,
    )
    .all(patientId) as Spelling[];

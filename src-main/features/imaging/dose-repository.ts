import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

/** The dose of a study, of all its dose reports together; null for what none of them measures. */
export interface DoseRow {
  ctdi_vol: number | null;
  dlp: number | null;
  dap: number | null;
  fluoroscopy_seconds: number | null;
  glandular_dose: number | null;
  activity: number | null;
}
export interface StudyDoseRow extends DoseRow {
  study_id: number;
  document_id: number | null;
  study_date: string | null;
  modality: string | null;
  body_part: string | null;
  study_description: string | null;
}

export const createDoseRepository = (db: Database) => bindFirst(db, { ofStudy: findOfStudy, ofPatient: listOfPatient });

const SUMS = `max(r.ctdi_vol) AS ctdi_vol, sum(r.dlp) AS dlp, sum(r.dap) AS dap,
  sum(r.fluoroscopy_seconds) AS fluoroscopy_seconds, sum(r.glandular_dose) AS glandular_dose,
  sum(r.activity) AS activity`;
/** Of two reports with the same UID, the one that came later counts. */
const REPORTS = `imaging_doses AS r JOIN imaging_instances AS o ON o.id = r.instance_id
  JOIN imaging_series AS s ON s.id = o.series_id`;
const LAST = `o.id = (SELECT max(o2.id) FROM imaging_doses AS r2 JOIN imaging_instances AS o2 ON o2.id = r2.instance_id
  JOIN imaging_series AS s2 ON s2.id = o2.series_id
  WHERE o2.sop_instance_uid = o.sop_instance_uid AND s2.study_id = s.study_id)`;

const findOfStudy = (db: Database, studyId: number): DoseRow | null =>
  (db.prepare(`SELECT ${SUMS} FROM ${REPORTS} WHERE s.study_id = ? AND ${LAST} GROUP BY s.study_id`).get(studyId) as
    | DoseRow
    | undefined) ?? null;

/** Studies of a patient that have a dose, the latest first; undecided documents belong to nobody's record. */
const listOfPatient = (db: Database, patientId: number): StudyDoseRow[] =>
  db
    .prepare(
      `SELECT i.id AS study_id, i.document_id, i.study_date, i.modality, i.body_part, i.study_description, ${SUMS}
        FROM ${REPORTS} JOIN imaging_studies AS i ON i.id = s.study_id LEFT JOIN documents AS d ON d.id = i.document_id
        WHERE i.patient_id = ? AND d.patient_undecided IS NOT 1 AND ${LAST}
        GROUP BY i.id ORDER BY i.study_date IS NULL, i.study_date DESC, i.id DESC`,
    )
    .all(patientId) as StudyDoseRow[];

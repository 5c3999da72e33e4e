import type { Database } from '../../platform/database/connection.ts';
import type { StudyRecord } from './study-repository.ts';

type Owned = Pick<StudyRecord, 'id' | 'study_instance_uid' | 'patient_id'>;

/** Another study with the same UID of the same patient; without one, of the same uploader. */
export const findTwin = (db: Database, study: Owned, uploaderId: number | null): StudyRecord | undefined =>
  db
    .prepare(
      `SELECT i.* FROM imaging_studies AS i JOIN documents AS d ON d.id = i.document_id
        WHERE i.study_instance_uid = @uid AND i.id <> @id AND i.patient_id IS @patient
          AND (@patient IS NOT NULL OR d.uploaded_by_user_id IS @uploader) ORDER BY i.id LIMIT 1`,
    )
    .get({
      uid: study.study_instance_uid,
      id: study.id,
      patient: study.patient_id,
      uploader: uploaderId,
    }) as StudyRecord | undefined;

/** Object `o` of one study and its copy `t` in the other: the same UID and bytes. */
const PAIRS = `imaging_instances AS o JOIN imaging_series AS os ON os.id = o.series_id AND os.study_id = @study
  JOIN imaging_instances AS t ON t.sop_instance_uid = o.sop_instance_uid AND t.file_hash = o.file_hash
  JOIN imaging_series AS ts ON ts.id = t.series_id AND ts.study_id = @twin`;

/** Whether a study has each object of the other one, and, if it has a bundle, each file of its bundle. */
export function hasAllFilesOf(db: Database, twin: number, study: number): boolean {
  const missing = db
    .prepare(
      `SELECT 1 FROM imaging_instances AS i JOIN imaging_series AS s ON s.id = i.series_id WHERE s.study_id = @study
          AND i.id NOT IN (SELECT o.id FROM ${PAIRS})
        UNION ALL SELECT 1 FROM imaging_bundle_files AS b WHERE b.study_id = @study
          AND EXISTS (SELECT 1 FROM imaging_studies WHERE id = @twin AND bundle_path IS NOT NULL)
          AND b.file_hash NOT IN (SELECT file_hash FROM imaging_bundle_files WHERE study_id = @twin) LIMIT 1`,
    )
    .get({ study, twin });
  return missing === undefined;
}

/** Vault paths of the objects of a study, or of the files of its bundle. */
export const filesOfStudy = (db: Database, study: number, which: 'objects' | 'bundle' = 'objects'): string[] =>
  db
    .prepare(
      which === 'objects'
        ? `SELECT s.folder_path || '/' || o.file_name FROM imaging_instances AS o
            JOIN imaging_series AS s ON s.id = o.series_id WHERE s.study_id = ?`
        : `SELECT i.bundle_path || '/' || b.name FROM imaging_bundle_files AS b
            JOIN imaging_studies AS i ON i.id = b.study_id WHERE i.id = ?`,
    )
    .pluck()
    .all(study) as string[];

/** Gives the measurements and key images of a study to the copies of their objects in another one. */
export const moveMarks = (db: Database, study: number, twin: number): void =>
  void db
    .prepare(
      `UPDATE imaging_marks SET instance_id = pair.copy FROM
        (SELECT o.id AS original, min(t.id) AS copy FROM ${PAIRS} GROUP BY o.id) AS pair
        WHERE instance_id = pair.original`,
    )
    .run({ study, twin });

const CORRECTED = ['modality', 'body_part', 'study_description', 'accession_number'] as const;

/** Gives what a person corrected of a study to another one, where nobody corrected that one. */
export function copyCorrections(db: Database, study: StudyRecord, twin: StudyRecord): void {
  const isCorrected = db.prepare('SELECT 1 FROM extraction_corrections WHERE document_id = ? AND field = ?');
  for (const column of CORRECTED) {
    const field = `imaging.${column}`;
    if (isCorrected.get(study.document_id, field) && !isCorrected.get(twin.document_id, field))
      db.prepare(`UPDATE imaging_studies SET ${column} = ? WHERE id = ?`).run(study[column], twin.id);
  }
}

/** Gives the bundle of a study to one that has none. */
export function takeBundle(db: Database, { id, bundle_path }: StudyRecord, twin: number): void {
  db.prepare('UPDATE imaging_bundle_files SET study_id = ? WHERE study_id = ?').run(twin, id);
  db.prepare('UPDATE imaging_studies SET bundle_path = ? WHERE id = ?').run(bundle_path, twin);
}

/** Deletes a study with its series and objects. */
export const deleteStudy = (db: Database, id: number): void =>
  void db.prepare('DELETE FROM imaging_studies WHERE id = ?').run(id);

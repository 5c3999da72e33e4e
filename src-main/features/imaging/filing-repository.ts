import { and, eq } from 'drizzle-orm';
import { MAX_SERIES_FRAMES } from '../../../src-shared/contract/imaging-frames.ts';
import type { Database } from '../../platform/database/connection.ts';
import {
  documents,
  imaging_bundle_files,
  imaging_doses,
  imaging_instances,
  imaging_series,
  imaging_studies,
} from '../../platform/database/schema/index.ts';
import type { Dose } from '../../reading/dicom/dose.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

export type FilingRepository = ReturnType<typeof createFilingRepository>;

/** Writes studies, series and objects while they are filed. */
export const createFilingRepository = (db: Database) =>
  bindFirst(db, {
    ofOwner: findOfOwner,
    patientOf,
    insertStudy,
    documentOf: findDocument,
    patientOfStudy: findPatientOfStudy,
    studyFolder: findStudyFolder,
    accessionOf: findAccession,
    bundleOf: findBundle,
    setBundle,
    recount,
    series: findSeries,
    seriesFolders: listSeriesFolders,
    insertSeries,
    copiesOf: listCopies,
    nextNumber,
    insertInstance,
    insertDose,
    insertBundleFile,
  });

/**
 * The study with this UID of the same patient; without one, that of the same uploader, unless it was given to a patient
 * whose records they may not change.
 */
const findOfOwner = (
  db: Database,
  uid: string,
  { patientId, uploaderId }: { patientId: number | null; uploaderId: number | null },
): { study_id: number; document_id: number } | undefined =>
  db
    .prepare(
      `SELECT i.id AS study_id, i.document_id FROM imaging_studies AS i JOIN documents AS d ON d.id = i.document_id
        WHERE i.study_instance_uid = @uid AND CASE WHEN @patient IS NULL
          THEN d.uploaded_by_user_id IS @uploader AND (i.patient_id IS NULL OR EXISTS (SELECT 1 FROM patient_access AS a
            WHERE a.patient_id = i.patient_id AND a.user_id = @uploader AND a.role = 'owner'))
          ELSE i.patient_id = @patient END ORDER BY i.id LIMIT 1`,
    )
    .get({ uid, patient: patientId, uploader: uploaderId }) as { study_id: number; document_id: number } | undefined;

const patientOf = ({ orm }: Database, documentId: number): number | null =>
  orm.select({ id: documents.patient_id }).from(documents).where(eq(documents.id, documentId)).get()?.id ?? null;

const insertStudy = ({ orm }: Database, values: typeof imaging_studies.$inferInsert): number =>
  orm.insert(imaging_studies).values(values).returning({ id: imaging_studies.id }).get().id;

const columnOf = <T>(
  db: Database,
  column: 'document_id' | 'patient_id' | 'folder_path' | 'accession_number' | 'bundle_path',
  id: number,
): T => db.prepare(`SELECT ${column} FROM imaging_studies WHERE id = ?`).pluck().get(id) as T;
const findDocument = (db: Database, id: number): number => columnOf(db, 'document_id', id);
const findPatientOfStudy = (db: Database, id: number): number | null => columnOf(db, 'patient_id', id);
const findStudyFolder = (db: Database, id: number): string => columnOf(db, 'folder_path', id);
const findAccession = (db: Database, id: number): string | null => columnOf(db, 'accession_number', id);
const findBundle = (db: Database, id: number): string | null => columnOf(db, 'bundle_path', id);

const setBundle = ({ orm }: Database, id: number, bundle: string): void =>
  void orm.update(imaging_studies).set({ bundle_path: bundle }).where(eq(imaging_studies.id, id)).run();

/** Counts series and frames of a study again, the frames of a series as far as they are listed. */
function recount(db: Database, studyId: number): void {
  db.prepare(
    `UPDATE imaging_series SET num_images =
      (SELECT min(@max, coalesce(sum(frames), 0)) FROM imaging_instances AS o WHERE o.series_id = imaging_series.id)
      WHERE study_id = @id`,
  ).run({ id: studyId, max: MAX_SERIES_FRAMES });
  db.prepare(
    `UPDATE imaging_studies SET (num_series, num_images) =
      (SELECT count(*), coalesce(sum(num_images), 0) FROM imaging_series WHERE study_id = @id) WHERE id = @id`,
  ).run({ id: studyId });
}

const findSeries = ({ orm }: Database, studyId: number, uid: string): { id: number; folder_path: string } | undefined =>
  orm
    .select({ id: imaging_series.id, folder_path: imaging_series.folder_path })
    .from(imaging_series)
    .where(and(eq(imaging_series.study_id, studyId), eq(imaging_series.series_instance_uid, uid)))
    .get() as { id: number; folder_path: string } | undefined;

const listSeriesFolders = (db: Database, studyId: number): string[] =>
  db.prepare('SELECT folder_path FROM imaging_series WHERE study_id = ?').pluck().all(studyId) as string[];

const insertSeries = ({ orm }: Database, values: typeof imaging_series.$inferInsert): number =>
  orm.insert(imaging_series).values(values).returning({ id: imaging_series.id }).get().id;

/** The hashes of the stored objects of a study with this UID. */
const listCopies = (db: Database, studyId: number, uid: string): string[] =>
  db
    .prepare(
      `SELECT o.file_hash FROM imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
        WHERE o.sop_instance_uid = ? AND s.study_id = ?`,
    )
    .pluck()
    .all(uid, studyId) as string[];

/** The number of the next file of a series. */
const nextNumber = (db: Database, seriesId: number): number =>
  db
    .prepare('SELECT coalesce(max(CAST(file_name AS INTEGER)), 0) + 1 FROM imaging_instances WHERE series_id = ?')
    .pluck()
    .get(seriesId) as number;

const insertInstance = ({ orm }: Database, values: typeof imaging_instances.$inferInsert): number =>
  orm.insert(imaging_instances).values(values).returning({ id: imaging_instances.id }).get().id;

const insertDose = ({ orm }: Database, instanceId: number, dose: Dose): void =>
  void orm
    .insert(imaging_doses)
    .values({
      instance_id: instanceId,
      ctdi_vol: dose.ctdiVol,
      dlp: dose.dlp,
      dap: dose.dap,
      fluoroscopy_seconds: dose.fluoroscopySeconds,
      glandular_dose: dose.glandular,
      activity: dose.activity,
    })
    .run();

const insertBundleFile = ({ orm }: Database, values: typeof imaging_bundle_files.$inferInsert): void =>
  void orm.insert(imaging_bundle_files).values(values).run();

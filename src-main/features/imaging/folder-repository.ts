import type { Database } from '../../platform/database/connection.ts';

/** Whether a study has its files or its bundle in this folder. */
export const isFolderOfStudy = (db: Database, path: string): boolean =>
  db.prepare('SELECT 1 FROM imaging_studies WHERE folder_path = @path OR bundle_path = @path').get({ path }) !==
  undefined;

/** Whether another study has the same bundle. */
export const isBundleShared = (
  db: Database,
  { id, bundle_path }: { id: number; bundle_path: string | null },
): boolean =>
  db.prepare('SELECT 1 FROM imaging_studies WHERE bundle_path = ? AND id <> ?').get(bundle_path, id) !== undefined;

/** Whose a document is: the slug of its patient, and who uploaded it. Undefined if it does not exist. */
export const findOwner = (
  db: Database,
  documentId: number,
): { slug: string | null; uploader: number | null } | undefined =>
  db
    .prepare(
      `SELECT p.slug, d.uploaded_by_user_id AS uploader FROM documents AS d LEFT JOIN patients AS p
        ON p.id = d.patient_id WHERE d.id = ?`,
    )
    .get(documentId) as { slug: string | null; uploader: number | null } | undefined;

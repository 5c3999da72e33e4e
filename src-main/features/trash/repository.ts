import { and, desc, eq, lt } from 'drizzle-orm';
import type { DocumentIdentity } from '../../../src-shared/contract/document-naming.ts';
import type { Database } from '../../platform/database/connection.ts';
import { patients, trash } from '../../platform/database/schema/index.ts';

export type TrashRepository = ReturnType<typeof createTrashRepository>;

/** A deleted document is the first row of its item. */
const DELETED_DOCUMENTS = `SELECT t.id, t.label AS original_filename, json_extract(t.rows, '$[0].rows[0].title') AS title,
    json_extract(t.rows, '$[0].rows[0].doc_type') AS doc_type,
    json_extract(t.rows, '$[0].rows[0].event_date') AS event_date,
    f.canonical_display AS facility_name, dr.canonical_display AS doctor_name,
    coalesce(s.canonical_display, json_extract(t.rows, '$[0].rows[0].specialty_original')) AS specialty_display
  FROM trash AS t
    LEFT JOIN facilities AS f ON f.id = json_extract(t.rows, '$[0].rows[0].facility_id')
    LEFT JOIN doctors AS dr ON dr.id = json_extract(t.rows, '$[0].rows[0].doctor_id')
    LEFT JOIN norm_specialties AS s ON s.id = json_extract(t.rows, '$[0].rows[0].norm_specialty_id')
  WHERE t.kind = 'document' AND t.id IN (SELECT value FROM json_each(?))`;

const BESIDE_OTHERS = `SELECT i.id FROM imaging_studies AS i JOIN documents AS d ON d.id = i.document_id
  WHERE d.id IN (SELECT value FROM json_each(?)) AND EXISTS (
    SELECT 1 FROM imaging_studies AS o JOIN documents AS od ON od.id = o.document_id
      WHERE o.study_instance_uid = i.study_instance_uid AND o.id <> i.id AND o.patient_id IS i.patient_id
        AND (i.patient_id IS NOT NULL OR od.uploaded_by_user_id IS d.uploaded_by_user_id))`;

export function createTrashRepository(db: Database) {
  const { orm } = db;
  return {
    /** What names the documents among these items, by item. */
    documents: (ids: readonly number[]): Map<number, DocumentIdentity> =>
      new Map(
        (db.prepare(DELETED_DOCUMENTS).all(JSON.stringify(ids)) as (DocumentIdentity & { id: number })[]).map((row) => [
          row.id,
          row,
        ]),
      ),
    newest: () =>
      orm
        .select({
          id: trash.id,
          kind: trash.kind,
          label: trash.label,
          patient_id: trash.patient_id,
          deleted_at: trash.deleted_at,
          size: trash.size,
          deleted_by_user_id: trash.deleted_by_user_id,
          livingPatientId: patients.id,
        })
        .from(trash)
        .leftJoin(patients, eq(patients.id, trash.patient_id))
        .orderBy(desc(trash.id))
        .all(),
    deletedBefore: (timestamp: string): number[] =>
      orm
        .select({ id: trash.id })
        .from(trash)
        .where(lt(trash.deleted_at, timestamp))
        .all()
        .map((row) => row.id),
    /** Those of these documents that exist. */
    existing: (ids: readonly number[]): number[] =>
      db
        .prepare('SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id')
        .pluck()
        .all(JSON.stringify(ids)) as number[],
    /** Studies of these documents beside which the same patient or uploader has another one with their UID. */
    studiesBesideOthers: (documentIds: readonly number[]): number[] =>
      db.prepare(BESIDE_OTHERS).pluck().all(JSON.stringify(documentIds)) as number[],
    /** The event of an item; null for items of another kind. */
    eventId(id: number): number | null {
      const row = orm
        .select({ rows: trash.rows })
        .from(trash)
        .where(and(eq(trash.id, id), eq(trash.kind, 'event')))
        .get();
      const event = row?.rows.find((part) => part.table === 'events' && part.relink === undefined)?.rows[0];
      return event === undefined ? null : Number(event['id']);
    },
    /** The person of an item; null for items of another kind. */
    patientId: (id: number): number | null =>
      orm
        .select({ patientId: trash.patient_id })
        .from(trash)
        .where(and(eq(trash.id, id), eq(trash.kind, 'patient')))
        .get()?.patientId ?? null,
    /** Hashes of the documents in an item. */
    contentHashes(id: number): string[] {
      const row = orm
        .select({ rows: trash.rows, file_hash: trash.file_hash })
        .from(trash)
        .where(eq(trash.id, id))
        .get();
      const documents =
        row?.rows
          .filter((part) => part.table === 'documents' && part.relink === undefined)
          .flatMap((part) => part.rows) ?? [];
      return [
        ...new Set(
          [row?.file_hash, ...documents.map((document) => document['file_hash'])].filter(
            (hash) => typeof hash === 'string',
          ),
        ),
      ];
    },
  };
}

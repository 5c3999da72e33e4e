import { and, eq, getTableColumns, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { LabDoubt } from '../../../src-shared/contract/lab-doubt.ts';
import type { DocumentStatus } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import {
  document_pages,
  document_tags,
  documents,
  events,
  lab_results,
  patients,
  users,
} from '../../platform/database/schema/index.ts';
import type { Extraction, FoundPatient } from '../../reading/extraction/extraction.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import {
  demoteOtherEvents,
  documentsOfEventAfter,
  linkToEvent,
  listEventLinks,
  repairEventLinks,
  unlinkFromEvent,
  unlinkFromEvents,
} from './event-link-repository.ts';
import {
  recordCorrections,
  recordRowCorrections,
  replaceRows,
  saveRawExtraction,
  summaryRows,
} from './extracted-rows-repository.ts';

export type DocumentFields = Partial<typeof documents.$inferInsert>;
export type DocumentRecord = typeof documents.$inferSelect;

/** A deleted item that contains the content of a file. */
export interface TrashedCopy {
  id: number;
  kind: 'document' | 'event' | 'patient';
  label: string;
  /** The patient of the item, and the same one if they were not deleted. */
  patient_id: number | null;
  livingPatientId: number | null;
  deleted_by_user_id: number | null;
  deleted_at: string;
}

const SETTLED_STATUSES: ReadonlySet<DocumentStatus> = new Set(['done', 'needs_review', 'failed', 'cancelled']);
/** Whether reading has ended, so that a changed field moves the file immediately. */
export const isSettled = (status: DocumentStatus): boolean => SETTLED_STATUSES.has(status);

export type WriteRepository = ReturnType<typeof createWriteRepository>;

/** Reads and writes documents as records; the only writer of these tables. */
export function createWriteRepository(db: Database) {
  const { document, event, patient } = prepareStatements(db);
  return {
    get: (id: number): DocumentRecord | undefined => document.get({ id }),
    event: (id: number) => event.get({ id }),
    patient: (id: number) => patient.get({ id }),
    ...bindFirst(db, {
      getMany: findDocuments,
      byHash: findByHash,
      trashedByHash: findTrashedByHash,
      byPath: findByPath,
      otherWithHash: findOtherWithHash,
      failed: listFailed,
      ofPatient: documentsOfPatient,
      ofPatientAfter: documentsOfPatientAfter,
      ofEventAfter: documentsOfEventAfter,
      insert: insertDocument,
      update: updateDocument,
      remove: removeDocument,
      setStatus,
      setTags,
      savePages,
      pages: readPages,
      page: readPage,
      eventLinks: listEventLinks,
      linkToEvent,
      unlinkFromEvent,
      unlinkFromEvents,
      demoteOtherEvents,
      repairEventLinks,
      patientBySlug: findPatientBySlug,
      household: listPatients,
      hasUser,
      saveRawExtraction,
      replaceRows,
      summaryRows,
      recordRowCorrections,
      recordCorrections,
      dateResults,
      assignResults,
      doubts: listDoubts,
      confirmResults,
      undecided: listUndecided,
      differing: listDiffering,
      readPatient: findReadPatient,
      readExtraction: findExtraction,
      entryName: findEntryName,
    }),
  };
}

/** Statements prepared once, because renaming an event looks up hundreds of documents. */
function prepareStatements({ orm }: Database) {
  const id = sql.placeholder('id');
  return {
    document: orm.select().from(documents).where(eq(documents.id, id)).prepare(),
    event: orm
      .select({ id: events.id, patient_id: events.patient_id, slug: events.slug })
      .from(events)
      .where(eq(events.id, id))
      .prepare(),
    patient: orm.select().from(patients).where(eq(patients.id, id)).prepare(),
  };
}

const findDocuments = ({ orm }: Database, ids: number[]): DocumentRecord[] =>
  orm.select().from(documents).where(inArray(documents.id, ids)).all();

const findByHash = ({ orm }: Database, hash: string) =>
  orm
    .select({
      id: documents.id,
      original_filename: documents.original_filename,
      patient_id: documents.patient_id,
      uploaded_by_user_id: documents.uploaded_by_user_id,
    })
    .from(documents)
    .where(eq(documents.file_hash, hash))
    .all();

/**
 * Deleted items that contain a document with this content, newest first. The hash of an item is that of its only
 * document; several documents of an event or patient are found in the stored rows.
 */
const findTrashedByHash = (db: Database, hash: string): TrashedCopy[] =>
  db
    .prepare(
      `SELECT trash.id, kind, label, patient_id, patients.id AS livingPatientId, deleted_by_user_id, deleted_at
        FROM trash LEFT JOIN patients ON patients.id = trash.patient_id
        WHERE (file_hash = @hash AND kind IN ('document', 'event', 'patient'))
          OR (file_hash IS NULL AND kind IN ('event', 'patient') AND instr(rows, @stored) > 0)
        ORDER BY trash.id DESC`,
    )
    .all({ hash, stored: `"file_hash":"${hash}"` }) as TrashedCopy[];

const findByPath = ({ orm }: Database, path: string) =>
  orm.select({ id: documents.id }).from(documents).where(eq(documents.file_path, path)).get();

const findOtherWithHash = ({ orm }: Database, hash: string, id: number) =>
  orm
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.file_hash, hash), ne(documents.id, id)))
    .get();

const listFailed = ({ orm }: Database): DocumentRecord[] =>
  orm.select().from(documents).where(eq(documents.status, 'failed')).all();

const documentsOfPatient = ({ orm }: Database, patientId: number): number[] =>
  orm
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.patient_id, patientId))
    .all()
    .map((row) => row.id);

/** Lists ids of a patient's documents greater than `after`, ascending. */
const documentsOfPatientAfter = (db: Database, patientId: number, after: number, limit: number): number[] =>
  db
    .prepare('SELECT id FROM documents WHERE patient_id = ? AND id > ? ORDER BY id LIMIT ?')
    .pluck()
    .all(patientId, after, limit) as number[];

const insertDocument = ({ orm }: Database, fields: typeof documents.$inferInsert): number =>
  orm.insert(documents).values(fields).returning({ id: documents.id }).get().id;

function updateDocument({ orm }: Database, id: number, fields: DocumentFields): void {
  orm.update(documents).set(fields).where(eq(documents.id, id)).run();
}

/** Deletes a document for good, with the rows that belong to it by the schema. */
const removeDocument = ({ orm }: Database, id: number): void =>
  void orm.delete(documents).where(eq(documents.id, id)).run();

const setStatus = (db: Database, id: number, status: DocumentStatus, now: string): void =>
  updateDocument(db, id, { status, updated_at: now });

/** Replaces the tags in the column and in the lookup table. */
function setTags(db: Database, id: number, tags: string[]): void {
  const { orm } = db;
  updateDocument(db, id, { tags: tags.length ? tags.join(',') : null });
  orm.delete(document_tags).where(eq(document_tags.document_id, id)).run();
  if (tags.length)
    orm
      .insert(document_tags)
      .values(tags.map((tag) => ({ document_id: id, tag })))
      .run();
}

function savePages({ orm }: Database, id: number, pages: { page: number; data: Buffer }[]): void {
  orm.delete(document_pages).where(eq(document_pages.document_id, id)).run();
  for (const { page, data } of pages) orm.insert(document_pages).values({ document_id: id, page, data }).run();
}

const readPages = ({ orm }: Database, id: number): Buffer[] =>
  orm
    .select({ data: document_pages.data })
    .from(document_pages)
    .where(eq(document_pages.document_id, id))
    .orderBy(document_pages.page)
    .all()
    .map((row) => row.data);

const readPage = ({ orm }: Database, id: number, page: number): Buffer | undefined =>
  orm
    .select({ data: document_pages.data })
    .from(document_pages)
    .where(and(eq(document_pages.document_id, id), eq(document_pages.page, page)))
    .get()?.data;

const findPatientBySlug = ({ orm }: Database, slug: string) =>
  orm.select().from(patients).where(eq(patients.slug, slug)).get();

const listPatients = ({ orm }: Database) => orm.select().from(patients).all();

const hasUser = ({ orm }: Database, id: number): boolean =>
  orm.select({ id: users.id }).from(users).where(eq(users.id, id)).get() !== undefined;

/** The doubts about each result of a document, or about those that a user edited. */
const listDoubts = ({ orm }: Database, id: number, which: 'all' | 'edited'): LabDoubt[][] =>
  orm
    .select({ doubt: lab_results.doubt })
    .from(lab_results)
    .where(and(eq(lab_results.document_id, id), which === 'edited' ? isNotNull(lab_results.edited_fields) : undefined))
    .all()
    .map(({ doubt }) => doubt ?? []);

/** Settles all doubts about the results of a document; as if a user had edited them, reading it again keeps them. */
const confirmResults = (db: Database, id: number): void =>
  void db
    .prepare(
      `UPDATE lab_results SET doubt = '[]', edited_fields = coalesce(edited_fields, '[]')
        WHERE document_id = ? AND doubt IS NOT NULL AND doubt <> '[]'`,
    )
    .run(id);

/** Documents that wait for a decision whose they are, oldest first. */
const listUndecided = ({ orm }: Database): DocumentRecord[] =>
  orm
    .select()
    .from(documents)
    .where(sql`patient_undecided = 1`)
    .orderBy(documents.id)
    .all();

/** Filed documents whose printed name or birth date is not that of their patient, letter by letter. */
const listDiffering = ({ orm }: Database): DocumentRecord[] =>
  orm
    .select(getTableColumns(documents))
    .from(documents)
    .innerJoin(patients, eq(patients.id, documents.patient_id))
    .where(
      sql`patient_undecided = 0 AND (extracted_birth_date <> ${patients.date_of_birth}
        OR extracted_patient_name <> ${patients.display_name})`,
    )
    .orderBy(documents.id)
    .all();

/** The patient as the reader found them on the pages; null if the document was not read. */
const findReadPatient = (db: Database, id: number): FoundPatient | null => {
  const json = db
    .prepare(`SELECT json_extract(raw_extraction, '$.patient') FROM document_extractions WHERE document_id = ?`)
    .pluck()
    .get(id) as string | null | undefined;
  return json ? (JSON.parse(json) as FoundPatient) : null;
};

/** What was read last, in the shape of the version that read it; null if the document was not read. */
const findExtraction = (db: Database, id: number): Partial<Extraction> | null => {
  const select = db.prepare('SELECT raw_extraction FROM document_extractions WHERE document_id = ?').pluck();
  const json = select.get(id) as string | undefined;
  return json === undefined ? null : (JSON.parse(json) as Partial<Extraction>);
};

const findEntryName = (db: Database, table: 'doctors' | 'facilities', id: number | null): string | null =>
  (db.prepare(`SELECT canonical_display FROM ${table} WHERE id = ?`).pluck().get(id) as string | undefined) ?? null;

/** Gives results without a date the document's date, before the document is deleted. */
function dateResults({ orm }: Database, id: number): void {
  orm
    .update(lab_results)
    .set({ test_date: sql`(SELECT event_date FROM documents WHERE id = ${id})` })
    .where(and(eq(lab_results.document_id, id), isNull(lab_results.test_date)))
    .run();
}

/**
 * Lab results have a patient column of their own, for the indexes. They get the patient of their document, and none as
 * long as it is undecided whose document it is.
 */
function assignResults({ orm }: Database, id: number): void {
  const patient = sql`(SELECT patient_id FROM record_documents WHERE id = ${id})`;
  orm.update(lab_results).set({ patient_id: patient }).where(eq(lab_results.document_id, id)).run();
}

import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Relevance } from '../../../src-shared/contract/events.ts';
import type { DocumentStatus } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import {
  document_extractions,
  document_pages,
  document_sections,
  document_tags,
  documents,
  encounters,
  event_documents,
  events,
  extraction_corrections,
  invoice_items,
  lab_results,
  medications,
  patients,
  users,
  trash,
  vaccinations,
} from '../../platform/database/schema/index.ts';
import { rowsWithoutUserEdits, withReadKeys, type UserRow, type EditableKind } from './edit/user-edits.ts';

export type DocumentFields = Partial<typeof documents.$inferInsert>;
export type DocumentRecord = typeof documents.$inferSelect;

export interface DocumentRows {
  lab_results: Omit<typeof lab_results.$inferInsert, 'document_id'>[];
  encounters: Omit<typeof encounters.$inferInsert, 'document_id'>[];
  medications: Omit<typeof medications.$inferInsert, 'document_id'>[];
  vaccinations: Omit<typeof vaccinations.$inferInsert, 'document_id'>[];
  invoice_items: Omit<typeof invoice_items.$inferInsert, 'document_id'>[];
  sections: Omit<typeof document_sections.$inferInsert, 'document_id'>[];
}

/** Extracted fields that users may correct. */
const CORRECTABLE_FIELDS = [
  'doc_type',
  'event_date',
  'issued_date',
  'doctor_id',
  'facility_id',
  'specialty_original',
  'summary_en',
] as const;
const EDITABLE_TABLES = { lab_results, encounters, medications, vaccinations } as const;
const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

const SETTLED_STATUSES: ReadonlySet<DocumentStatus> = new Set(['done', 'needs_review', 'failed', 'cancelled']);
/** Documents whose reading has ended: their file follows a changed field at once. */
export const isSettled = (status: DocumentStatus): boolean => SETTLED_STATUSES.has(status);

export type WriteRepository = ReturnType<typeof createWriteRepository>;

/** Reads and writes documents as records; the only writer of these tables. */
export function createWriteRepository(db: Database) {
  const { orm } = db;
  /** Rows that a user removed: stored as corrections without a new value. */
  const removedRows = (documentId: number, kind: EditableKind): UserRow[] =>
    orm
      .select({ row: extraction_corrections.old_value })
      .from(extraction_corrections)
      .where(
        and(
          eq(extraction_corrections.document_id, documentId),
          eq(extraction_corrections.field, kind),
          isNull(extraction_corrections.new_value),
        ),
      )
      .all()
      .map(({ row }): UserRow => {
        const values = JSON.parse(row ?? '{}') as { read_key?: string };
        return { row: values, readKey: values.read_key ?? null };
      });
  // Prepared once: hundreds of documents follow when their event is renamed.
  const document = orm
    .select()
    .from(documents)
    .where(eq(documents.id, sql.placeholder('id')))
    .prepare();
  const event = orm
    .select({ id: events.id, patient_id: events.patient_id, slug: events.slug })
    .from(events)
    .where(eq(events.id, sql.placeholder('id')))
    .prepare();
  const patient = orm
    .select()
    .from(patients)
    .where(eq(patients.id, sql.placeholder('id')))
    .prepare();
  return {
    get: (id: number): DocumentRecord | undefined => document.get({ id }),
    getMany: (ids: number[]): DocumentRecord[] => orm.select().from(documents).where(inArray(documents.id, ids)).all(),
    byHash: (hash: string) =>
      orm
        .select({
          id: documents.id,
          original_filename: documents.original_filename,
          patient_id: documents.patient_id,
          uploaded_by_user_id: documents.uploaded_by_user_id,
        })
        .from(documents)
        .where(eq(documents.file_hash, hash))
        .all(),
    trashedByHash: (hash: string) =>
      orm
        .select({
          id: trash.id,
          label: trash.label,
          patient_id: trash.patient_id,
          deleted_by_user_id: trash.deleted_by_user_id,
        })
        .from(trash)
        .where(and(eq(trash.file_hash, hash), eq(trash.kind, 'document')))
        .get(),
    byPath: (path: string) =>
      orm.select({ id: documents.id }).from(documents).where(eq(documents.file_path, path)).get(),
    insert: (fields: typeof documents.$inferInsert): number =>
      orm.insert(documents).values(fields).returning({ id: documents.id }).get().id,
    update: (id: number, fields: DocumentFields): void =>
      void orm.update(documents).set(fields).where(eq(documents.id, id)).run(),
    setStatus: (id: number, status: DocumentStatus, now: string): void =>
      void orm.update(documents).set({ status, updated_at: now }).where(eq(documents.id, id)).run(),
    /** Ids of a patient's documents greater than `after`, ascending. */
    ofPatientAfter: (patientId: number, after: number, limit: number): number[] =>
      db
        .prepare('SELECT id FROM documents WHERE patient_id = ? AND id > ? ORDER BY id LIMIT ?')
        .pluck()
        .all(patientId, after, limit) as number[],
    ofEventAfter: (eventId: number, after: number, limit: number): number[] =>
      db
        .prepare(
          'SELECT document_id FROM event_documents WHERE event_id = ? AND document_id > ? ORDER BY document_id LIMIT ?',
        )
        .pluck()
        .all(eventId, after, limit) as number[],
    ofPatient: (patientId: number): number[] =>
      orm
        .select({ id: documents.id })
        .from(documents)
        .where(eq(documents.patient_id, patientId))
        .all()
        .map((row) => row.id),
    failed: (): DocumentRecord[] => orm.select().from(documents).where(eq(documents.status, 'failed')).all(),
    otherWithHash: (hash: string, id: number) =>
      orm
        .select({ id: documents.id })
        .from(documents)
        .where(and(eq(documents.file_hash, hash), ne(documents.id, id)))
        .get(),

    event: (id: number) => event.get({ id }),
    /** Adds or changes the link of a document to an event. */
    linkToEvent: (eventId: number, documentId: number, relevance: Relevance): void =>
      void orm
        .insert(event_documents)
        .values({ event_id: eventId, document_id: documentId, relevance })
        .onConflictDoUpdate({
          target: [event_documents.event_id, event_documents.document_id],
          set: { relevance, auto_linked: false },
        })
        .run(),
    unlinkFromEvent: (eventId: number, documentId: number): boolean =>
      orm
        .delete(event_documents)
        .where(and(eq(event_documents.event_id, eventId), eq(event_documents.document_id, documentId)))
        .run().changes > 0,
    unlinkFromEvents: (documentId: number): void =>
      void orm.delete(event_documents).where(eq(event_documents.document_id, documentId)).run(),
    /** Makes all other primary links of the document secondary. */
    demoteOtherEvents: (documentId: number, primaryEventId: number | null): void =>
      void orm
        .update(event_documents)
        .set({ relevance: 'secondary' })
        .where(
          and(
            eq(event_documents.document_id, documentId),
            eq(event_documents.relevance, 'primary'),
            ...(primaryEventId === null ? [] : [ne(event_documents.event_id, primaryEventId)]),
          ),
        )
        .run(),
    /**
     * Removes links to events of other patients (either side may have moved while the other was in the trash), and
     * makes `documents.event_id` the only primary link.
     */
    repairEventLinks(documentIds: readonly number[]): void {
      const ids = JSON.stringify(documentIds);
      const given = '(SELECT value FROM json_each(?))';
      db.prepare(
        `DELETE FROM event_documents AS x WHERE document_id IN ${given}
        AND (SELECT patient_id FROM events WHERE id = x.event_id)
          IS NOT (SELECT patient_id FROM documents WHERE id = x.document_id)`,
      ).run(ids);
      db.prepare(
        `UPDATE documents AS d SET event_id = NULL WHERE id IN ${given} AND event_id IS NOT NULL
        AND (SELECT patient_id FROM events WHERE id = d.event_id) IS NOT d.patient_id`,
      ).run(ids);
      db.prepare(
        `UPDATE event_documents AS x SET relevance = 'secondary' WHERE document_id IN ${given} AND relevance = 'primary'
        AND event_id IS NOT (SELECT event_id FROM documents WHERE id = x.document_id)`,
      ).run(ids);
      db.prepare(
        `INSERT INTO event_documents (event_id, document_id, relevance)
        SELECT d.event_id, d.id, 'primary' FROM json_each(?) AS given JOIN documents AS d ON d.id = given.value
        WHERE d.event_id IS NOT NULL
        ON CONFLICT (event_id, document_id) DO UPDATE SET relevance = 'primary', auto_linked = 0`,
      ).run(ids);
    },

    patient: (id: number) => patient.get({ id }),
    patientBySlug: (slug: string) => orm.select().from(patients).where(eq(patients.slug, slug)).get(),
    hasUser: (id: number): boolean =>
      orm.select({ id: users.id }).from(users).where(eq(users.id, id)).get() !== undefined,
    household: () => orm.select().from(patients).all(),

    /** Replaces the tags in the column and in the look-up table. */
    setTags(id: number, tags: string[]): void {
      orm
        .update(documents)
        .set({ tags: tags.length ? tags.join(',') : null })
        .where(eq(documents.id, id))
        .run();
      orm.delete(document_tags).where(eq(document_tags.document_id, id)).run();
      if (tags.length)
        orm
          .insert(document_tags)
          .values(tags.map((tag) => ({ document_id: id, tag })))
          .run();
    },

    savePages(id: number, pages: { page: number; data: Buffer }[]): void {
      orm.delete(document_pages).where(eq(document_pages.document_id, id)).run();
      for (const { page, data } of pages) orm.insert(document_pages).values({ document_id: id, page, data }).run();
    },
    pages: (id: number): Buffer[] =>
      orm
        .select({ data: document_pages.data })
        .from(document_pages)
        .where(eq(document_pages.document_id, id))
        .orderBy(document_pages.page)
        .all()
        .map((row) => row.data),

    page: (id: number, page: number): Buffer | undefined =>
      orm
        .select({ data: document_pages.data })
        .from(document_pages)
        .where(and(eq(document_pages.document_id, id), eq(document_pages.page, page)))
        .get()?.data,

    saveRawExtraction: (id: number, raw: string): void =>
      void orm
        .insert(document_extractions)
        .values({ document_id: id, raw_extraction: raw })
        .onConflictDoUpdate({ target: document_extractions.document_id, set: { raw_extraction: raw } })
        .run(),

    /**
     * Replaces the extracted rows of a document; rows that a user edited, added or removed stay as they are.
     * `entriesOf` returns the columns with a row's canonical entries.
     */
    replaceRows(id: number, rows: DocumentRows, entriesOf: (kind: EditableKind, row: object) => object): void {
      for (const [name, table] of Object.entries({ invoice_items, sections: document_sections }) as [
        'invoice_items',
        typeof invoice_items,
      ][]) {
        orm.delete(table).where(eq(table.document_id, id)).run();
        for (const row of rows[name])
          orm
            .insert(table)
            .values({ ...row, document_id: id })
            .run();
      }
      for (const [kind, table] of Object.entries(EDITABLE_TABLES) as [EditableKind, typeof lab_results][]) {
        orm
          .delete(table)
          .where(and(eq(table.document_id, id), isNull(table.edited_fields)))
          .run();
        const editedRows = orm
          .select()
          .from(table)
          .where(eq(table.document_id, id))
          .all()
          .map((row): UserRow => ({ row, readKey: row.read_key }));
        const fresh = rowsWithoutUserEdits(kind, withReadKeys<object>(kind, rows[kind]), [
          ...editedRows,
          ...removedRows(id, kind),
        ]);
        for (const row of fresh)
          orm
            .insert(table)
            .values({ ...row, ...entriesOf(kind, row), document_id: id } as typeof lab_results.$inferInsert)
            .run();
      }
    },

    /** Records a user's changes to a row of a document. */
    recordRowCorrections(
      documentId: number,
      corrections: readonly { field: string; old_value: string | null; new_value: string | null }[],
      now: string,
    ): void {
      if (corrections.length)
        orm
          .insert(extraction_corrections)
          .values(corrections.map((correction) => ({ ...correction, document_id: documentId, created_at: now })))
          .run();
    },

    /** Records a user's corrections of extracted fields. */
    recordCorrections(before: DocumentRecord, fields: DocumentFields, now: string): void {
      const changes = CORRECTABLE_FIELDS.flatMap((field) =>
        fields[field] !== undefined && fields[field] !== before[field]
          ? [
              {
                document_id: before.id,
                field,
                old_value: textOf(before[field]),
                new_value: textOf(fields[field]),
                created_at: now,
              },
            ]
          : [],
      );
      if (changes.length) orm.insert(extraction_corrections).values(changes).run();
    },

    /** Gives results without a date the document's date, before the document is deleted. */
    dateResults: (id: number): void =>
      void orm
        .update(lab_results)
        .set({ test_date: sql`(SELECT event_date FROM documents WHERE id = ${id})` })
        .where(and(eq(lab_results.document_id, id), isNull(lab_results.test_date)))
        .run(),

    /** Lab results have a patient column of their own. */
    moveRows: (id: number, patientId: number | null): void =>
      void orm.update(lab_results).set({ patient_id: patientId }).where(eq(lab_results.document_id, id)).run(),
  };
}

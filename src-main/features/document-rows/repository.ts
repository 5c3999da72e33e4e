import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { documents, encounters, medications, vaccinations } from '../../platform/database/schema/index.ts';

export const ROW_TABLES = { encounter: encounters, medication: medications, vaccination: vaccinations } as const;
export type DocumentRowKind = keyof typeof ROW_TABLES;
export interface DocumentRowTypes {
  encounter: typeof encounters.$inferSelect;
  medication: typeof medications.$inferSelect;
  vaccination: typeof vaccinations.$inferSelect;
}
export type DocumentRow<K extends DocumentRowKind> = DocumentRowTypes[K];

export type DocumentRowRepository = ReturnType<typeof createDocumentRowRepository>;

export function createDocumentRowRepository({ orm }: Database) {
  return {
    get: <K extends DocumentRowKind>(kind: K, id: number): DocumentRow<K> | undefined =>
      orm
        .select()
        .from(ROW_TABLES[kind] as typeof medications)
        .where(eq(ROW_TABLES[kind].id, id))
        .get() as DocumentRow<K> | undefined,
    insert: (kind: DocumentRowKind, values: Record<string, unknown>): number =>
      orm
        .insert(ROW_TABLES[kind] as typeof medications)
        .values(values as typeof medications.$inferInsert)
        .returning({ id: medications.id })
        .get().id,
    update: (kind: DocumentRowKind, id: number, values: Record<string, unknown>): void =>
      void orm
        .update(ROW_TABLES[kind] as typeof medications)
        .set(values)
        .where(eq(ROW_TABLES[kind].id, id))
        .run(),
    patientOf: (documentId: number): number | null =>
      orm.select({ patient_id: documents.patient_id }).from(documents).where(eq(documents.id, documentId)).get()
        ?.patient_id ?? null,
  };
}

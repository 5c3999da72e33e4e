import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { documents, encounters, medications, vaccinations } from '../../platform/database/schema/index.ts';

export const CHILD_TABLES = { encounter: encounters, medication: medications, vaccination: vaccinations } as const;
export type ChildKind = keyof typeof CHILD_TABLES;
export interface ChildRows {
  encounter: typeof encounters.$inferSelect;
  medication: typeof medications.$inferSelect;
  vaccination: typeof vaccinations.$inferSelect;
}
export type ChildRow<K extends ChildKind> = ChildRows[K];

export type ChildRepository = ReturnType<typeof createChildRepository>;

export function createChildRepository({ orm }: Database) {
  return {
    get: <K extends ChildKind>(kind: K, id: number): ChildRow<K> | undefined =>
      orm
        .select()
        .from(CHILD_TABLES[kind] as typeof medications)
        .where(eq(CHILD_TABLES[kind].id, id))
        .get() as ChildRow<K> | undefined,
    insert: (kind: ChildKind, values: Record<string, unknown>): number =>
      orm
        .insert(CHILD_TABLES[kind] as typeof medications)
        .values(values as typeof medications.$inferInsert)
        .returning({ id: medications.id })
        .get().id,
    update: (kind: ChildKind, id: number, values: Record<string, unknown>): void =>
      void orm
        .update(CHILD_TABLES[kind] as typeof medications)
        .set(values)
        .where(eq(CHILD_TABLES[kind].id, id))
        .run(),
    patientOf: (documentId: number): number | null =>
      orm.select({ patient_id: documents.patient_id }).from(documents).where(eq(documents.id, documentId)).get()
        ?.patient_id ?? null,
  };
}

import { and, asc, count, eq, like, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { documents, patient_access, patients } from '../../platform/database/schema/index.ts';

export type Sex = 'M' | 'F' | 'O';
export interface PatientFields {
  display_name: string;
  date_of_birth: string | null;
  sex: Sex | null;
}

const columns = {
  id: patients.id,
  slug: patients.slug,
  display_name: patients.display_name,
  date_of_birth: patients.date_of_birth,
  sex: patients.sex,
  created_at: patients.created_at,
  role: patient_access.role,
};

export function createPatientRepository({ orm }: Database) {
  const ofCaller = (userId: number) =>
    orm
      .select(columns)
      .from(patients)
      .leftJoin(patient_access, and(eq(patient_access.patient_id, patients.id), eq(patient_access.user_id, userId)));
  return {
    listFor: (userId: number) =>
      orm
        .select(columns)
        .from(patients)
        .innerJoin(patient_access, and(eq(patient_access.patient_id, patients.id), eq(patient_access.user_id, userId)))
        .orderBy(asc(sql`${patients.display_name} COLLATE NOCASE`), asc(patients.id))
        .all(),
    all: () => orm.select().from(patients).orderBy(asc(patients.id)).all(),
    get: (id: number, userId: number) => ofCaller(userId).where(eq(patients.id, id)).get(),
    bySlug: (slug: string) => orm.select().from(patients).where(eq(patients.slug, slug)).get(),
    /** Slugs that are `slug` itself or `slug-N`. */
    slugsLike: (slug: string) =>
      orm
        .select({ slug: patients.slug })
        .from(patients)
        .where(or(eq(patients.slug, slug), like(patients.slug, `${slug}-%`)))
        .all()
        .map((row) => row.slug),
    documentCount: (id: number) =>
      orm.select({ n: count() }).from(documents).where(eq(documents.patient_id, id)).get()?.n ?? 0,
    documentIds: (id: number) =>
      orm
        .select({ id: documents.id })
        .from(documents)
        .where(eq(documents.patient_id, id))
        .all()
        .map((row) => row.id),
    insert: (fields: PatientFields, slug: string, now: string) =>
      orm
        .insert(patients)
        .values({ ...fields, slug, created_at: now })
        .returning({ id: patients.id })
        .get().id,
    grant: (userId: number, patientId: number, role: 'owner' | 'viewer') =>
      orm
        .insert(patient_access)
        .values({ user_id: userId, patient_id: patientId, role })
        .onConflictDoUpdate({ target: [patient_access.user_id, patient_access.patient_id], set: { role } })
        .run(),
    update: (id: number, fields: Partial<PatientFields>) =>
      orm.update(patients).set(fields).where(eq(patients.id, id)).run(),
    remove: (id: number) => orm.delete(patients).where(eq(patients.id, id)).run(),
  };
}

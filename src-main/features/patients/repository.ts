import { and, asc, count, eq, like, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { documents, patient_access, patients } from '../../platform/database/schema/index.ts';

export type Sex = 'M' | 'F' | 'O';
export interface PatientFields {
  display_name: string;
  date_of_birth: string | null;
  sex: Sex | null;
}

const COLUMNS = {
  id: patients.id,
  slug: patients.slug,
  display_name: patients.display_name,
  date_of_birth: patients.date_of_birth,
  sex: patients.sex,
  created_at: patients.created_at,
  role: patient_access.role,
};

export type PatientRepository = ReturnType<typeof createPatientRepository>;

/** Reads and writes patients. */
export const createPatientRepository = (db: Database) =>
  bindFirst(db, {
    listFor: listVisiblePatients,
    all: listPatients,
    get: findPatient,
    bySlug: findBySlug,
    slugsLike: listSlugsLike,
    documentCount: countDocuments,
    insert: insertPatient,
    grant: grantAccess,
    update: updatePatient,
  });

const accessOf = (userId: number) =>
  and(eq(patient_access.patient_id, patients.id), eq(patient_access.user_id, userId));

/** Lists the patients that a user may see, by name. */
const listVisiblePatients = ({ orm }: Database, userId: number) =>
  orm
    .select(COLUMNS)
    .from(patients)
    .innerJoin(patient_access, accessOf(userId))
    .orderBy(asc(sql`${patients.display_name} COLLATE NOCASE`), asc(patients.id))
    .all();

const listPatients = ({ orm }: Database) => orm.select().from(patients).orderBy(asc(patients.id)).all();

/** Finds a patient, with the user's role or null. */
const findPatient = ({ orm }: Database, id: number, userId: number) =>
  orm.select(COLUMNS).from(patients).leftJoin(patient_access, accessOf(userId)).where(eq(patients.id, id)).get();

const findBySlug = ({ orm }: Database, slug: string) =>
  orm.select().from(patients).where(eq(patients.slug, slug)).get();

/** Lists slugs that are `slug` itself or `slug-N`. */
const listSlugsLike = ({ orm }: Database, slug: string): string[] =>
  orm
    .select({ slug: patients.slug })
    .from(patients)
    .where(or(eq(patients.slug, slug), like(patients.slug, `${slug}-%`)))
    .all()
    .map((row) => row.slug);

const countDocuments = ({ orm }: Database, id: number): number =>
  orm.select({ n: count() }).from(documents).where(eq(documents.patient_id, id)).get()?.n ?? 0;

const insertPatient = ({ orm }: Database, fields: PatientFields, slug: string, now: string): number =>
  orm
    .insert(patients)
    .values({ ...fields, slug, created_at: now })
    .returning({ id: patients.id })
    .get().id;

function grantAccess({ orm }: Database, userId: number, patientId: number, role: 'owner' | 'viewer'): void {
  orm
    .insert(patient_access)
    .values({ user_id: userId, patient_id: patientId, role })
    .onConflictDoUpdate({ target: [patient_access.user_id, patient_access.patient_id], set: { role } })
    .run();
}

function updatePatient({ orm }: Database, id: number, fields: Partial<PatientFields>): void {
  orm.update(patients).set(fields).where(eq(patients.id, id)).run();
}

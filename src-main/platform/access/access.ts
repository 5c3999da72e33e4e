import { and, eq, sql } from 'drizzle-orm';
import type { Access, Need, Subject, SubjectAccess } from '../../../src-shared/contract/endpoint.ts';
import { MISSING } from '../../../src-shared/contract/implied-errors.ts';
import type { Database } from '../database/connection.ts';
import {
  documents,
  encounters,
  events,
  lab_results,
  medications,
  patient_access,
  patients,
  trash,
  vaccinations,
} from '../database/schema/index.ts';
import type { Caller, UserCaller } from '../kernel/caller.ts';
import { fail } from '../kernel/errors.ts';
import { scopeOf } from '../vault/scope.ts';

/**
 * Whom a record belongs to: a patient, or the uploader while it has no patient (administrators help sorting).
 * `ofGonePatient`: the patient was deleted, so no grant applies, and only the user who deleted the record may restore
 * it.
 */
interface Belonging {
  patientId: number | null;
  uploaderId: number | null;
  ofGonePatient?: boolean;
}

export interface AccessRules {
  /** Throws unless the caller has access. */
  require(access: Access, caller: Caller, id: number | undefined): void;
  /** Whether the user has access to this patient's data. */
  may(user: UserCaller, need: Need, belonging: Belonging): boolean;
  /** Throws unless the user has access to the patient. */
  requirePatient(user: UserCaller, patientId: number, need: Need): void;
  /**
   * Whether the user has access to files in this folder of the vault. Folders without an owner belong to
   * administrators.
   */
  mayReach(user: UserCaller, need: Need, path: string): boolean;
  /** Patients whose data the user may read. */
  visiblePatients(userId: number): number[];
  /** Patients whose data the user may change. */
  ownedPatients(userId: number): number[];
}

const subjectsOf = ({ from: _from, ...subjects }: SubjectAccess): [Subject, Need][] =>
  Object.entries(subjects) as [Subject, Need][];

/** True for a deleted record whose patient was deleted too; an administrator can restore the patient. */
export const isOfGonePatient = (item: { kind: string; ofPatient: number | null; patientId: number | null }): boolean =>
  item.kind !== 'patient' && item.ofPatient !== null && item.patientId === null;

/** Records that always have a patient need no uploader. */
const NULL_UPLOADER = sql<null>`NULL`;

export function createAccess({ db }: { db: Database }): AccessRules {
  const ofDocument = (
    table: typeof encounters | typeof medications | typeof vaccinations,
    id: number,
  ): Belonging | undefined =>
    db.orm
      .select({ patientId: documents.patient_id, uploaderId: documents.uploaded_by_user_id })
      .from(table)
      .innerJoin(documents, eq(documents.id, table.document_id))
      .where(eq(table.id, id))
      .get();
  const find: Record<Subject, (id: number) => Belonging | undefined> = {
    patient: (id) =>
      db.orm.select({ patientId: patients.id }).from(patients).where(eq(patients.id, id)).get() && {
        patientId: id,
        uploaderId: null,
      },
    document: (id) =>
      db.orm
        .select({ patientId: documents.patient_id, uploaderId: documents.uploaded_by_user_id })
        .from(documents)
        .where(eq(documents.id, id))
        .get(),
    event: (id) =>
      db.orm
        .select({ patientId: events.patient_id, uploaderId: NULL_UPLOADER })
        .from(events)
        .where(eq(events.id, id))
        .get(),
    // Lab results outlive their document, and keep its patient.
    lab_result: (id) =>
      db.orm
        .select({ patientId: lab_results.patient_id, uploaderId: documents.uploaded_by_user_id })
        .from(lab_results)
        .leftJoin(documents, eq(documents.id, lab_results.document_id))
        .where(eq(lab_results.id, id))
        .get(),
    encounter: (id) => ofDocument(encounters, id),
    medication: (id) => ofDocument(medications, id),
    vaccination: (id) => ofDocument(vaccinations, id),
    // A deleted patient's grants are in the trash, so the item belongs to the user who deleted it.
    trash: (id) => {
      const row = db.orm
        .select({
          patientId: patients.id,
          uploaderId: trash.deleted_by_user_id,
          kind: trash.kind,
          ofPatient: trash.patient_id,
        })
        .from(trash)
        .leftJoin(patients, eq(patients.id, trash.patient_id))
        .where(eq(trash.id, id))
        .get();
      return row && { ...row, ofGonePatient: isOfGonePatient(row) };
    },
  };
  const grantOf = (userId: number, patientId: number) =>
    db.orm
      .select({ role: patient_access.role })
      .from(patient_access)
      .where(and(eq(patient_access.user_id, userId), eq(patient_access.patient_id, patientId)))
      .get()?.role;

  const rules: AccessRules = {
    require(access, caller, id) {
      if (access === 'public') return;
      if (caller.kind !== 'user') throw fail('auth.required');
      if (access === 'session') return;
      // The API token belongs to no user; administrators may do the same.
      if (access === 'admin' || access === 'token' || access === 'unlocked') {
        if (caller.role !== 'admin') throw fail('auth.forbidden');
        return;
      }
      if (access === 'admin-or-self') {
        if (caller.role !== 'admin' && caller.userId !== id) throw fail('auth.forbidden');
        return;
      }
      if (access === 'editor') {
        if (caller.role === 'viewer') throw fail('auth.read_only');
        return;
      }
      for (const [subject, need] of subjectsOf(access)) {
        const belonging = id === undefined ? undefined : find[subject](id);
        if (!belonging) throw fail(MISSING[subject]);
        if (!rules.may(caller, 'read', belonging)) throw fail('auth.forbidden');
        if (!rules.may(caller, need, belonging)) throw fail('auth.read_only');
      }
    },
    may(user, need, { patientId, uploaderId, ofGonePatient = false }) {
      if (patientId === null)
        return (
          (uploaderId === user.userId || (user.role === 'admin' && !ofGonePatient)) &&
          (need === 'read' || user.role !== 'viewer')
        );
      const grant = grantOf(user.userId, patientId);
      if (!grant) return false;
      if (need === 'read') return true;
      return grant === 'owner' && user.role !== 'viewer';
    },
    requirePatient(user, patientId, need) {
      if (!find.patient(patientId)) throw fail('patient.not_found');
      if (!rules.may(user, 'read', { patientId, uploaderId: null })) throw fail('auth.forbidden');
      if (!rules.may(user, need, { patientId, uploaderId: null })) throw fail('auth.read_only');
    },
    mayReach(user, need, path) {
      const owner = scopeOf(path);
      if (owner && 'userId' in owner) return rules.may(user, need, { patientId: null, uploaderId: owner.userId });
      const patient =
        owner && db.orm.select({ id: patients.id }).from(patients).where(eq(patients.slug, owner.patientSlug)).get();
      return patient ? rules.may(user, need, { patientId: patient.id, uploaderId: null }) : user.role === 'admin';
    },
    visiblePatients: (userId) =>
      db.orm
        .select({ id: patient_access.patient_id })
        .from(patient_access)
        .where(eq(patient_access.user_id, userId))
        .all()
        .map((row) => row.id),
    ownedPatients: (userId) =>
      db.orm
        .select({ id: patient_access.patient_id })
        .from(patient_access)
        .where(and(eq(patient_access.user_id, userId), eq(patient_access.role, 'owner')))
        .all()
        .map((row) => row.id),
  };
  return rules;
}

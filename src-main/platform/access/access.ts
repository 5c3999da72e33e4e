import { eq, sql } from 'drizzle-orm';
import type { Access, Need, Subject, SubjectAccess } from '../../../src-shared/contract/endpoint.ts';
import { NOT_FOUND_CODES } from '../../../src-shared/contract/implied-errors.ts';
import type { Database } from '../database/connection.ts';
import {
  documents,
  encounters,
  events,
  imaging_studies,
  lab_results,
  medications,
  patient_access,
  patients,
  shares,
  trash,
  vaccinations,
} from '../database/schema/index.ts';
import type { Caller, UserCaller } from '../kernel/caller.ts';
import { bindFirst } from '../kernel/bind-first.ts';
import { fail } from '../kernel/errors.ts';
import { scopeOf } from '../vault/scope.ts';

/**
 * The owner of a record: a patient, or the uploader as long as it has no patient (administrators also have access
 * then). `ofGonePatient` means that the patient was deleted: no grant applies, and only the user who deleted the record
 * may restore it.
 */
interface Belonging {
  patientId: number | null;
  uploaderId: number | null;
  ofGonePatient?: boolean;
}

export interface AccessRules {
  /** Throws unless the caller has access. */
  require(access: Access, caller: Caller, id: number | string | undefined): void;
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
  /** Patients with exactly the same owners as this one, and this one. */
  sameOwners(patientId: number): number[];
}

const subjectsOf = ({ from: _from, ...subjects }: SubjectAccess): [Subject, Need][] =>
  Object.entries(subjects) as [Subject, Need][];

/**
 * Whether a deleted record's patient was deleted too; an administrator can restore the patient. A deleted name has no
 * patient, but shows words from records.
 */
export const isOfGonePatient = (item: { kind: string; ofPatient: number | null; patientId: number | null }): boolean =>
  item.kind === 'name' || (item.kind !== 'patient' && item.ofPatient !== null && item.patientId === null);

type Grant = (typeof patient_access.$inferSelect)['role'];

/** Records that always have a patient need no uploader. */
const NULL_UPLOADER = sql<null>`NULL`;

export function createAccess({ db }: { db: Database }): AccessRules {
  return bindFirst(db, {
    require: requireAccess,
    may,
    requirePatient,
    mayReach,
    visiblePatients,
    ownedPatients,
    sameOwners,
  });
}

/** The rules where only recipients of shares are served: users of the household are nobody there. */
export const RECIPIENT_ACCESS: Pick<AccessRules, 'require'> = {
  require(access, caller) {
    if (access === 'public') return;
    if (access !== 'recipient' || caller.kind !== 'recipient') throw fail('share.session_ended');
  },
};

function requireAccess(db: Database, access: Access, caller: Caller, id: number | string | undefined): void {
  if (access === 'public') return;
  if (access === 'recipient') return RECIPIENT_ACCESS.require(access, caller, undefined);
  if (caller.kind !== 'user') throw fail('auth.required');
  switch (access) {
    case 'session':
    // Only a token resolves to the user there.
    case 'viewer':
      return;
    // The API token belongs to no user; it has the rights of an administrator.
    case 'admin':
    case 'token':
    case 'unlocked':
      if (caller.role !== 'admin') throw fail('auth.forbidden');
      return;
    case 'admin-or-self':
      if (caller.role !== 'admin' && caller.userId !== id) throw fail('auth.forbidden');
      return;
    case 'editor':
      if (caller.role === 'viewer') throw fail('auth.read_only');
      return;
    default:
      requireSubjects(db, access, caller, id);
  }
}

function requireSubjects(db: Database, access: SubjectAccess, user: UserCaller, id: number | string | undefined): void {
  for (const [subject, need] of subjectsOf(access)) {
    const belonging = id === undefined ? undefined : belongingOf(db, subject, id);
    if (!belonging) throw fail(NOT_FOUND_CODES[subject]);
    requireNeed(db, user, need, belonging);
  }
}

/** @throws `auth.forbidden` without any access, `auth.read_only` without the right to change */
function requireNeed(db: Database, user: UserCaller, need: Need, belonging: Belonging): void {
  if (may(db, user, need, belonging)) return;
  throw fail(need !== 'read' && may(db, user, 'read', belonging) ? 'auth.read_only' : 'auth.forbidden');
}

function may(db: Database, user: UserCaller, need: Need, belonging: Belonging): boolean {
  if (need === 'manage' && user.role === 'admin') return true;
  const { patientId, uploaderId, ofGonePatient = false } = belonging;
  const mayWrite = user.role !== 'viewer';
  if (patientId === null) {
    const isResponsible = uploaderId === user.userId || (user.role === 'admin' && !ofGonePatient);
    return isResponsible && (need === 'read' || mayWrite);
  }
  const grant = grantOf(db, user.userId, patientId);
  if (!grant) return false;
  return need === 'read' || (grant === 'owner' && mayWrite);
}

/** Every request runs this statement and the next ones, so their text is not built anew each time. */
const grantOf = (db: Database, userId: number, patientId: number) =>
  db.prepare('SELECT role FROM patient_access WHERE user_id = ? AND patient_id = ?').pluck().get(userId, patientId) as
    | Grant
    | undefined;

function requirePatient(db: Database, user: UserCaller, patientId: number, need: Need): void {
  if (!FIND_BELONGING.patient(db, patientId)) throw fail('patient.not_found');
  requireNeed(db, user, need, { patientId, uploaderId: null });
}

function mayReach(db: Database, user: UserCaller, need: Need, path: string): boolean {
  const owner = scopeOf(path);
  if (owner && 'userId' in owner) return may(db, user, need, { patientId: null, uploaderId: owner.userId });
  const patient =
    owner && db.orm.select({ id: patients.id }).from(patients).where(eq(patients.slug, owner.patientSlug)).get();
  return patient ? may(db, user, need, { patientId: patient.id, uploaderId: null }) : user.role === 'admin';
}

const visiblePatients = (db: Database, userId: number): number[] =>
  db.prepare('SELECT patient_id FROM patient_access WHERE user_id = ?').pluck().all(userId) as number[];

const ownedPatients = (db: Database, userId: number): number[] =>
  db
    .prepare("SELECT patient_id FROM patient_access WHERE user_id = ? AND role = 'owner'")
    .pluck()
    .all(userId) as number[];

/** A patient without owners shares them with nobody. */
function sameOwners(db: Database, patientId: number): number[] {
  const ownersOf = (patient: string): string => `(SELECT group_concat(user_id) FROM (SELECT user_id FROM patient_access
    WHERE patient_id = ${patient} AND role = 'owner' ORDER BY user_id))`;
  const others = db
    .prepare(
      `SELECT p.id FROM patients AS p WHERE p.id <> @id AND ${ownersOf('p.id')} = ${ownersOf('@id')} ORDER BY p.id`,
    )
    .pluck()
    .all({ id: patientId }) as number[];
  return [patientId, ...others];
}

const belongingOf = (db: Database, subject: Subject, id: number | string): Belonging | undefined =>
  subject === 'share' ? belongingOfShare(db, String(id)) : FIND_BELONGING[subject](db, Number(id));

/** A share belongs to the patient whose documents it contains. */
const belongingOfShare = ({ orm }: Database, shareId: string): Belonging | undefined =>
  orm
    .select({ patientId: shares.patient_id, uploaderId: NULL_UPLOADER })
    .from(shares)
    .where(eq(shares.share_id, shareId))
    .get();

/** Finds the owner of a record; undefined if it does not exist. */
const FIND_BELONGING: Record<Exclude<Subject, 'share'>, (db: Database, id: number) => Belonging | undefined> = {
  patient: (db, id) =>
    db.prepare('SELECT id AS patientId, NULL AS uploaderId FROM patients WHERE id = ?').get(id) as
      | Belonging
      | undefined,
  document: (db, id) =>
    db
      .prepare('SELECT patient_id AS patientId, uploaded_by_user_id AS uploaderId FROM documents WHERE id = ?')
      .get(id) as Belonging | undefined,
  event: ({ orm }, id) =>
    orm.select({ patientId: events.patient_id, uploaderId: NULL_UPLOADER }).from(events).where(eq(events.id, id)).get(),
  // Lab results outlive their document and keep its patient; they have none while it is undecided.
  lab_result: ({ orm }, id) =>
    orm
      .select({
        patientId: sql<number | null>`coalesce(${lab_results.patient_id}, ${documents.patient_id})`,
        uploaderId: documents.uploaded_by_user_id,
      })
      .from(lab_results)
      .leftJoin(documents, eq(documents.id, lab_results.document_id))
      .where(eq(lab_results.id, id))
      .get(),
  imaging_study: ({ orm }, id) =>
    orm
      .select({
        patientId: imaging_studies.patient_id,
        uploaderId: documents.uploaded_by_user_id,
      })
      .from(imaging_studies)
      .leftJoin(documents, eq(documents.id, imaging_studies.document_id))
      .where(eq(imaging_studies.id, id))
      .get(),
  encounter: (db, id) => belongingOfRow(db, encounters, id),
  medication: (db, id) => belongingOfRow(db, medications, id),
  vaccination: (db, id) => belongingOfRow(db, vaccinations, id),
  trash: belongingOfTrash,
};

/** A row of a document belongs to the owner of the document. */
const belongingOfRow = (
  { orm }: Database,
  table: typeof encounters | typeof medications | typeof vaccinations,
  id: number,
): Belonging | undefined =>
  orm
    .select({ patientId: documents.patient_id, uploaderId: documents.uploaded_by_user_id })
    .from(table)
    .innerJoin(documents, eq(documents.id, table.document_id))
    .where(eq(table.id, id))
    .get();

/** A deleted patient's grants are in the trash, so the item belongs to the user who deleted it. */
function belongingOfTrash({ orm }: Database, id: number): Belonging | undefined {
  const row = orm
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
}

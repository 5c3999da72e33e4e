import type { AccessRules } from '../../platform/access/access.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { REFERENCES, type Reference } from './references.ts';

/** The owner of a record: its patient, or the uploader of a document without one. */
export interface Home {
  patientId: number | null;
  uploaderId: number | null;
}

/**
 * The records that share canonical names: those of patients with exactly the same owners. Every owner of one of them may
 * see and change all of them, so that a name never carries words from one person's records to another's (ADR 0059).
 * Documents without a patient form one circle per uploader.
 */
export interface Circle {
  home: Home;
  /** Empty for documents without a patient. */
  patients: readonly number[];
}

/** Finds the circle of a record. */
export const circleOf = (access: Pick<AccessRules, 'sameOwners'>, home: Home): Circle => ({
  home,
  patients: home.patientId === null ? [] : access.sameOwners(home.patientId),
});

/** The columns of an entry with its home. The uploader is 0 if there is none; null is an unknown home. */
export const homeColumns = ({ patientId, uploaderId }: Home) => ({
  home_patient_id: patientId,
  home_user_id: patientId === null ? (uploaderId ?? 0) : null,
});

/** The source of a spelling that appears in a record of this home. */
export const sourceOf = ({ patientId, uploaderId }: Home) => ({
  patient_id: patientId ?? 0,
  user_id: patientId === null ? (uploaderId ?? 0) : 0,
});

/** The values of `IN_CIRCLE`. */
export const circleValues = ({ home, patients }: Circle) => ({
  circle: JSON.stringify(patients),
  uploader: home.patientId === null ? (home.uploaderId ?? 0) : -1,
});

/** Holds for entries `e` of the circle: those that belong to it, and those that one of its records refers to. */
export const inCircle = (kind: NameKind): string => `(e.home_patient_id IN (SELECT value FROM json_each(@circle))
  OR (e.home_patient_id IS NULL AND e.home_user_id = @uploader)
  OR ${REFERENCES[kind].map(isReferred).join(' OR ')})`;

function isReferred({ table, column, join, patient, document }: Reference): string {
  const from = `SELECT 1 FROM "${table}" AS r${join} WHERE r."${column}" = e.id AND ${patient}`;
  const byPatient = `EXISTS (${from} IN (SELECT value FROM json_each(@circle)))`;
  if (document === null) return byPatient;
  const isUploaded = `EXISTS (SELECT 1 FROM documents AS u WHERE u.id = ${document}
    AND coalesce(u.uploaded_by_user_id, 0) = @uploader)`;
  return `${byPatient} OR (@uploader >= 0 AND EXISTS (${from} IS NULL AND ${isUploaded}))`;
}

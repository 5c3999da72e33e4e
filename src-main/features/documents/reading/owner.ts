import type {
  FoundPatient,
  KnownPatient,
  ReaderContext,
  ReviewReason,
} from '../../../reading/extraction/extraction.ts';
import {
  certainPatient,
  isUndecided,
  namelessReasons,
  patientReasons,
} from '../../../reading/extraction/patient-decision.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/** Confidence of a printed name that certainly is the patient's. */
const SURE = 0.95;

export interface OwnerDeps {
  repository: WriteRepository;
  /** Patients to whom a user may write; none without a user. */
  writablePatients(userId: number | null): number[];
}

/** Whose document this is as far as known, and why a user should check it. */
export interface Owner {
  patientId: number | null;
  isUndecided: boolean;
  reasons: ReviewReason[];
  /** How certainly the printed name and birth date are this patient's; 0 for somebody else's. */
  nameConfidence: number;
}

type OwnedDocument = Pick<DocumentRecord, 'patient_id' | 'uploaded_by_user_id' | 'edited_fields'>;

/**
 * The chosen patient and the persons whom the pages may name: those to whom the uploader may write, so that a document
 * never tells them of anybody else.
 */
export function householdOf(
  { repository, writablePatients }: OwnerDeps,
  row: OwnedDocument,
): Pick<ReaderContext, 'patient' | 'household' | 'isOnlyPatient'> {
  const everybody = repository
    .household()
    .map(({ id, display_name, date_of_birth, sex }): KnownPatient => ({ id, display_name, date_of_birth, sex }));
  const writable = new Set(writablePatients(row.uploaded_by_user_id));
  return {
    patient: everybody.find((patient) => patient.id === row.patient_id) ?? null,
    household: everybody.filter(({ id }) => writable.has(id) || id === row.patient_id),
    isOnlyPatient: everybody.length === 1,
  };
}

/**
 * Compares the person on the pages with the chosen patient. What a user decided is never asked again. Pages without text
 * have no values that could belong to somebody else, unless the header of an image says so.
 */
export function ownerOf(deps: OwnerDeps, row: OwnedDocument, found: FoundPatient, hasText = true): Owner {
  const isDecided = row.edited_fields?.includes('patient_id') ?? false;
  if (isDecided) return { patientId: row.patient_id, isUndecided: false, reasons: [], nameConfidence: 0 };
  const context = householdOf(deps, row);
  if (!hasText || (found.header !== undefined && found.name === null)) {
    const reasons = namelessReasons(found, context);
    const isOpen = row.patient_id === null || isUndecided(reasons);
    return { patientId: row.patient_id, isUndecided: isOpen, reasons, nameConfidence: 0 };
  }
  const reasons = patientReasons(found, context);
  const isOpen = isUndecided(reasons);
  const named = row.patient_id === null && !isOpen ? certainPatient(found, context.household) : null;
  const patientId = row.patient_id ?? named?.id ?? null;
  const patient = context.household.filter(({ id }) => id === patientId);
  return {
    patientId,
    isUndecided: isOpen,
    reasons,
    nameConfidence: certainPatient(found, patient) === null ? 0 : SURE,
  };
}

import { createHash } from 'node:crypto';
import { waitingName } from '../../../../src-shared/medical/document-title.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { notifyDeleted, requireDocument, type NotifyDeps } from '../notify.ts';
import type { Found, FoundPatient } from '../../../reading/extraction/extraction.ts';
import type { NameResolver } from '../../names/service.ts';
import { ownerOf, type OwnerDeps } from '../reading/owner.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import type { Episodes } from './episodes.ts';
import { moveRows } from './waiting-report-repository.ts';

/** What an imaging study says about itself, for the document that waits for its report. */
export interface StudyFacts {
  patientId: number | null;
  uploaderId: number | null;
  eventId: number | null;
  modality: string | null;
  bodyPart: string | null;
  date: string | null;
  doctorId: number | null;
  facilityId: number | null;
  /** Identifies the study: its StudyInstanceUID, else its folder. */
  key: string;
}

/** What the header of a new study says; names are resolved to entries. */
export interface HeaderFacts extends Omit<StudyFacts, 'doctorId' | 'facilityId'> {
  doctor: string | null;
  facility: string | null;
  patient: { name: string | null; birthDate: string | null; sex: string | null; age: number | null };
}

export interface WaitingReportDeps extends OwnerDeps, NotifyDeps {
  db: Database;
  clock: Clock;
  names: NameResolver;
  episodes: Episodes;
}

/**
 * A document without a file for each imaging study that has no report yet. All functions are part of the caller's
 * transaction.
 */
export const createWaitingReports = (deps: WaitingReportDeps) => ({
  insert: (facts: StudyFacts): number => insertWaiting(deps, facts),
  insertFromHeader: (facts: HeaderFacts) => insertFromHeader(deps, facts),
  replace: (waitingId: number, reportId: number): void => replaceWaiting(deps, waitingId, reportId),
});
export type WaitingReports = ReturnType<typeof createWaitingReports>;

function insertWaiting({ db, clock, repository, announce }: WaitingReportDeps, facts: StudyFacts): number {
  const now = toTimestamp(clock.now());
  const id = repository.insert({
    patient_id: facts.patientId,
    file_path: '',
    original_filename: waitingName([facts.modality, facts.bodyPart, facts.date]),
    mime_type: 'application/dicom',
    doc_type: 'imaging_report',
    event_id: facts.eventId,
    event_date: facts.date,
    doctor_id: facts.doctorId,
    facility_id: facts.facilityId,
    file_size: 0,
    file_hash: createHash('sha256').update(`hearth imaging study ${facts.key}`).digest('hex'),
    ocr_engine: 'dicom',
    status: 'done',
    uploaded_by_user_id: facts.uploaderId,
    created_at: now,
    updated_at: now,
  });
  if (facts.eventId !== null) repository.linkToEvent(facts.eventId, id, 'primary');
  reindexDocument(db, id);
  announce({ kind: 'document', document_id: id, patient_id: facts.patientId, status: 'done', change: 'created' });
  return id;
}

/**
 * Does the same for a study that is filed. A header that names somebody else than the chosen patient, or nobody of whom
 * it is certain, makes the document ask a user whose it is.
 */
function insertFromHeader(
  deps: WaitingReportDeps,
  { doctor, facility, patient, ...facts }: HeaderFacts,
): { documentId: number; doctorId: number | null; facilityId: number | null } {
  const { db, names, repository } = deps;
  const found = foundIn(patient, facts.date);
  const owner = ownerOf(
    deps,
    { patient_id: facts.patientId, uploaded_by_user_id: facts.uploaderId, edited_fields: null },
    found,
  );
  const home = { patientId: owner.patientId, uploaderId: facts.uploaderId };
  const doctorId = doctor === null ? null : names.resolve(home, 'doctors', doctor, { auto: true });
  const facilityId = facility === null ? null : names.resolve(home, 'facilities', facility, { auto: true });
  const documentId = insertWaiting(deps, { ...facts, patientId: owner.patientId, doctorId, facilityId });
  repository.update(documentId, {
    extracted_patient_name: patient.name,
    extracted_birth_date: patient.birthDate,
    patient_undecided: owner.isUndecided,
    review_reasons: owner.reasons,
    ...((owner.reasons.length > 0 || owner.isUndecided || owner.patientId === null) && { status: 'needs_review' }),
  });
  // Whose it is is compared again when patients are added or corrected.
  if (Object.values(patient).some((value) => value !== null))
    repository.saveRawExtraction(documentId, JSON.stringify({ patient: found, review_reasons: [] }));
  reindexDocument(db, documentId);
  return { documentId, doctorId, facilityId };
}

function foundIn({ name, birthDate, sex, age }: HeaderFacts['patient'], date: string | null): FoundPatient {
  const known = sex === 'M' || sex === 'F' ? sex : null;
  const sure = <T>(value: T): Found<T> => ({ value, confidence: 1, place: null });
  return {
    name: name === null ? null : sure(name),
    is_exact: true,
    date_of_birth: birthDate === null ? null : sure(birthDate),
    sex: known && sure(known),
    header: { sex: known, age: age === null || date === null ? null : { years: age, on: date } },
    match: null,
  };
}

/** Gives the report what people added to the document that waited for it, and deletes that one. */
function replaceWaiting(deps: WaitingReportDeps, waitingId: number, reportId: number): void {
  const { db, repository, episodes, clock } = deps;
  const [waiting, report] = [requireDocument(repository, waitingId), requireDocument(repository, reportId)];
  moveRows(db, waitingId, reportId);
  for (const { event_id, relevance } of repository.eventLinks(waitingId))
    if (report.event_id === null || relevance !== 'primary') episodes.join(reportId, event_id, relevance);
  if (waiting.tags !== null)
    repository.setTags(reportId, [...new Set([...tagsOf(report.tags), ...tagsOf(waiting.tags)])]);
  repository.update(reportId, {
    notes: joined(report.notes, waiting.notes),
    user_notes: joined(report.user_notes, waiting.user_notes),
    title: report.title ?? waiting.title,
    ...(report.doc_type === null && { doc_type: 'imaging_report' }),
    ...(report.event_date === null && { event_date: waiting.event_date }),
    updated_at: toTimestamp(clock.now()),
  });
  repository.remove(waitingId);
  reindexDocument(db, reportId);
  notifyDeleted(deps, waitingId, waiting.patient_id);
}

const tagsOf = (tags: string | null): string[] => (tags ? tags.split(',') : []);

const joined = (first: string | null, second: string | null): string | null =>
  first && second && first !== second ? `${first}\n${second}` : (first ?? second);

import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Documents } from '../documents/service.ts';
import type { Filing } from './filing.ts';
import type { StudyRecord, StudyRepository } from './study-repository.ts';

export interface ReportDeps {
  vault: Vault;
  studies: StudyRepository;
  documents: Pick<Documents, 'asReport' | 'uploadReport' | 'waitingReports' | 'belonging' | 'episodes' | 'eventsOf'>;
}
type Attached = Reply<typeof contract.attachReport>;
type Receive = Parameters<Documents['uploadReport']>[1];

/**
 * Attaches a PDF of the vault.
 * @throws `imaging.report_not_pdf`, `imaging.report_of_other_patient`, and those of a document that cannot be used
 */
export async function attachDocument(
  deps: ReportDeps,
  study: StudyRecord,
  documentId: number,
  user: UserCaller,
): Promise<Attached> {
  const report = await deps.documents.asReport(documentId, user);
  if (!report.isPdf) throw fail('imaging.report_not_pdf');
  requireSamePatient(deps, study, report);
  deps.vault.transaction(() => attach(deps, study.id, documentId));
  deps.documents.episodes.notifyChanged([documentId]);
  return {
    status: 'attached',
    study_id: study.id,
    document_id: documentId,
    duplicate: false,
    filename: report.filename,
    message: 'The report is attached.',
  };
}

/**
 * Stores a PDF and attaches it, both in one transaction. Content that the vault has already is attached as it is.
 * @throws `imaging.report_in_trash` for content that the user may restore from the trash
 */
export async function attachUpload(
  deps: ReportDeps,
  study: StudyRecord,
  receive: Receive,
  user: UserCaller,
): Promise<Attached> {
  const { patientId } = belongingOf(deps, study);
  const result = await deps.documents.uploadReport(
    { patientId, eventId: null, uploaderId: user.userId },
    receive,
    user,
    (stored) => {
      if (stored.status === 'pending') attach(deps, study.id, stored.document_id);
    },
  );
  if (result.status === 'in_trash') throw fail('imaging.report_in_trash');
  if (result.status === 'duplicate') {
    if (result.existing_document_id === null) throw fail('document.not_found');
    const attached = await attachDocument(deps, study, result.existing_document_id, user);
    return { ...attached, duplicate: true, message: 'This file was in the vault already. It is attached.' };
  }
  return {
    status: 'queued',
    study_id: study.id,
    document_id: result.document_id,
    duplicate: false,
    filename: result.filename,
    message: 'The report is attached. Reading starts next.',
  };
}

interface Belonging {
  patientId: number | null;
  uploaderId: number | null;
}

function requireSamePatient(deps: ReportDeps, study: StudyRecord, report: Belonging): void {
  const own = belongingOf(deps, study);
  if (own.patientId !== report.patientId || (own.patientId === null && own.uploaderId !== report.uploaderId))
    throw fail('imaging.report_of_other_patient');
}

const belongingOf = ({ documents }: ReportDeps, { patient_id, document_id }: StudyRecord): Belonging => ({
  patientId: patient_id,
  uploaderId: document_id === null ? null : (documents.belonging(document_id)?.uploaderId ?? null),
});

/** Part of the caller's transaction. An earlier report stays as a document of its own. */
function attach({ studies, documents }: ReportDeps, studyId: number, documentId: number): void {
  const study = studies.get(studyId);
  if (!study) throw fail('imaging.not_found');
  studies.update(studyId, { report_status: 'attached', report_document_id: documentId });
  if (study.document_id === documentId) return;
  if (study.document_id === null || study.report_status === 'attached')
    studies.update(studyId, { document_id: documentId });
  else documents.waitingReports.replace(study.document_id, documentId);
}

/** Detaches the report of a study, which stays a document of the patient. */
export function detachReport(deps: ReportDeps, study: StudyRecord): Reply<typeof contract.detachReport> {
  if (study.report_status === 'placeholder' && study.document_id !== null)
    return {
      status: 'noop',
      study_id: study.id,
      previous_document_id: null,
      placeholder_document_id: study.document_id,
    };
  const placeholder = deps.vault.transaction(() => {
    const id = waitAgain(deps, study);
    deps.studies.update(study.id, { report_document_id: null });
    return id;
  });
  if (study.document_id !== null) deps.documents.episodes.notifyChanged([study.document_id]);
  return {
    status: 'detached',
    study_id: study.id,
    previous_document_id: study.document_id,
    placeholder_document_id: placeholder,
  };
}

/** Gives a study a document that waits for its report, in the events of the former one. */
function waitAgain({ studies, documents }: ReportDeps, study: StudyRecord): number {
  const { document_id: former } = study;
  const id = documents.waitingReports.insert({
    patientId: study.patient_id,
    uploaderId: former === null ? null : (documents.belonging(former)?.uploaderId ?? null),
    eventId: null,
    modality: study.modality,
    bodyPart: study.body_part,
    date: study.study_date,
    doctorId: study.doctor_id,
    facilityId: study.facility_id,
    key: study.study_instance_uid ?? study.folder_path ?? String(study.id),
  });
  if (former !== null)
    for (const { event_id, relevance } of documents.eventsOf(former)) documents.episodes.join(id, event_id, relevance);
  studies.update(study.id, { report_status: 'placeholder', document_id: id });
  return id;
}

/**
 * Before reports are moved to the trash: their studies stay and wait for a report again. Which one they had is kept, for
 * a restore.
 * @throws `imaging.being_filed` for a study without a report, which would go to the trash without the rest of its images
 */
export function keepStudiesOf(
  deps: ReportDeps & { filing: Pick<Filing, 'isFiling'> },
  documentIds: readonly number[],
): void {
  for (const id of documentIds)
    for (const study of deps.studies.ofDocument(id))
      if (study.report_status === 'attached') waitAgain(deps, study);
      else if (deps.filing.isFiling(study.id)) throw fail('imaging.being_filed');
}

/** Attaches restored reports to the studies that had them. */
export function attachRestored(deps: ReportDeps, documentIds: readonly number[]): void {
  for (const id of documentIds)
    for (const study of deps.studies.withReport(id)) if (study.document_id !== id) attach(deps, study.id, id);
}

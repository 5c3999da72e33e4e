import { isOfGonePatient, type AccessRules } from '../../../platform/access/access.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import type { ReceivedFile } from '../../../platform/vault/vault.ts';
import { countStored, uploadArchive, type ArchiveDeps, type ExtractedArchive } from './archive-upload.ts';
import { fileObject, outcomeOf } from './dicom-upload.ts';
import { detectKind } from './file-type.ts';
import { inspectFile } from './inspect.ts';
import { readHead, type Destination, type IntakeResult, type SenderRights } from './intake.ts';
import type { TrashedCopy } from '../write-repository.ts';

export type UploadResult = IntakeResult | ExtractedArchive;

export interface UploadQuery {
  patient_id?: number | undefined;
  event_id?: number | undefined;
  origin?: string | undefined;
  original_date?: string | undefined;
  as_new?: '0' | '1' | undefined;
}

/** Receives the file; `given` is the query, completed by the fields of the form, if the file came with one. */
export type ReceiveUpload = () => Promise<ReceivedFile & { filename: string; given?: UploadQuery }>;

export interface UploadDeps extends ArchiveDeps {
  access: AccessRules;
  eventPatient(eventId: number): number | null;
}

/** Uploads by users. */
export const createUpload = (deps: UploadDeps) => ({
  upload: (query: UploadQuery, receive: ReceiveUpload, user: UserCaller): Promise<UploadResult> =>
    uploadFile(deps, query, receive, user),
  inspect: (receive: () => Promise<ReceivedFile & { filename: string }>) => inspectFile(deps, receive),
  uploadReport: (
    destination: Destination,
    receive: () => Promise<ReceivedFile & { filename: string }>,
    user: UserCaller,
    follow: (result: IntakeResult) => void,
  ): Promise<IntakeResult> => uploadReport(deps, destination, receive, user, follow),
});

/**
 * Receives the file, checks the destination, and stores the file or the members of the archive. A destination that the
 * query names is checked before the file is received.
 */
export async function uploadFile(
  deps: UploadDeps,
  query: UploadQuery,
  receive: ReceiveUpload,
  user: UserCaller,
): Promise<UploadResult> {
  const { vault, intake } = deps;
  if (query.patient_id !== undefined) requireDestination(deps, query, user);
  const { given = query, ...file } = await receive();
  try {
    const destination = requireDestination(deps, given, user);
    const rights = rightsOf(deps, given, user);
    const name = safeFileName(file.filename);
    const kind = await intake.identify(file.path, file.size, file.filename);
    if (kind.kind === 'zip') return await uploadArchive(deps, file, name, destination, rights);
    if (kind.kind === 'dicom') return await uploadObject(deps, file, name, destination, rights);
    const copy = intake.copyOf(file.hash, name, rights);
    if (copy) return copy;
    await intake.check(file.path, kind);
    return intake.admit(file, file.filename, kind, destination, rights);
  } finally {
    vault.discard(file.path);
  }
}

async function uploadObject(
  deps: UploadDeps,
  file: ReceivedFile,
  filename: string,
  destination: Destination,
  rights: SenderRights,
): Promise<ExtractedArchive> {
  const { studies, documents, message } = await fileObject(deps, file, destination, rights);
  return {
    filename,
    status: 'extracted',
    extracted: countStored(documents),
    dicom: 1,
    studies: studies.map(outcomeOf),
    other: 0,
    documents,
    skipped: [],
    message,
  };
}

/**
 * Stores a PDF, whatever its name, and calls `follow` in the same transaction. A copy that the user may know about, or
 * that is in the trash, is only named.
 * @throws `imaging.report_not_pdf` for other content
 */
export async function uploadReport(
  deps: UploadDeps,
  destination: Destination,
  receive: () => Promise<ReceivedFile & { filename: string }>,
  user: UserCaller,
  follow: (result: IntakeResult) => void,
): Promise<IntakeResult> {
  const { vault, intake } = deps;
  const file = await receive();
  try {
    if (file.size === 0) throw fail('upload.empty');
    const kind = await detectKind(await readHead(vault.resolve(file.path)));
    if (kind?.kind !== 'pdf') throw fail('imaging.report_not_pdf');
    const rights = rightsOf(deps, {}, user);
    if (!intake.copyOf(file.hash, safeFileName(file.filename), rights)) await intake.check(file.path, kind);
    return vault.transaction(() => {
      const result = intake.admit(file, file.filename, kind, destination, rights);
      follow(result);
      return result;
    });
  } finally {
    vault.discard(file.path);
  }
}

const rightsOf = ({ access }: UploadDeps, { as_new }: UploadQuery, user: UserCaller): SenderRights => ({
  mayKnow: (patientId, uploaderId) => access.may(user, 'read', { patientId, uploaderId }),
  mayRestore: (copy) => as_new !== '1' && canRestore(access, user, copy),
});

/** Whether the user may restore the item, and its patient was not deleted separately. */
function canRestore(access: AccessRules, user: UserCaller, copy: TrashedCopy): boolean {
  const { livingPatientId: patientId, deleted_by_user_id: uploaderId } = copy;
  return (
    !isOfGonePatient({ kind: copy.kind, ofPatient: copy.patient_id, patientId }) &&
    access.may(user, 'write', { patientId, uploaderId })
  );
}

/** @throws `auth.read_only` and similar for the patient, `document.event_not_found` */
function requireDestination({ access, eventPatient }: UploadDeps, query: UploadQuery, user: UserCaller): Destination {
  const { patient_id: patientId = null, event_id: eventId = null, origin, original_date: originalDate } = query;
  if (patientId !== null) access.requirePatient(user, patientId, 'write');
  if (eventId !== null && (patientId === null || eventPatient(eventId) !== patientId))
    throw fail('document.event_not_found');
  return {
    patientId,
    eventId,
    uploaderId: user.userId,
    ...(origin !== undefined && { origin }),
    ...(originalDate !== undefined && { originalDate }),
  };
}

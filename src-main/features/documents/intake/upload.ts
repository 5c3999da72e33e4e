import type { ErrorBody } from '../../../../src-shared/contract/errors.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { readArchive } from './archive.ts';
import type { FileKind } from './file-type.ts';
import type { Destination, Intake, IntakeResult, MayKnow } from './intake.ts';

type SkippedMember = ErrorBody & { filename: string };

interface ExtractedArchive {
  filename: string;
  status: 'extracted';
  extracted: number;
  dicom: number;
  other: number;
  message: string;
  documents: IntakeResult[];
  skipped: SkippedMember[];
}
export type UploadResult = IntakeResult | ExtractedArchive;

export interface UploadQuery {
  patient_id?: number | undefined;
  event_id?: number | undefined;
  origin?: string | undefined;
  original_date?: string | undefined;
}

interface StagedMember {
  file: ReceivedFile;
  name: string;
  kind: FileKind;
}
/** Skipped archive members that the reply lists. */
const MAX_SKIPPED_LISTED = 200;

export interface UploadDeps {
  vault: Vault;
  intake: Intake;
  access: AccessRules;
  config: Config;
  eventPatient(eventId: number): number | null;
}

/** Uploads by users. */
export const createUpload = (deps: UploadDeps) => ({
  upload: (
    query: UploadQuery,
    receive: () => Promise<ReceivedFile & { filename: string }>,
    user: UserCaller,
  ): Promise<UploadResult> => uploadFile(deps, query, receive, user),
});

/** Checks the destination, receives the file, and stores it or the members of the archive. */
export async function uploadFile(
  deps: UploadDeps,
  query: UploadQuery,
  receive: () => Promise<ReceivedFile & { filename: string }>,
  user: UserCaller,
): Promise<UploadResult> {
  const { vault, intake, access } = deps;
  const destination = requireDestination(deps, query, user);
  const mayKnow: MayKnow = (patientId, uploaderId) => access.may(user, 'read', { patientId, uploaderId });
  const file = await receive();
  try {
    const name = safeFileName(file.filename);
    const kind = await intake.identify(file.path, file.size, file.filename);
    if (kind.kind === 'zip') return await uploadArchive(deps, file, name, destination, mayKnow);
    const duplicate = intake.duplicateOf(file.hash, name, mayKnow);
    if (duplicate) return duplicate;
    await intake.check(file.path, kind);
    return intake.admit(file, file.filename, kind, destination, mayKnow);
  } finally {
    vault.discard(file.path);
  }
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

/** Unpacks and checks every member before the first one becomes a document, so that a bad archive has no effect. */
export async function uploadArchive(
  deps: UploadDeps,
  file: ReceivedFile,
  name: string,
  destination: Destination,
  mayKnow: MayKnow,
): Promise<ExtractedArchive> {
  const { vault, intake, config } = deps;
  const limits = {
    maxMembers: config['archive.max_members'],
    maxBytes: config['archive.max_bytes'],
    maxRatio: config['archive.max_ratio'],
  };
  const staged: StagedMember[] = [];
  const skipped: SkippedMember[] = [];
  let dicom = 0,
    other = 0;
  try {
    await readArchive(vault.resolve(file.path), limits, async (memberName, open) => {
      const member = await vault
        .receive(await open(), { limit: config['upload.max_bytes'] })
        .catch((error: unknown) => {
          throw error instanceof Failure ? error : fail('archive.damaged', undefined, error);
        });
      const result = await stageMember(deps, member, memberName);
      if (!(result instanceof Failure)) return void staged.push(result);
      if (result.code === 'upload.dicom_unsupported') dicom += 1;
      else other += 1;
      if (skipped.length < MAX_SKIPPED_LISTED) skipped.push({ filename: safeFileName(memberName), ...result.body });
    });
    if (staged.length === 0) throw fail(dicom ? 'upload.dicom_unsupported' : 'archive.empty');
    const documents = staged.map((member) => intake.admit(member.file, member.name, member.kind, destination, mayKnow));
    const extracted = documents.filter((document) => document.status === 'pending').length;
    const message = `${extracted} of ${documents.length + dicom + other} files were stored.`;
    return { filename: name, status: 'extracted', extracted, dicom, other, documents, skipped, message };
  } finally {
    for (const member of staged) vault.discard(member.file.path);
  }
}

/** Checks one unpacked member; returns why it is skipped, or throws an error that rejects the whole archive. */
async function stageMember(
  { vault, intake }: UploadDeps,
  file: ReceivedFile,
  name: string,
): Promise<StagedMember | Failure> {
  try {
    const kind = await intake.identify(file.path, file.size, name);
    if (kind.kind === 'dicom' || kind.kind === 'zip')
      throw fail(kind.kind === 'dicom' ? 'upload.dicom_unsupported' : 'upload.unsupported_type');
    await intake.check(file.path, kind);
    return { file, name, kind };
  } catch (error) {
    vault.discard(file.path);
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return error;
  }
}

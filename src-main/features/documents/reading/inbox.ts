import { contentSizeOf, sealWhereItIs, streamVaultFile } from '../../../platform/vault/vault-files.ts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isOfGonePatient } from '../../../platform/access/access.ts';
import { Failure } from '../../../platform/kernel/errors.ts';
import type { Log } from '../../../platform/kernel/log.ts';
import { hashFile } from '../../../platform/vault/hash.ts';
import { inboxOwner } from '../../../platform/vault/layout.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { InboxDisc, InboxFile } from '../../../reading/pipeline/ports.ts';
import { takeIn, type ArchiveDeps, type ReadMembers } from '../intake/archive-upload.ts';
import { fileObject } from '../intake/dicom-upload.ts';
import type { MayKnow, SenderRights } from '../intake/intake.ts';
import type { TrashedCopy, WriteRepository } from '../write-repository.ts';

export interface InboxDeps extends ArchiveDeps {
  log: Log;
  repository: WriteRepository;
  /** Patients to which a document without one may be assigned by name: those that its uploader may write to. */
  writablePatients(uploaderId: number | null): number[];
}

/**
 * Creates a document for a file that was put into the inbox folder; a duplicate or unreadable file goes to the trash.
 * If a deleted document has the same content, the new one waits until a user restores that one or wants both.
 */
export async function adoptInboxFile(deps: InboxDeps, { path }: Pick<InboxFile, 'path'>): Promise<void> {
  const { vault, log, intake } = deps;
  // Whatever becomes of it, it is not left in the clear.
  await sealWhereItIs(vault.resolve(path));
  const size = contentSizeOf(vault.resolve(path));
  const { patientId, uploaderId, rights } = senderOf(deps, path);
  const name = path.split('/').at(-1) ?? 'document';
  const hash = await hashFile(vault.resolve(path));
  const moveToTrash = (): void =>
    void vault.trash.addFile(path, { label: name, patientId, deletedByUserId: uploaderId, fileHash: hash });
  try {
    const kind = await intake.identify(path, size, name);
    const destination = { patientId, eventId: null, uploaderId };
    if (kind.kind === 'dicom') {
      const { studies } = await fileObject(deps, { path, size, hash }, destination, rights);
      if (studies.every(({ stored }) => stored.length === 0)) moveToTrash();
      return;
    }
    const copy = intake.copyOf(hash, name, rights);
    if (copy?.status === 'duplicate') return moveToTrash();
    await intake.check(path, kind);
    const asNew = { ...rights, mayRestore: () => false };
    const result = intake.admit({ path, size, hash }, name, kind, destination, asNew, { stays: true, deleted: copy });
    if (result.status === 'duplicate') moveToTrash();
  } catch (error) {
    // A fault of Hearth is not the file's, which stays.
    if (!(error instanceof Failure) || error.status >= 500 || error.code === 'reading.file_too_demanding') throw error;
    // There is no request to reply to, so the file is moved to the trash and the reason is logged.
    log.warn({ code: error.code }, 'unreadable inbox file moved to the trash');
    moveToTrash();
  }
}

/**
 * Files the objects of an imaging disc that was put into the inbox folder, and keeps its other files beside them. What
 * is in the vault now is removed from the inbox; copies and what could not be stored go to the trash.
 */
export async function adoptInboxDisc(deps: InboxDeps, { path, files }: InboxDisc): Promise<void> {
  const { vault, log } = deps;
  const { patientId, uploaderId, rights } = senderOf(deps, `${path}/`);
  const name = path.split('/').at(-1) ?? 'disc';
  const stored = new Set<number>();
  const read: ReadMembers = async (take) => {
    for (const file of files) {
      // One with an invalid name was moved to a folder above.
      const member = file.path.slice(
        file.path.startsWith(`${path}/`) ? path.length + 1 : file.path.lastIndexOf('/') + 1,
      );
      const open = async () => streamVaultFile(vault.resolve(file.path));
      if (!(await take({ name: member, open }))) return;
    }
  };
  const destination = { patientId, eventId: null, uploaderId };
  try {
    await takeIn(deps, read, name, destination, { ...rights, mayRestore: () => false }, (file) => stored.add(file));
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.code === 'reading.file_too_demanding') throw error;
    log.warn({ code: error.code }, 'unreadable disc of the inbox moved to the trash');
  }
  for (let start = 0; start < files.length; start += MOVES) {
    vault.transaction(() =>
      files.slice(start, start + MOVES).forEach((file, at) => {
        if (stored.has(start + at)) vault.journal.planMove(file.path, null);
      }),
    );
    await yieldToEventLoop();
  }
  for (const [at, file] of files.entries()) {
    if (stored.has(at) || !lstatOrNull(vault.resolve(file.path))?.isFile()) continue;
    await sealWhereItIs(vault.resolve(file.path));
    const fileHash = await hashFile(vault.resolve(file.path));
    const label = file.path.split('/').at(-1) ?? name;
    vault.trash.addFile(file.path, { label, patientId, deletedByUserId: uploaderId, fileHash });
  }
}
/** Files that are removed in one transaction. */
const MOVES = 500;

/** Whose file something in the inbox is, and what they may know and change. */
function senderOf(
  deps: InboxDeps,
  path: string,
): { patientId: number | null; uploaderId: number | null; rights: SenderRights } {
  const { repository } = deps;
  const owner = inboxOwner(path);
  const patient = owner && 'patientSlug' in owner ? repository.patientBySlug(owner.patientSlug) : undefined;
  // The user of an inbox folder may have been deleted, or never existed if the folder was created by hand.
  const uploaderId = owner && 'userId' in owner && repository.hasUser(owner.userId) ? owner.userId : null;
  const patientId = patient?.id ?? null;
  const mayKnow: MayKnow = (ofPatient, ofUploader) => {
    if (patientId !== null) return ofPatient === patientId;
    return ofPatient === null ? ofUploader === uploaderId : deps.writablePatients(uploaderId).includes(ofPatient);
  };
  const mayRestore = (deleted: TrashedCopy): boolean => {
    const { kind, patient_id: ofPatient, livingPatientId } = deleted;
    if (isOfGonePatient({ kind, ofPatient, patientId: livingPatientId })) return false;
    return mayKnow(livingPatientId, deleted.deleted_by_user_id);
  };
  return { patientId, uploaderId, rights: { mayKnow, mayRestore } };
}

import { openVaultFile } from '../../../platform/vault/vault-files.ts';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toCivilDate, toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import { inboxFolder } from '../../../platform/vault/layout.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { detectKind, HEAD_BYTES, nameFits, withExtension, type FileKind } from './file-type.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import type { ReadingQueue } from '../ports.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import type { TrashedCopy, WriteRepository } from '../write-repository.ts';

/** Uploads are read after single requests of users (0) and before bulk retries (10). */
export const UPLOAD_PRIORITY = 5;

/** Sender and recipient of a file, with its source and its original date if the sender states them. */
export interface Destination {
  patientId: number | null;
  eventId: number | null;
  uploaderId: number | null;
  origin?: string;
  originalDate?: string;
}

/** Whether the sender may learn about a document of this patient and uploader. */
export type MayKnow = (patientId: number | null, uploaderId: number | null) => boolean;

/** What the sender may know about and restore. Nothing else influences the reply. */
export interface SenderRights {
  mayKnow: MayKnow;
  mayRestore: (copy: TrashedCopy) => boolean;
}

export type IntakeResult =
  | { filename: string; status: 'pending'; document_id: number; message: string }
  | {
      filename: string;
      status: 'duplicate';
      existing_document_id: number | null;
      existing_filename: string | null;
      existing_patient_id: number | null;
      message: string;
    }
  | {
      filename: string;
      status: 'in_trash';
      trash_id: number;
      trash_kind: TrashedCopy['kind'];
      trash_label: string;
      trash_patient_id: number | null;
      deleted_at: string;
      message: string;
    };

export interface IntakeDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  repository: WriteRepository;
  pages: PageTools;
  queue: ReadingQueue;
  announce: (message: LiveMessage) => void;
}

export type Intake = ReturnType<typeof createIntake>;

/** Reads the first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const content = openVaultFile(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, content.readSync(head, 0, HEAD_BYTES, 0));
  } finally {
    content.close();
  }
}

/** The only way to add a file to the vault: checks a received file and creates a document that waits to be read. */
export function createIntake(deps: IntakeDeps) {
  return {
    identify: (path: string, size: number, filename: string) => identifyFile(deps, path, size, filename),
    check: (path: string, kind: FileKind) => checkReadable(deps, path, kind),
    copyOf: (hash: string, filename: string, rights: SenderRights) => findCopy(deps, hash, filename, rights),
    admit: (
      file: ReceivedFile,
      name: string,
      kind: FileKind,
      destination: Destination,
      rights: SenderRights,
      { stays = false, deleted = null }: { stays?: boolean; deleted?: DeletedCopy | null } = {},
    ) => admitFile(deps, file, { name, kind, destination, rights, stays, deleted }),
  };
}

/** Detects the file type by content. @throws `upload.empty`, `upload.unsupported_type`, `upload.type_mismatch` */
export async function identifyFile(
  { vault }: IntakeDeps,
  path: string,
  size: number,
  filename: string,
): Promise<FileKind> {
  if (size === 0) throw fail('upload.empty');
  const kind = await detectKind(await readHead(vault.resolve(path)));
  if (!kind) throw fail('upload.unsupported_type');
  if (!nameFits(filename, kind))
    throw fail('upload.type_mismatch', { expected: `.${filename.split('.').at(-1)}`, actual: kind.label });
  return kind;
}

/** Opens the file, so that an unreadable one is rejected before it is stored. */
export async function checkReadable({ vault, pages }: IntakeDeps, path: string, kind: FileKind): Promise<void> {
  await pages.inspect(vault.resolve(path), kind.mime);
}

/**
 * The reply for a file whose content is already in the vault, in a document that the sender may know about, or else in
 * an item of the trash that they may restore. Other copies of this content have no influence.
 */
export function findCopy(
  deps: IntakeDeps,
  hash: string,
  filename: string,
  rights: SenderRights,
): Exclude<IntakeResult, { status: 'pending' }> | null {
  const { repository } = deps;
  const existing = repository.byHash(hash).find((row) => rights.mayKnow(row.patient_id, row.uploaded_by_user_id));
  if (existing === undefined) return findTrashedCopy(deps, hash, filename, rights);
  return {
    filename,
    status: 'duplicate',
    existing_document_id: existing.id,
    existing_filename: existing.original_filename,
    existing_patient_id: existing.patient_id,
    message: 'This file is already in the vault.',
  };
}

function findTrashedCopy(
  { repository }: IntakeDeps,
  hash: string,
  filename: string,
  { mayRestore }: SenderRights,
): (IntakeResult & { status: 'in_trash' }) | null {
  const copy = repository.trashedByHash(hash).find(mayRestore);
  if (copy === undefined) return null;
  return {
    filename,
    status: 'in_trash',
    trash_id: copy.id,
    trash_kind: copy.kind,
    trash_label: copy.label,
    trash_patient_id: copy.livingPatientId,
    deleted_at: copy.deleted_at,
    message: 'This file is in the trash. Restore it, or upload it as a new document.',
  };
}

type DeletedCopy = IntakeResult & { status: 'in_trash' };

/**
 * A checked file and its destination; a file that `stays` in the inbox is not moved. If its content was `deleted`, it is
 * not read until a user decides.
 */
export interface Admission {
  name: string;
  kind: FileKind;
  destination: Destination;
  rights: SenderRights;
  stays: boolean;
  deleted: DeletedCopy | null;
}

/**
 * Creates row, reading job and journaled move in one transaction. The duplicate check is repeated inside it, so that
 * two simultaneous uploads of one file create one document.
 */
export function admitFile(deps: IntakeDeps, file: ReceivedFile, admission: Admission): IntakeResult {
  const { patientId } = admission.destination;
  const result = deps.vault.transaction((): IntakeResult => {
    const filename = withExtension(safeFileName(admission.name), admission.kind);
    return (
      findCopy(deps, file.hash, filename, admission.rights) ?? {
        filename,
        status: 'pending',
        document_id: insertDocument(deps, file, filename, admission),
        message: 'Stored. Reading starts next.',
      }
    );
  });
  if (result.status === 'pending') {
    deps.announce({
      kind: 'document',
      document_id: result.document_id,
      patient_id: patientId,
      status: admission.deleted ? 'needs_review' : 'pending',
      change: 'created',
    });
    deps.queue.wake();
  }
  return result;
}

function insertDocument(
  { db, vault, clock, repository, queue }: IntakeDeps,
  file: ReceivedFile,
  filename: string,
  { kind, destination, stays, deleted }: Admission,
): number {
  const { patientId, eventId, uploaderId, origin, originalDate } = destination;
  const now = toTimestamp(clock.now());
  const patient = patientId === null ? undefined : repository.patient(patientId);
  const folder = inboxFolder(patient ? { patientSlug: patient.slug } : { uploaderId });
  const path = stays ? file.path : vault.freePath(folder, filename);
  const id = repository.insert({
    patient_id: patientId,
    file_path: path,
    original_filename: filename,
    mime_type: kind.mime,
    event_id: eventId,
    notes: origin ?? null,
    event_date: originalDate ?? null,
    original_date: originalDate ?? null,
    date_received: toCivilDate(clock.now()),
    file_size: file.size,
    file_hash: file.hash,
    ...(deleted ? waiting(deleted, patientId, filename) : { status: 'pending' as const }),
    uploaded_by_user_id: uploaderId,
    created_at: now,
    updated_at: now,
  });
  if (eventId !== null) repository.linkToEvent(eventId, id, 'primary');
  reindexDocument(db, id);
  if (!stays) vault.journal.planMove(file.path, path);
  if (!deleted) queue.enqueue({ kind: 'upload', documentId: id, size: file.size, priority: UPLOAD_PRIORITY });
  return id;
}

/** Others may see the new document: it names the deleted one only if both belong to the same patient. */
const waiting = ({ trash_id, trash_label, trash_patient_id }: DeletedCopy, patientId: number | null, name: string) => ({
  status: 'needs_review' as const,
  review_reasons: [
    { code: 'in_trash', params: { trash_id, label: trash_patient_id === patientId ? trash_label : name } },
  ],
});

import { open } from 'node:fs/promises';
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
import { reindexDocument } from '../list/text-index.ts';
import type { WriteRepository } from '../write-repository.ts';

/** Priority of uploads: after what a person asked for just now (0), before retries of everything (10). */
export const UPLOAD_PRIORITY = 5;

/** Who sent a file, and for whom; where it is from, and the day that it is from. */
export interface Destination {
  patientId: number | null;
  eventId: number | null;
  uploaderId: number | null;
  origin?: string;
  originalDate?: string;
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
    };

export interface IntakeDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  repository: WriteRepository;
  pages: PageTools;
  queue: ReadingQueue;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type Intake = ReturnType<typeof createIntake>;

/** The first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The one way into the vault: checks a received file and makes it a document that waits to be read. */
export function createIntake({ db, vault, clock, repository, pages, queue, announce, changed }: IntakeDeps) {
  return {
    /** What the file is. Throws `upload.empty`, `upload.type`, `upload.type_mismatch`. */
    async identify(path: string, size: number, filename: string): Promise<FileKind> {
      if (size === 0) throw fail('upload.empty');
      const kind = await detectKind(await readHead(vault.resolve(path)));
      if (!kind) throw fail('upload.type');
      if (!nameFits(filename, kind))
        throw fail('upload.type_mismatch', { expected: `.${filename.split('.').at(-1)}`, actual: kind.label });
      return kind;
    },

    /** Opens the file, so that what cannot be read is refused at the door. */
    async check(path: string, kind: FileKind): Promise<void> {
      if (kind.kind === 'dicom') throw fail('upload.dicom_unsupported');
      await pages.inspect(vault.resolve(path), kind.mime);
    },

    /** A document with the same content, as far as this person may know of it. */
    duplicateOf(
      hash: string,
      filename: string,
      mayKnow: (patientId: number | null, uploaderId: number | null) => boolean,
    ): IntakeResult | null {
      const [first, ...others] = repository.byHash(hash);
      if (!first) return null;
      const known = [first, ...others].find((row) => mayKnow(row.patient_id, row.uploaded_by_user_id));
      return {
        filename,
        status: 'duplicate',
        existing_document_id: known?.id ?? null,
        existing_filename: known?.original_filename ?? null,
        existing_patient_id: known?.patient_id ?? null,
        message: 'This file is already in the vault.',
      };
    },

    /**
     * Row, job and the promise to move the file in one transaction, then the move. `file.path` lies in tmp/, or in the inbox (`stays`).
     * Checked for a duplicate again inside: two uploads of one file at once make one document.
     */
    admit(
      file: ReceivedFile,
      name: string,
      kind: FileKind,
      destination: Destination,
      mayKnow: (patientId: number | null, uploaderId: number | null) => boolean,
      { stays = false } = {},
    ): IntakeResult {
      const filename = withExtension(safeFileName(name), kind);
      const now = toTimestamp(clock.now());
      const result = vault.change((): IntakeResult => {
        const duplicate = this.duplicateOf(file.hash, filename, mayKnow);
        if (duplicate) return duplicate;
        const patient = destination.patientId === null ? undefined : repository.patient(destination.patientId);
        const folder = inboxFolder(patient ? { patientSlug: patient.slug } : { uploaderId: destination.uploaderId });
        const path = stays ? file.path : vault.freePath(folder, filename);
        const id = repository.insert({
          patient_id: destination.patientId,
          file_path: path,
          original_filename: filename,
          mime_type: kind.mime,
          event_id: destination.eventId,
          notes: destination.origin ?? null,
          event_date: destination.originalDate ?? null,
          original_date: destination.originalDate ?? null,
          date_received: toCivilDate(clock.now()),
          file_size: file.size,
          file_hash: file.hash,
          status: 'pending',
          uploaded_by_user_id: destination.uploaderId,
          created_at: now,
          updated_at: now,
        });
        if (destination.eventId !== null) repository.linkToEvent(destination.eventId, id, 'primary');
        reindexDocument(db, id);
        if (!stays) vault.journal.promise(file.path, path);
        queue.enqueue({ kind: 'upload', documentId: id, size: file.size, priority: UPLOAD_PRIORITY });
        return { filename, status: 'pending', document_id: id, message: 'Stored; it will be read next.' };
      });
      if (result.status === 'pending') {
        changed();
        announce({
          kind: 'document',
          document_id: result.document_id,
          patient_id: destination.patientId,
          status: 'pending',
          change: 'created',
        });
        queue.wake();
      }
      return result;
    },
  };
}

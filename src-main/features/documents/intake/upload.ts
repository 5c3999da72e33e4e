import type { AccessRules } from '../../../platform/access/access.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { readArchive } from './archive.ts';
import type { FileKind } from './file-type.ts';
import type { Destination, Intake, IntakeResult } from './intake.ts';

export type UploadResult =
  | IntakeResult
  | {
      filename: string;
      status: 'extracted';
      extracted: number;
      dicom: number;
      other: number;
      message: string;
      documents: IntakeResult[];
      skipped: { filename: string; code: string; detail: string }[];
    };

interface Staged {
  file: ReceivedFile;
  name: string;
  kind: FileKind;
}
/** One line in the answer for each member that was left out, up to this many. */
const SKIPPED_LISTED = 200;

export interface UploadDeps {
  vault: Vault;
  intake: Intake;
  access: AccessRules;
  config: Config;
  eventPatient(eventId: number): number | null;
}

export function createUpload({ vault, intake, access, config, eventPatient }: UploadDeps) {
  const limits = {
    maxMembers: config['archive.max_members'],
    maxBytes: config['archive.max_bytes'],
    maxRatio: config['archive.max_ratio'],
  };

  /** Every member of the archive is unpacked and checked before the first becomes a document: a bad archive leaves nothing. */
  async function unpack(
    file: ReceivedFile,
    name: string,
    destination: Destination,
    mayKnow: (patientId: number | null, uploaderId: number | null) => boolean,
  ): Promise<UploadResult> {
    const staged: Staged[] = [];
    const skipped: { filename: string; code: string; detail: string }[] = [];
    let dicom = 0,
      other = 0;
    try {
      await readArchive(vault.resolve(file.path), limits, async (memberName, open) => {
        const member = await vault
          .receive(await open(), { limit: config['upload.max_bytes'] })
          .catch((error: unknown) => {
            throw error instanceof Failure ? error : fail('archive.damaged', undefined, error);
          });
        try {
          const kind = await intake.identify(member.path, member.size, memberName);
          if (kind.kind === 'dicom' || kind.kind === 'zip')
            throw fail(kind.kind === 'dicom' ? 'upload.dicom_unsupported' : 'upload.type');
          await intake.check(member.path, kind);
          staged.push({ file: member, name: memberName, kind });
        } catch (error) {
          vault.discard(member.path);
          if (!(error instanceof Failure) || error.status >= 500) throw error;
          if (error.code === 'upload.dicom_unsupported') dicom += 1;
          else other += 1;
          if (skipped.length < SKIPPED_LISTED)
            skipped.push({ filename: safeFileName(memberName), code: error.code, detail: error.detail });
        }
      });
      if (staged.length === 0) throw fail(dicom ? 'upload.dicom_unsupported' : 'archive.empty');
      const documents = staged.map((member) =>
        intake.admit(member.file, member.name, member.kind, destination, mayKnow),
      );
      const extracted = documents.filter((document) => document.status === 'pending').length;
      return {
        filename: name,
        status: 'extracted',
        extracted,
        dicom,
        other,
        documents,
        skipped,
        message: `${extracted} of ${documents.length + dicom + other} files were stored.`,
      };
    } finally {
      for (const member of staged) vault.discard(member.file.path);
    }
  }

  return {
    /** Checks the destination, receives the file, and stores it or what it holds. */
    async upload(
      query: {
        patient_id?: number | undefined;
        event_id?: number | undefined;
        origin?: string | undefined;
        original_date?: string | undefined;
      },
      receive: () => Promise<ReceivedFile & { filename: string }>,
      user: UserCaller,
    ): Promise<UploadResult> {
      if (query.patient_id !== undefined) access.requirePatient(user, query.patient_id, 'write');
      const destination: Destination = {
        patientId: query.patient_id ?? null,
        eventId: query.event_id ?? null,
        uploaderId: user.userId,
        ...(query.origin !== undefined && { origin: query.origin }),
        ...(query.original_date !== undefined && { originalDate: query.original_date }),
      };
      if (
        destination.eventId !== null &&
        (destination.patientId === null || eventPatient(destination.eventId) !== destination.patientId)
      )
        throw fail('document.event_not_found');
      const mayKnow = (patientId: number | null, uploaderId: number | null): boolean =>
        access.may(user, 'read', { patientId, uploaderId });
      const file = await receive();
      try {
        const name = safeFileName(file.filename);
        const kind = await intake.identify(file.path, file.size, file.filename);
        if (kind.kind === 'zip') return await unpack(file, name, destination, mayKnow);
        const duplicate = intake.duplicateOf(file.hash, name, mayKnow);
        if (duplicate) return duplicate;
        await intake.check(file.path, kind);
        return intake.admit(file, file.filename, kind, destination, mayKnow);
      } finally {
        vault.discard(file.path);
      }
    },
  };
}

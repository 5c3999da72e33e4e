import type { Readable } from 'node:stream';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import type { WriteRepository } from '../write-repository.ts';
import { archiveLimits, takeIn, uploadArchive, type ArchiveDeps, type ReadMembers } from './archive-upload.ts';
import { readArchive } from './archive.ts';
import { isDirectory, readHeader } from './dicom-header.ts';
import { fileObject, outcomeOf as outcomeOfStudy, type StudyOutcome } from './dicom-upload.ts';
import { describeMembers } from './inspect.ts';
import type { Destination, IntakeResult, SenderRights } from './intake.ts';

/** A file of an imaging disc: its name below the folder of the disc, and where it is. */
export interface DiscFile {
  name: string;
  open: () => Readable | Promise<Readable>;
}

/** Learns what a disc holds before it is taken in: `3 studies, 412 images, 1 report`. */
export type OnFound = (found: string) => void;

/** Whose record a file is imported into, and what its sender may know. */
export interface ImportOptions {
  destination: Destination;
  rights: SenderRights;
  /** What else is known of the document; counts as edited by a person. */
  details?: DocumentChanges | undefined;
  /** When an interrupted attempt to import the same file began: what was stored since belongs to the import. */
  since?: string | undefined;
  onFound?: OnFound | undefined;
  /** Called in the transaction that stores a document; for an archive or disc after it was taken in. */
  follow?: ((outcome: ImportOutcome) => void) | undefined;
}

/** `documentIds`: what was stored, or the one that has the content already. */
export interface ImportOutcome {
  status: 'stored' | 'known' | 'in_trash';
  documentIds: number[];
  message: string;
}

/** What a file would become. */
export interface ImportPreview {
  status: 'waiting' | 'known' | 'in_trash';
  documentIds: number[];
}

export interface ImportDeps extends ArchiveDeps {
  repository: WriteRepository;
  edits: { update(id: number, changes: DocumentChanges, user: UserCaller | null): void };
}

/** Rights of the owner of the vault, who uses the command line. */
export const ALL_RIGHTS: SenderRights = { mayKnow: () => true, mayRestore: () => false };

/** Says what importing a file would do. Nothing is stored; throws the same errors as the import. */
export async function previewFile(
  deps: ImportDeps,
  source: Readable,
  name: string,
  rights: SenderRights,
): Promise<ImportPreview> {
  const { vault, config, intake } = deps;
  const file = await vault.receive(source, { limit: config['upload.max_bytes'] });
  try {
    const kind = await intake.identify(file.path, file.size, name);
    const isNew: ImportPreview = { status: 'waiting', documentIds: [] };
    if (kind.kind === 'dicom') {
      if (isDirectory(await readHeader(vault.resolve(file.path), file.size))) throw fail('upload.dicom_directory');
      return isNew;
    }
    if (kind.kind === 'zip') {
      await readArchive(vault.resolve(file.path), archiveLimits(config), async () => false);
      return isNew;
    }
    const copy = intake.copyOf(file.hash, name, rights);
    if (copy?.status === 'duplicate') return { status: 'known', documentIds: idsOf(copy) };
    if (copy) return { status: 'in_trash', documentIds: [] };
    await intake.check(file.path, kind);
    return isNew;
  } finally {
    vault.discard(file.path);
  }
}

/** Imports a file into a patient's record without an access check. Throws the same errors as an upload. */
export async function importFile(
  deps: ImportDeps,
  source: Readable,
  name: string,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { vault, config, intake } = deps;
  const { destination, rights, onFound } = options;
  const file = await vault.receive(source, { limit: config['upload.max_bytes'] });
  try {
    const kind = await intake.identify(file.path, file.size, name);
    if (kind.kind === 'dicom') return followed(options, await takeObject(deps, file, options));
    if (kind.kind === 'zip') {
      await tellFound((take) => readArchive(vault.resolve(file.path), archiveLimits(config), take), onFound);
      const { documents, studies, message } = await uploadArchive(deps, file, name, destination, rights);
      return followed(options, outcomeOf(deps, documents, studies, message, options));
    }
    const copy = intake.copyOf(file.hash, name, rights);
    if (copy) return followed(options, outcomeOf(deps, [copy], [], copy.message, options));
    await intake.check(file.path, kind);
    return vault.transaction(() => {
      const result = intake.admit(file, name, kind, destination, rights);
      if (result.status === 'pending' && options.details && Object.keys(options.details).length > 0)
        deps.edits.update(result.document_id, options.details, null);
      return followed(options, outcomeOf(deps, [result], [], result.message, options));
    });
  } finally {
    vault.discard(file.path);
  }
}

async function takeObject(deps: ImportDeps, file: Parameters<typeof fileObject>[1], options: ImportOptions) {
  const { studies, documents, message } = await fileObject(deps, file, options.destination, options.rights);
  return outcomeOf(deps, documents, studies.map(outcomeOfStudy), message, options);
}

/** Imports an imaging disc as `importFile` does one that is archived: its files stay together. */
export async function importDisc(
  deps: ImportDeps,
  files: readonly DiscFile[],
  name: string,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const read: ReadMembers = async (take) => {
    for (const { name: member, open } of files) if (!(await take({ name: member, open: async () => open() }))) return;
  };
  await tellFound(read, options.onFound);
  const { documents, studies, message } = await takeIn(deps, read, name, options.destination, options.rights);
  return followed(options, outcomeOf(deps, documents, studies, message, options));
}

function followed({ follow }: ImportOptions, outcome: ImportOutcome): ImportOutcome {
  follow?.(outcome);
  return outcome;
}

async function tellFound(read: ReadMembers, onFound: OnFound | undefined): Promise<void> {
  const found = onFound && (await describeMembers(read));
  if (found) onFound?.(found);
}

/** What was stored of a file. Copies that an interrupted attempt made belong to it as well. */
function outcomeOf(
  { repository }: ImportDeps,
  documents: readonly IntakeResult[],
  studies: readonly Pick<StudyOutcome, 'document_id' | 'status'>[],
  message: string,
  { since, destination }: ImportOptions,
): ImportOutcome {
  const isOwn = (id: number): boolean => {
    if (since === undefined) return false;
    const row = repository.get(id);
    return row !== undefined && row.created_at >= since && row.uploaded_by_user_id === destination.uploaderId;
  };
  const stored = [
    ...documents.flatMap((one) => {
      if (one.status === 'pending') return [one.document_id];
      return idsOf(one).filter(isOwn);
    }),
    ...studies.filter(({ status, document_id }) => status === 'new' || isOwn(document_id)).map((s) => s.document_id),
  ];
  if (stored.length > 0 || studies.some(({ status }) => status === 'extended'))
    return { status: 'stored', documentIds: [...new Set(stored)], message };
  const isDeleted = documents.length > 0 && documents.every(({ status }) => status === 'in_trash');
  const known = [...documents.flatMap(idsOf), ...studies.map(({ document_id }) => document_id)];
  return { status: isDeleted ? 'in_trash' : 'known', documentIds: known.slice(0, 1), message };
}

const idsOf = (result: IntakeResult): number[] =>
  result.status === 'duplicate' && result.existing_document_id !== null ? [result.existing_document_id] : [];

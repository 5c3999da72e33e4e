import { Readable } from 'node:stream';
import type { ErrorBody, PlainErrorCode } from '../../../../src-shared/contract/errors.ts';
import { countPassedBytes } from '../../../platform/kernel/collect-garbage.ts';
import { fail, Failure, translateFsError } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import type { ReceivedFile } from '../../../platform/vault/vault.ts';
import type { DicomFiling, FiledStudy, StagedBundleFile, StagedObject } from '../ports.ts';
import type { Config } from '../../../platform/config/config.ts';
import { readArchive, type ArchiveLimits, type Member } from './archive.ts';
import type { DicomInstance } from '../../../reading/dicom/instance.ts';
import { isDirectory, readHeader } from './dicom-header.ts';
import { describe, outcomeOf, type StudyOutcome } from './dicom-upload.ts';
import { detectKind, HEAD_BYTES, type FileKind } from './file-type.ts';
import { wrapImages } from './plain-images.ts';
import { madeFor, paperAdmission, stageObject, type PaperDeps } from './dicom-papers.ts';
import type { Destination, IntakeResult, SenderRights } from './intake.ts';

type SkippedMember = ErrorBody & { filename: string };

export interface ExtractedArchive {
  filename: string;
  status: 'extracted';
  extracted: number;
  dicom: number;
  studies: StudyOutcome[];
  other: number;
  message: string;
  documents: IntakeResult[];
  skipped: SkippedMember[];
}
export interface ArchiveDeps extends PaperDeps {
  config: Config;
  dicom: DicomFiling;
}

/** A member that was unpacked: a document, a DICOM object, or a file that only a disc of DICOM objects keeps. */
type StagedMember = { file: ReceivedFile; name: string } & (
  | { is: 'document'; kind: FileKind }
  | { is: 'object'; object: StagedObject }
  | { is: 'bundled'; bundled: StagedBundleFile['kind'] }
);
/** Skipped archive members that the reply lists, and the first one for each further reason. */
const MAX_SKIPPED_LISTED = 200;
/** Members that look like documents and can't be read, and the time spent on skipped ones, before Hearth gives up. */
const MAX_UNREADABLE_MEMBERS = 300;
const MAX_UNREADABLE_MS = 60_000;
/** Problems that show only after a member was unpacked. */
const COSTLY: ReadonlySet<ErrorBody['code']> = new Set([
  'archive.damaged',
  'upload.damaged',
  'upload.encrypted',
  'upload.too_large',
  'upload.too_many_pages',
  'upload.too_many_pixels',
  'upload.type_mismatch',
  'reading.file_too_demanding',
]);
/** What is said of a member instead of its archive. */
const OF_MEMBER: Readonly<Partial<Record<ErrorBody['code'], PlainErrorCode>>> = {
  'archive.damaged': 'upload.damaged',
  'archive.encrypted': 'upload.encrypted',
};
/** The code of an archive by that of its members, the gravest first. */
const WORST: readonly (readonly [ErrorBody['code'], PlainErrorCode])[] = [
  ['archive.gave_up', 'archive.gave_up'],
  ['archive.unsafe_member', 'archive.unsafe'],
  ['archive.damaged', 'archive.damaged'],
  ['archive.encrypted', 'archive.encrypted'],
  ['upload.dicom_directory', 'upload.dicom_directory'],
];

/** What is found in an archive. Members are known by their number, because names can occur twice. */
interface Found {
  staged: Map<number, StagedMember>;
  skipped: Map<number, { name: string; failure: Failure }>;
  /** What headers say, once each. */
  said: Map<string, unknown>;
}

export const archiveLimits = (config: Config): ArchiveLimits => ({
  maxMembers: config['archive.max_members'],
  maxBytes: config['archive.max_bytes'],
  maxRatio: config['archive.max_ratio'],
});

/**
 * Unpacks and checks the members one by one before the first one becomes a document. Other files are skipped; after too
 * many that could not be read, all further ones. In an archive with DICOM objects these are filed as studies, PDFs
 * become documents, and everything else is kept beside the studies as it is.
 */
export const uploadArchive = (
  deps: ArchiveDeps,
  file: ReceivedFile,
  name: string,
  destination: Destination,
  rights: SenderRights,
): Promise<ExtractedArchive> =>
  takeIn(
    deps,
    (take) => readArchive(deps.vault.resolve(file.path), archiveLimits(deps.config), take),
    name,
    destination,
    rights,
  );

/** Passes members to `take` one by one until it returns false; the same ones each time. */
export type ReadMembers = (take: (member: Member) => Promise<boolean>) => Promise<void>;

/**
 * Does the same for the files of a folder, or of whatever else has members; `onStored` learns the numbers of members
 * whose bytes are in the vault now.
 */
export async function takeIn(
  deps: ArchiveDeps,
  read: ReadMembers,
  name: string,
  destination: Destination,
  rights: SenderRights,
  onStored?: (member: number) => void,
): Promise<ExtractedArchive> {
  const { vault, intake, dicom } = deps;
  const found: Found = { staged: new Map(), skipped: new Map(), said: new Map() };
  const stored = new Set<string>();
  const wrapped: StagedObject[] = [];
  try {
    await stageMembers(deps, read, found);
    const objects = [...found.staged.values()].flatMap((member) => (member.is === 'object' ? [member.object] : []));
    if (objects.length === 0) wrapped.push(...((await wrapImages(deps, documentsOf(found), name)) ?? []));
    objects.push(...wrapped);
    if (objects.length > 0) await stageRest(deps, read, found);
    const members = [...found.staged.values()];
    const papers = members.filter((member) => member.is === 'document');
    if (papers.length + objects.length === 0) throw worstOf(found);
    const bundle = [
      ...members.flatMap((member) =>
        member.is === 'bundled' ? [{ file: member.file, name: member.name, kind: member.bundled }] : [],
      ),
      ...objects.flatMap(({ enclosed }) => (enclosed ? [enclosed] : [])),
    ];
    const { admit, admitted } = paperAdmission(deps, destination, rights);
    const studies = objects.length === 0 ? [] : await dicom.file(objects, { name, files: bundle }, destination, admit);
    for (const path of studies.flatMap((study) => study.stored)) stored.add(path);
    const documents = papers.map((paper) => {
      const result = intake.admit(paper.file, paper.name, paper.kind, destination, rights);
      if (result.status === 'pending') stored.add(paper.file.path);
      return result;
    });
    for (const [number, { file }] of found.staged) if (stored.has(file.path)) onStored?.(number);
    return replyOf(name, { found, documents, reports: admitted, studies, objects: objects.length });
  } finally {
    for (const member of found.staged.values())
      for (const { path } of [member.file, ...(member.is === 'object' ? madeFor(member.object) : [])])
        if (!stored.has(path)) vault.discard(path);
    for (const { file } of wrapped) if (!stored.has(file.path)) vault.discard(file.path);
  }
}

const documentsOf = ({ staged }: Found) => [...staged.values()].filter((member) => member.is === 'document');

function replyOf(
  filename: string,
  parts: {
    found: Found;
    documents: IntakeResult[];
    reports: IntakeResult[];
    studies: FiledStudy[];
    objects: number;
  },
): ExtractedArchive {
  const { found, documents, reports, studies, objects } = parts;
  const other = found.skipped.size;
  const papers = `${countStored(documents)} of ${documents.length + other} files were stored.`;
  return {
    filename,
    status: 'extracted',
    extracted: countStored([...documents, ...reports]),
    dicom: objects,
    studies: studies.map(outcomeOf),
    other,
    documents: [...documents, ...reports],
    skipped: listSkipped(found),
    message: studies.length === 0 ? papers : [describe(studies), ...(documents.length > 0 ? [papers] : [])].join(' '),
  };
}

export const countStored = (documents: readonly IntakeResult[]): number =>
  documents.filter(({ status }) => status === 'pending').length;

async function stageMembers(deps: ArchiveDeps, read: ReadMembers, found: Found): Promise<void> {
  const { clock } = deps;
  const patience = { members: MAX_UNREADABLE_MEMBERS, ms: MAX_UNREADABLE_MS };
  const reasons = new Map<ErrorBody['code'], Failure>();
  let index = 0;
  await read(async (member) => {
    const start = clock.now();
    const hasGivenUp = patience.members <= 0 || patience.ms <= 0;
    const result = hasGivenUp ? fail('archive.gave_up') : await stageMember(deps, member, found.said);
    if (result instanceof Failure) {
      // Tens of thousands of members may have the same reason.
      const same = Object.keys(result.params).length === 0 ? reasons.get(result.code) : undefined;
      const failure = same ?? result;
      reasons.set(result.code, failure);
      found.skipped.set(index, { name: member.name, failure });
      patience.ms -= clock.now() - start;
      if (COSTLY.has(result.code)) patience.members -= 1;
    } else found.staged.set(index, result);
    index += 1;
    return true;
  });
}

/** Unpacks what was skipped, to be kept beside the studies of a disc; its pictures are previews. */
async function stageRest(deps: ArchiveDeps, read: ReadMembers, found: Found): Promise<void> {
  const { vault, config } = deps;
  for (const [index, member] of found.staged)
    if (member.is === 'document' && member.kind.kind === 'image')
      found.staged.set(index, { file: member.file, name: member.name, is: 'bundled', bundled: 'image' });
  let index = -1;
  await read(async ({ name, open }) => {
    index += 1;
    if (!found.skipped.has(index)) return true;
    try {
      const { head, content } = await peek(await open(), HEAD_BYTES);
      const kind = (await detectKind(head))?.kind;
      const received = await vault.receive(content, { limit: config['upload.max_bytes'] }).catch(throwIfDamaged);
      const bundled = kind === undefined || kind === 'zip' ? 'other' : kind;
      found.staged.set(index, { file: received, name, is: 'bundled', bundled });
      found.skipped.delete(index);
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    }
    return true;
  });
}

/** The reasons why members are left out, as the reply lists them. */
function listSkipped({ skipped }: Found): SkippedMember[] {
  const codes = new Set<ErrorBody['code']>();
  const listed: SkippedMember[] = [];
  for (const { name, failure } of skipped.values()) {
    const isNew = !codes.has(failure.code);
    codes.add(failure.code);
    const ofMember = OF_MEMBER[failure.code];
    const { body } = ofMember ? fail(ofMember) : failure;
    if (isNew || listed.length < MAX_SKIPPED_LISTED) listed.push({ filename: safeFileName(name), ...body });
  }
  return listed;
}

/** What to say of an archive of which nothing can be stored. */
function worstOf({ skipped, staged }: Found): Failure {
  const codes = new Set([...skipped.values()].map(({ failure }) => failure.code));
  if (staged.size > 0) codes.add('upload.dicom_directory');
  const [, code] = WORST.find(([member]) => codes.has(member)) ?? [];
  return fail(code ?? 'archive.empty');
}

/** Unpacks and checks one member; returns why it is skipped, or throws an error that rejects the whole archive. */
async function stageMember(
  deps: ArchiveDeps,
  { name, open }: Member,
  said: Found['said'],
): Promise<StagedMember | Failure> {
  const { vault, intake, config } = deps;
  let path: string | null = null;
  try {
    const { head, content } = await peek(await open(), HEAD_BYTES);
    const seen = await detectKind(head);
    if (seen === null || seen.kind === 'zip') {
      // The type is known from the first bytes, so the rest is not unpacked.
      content.destroy();
      return fail('upload.unsupported_type');
    }
    const file = await vault.receive(content, { limit: config['upload.max_bytes'] }).catch(throwIfDamaged);
    ({ path } = file);
    if (seen.kind === 'dicom') {
      const instance = sayOnce(await readHeader(vault.resolve(path), file.size), said);
      if (isDirectory(instance)) return { file, name, is: 'bundled', bundled: 'dicom' };
      return { file, name, is: 'object', object: await stageObject(deps, file, instance) };
    }
    const kind = await intake.identify(path, file.size, name);
    await intake.check(path, kind);
    return { file, name, is: 'document', kind };
  } catch (error) {
    if (path !== null) vault.discard(path);
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return error;
  }
}

/** Tens of thousands of objects say the same of their patient, study and series; it is held once. */
function sayOnce(instance: DicomInstance, said: Found['said']): DicomInstance {
  const once = <T>(part: T): T => {
    const key = JSON.stringify(part);
    if (!said.has(key)) said.set(key, part);
    return said.get(key) as T;
  };
  const { patient, study, series, studyInstanceUid, seriesInstanceUid, sopClassUid, transferSyntaxUid } = instance;
  return {
    ...instance,
    ...{ patient: once(patient), study: once(study), series: once(series) },
    ...{ studyInstanceUid: once(studyInstanceUid), seriesInstanceUid: once(seriesInstanceUid) },
    ...{ sopClassUid: once(sopClassUid), transferSyntaxUid: once(transferSyntaxUid) },
  };
}

/** An error of the disk concerns the whole upload, any other one is damage of the member. */
function throwIfDamaged(raw: unknown): never {
  const error = translateFsError(raw);
  throw error instanceof Failure ? error : fail('archive.damaged', undefined, raw);
}

/** Reads at least that many first bytes, if there are so many; `content` has all of them. */
export async function peek(source: Readable, bytes: number): Promise<{ head: Buffer; content: Readable }> {
  const chunks: Buffer[] = [];
  const rest = source.iterator({ destroyOnReturn: true }) as AsyncIterableIterator<Buffer>;
  let size = 0;
  while (size < bytes) {
    const { done, value } = await rest.next().catch(throwIfDamaged);
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  countPassedBytes(size);
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* chunks;
    yield* rest;
  };
  const content = Readable.from(all(), { objectMode: false });
  content.once('close', () => source.destroy());
  return { head: Buffer.concat(chunks).subarray(0, bytes), content };
}

import { Readable } from 'node:stream';
import type { ErrorBody, PlainErrorCode } from '../../../../src-shared/contract/errors.ts';
import { isOfGonePatient, type AccessRules } from '../../../platform/access/access.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail, Failure, translateFsError } from '../../../platform/kernel/errors.ts';
import { safeFileName } from '../../../platform/vault/file-name.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { readArchive, type Member } from './archive.ts';
import { detectKind, HEAD_BYTES, type FileKind } from './file-type.ts';
import type { Destination, Intake, IntakeResult, SenderRights } from './intake.ts';
import type { TrashedCopy } from '../write-repository.ts';

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
  as_new?: '0' | '1' | undefined;
}

/** Receives the file; `given` is the query, completed by the fields of the form, if the file came with one. */
export type ReceiveUpload = () => Promise<ReceivedFile & { filename: string; given?: UploadQuery }>;

interface StagedMember {
  file: ReceivedFile;
  name: string;
  kind: FileKind;
}
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
  ['upload.dicom_unsupported', 'upload.dicom_unsupported'],
];

export interface UploadDeps {
  vault: Vault;
  intake: Intake;
  access: AccessRules;
  config: Config;
  clock: Clock;
  eventPatient(eventId: number): number | null;
}

/** Uploads by users. */
export const createUpload = (deps: UploadDeps) => ({
  upload: (query: UploadQuery, receive: ReceiveUpload, user: UserCaller): Promise<UploadResult> =>
    uploadFile(deps, query, receive, user),
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
    const copy = intake.copyOf(file.hash, name, rights);
    if (copy) return copy;
    await intake.check(file.path, kind);
    return intake.admit(file, file.filename, kind, destination, rights);
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

/**
 * Unpacks and checks the members one by one before the first one becomes a document. Other files are skipped; after too
 * many that could not be read, all further ones.
 */
export async function uploadArchive(
  deps: UploadDeps,
  file: ReceivedFile,
  name: string,
  destination: Destination,
  rights: SenderRights,
): Promise<ExtractedArchive> {
  const { vault, intake, config, clock } = deps;
  const limits = {
    maxMembers: config['archive.max_members'],
    maxBytes: config['archive.max_bytes'],
    maxRatio: config['archive.max_ratio'],
  };
  const staged: StagedMember[] = [];
  const skipped = createSkippedList();
  const patience = { members: MAX_UNREADABLE_MEMBERS, ms: MAX_UNREADABLE_MS };
  try {
    await readArchive(vault.resolve(file.path), limits, async (member) => {
      const start = clock.now();
      const hasGivenUp = patience.members <= 0 || patience.ms <= 0;
      const result = hasGivenUp ? fail('archive.gave_up') : await stageMember(deps, member);
      if (!(result instanceof Failure)) return staged.push(result) > 0;
      skipped.add(member.name, result);
      patience.ms -= clock.now() - start;
      if (COSTLY.has(result.code)) patience.members -= 1;
      return true;
    });
    if (staged.length === 0) throw skipped.worst();
    const documents = staged.map((member) => intake.admit(member.file, member.name, member.kind, destination, rights));
    const extracted = documents.filter((document) => document.status === 'pending').length;
    const { dicom, other, listed } = skipped.counts();
    const message = `${extracted} of ${documents.length + dicom + other} files were stored.`;
    return { filename: name, status: 'extracted', extracted, dicom, other, documents, skipped: listed, message };
  } finally {
    for (const member of staged) vault.discard(member.file.path);
  }
}

/** Collects why members are skipped. */
function createSkippedList() {
  const listed: SkippedMember[] = [];
  const codes = new Map<ErrorBody['code'], number>();
  return {
    add(name: string, failure: Failure): void {
      const { code } = failure;
      const isNew = !codes.has(code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const ofMember = OF_MEMBER[code];
      const { body } = ofMember ? fail(ofMember) : failure;
      if (isNew || listed.length < MAX_SKIPPED_LISTED) listed.push({ filename: safeFileName(name), ...body });
    },
    /** What to say of an archive of which nothing can be stored. */
    worst(): Failure {
      const [, code] = WORST.find(([member]) => codes.has(member)) ?? [];
      return fail(code ?? 'archive.empty');
    },
    counts() {
      const dicom = codes.get('upload.dicom_unsupported') ?? 0;
      const all = [...codes.values()].reduce((sum, count) => sum + count, 0);
      return { dicom, other: all - dicom, listed };
    },
  };
}

/** Unpacks and checks one member; returns why it is skipped, or throws an error that rejects the whole archive. */
async function stageMember(
  { vault, intake, config }: UploadDeps,
  { name, open }: Member,
): Promise<StagedMember | Failure> {
  let path: string | null = null;
  try {
    const { head, content } = await peek(await open(), HEAD_BYTES);
    const seen = await detectKind(head);
    if (seen === null || seen.kind === 'dicom' || seen.kind === 'zip') {
      // The type is known from the first bytes, so the rest is not unpacked.
      content.destroy();
      return fail(seen?.kind === 'dicom' ? 'upload.dicom_unsupported' : 'upload.unsupported_type');
    }
    const file = await vault.receive(content, { limit: config['upload.max_bytes'] }).catch(throwIfDamaged);
    ({ path } = file);
    const kind = await intake.identify(path, file.size, name);
    await intake.check(path, kind);
    return { file, name, kind };
  } catch (error) {
    if (path !== null) vault.discard(path);
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return error;
  }
}

/** An error of the disk concerns the whole upload, any other one is damage of the member. */
function throwIfDamaged(raw: unknown): never {
  const error = translateFsError(raw);
  throw error instanceof Failure ? error : fail('archive.damaged', undefined, raw);
}

/** Reads at least that many first bytes, if there are so many; `content` has all of them. */
async function peek(source: Readable, bytes: number): Promise<{ head: Buffer; content: Readable }> {
  const chunks: Buffer[] = [];
  const rest = source.iterator({ destroyOnReturn: true }) as AsyncIterableIterator<Buffer>;
  let size = 0;
  while (size < bytes) {
    const { done, value } = await rest.next().catch(throwIfDamaged);
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* chunks;
    yield* rest;
  };
  const content = Readable.from(all(), { objectMode: false });
  content.once('close', () => source.destroy());
  return { head: Buffer.concat(chunks).subarray(0, bytes), content };
}

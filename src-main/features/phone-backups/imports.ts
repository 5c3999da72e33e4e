import { Readable } from 'node:stream';
import type { phoneImport as contract } from '../../../src-shared/contract/phone-backups/import.ts';
import type { Input } from '../../../src-shared/contract/endpoint.ts';
import {
  isMeasurement,
  toMeasurements,
  type Measurement,
} from '../../../src-shared/ios-backup/artifacts/measurements.ts';
import { listArtifact } from '../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { civilDay } from '../../../src-shared/ios-backup/artifacts/time-zone.ts';
import type { SampleRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { RangedReply } from '../../platform/http/bytes.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import type { PhoneBackups } from './service.ts';

/** The ordinary upload, applied to bytes from a backup. */
export type UploadFromPhone = (
  query: { patient_id: number; origin: string; original_date?: string },
  source: Readable,
  filename: string,
  user: UserCaller,
) => Promise<
  | { status: 'pending'; document_id: number; filename: string }
  | { status: 'duplicate'; existing_document_id: number | null; filename: string }
  | { status: 'in_trash'; trash_id: number; filename: string }
  | { status: 'extracted'; filename: string }
>;
export type AddMeasurements = (
  patientId: number,
  measurements: readonly { name: string; value: number; unit: string | null; date: string; source: string }[],
  kind: 'each' | 'daily',
) => { added: number; already_there: number };

const CHUNK_BYTES = 1024 * 1024;
/** Samples read from the index at once. */
const PAGE_ROWS = 10_000;
/** Maximum number of samples of one type, the newest first; daily means represent larger numbers better. */
const MAX_SAMPLES = 200_000;

async function* readChunks({ size, read }: RangedReply): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += CHUNK_BYTES) yield await read(at, Math.min(size, at + CHUNK_BYTES));
}

/** The document that has the sent bytes, whether it is new or existed before. */
function documentIdOf(sent: Awaited<ReturnType<UploadFromPhone>>): number | null {
  if (sent.status === 'pending') return sent.document_id;
  return sent.status === 'duplicate' ? sent.existing_document_id : null;
}

interface Deps {
  phones: PhoneBackups;
  upload: UploadFromPhone;
  addMeasurements: AddMeasurements;
}
type Body<K extends 'importFiles' | 'importHealth' | 'addMeasurements'> = Input<(typeof contract)[K]>['body'];
type Item = Body<'importFiles'>['items'][number];

/** Imports from a phone backup into the vault: files with the ordinary upload, health samples as results. */
export const createPhoneImports = (deps: Deps) => bindFirst(deps, { importFiles, importHealth, addMeasurements });

async function importFiles(deps: Deps, body: Body<'importFiles'>, user: UserCaller) {
  deps.phones.describe(body.backup_id);
  const items = [];
  for (const item of body.items) items.push(await importFile(deps, body, item, user));
  return { items };
}

async function importFile(deps: Deps, body: Body<'importFiles'>, item: Item, user: UserCaller) {
  const base = {
    file_id: item.file_id,
    document_id: null,
    trash_id: null,
    filename: item.filename ?? '',
    code: null,
    detail: null,
  };
  try {
    const reply = await uploadItem(deps, body, item, user);
    const document_id = documentIdOf(reply);
    if (document_id !== null) deps.phones.remember(body.backup_id, item.file_id, document_id);
    const status = reply.status === 'extracted' ? ('pending' as const) : reply.status;
    const trash_id = reply.status === 'in_trash' ? reply.trash_id : null;
    return { ...base, status, document_id, trash_id, filename: reply.filename };
  } catch (error) {
    if (!(error instanceof Failure) || affectsAllItems(error)) throw error;
    return { ...base, status: 'refused' as const, ...error.body };
  }
}

/** Whether an error affects all items, such as an ended session or a full disk. */
const affectsAllItems = (failure: Failure): boolean =>
  failure.status >= 500 || failure.code === 'phone.session_invalid' || failure.code === 'phone.session_mismatch';

async function uploadItem(
  { phones, upload }: Deps,
  { backup_id, session_token, patient_id }: Body<'importFiles'>,
  item: Item,
  user: UserCaller,
) {
  const content = await phones.queries.file(backup_id, item.file_id, session_token);
  const { device, backedUpAt } = phones.describe(backup_id);
  const { domain, relativePath, modifiedAt } = content.entry;
  const backupDay = backedUpAt && civilDay(Date.parse(`${backedUpAt}Z`), null);
  const path = [device, backupDay, domain, relativePath].filter(Boolean).join(' · ');
  const origin = [item.origin, path].filter(Boolean).join('\n');
  const original_date = item.original_date ?? dayOf(modifiedAt);
  return upload(
    { patient_id, origin, ...(original_date !== undefined && { original_date }) },
    Readable.from(readChunks(content)),
    item.filename ?? content.filename,
    user,
  );
}

function importHealth(
  { phones, addMeasurements }: Deps,
  { backup_id, patient_id, types, sources, from, to, daily }: Body<'importHealth'>,
) {
  requireMeasurements(types);
  const { device } = phones.describe(backup_id);
  const index = phones.artifactIndex(backup_id);
  const kind = kindOf(daily);
  const counts = types.map((type) => {
    const samples = readSamples(index, { type, from, to }, sources);
    const results = toMeasurements(type, samples, kind).map((measurement) => asResult(measurement, device));
    return { type, ...addMeasurements(patient_id, results, kind) };
  });
  return {
    types: counts,
    added: counts.reduce((sum, { added }) => sum + added, 0),
    already_there: counts.reduce((sum, { already_there }) => sum + already_there, 0),
  };
}

/** The newest samples of a type, at most `MAX_SAMPLES`. */
function readSamples(
  index: ReturnType<PhoneBackups['artifactIndex']>,
  query: { type: string } & Pick<Body<'importHealth'>, 'from' | 'to'>,
  sources: Body<'importHealth'>['sources'],
): SampleRow[] {
  const samples: SampleRow[] = [];
  for (let offset = 0; offset < MAX_SAMPLES; offset += PAGE_ROWS) {
    const { items } = listArtifact(index, 'health', { ...query, limit: PAGE_ROWS, offset });
    samples.push(...items.filter(({ source }) => sources === undefined || sources.includes(source ?? '')));
    if (items.length < PAGE_ROWS) break;
  }
  return samples;
}

function addMeasurements(deps: Deps, { patient_id, device, daily, measurements }: Body<'addMeasurements'>) {
  requireMeasurements(new Set(measurements.map(({ type }) => type)));
  const results = measurements.map((measurement) => asResult(measurement, device));
  return deps.addMeasurements(patient_id, results, kindOf(daily));
}

export type PhoneImports = ReturnType<typeof createPhoneImports>;

/** The latest time that `Date` can represent, in seconds. */
const MAX_SECONDS = 8e12;
/** The civil day of a file's last change in the time zone of this computer. `modifiedAt` is in seconds since 1970. */
const dayOf = (modifiedAt: number | null): string | undefined =>
  modifiedAt === null || !(modifiedAt > 0 && modifiedAt < MAX_SECONDS) ? undefined : civilDay(modifiedAt * 1000, null);

/** The display name of a type, which is also a lab-test name: `Blood pressure systolic`. */
const nameOf = (type: string): string => (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('_', ' ');

/** Converts a measurement to a result whose source names the app and the phone. */
const asResult = ({ type, source, ...measurement }: Measurement, device: string) => ({
  ...measurement,
  name: nameOf(type),
  source: `${source ?? 'Health'} (${device})`,
});
const kindOf = (daily: boolean): 'each' | 'daily' => (daily ? 'daily' : 'each');

function requireMeasurements(types: Iterable<string>): void {
  for (const type of types) if (!isMeasurement(type)) throw fail('phone.unsupported_type', { type });
}

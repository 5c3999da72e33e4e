import { Readable } from 'node:stream';
import type { phone as contract } from '../../../src-shared/contract/phone-backups/vault.ts';
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
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import type { PhoneBackups } from './service.ts';

/** The ordinary upload, for bytes that come from a backup. */
export type UploadFromPhone = (
  query: { patient_id: number; origin: string; original_date?: string },
  source: Readable,
  filename: string,
  user: UserCaller,
) => Promise<
  | { status: 'pending'; document_id: number; filename: string }
  | { status: 'duplicate'; existing_document_id: number | null; filename: string }
  | { status: 'extracted'; filename: string }
>;
export type AddMeasurements = (
  patientId: number,
  measurements: readonly { name: string; value: number; unit: string | null; date: string; source: string }[],
  kind: 'each' | 'daily',
) => { added: number; already_there: number };

const PIECE = 1024 * 1024;
/** Samples that are read from the index at once. */
const PAGE = 10_000;
/** More of one type than this are not a person's measurements but a stream; their daily means say more. */
const MOST_SAMPLES = 200_000;

async function* piecesOf({ size, read }: RangedReply): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += PIECE) yield await read(at, Math.min(size, at + PIECE));
}

/** What goes from a phone to the vault: files by the ordinary upload, and measurements of the health app among the results. */
export function createSending({
  phones,
  upload,
  addMeasurements,
}: {
  phones: PhoneBackups;
  upload: UploadFromPhone;
  addMeasurements: AddMeasurements;
}) {
  type Body<K extends 'send' | 'sendHealth' | 'addMeasurements'> = Input<(typeof contract)[K]>['body'];

  async function sendOne(
    { backup_id, session_token, patient_id }: Body<'send'>,
    wanted: Body<'send'>['items'][number],
    user: UserCaller,
  ) {
    const base = {
      file_id: wanted.file_id,
      document_id: null,
      filename: wanted.filename ?? '',
      code: null,
      detail: null,
    };
    try {
      const content = await phones.file(backup_id, wanted.file_id, session_token);
      const { device, backedUpAt } = phones.describe(backup_id);
      const { domain, relativePath, modifiedAt } = content.entry;
      const origin = [
        wanted.origin,
        [device, backedUpAt && civilDay(Date.parse(`${backedUpAt}Z`), null), domain, relativePath]
          .filter(Boolean)
          .join(' · '),
      ]
        .filter(Boolean)
        .join('\n');
      const original_date = wanted.original_date ?? dayOf(modifiedAt);
      const sent = await upload(
        { patient_id, origin, ...(original_date !== undefined && { original_date }) },
        Readable.from(piecesOf(content)),
        wanted.filename ?? content.filename,
        user,
      );
      const documentId =
        sent.status === 'pending' ? sent.document_id : sent.status === 'duplicate' ? sent.existing_document_id : null;
      if (documentId !== null) phones.remember(backup_id, wanted.file_id, documentId);
      return {
        ...base,
        status: sent.status === 'duplicate' ? ('duplicate' as const) : ('pending' as const),
        document_id: documentId,
        filename: sent.filename,
      };
    } catch (error) {
      // The session or the disk concerns all of them.
      if (
        !(error instanceof Failure) ||
        error.status >= 500 ||
        error.code === 'phone.session_invalid' ||
        error.code === 'phone.session_mismatch'
      )
        throw error;
      return { ...base, status: 'refused' as const, ...error.body };
    }
  }

  return {
    async send(body: Body<'send'>, user: UserCaller) {
      phones.describe(body.backup_id);
      const items = [];
      for (const wanted of body.items) items.push(await sendOne(body, wanted, user));
      return { items };
    },

    sendHealth({ backup_id, patient_id, types, sources, from, to, daily }: Body<'sendHealth'>) {
      mustMeasure(types);
      const { device } = phones.describe(backup_id);
      const index = phones.artifactIndex(backup_id);
      const done = types.map((type) => {
        const samples: SampleRow[] = [];
        for (let offset = 0; offset < MOST_SAMPLES; offset += PAGE) {
          const { items } = listArtifact(index, 'health', { type, limit: PAGE, offset, from, to });
          samples.push(...items.filter(({ source }) => sources === undefined || sources.includes(source ?? '')));
          if (items.length < PAGE) break;
        }
        return {
          type,
          ...addMeasurements(
            patient_id,
            toMeasurements(type, samples, kindOf(daily)).map((measured) => asResult(measured, device)),
            kindOf(daily),
          ),
        };
      });
      return {
        types: done,
        added: done.reduce((sum, { added }) => sum + added, 0),
        already_there: done.reduce((sum, { already_there }) => sum + already_there, 0),
      };
    },

    addMeasurements({ patient_id, device, daily, measurements }: Body<'addMeasurements'>) {
      mustMeasure(new Set(measurements.map(({ type }) => type)));
      return addMeasurements(
        patient_id,
        measurements.map((measured) => asResult(measured, device)),
        kindOf(daily),
      );
    },
  };
}
export type Sending = ReturnType<typeof createSending>;

/** Times beyond what a date can be are none. */
const LATEST_S = 8e12;
/** The day on the clocks of this computer at which a file was changed, in seconds since 1970. */
const dayOf = (modifiedAt: number | null): string | undefined =>
  modifiedAt === null || !(modifiedAt > 0 && modifiedAt < LATEST_S) ? undefined : civilDay(modifiedAt * 1000, null);

/** `blood_pressure_systolic` as a person reads it, and as names of tests are known. */
const nameOf = (type: string): string => (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('_', ' ');

/** As it stands among the results: its panel names source and phone. */
const asResult = ({ type, source, ...measured }: Measurement, device: string) => ({
  ...measured,
  name: nameOf(type),
  source: `${source ?? 'Health'} (${device})`,
});
const kindOf = (daily: boolean): 'each' | 'daily' => (daily ? 'daily' : 'each');

function mustMeasure(types: Iterable<string>): void {
  for (const type of types) if (!isMeasurement(type)) throw fail('phone.unsupported_type', { type });
}

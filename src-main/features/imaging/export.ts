import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Input } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { StreamedReply } from '../../platform/http/bytes.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import { streamVaultFile } from '../../platform/vault/vault-files.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Deidentification } from '../../reading/dicom/deidentify.ts';
import { replacedUid } from '../../reading/dicom/replaced-uid.ts';
import { DicomError } from '../../reading/dicom/dicom-error.ts';
import { writeDirectory, type DiscFile } from '../../reading/dicom/dicomdir.ts';
import type { JsonModel } from '../../reading/dicom/json-model.ts';
import type { FrameRenderer } from '../../reading/dicom/render.ts';
import { exportReadme, type ReadmeFacts } from './export-readme.ts';
import type { ExportedObject, FileRepository } from './file-repository.ts';

export interface ExportDeps {
  vault: Pick<Vault, 'resolve' | 'temporaryPath'>;
  access: Pick<AccessRules, 'require'>;
  files: FileRepository;
  renderer: Pick<FrameRenderer, 'exportObject'>;
}
type Options = Input<typeof contract.exportStudies>['query'];

/** Documents that tell about people in sentences, which nothing can clean. */
const TELLING_KINDS = new Set(['report', 'encapsulated_pdf', 'dose']);
/** Modalities whose pictures often show the name of the patient. */
const ANNOTATED = new Set(['US', 'IVUS', 'XC', 'ES', 'GM', 'OT', 'SC']);
const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7';
const MAX_SHIFT_DAYS = 3650;
const NATIVE = /^1\.2\.840\.10008\.1\.2(\.1|\.2|\.1\.99)?$/;

/**
 * A disc with studies, as ZIP: their objects, a DICOMDIR and a README. It is made while it is sent, object by object.
 * @throws `imaging.not_found`, `auth.forbidden`
 */
export function exportStudies(
  deps: ExportDeps,
  options: Options,
  { caller, language }: { caller: UserCaller; language: CoreLanguage },
): StreamedReply {
  const ids = [...new Set(options.ids)];
  const require = (): void => ids.forEach((id) => deps.access.require({ imaging_study: 'read' }, caller, id));
  require();
  const objects = ids.flatMap((id) => deps.files.ofStudy(id));
  if (objects.length === 0) throw fail('imaging.nothing_to_export');
  return {
    kind: 'streamed',
    type: 'application/zip',
    filename: options.deidentify ? 'imaging-deidentified.zip' : 'imaging.zip',
    open: () => Promise.resolve(writeDisc(deps, objects, options, language)),
    isAllowed() {
      try {
        require();
        return true;
      } catch (error) {
        if (error instanceof Failure) return false;
        throw error;
      }
    },
  };
}

const deidentificationOf = (options: Options): Deidentification | null =>
  options.deidentify
    ? {
        secret: randomBytes(32).toString('hex'),
        dates: options.dates,
        shiftDays: -randomInt(30, MAX_SHIFT_DAYS),
        keepsDescriptions: options.keep_descriptions,
        keepsDevice: options.keep_device,
        keepsPatient: options.keep_patient,
      }
    : null;

/** What is sent, and what is known of it so far. */
interface Disc extends ReadmeFacts {
  files: DiscFile[];
  zip: ZipFile;
  /** The object that is being sent. */
  current: Readable | null;
  isAborted: boolean;
}

async function* writeDisc(
  deps: ExportDeps,
  objects: readonly ExportedObject[],
  options: Options,
  language: CoreLanguage,
): AsyncGenerator<Uint8Array> {
  const disc: Disc = {
    ...{ files: [], annotated: 0, telling: 0, unreadable: 0, options },
    ...{ zip: new ZipFile(), current: null, isAborted: false },
  };
  const output = disc.zip.outputStream as Readable;
  const filling = fillDisc(deps, disc, objects, language).catch((error: unknown) => {
    output.destroy(error as Error);
  });
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    disc.isAborted = true;
    output.destroy();
    disc.current?.destroy();
    await filling;
  }
}

async function fillDisc(
  deps: ExportDeps,
  disc: Disc,
  objects: readonly ExportedObject[],
  language: CoreLanguage,
): Promise<void> {
  const deidentification = deidentificationOf(disc.options);
  const place = placesOf();
  for (const object of objects) {
    if (deidentification && TELLING_KINDS.has(object.kind)) disc.telling += 1;
    else await addObject(deps, disc, { object, fileId: place(object), deidentification });
    if (disc.isAborted) return;
  }
  const uid = replacedUid({ secret: randomBytes(32).toString('hex') }, 'DICOMDIR');
  disc.zip.addBuffer(writeDirectory(disc.files, uid), 'DICOMDIR');
  disc.zip.addBuffer(Buffer.from(exportReadme(disc, language)), 'README.TXT');
  disc.zip.end();
}

/** Adds an object, and waits until it was sent. One that can't be read is left out and counted. */
async function addObject(
  { vault, renderer }: ExportDeps,
  disc: Disc,
  addition: { object: ExportedObject; fileId: readonly string[]; deidentification: Deidentification | null },
): Promise<void> {
  const { object, fileId, deidentification } = addition;
  const target = vault.resolve(vault.temporaryPath('.dcm'));
  try {
    const json = await renderer.exportObject(vault.resolve(object.path), target, object, deidentification);
    const model = JSON.parse(json) as JsonModel;
    if (deidentification && isAnnotated(model, object)) disc.annotated += 1;
    disc.files.push({ fileId, model, kind: object.kind });
    disc.current = streamVaultFile(target);
    const sent = once(disc.current, 'close');
    disc.zip.addReadStream(disc.current, fileId.join('/'), { compress: NATIVE.test(object.syntax) });
    if (disc.isAborted) disc.current.destroy();
    await sent;
  } catch (error) {
    if (!(error instanceof DicomError)) throw error;
    disc.unreadable += 1;
  } finally {
    rmSync(target, { force: true });
  }
}

/** Whether the picture may show the name of the patient. */
const isAnnotated = (model: JsonModel, { sopClass }: ExportedObject): boolean => {
  const said = model['00280301']?.Value?.[0];
  if (said === 'YES' || said === 'NO') return said === 'YES';
  return sopClass.startsWith(SECONDARY_CAPTURE) || ANNOTATED.has(String(model['00080060']?.Value?.[0]));
};

/** File IDs of a disc: a folder for each study and series, in the order of the objects (PS3.12: eight characters). */
function placesOf(): (object: ExportedObject) => string[] {
  const children = new Map<string, Map<string, number>>();
  const numberOf = (parent: string, own: string): number => {
    const numbers = children.get(parent) ?? new Map<string, number>();
    children.set(parent, numbers);
    const number = numbers.get(own) ?? numbers.size + 1;
    numbers.set(own, number);
    return number;
  };
  const named = (letters: string, number: number): string => `${letters}${String(number).padStart(6, '0')}`;
  return ({ study, series, path }) => [
    'DICOM',
    named('ST', numberOf('studies', study)),
    named('SE', numberOf(study, series)),
    named('IM', numberOf(`${study} ${series}`, path)),
  ];
}

import { fail } from '../../../platform/kernel/errors.ts';
import { streamVaultFile } from '../../../platform/vault/vault-files.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { FrameRenderer } from '../../../reading/dicom/render.ts';
import { throwUndecodable } from '../../../reading/dicom/throw-undecodable.ts';
import { covers, type MediaRange } from './accept.ts';
import { renderingOf } from './rendering.ts';
import { multipartOf, type Part } from './multipart.ts';
import type { StoredObject } from './repository.ts';

export interface RetrieveDeps {
  vault: Vault;
  renderer: Pick<FrameRenderer, 'modelOf' | 'bulkValue' | 'frameBytes' | 'renderFrame'>;
}

/** A reply that is sent while it is made. */
export interface Sent {
  type: string;
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const DICOM = 'application/dicom';
const OCTETS = 'application/octet-stream';
const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';

/** PS3.18, table 8.7.3-5: the media types of coded frames. */
const CODED_TYPES: readonly [syntaxes: RegExp, types: readonly string[]][] = [
  [/^1\.2\.840\.10008\.1\.2\.4\.(50|51|53|55|57|70)$/, ['image/jpeg']],
  [/^1\.2\.840\.10008\.1\.2\.4\.(80|81)$/, ['image/jls', 'image/x-jls']],
  [/^1\.2\.840\.10008\.1\.2\.4\.(90|91)$/, ['image/jp2']],
  [/^1\.2\.840\.10008\.1\.2\.4\.(92|93)$/, ['image/jpx']],
  [/^1\.2\.840\.10008\.1\.2\.4\.20[123]$/, ['image/jphc', 'image/jph']],
  [/^1\.2\.840\.10008\.1\.2\.5$/, ['image/dicom-rle', 'image/x-dicom-rle']],
];

/** @throws `document.file_missing` */
export function requireFile({ vault }: Pick<RetrieveDeps, 'vault'>, object: StoredObject): string {
  const path = vault.resolve(object.path);
  if (!lstatOrNull(path)?.isFile()) throw fail('document.file_missing');
  return path;
}

const addressOf = (base: string, { study, series, instance }: StoredObject): string =>
  `${base}/studies/${study}/series/${series}/instances/${instance}`;

/** Whether a client takes an object in the transfer syntax in which it is stored. */
const takes = (range: MediaRange, { transfer_syntax_uid }: StoredObject): boolean =>
  covers(range, DICOM) &&
  (range.transferSyntax === null || range.transferSyntax === '*' || range.transferSyntax === transfer_syntax_uid);

/**
 * Objects as they are stored. Without a transfer syntax, the stored one is sent, as most servers do.
 * @throws `dicomweb.not_acceptable`, `document.file_missing`
 */
export function objectsAs(
  deps: RetrieveDeps,
  objects: readonly StoredObject[],
  ranges: readonly MediaRange[],
  base: string,
): Sent {
  const range = ranges.find((one) => objects.every((object) => takes(one, object)));
  if (!range) throw fail('dicomweb.not_acceptable');
  const paths = objects.map((object) => requireFile(deps, object));
  const isSingle = objects.length === 1 && !range.isMultipart && range.type === DICOM;
  if (isSingle) return { type: DICOM, chunks: streamVaultFile(paths[0]!) };
  const parts = async function* (): AsyncGenerator<Part> {
    for (const [index, object] of objects.entries())
      yield {
        type: `${DICOM}; transfer-syntax=${object.transfer_syntax_uid}`,
        location: addressOf(base, object),
        body: streamVaultFile(paths[index]!),
      };
  };
  return multipartOf(DICOM, parts());
}

/** The elements of objects, one after the other. An object whose header can't be read is left out. */
export async function* metadataOf(
  { renderer, ...deps }: RetrieveDeps,
  objects: readonly StoredObject[],
  base: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const ahead = 4;
  const read = (object: StoredObject): Promise<string> => {
    const model = renderer.modelOf(requireFile(deps, object), addressOf(base, object), signal);
    // A later one may fail while an earlier one is sent.
    model.catch(() => undefined);
    return model;
  };
  const pending = objects.slice(0, ahead).map(read);
  let lead = '[';
  for (let next = ahead; pending.length > 0; next += 1) {
    const model = await pending.shift()!.catch(throwUndecodable);
    if (next < objects.length) pending.push(read(objects[next]!));
    yield Buffer.from(`${lead}${model}`);
    lead = ',';
  }
  yield Buffer.from(lead === '[' ? '[]' : ']');
}

interface Coding {
  mediaType: string;
  isCoded: boolean;
  syntax: string;
  isMultipart: boolean;
}

/** How frames are sent: decoded, unless the client takes them as they are coded. */
function codingFor(ranges: readonly MediaRange[], { transfer_syntax_uid: stored }: StoredObject): Coding {
  const codedTypes = CODED_TYPES.find(([syntaxes]) => syntaxes.test(stored))?.[1] ?? [];
  for (const range of ranges) {
    const { transferSyntax, isMultipart } = range;
    const wantsStored = transferSyntax === '*' || transferSyntax === stored;
    const asImage = codedTypes.find((type) => range.type === type || (range.type === 'image/*' && covers(range, type)));
    if (asImage !== undefined && (transferSyntax === null || wantsStored))
      return { mediaType: asImage, isCoded: true, syntax: stored, isMultipart };
    if (!covers(range, OCTETS)) continue;
    if (wantsStored && codedTypes.length > 0) return { mediaType: OCTETS, isCoded: true, syntax: stored, isMultipart };
    if (transferSyntax === null || transferSyntax === '*' || transferSyntax === EXPLICIT_LITTLE_ENDIAN)
      return { mediaType: OCTETS, isCoded: false, syntax: EXPLICIT_LITTLE_ENDIAN, isMultipart };
  }
  throw fail('dicomweb.not_acceptable');
}

/**
 * Frames by their numbers from 1.
 * @throws `imaging.frame_not_found`, `dicomweb.not_acceptable`, `document.file_missing`, and why one can't be decoded
 */
export async function framesAs(
  deps: RetrieveDeps,
  object: StoredObject,
  numbers: readonly number[],
  { ranges, base, signal }: { ranges: readonly MediaRange[]; base: string; signal: AbortSignal },
): Promise<Sent> {
  if (numbers.some((number) => number > object.frames)) throw fail('imaging.frame_not_found');
  const coding = codingFor(ranges, object);
  const path = requireFile(deps, object);
  const read = (number: number): Promise<Uint8Array> =>
    deps.renderer.frameBytes(path, number - 1, coding.isCoded, signal).catch(throwUndecodable);
  // Whether the first frame can be decoded decides about the status of the reply.
  const first = await read(numbers[0]!);
  if (numbers.length === 1 && !coding.isMultipart && ranges[0]!.type === coding.mediaType)
    return { type: coding.mediaType, chunks: [first] };
  const parts = async function* (): AsyncGenerator<Part> {
    for (const [index, number] of numbers.entries())
      yield {
        type: `${coding.mediaType}; transfer-syntax=${coding.syntax}`,
        location: `${addressOf(base, object)}/frames/${number}`,
        body: [index === 0 ? first : await read(number)],
      };
  };
  return multipartOf(coding.mediaType, parts());
}

/**
 * A frame as a picture.
 * @throws `imaging.frame_not_found`, `dicomweb.not_acceptable`, `dicomweb.invalid_parameter`
 */
export async function renderedFrame(
  deps: RetrieveDeps,
  object: StoredObject,
  number: number,
  { ranges, search, signal }: { ranges: readonly MediaRange[]; search: URLSearchParams; signal: AbortSignal },
): Promise<Sent> {
  if (number > object.frames) throw fail('imaging.frame_not_found');
  const { type, options } = renderingOf(ranges, search);
  const picture = await deps.renderer
    .renderFrame(requireFile(deps, object), number - 1, options, signal)
    .catch(throwUndecodable);
  return { type, chunks: [picture] };
}

/** A long value, alone or as the only part. @throws `imaging.not_found` where the object has no such element */
export async function bulkValueAs(
  deps: RetrieveDeps,
  object: StoredObject,
  element: string,
  { ranges, base, signal }: { ranges: readonly MediaRange[]; base: string; signal: AbortSignal },
): Promise<Sent> {
  const range = ranges.find((one) => covers(one, OCTETS));
  if (!range) throw fail('dicomweb.not_acceptable');
  const bytes = await deps.renderer.bulkValue(requireFile(deps, object), element, signal).catch(throwUndecodable);
  if (bytes === null) throw fail('imaging.not_found');
  if (!range.isMultipart) return { type: OCTETS, chunks: [bytes] };
  const part = { type: OCTETS, location: `${addressOf(base, object)}/bulkdata/${element}`, body: [bytes] };
  return multipartOf(
    OCTETS,
    (async function* () {
      yield part;
    })(),
  );
}

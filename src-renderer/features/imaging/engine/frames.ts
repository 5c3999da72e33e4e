import { splitPixels, type PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import { addressOf, contract, failureOf, OWN_HEADERS, unreachable } from '../../../client/api.ts';

/** A frame of a series, 0-based. */
export interface FramePlace {
  study: number;
  series: number;
  index: number;
}
export type PixelValues = Uint8Array | Uint16Array | Int16Array | Float32Array;

/** The stored values of a frame with what they mean. */
export interface Frame {
  header: PixelHeader;
  values: PixelValues;
  /** Graphics drawn into the picture, a bit for each pixel, the lowest bit of a byte first. */
  overlay: Uint8Array<ArrayBuffer> | null;
}

export const SCHEME = 'hearth';

/** Of pictures that are cut out of a volume. */
export const CUT_SCHEME = 'hearth-cut';

/** Whether the picture of this name is cut out of a volume instead of being a frame of the series. */
export const isCut = (imageId: string): boolean => imageId.startsWith(`${CUT_SCHEME}:`);

/** The name of a frame in the engine. */
export const imageIdOf = ({ study, series, index }: FramePlace): string => `${SCHEME}:${study}/${series}/${index}`;

/** The frame with this name. */
export function placeOf(imageId: string): FramePlace {
  const [study, series, index] = imageId
    .slice(SCHEME.length + 1)
    .split('/')
    .map(Number);
  return { study: study ?? 0, series: series ?? 0, index: index ?? 0 };
}

/** @throws ApiError; an AbortError if `signal` aborted it */
export async function fetchFrame({ study, series, index }: FramePlace, signal: AbortSignal): Promise<Frame> {
  const address = addressOf(contract.imaging.pixels, { params: { id: study, series_id: series, index } });
  const response = await fetch(address, { headers: OWN_HEADERS, signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : unreachable();
  });
  if (!response.ok) throw failureOf(response.status, await response.text());
  const { header, values, overlay } = splitPixels(await response.arrayBuffer());
  return { header, values: typed(header, values), overlay };
}

function typed({ type }: PixelHeader, { buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): PixelValues {
  if (type === 'int16') return new Int16Array(buffer, byteOffset, byteLength / 2);
  if (type === 'uint16') return new Uint16Array(buffer, byteOffset, byteLength / 2);
  if (type === 'float32') return new Float32Array(buffer, byteOffset, byteLength / 4);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

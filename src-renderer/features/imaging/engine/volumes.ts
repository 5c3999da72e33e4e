import { fetchFrame, imageIdOf, CUT_SCHEME, type Frame } from './frames.ts';
import {
  cutSection,
  reduceSlice,
  sectionGrid,
  SECTIONS,
  toVolume,
  type Section,
  type SectionGrid,
  type Volume,
  type VolumeRefusal,
} from './volume.ts';

/** The frames of a series, which may be a volume. */
export interface VolumeSource {
  study: number;
  id: number;
  total: number;
}

/** Of a volume in memory; larger series are halved in both directions until they fit. */
export const MAX_VOLUME_BYTES = 192 * 2 ** 20;
/** The core decodes two frames at once. */
const REQUESTS = 4;

interface Held {
  key: string;
  volume: Volume;
  grids: Record<Section, SectionGrid>;
  isReduced: boolean;
}

/** Only one: a volume takes much memory. */
let held: Held | null = null;

const keyOf = ({ study, id }: Omit<VolumeSource, 'total'>): string => `${study}/${id}`;

export const volumeBytes = (): number => held?.volume.bytes ?? 0;
export const dropVolume = (): void => void (held = null);
export const isVolumeReduced = (): boolean => held?.isReduced ?? false;

/** The pictures of a section of the volume in memory. */
export function sectionOf(source: Omit<VolumeSource, 'total'>, section: Section): SectionGrid | null {
  return held?.key === keyOf(source) ? held.grids[section] : null;
}

/** The name of a picture of a section in the engine. */
export const cutIdOf = ({ study, id }: Omit<VolumeSource, 'total'>, section: Section, index: number): string =>
  `${CUT_SCHEME}:${study}/${id}/${section}/${index}`;

/** The picture with this name; null if its volume is not in memory anymore. */
export function cutFrame(imageId: string): Frame | null {
  const [study, id, section, index] = imageId.slice(CUT_SCHEME.length + 1).split('/');
  if (!held || held.key !== `${study}/${id}`) return null;
  return cutSection(held.volume, held.grids[section as Section], Number(index));
}

/**
 * Loads the frames of a series as a volume, those in memory first; returns why they are none.
 * @throws ApiError; the signal's reason
 */
export async function loadVolume(
  source: VolumeSource,
  inMemory: (imageId: string) => Frame | null,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<VolumeRefusal | null> {
  if (held?.key === keyOf(source)) return null;
  const slices: Frame[] = [];
  let [next, loaded, halvings] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (next < source.total) {
      const index = next;
      next += 1;
      const place = { study: source.study, series: source.id, index };
      const frame = inMemory(imageIdOf(place)) ?? (await fetchFrame(place, signal));
      signal.throwIfAborted();
      if (loaded === 0) halvings = halvingsOf(frame, source.total);
      slices[index] = reduceSlice(frame, halvings);
      loaded += 1;
      onProgress(loaded);
    }
  };
  try {
    await Promise.all(Array.from({ length: REQUESTS }, work));
  } finally {
    // After a failure, the others stop too.
    next = source.total;
  }
  const volume = toVolume(slices);
  if (typeof volume === 'string') return volume;
  const grids = Object.fromEntries(SECTIONS.map((section) => [section, sectionGrid(volume, section)]));
  held = { key: keyOf(source), volume, grids: grids as Held['grids'], isReduced: halvings > 0 };
  return null;
}

function halvingsOf({ values }: Frame, total: number): number {
  let halvings = 0;
  while ((values.byteLength * total) / 4 ** halvings > MAX_VOLUME_BYTES) halvings += 1;
  return halvings;
}

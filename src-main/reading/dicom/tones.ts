import type { DataSet, Tag } from './data-set.ts';
import { frameData, type FrameData } from './functional-groups.ts';
import type { ImageLayout } from './image-layout.ts';
import { lookUp, readLookupTable } from './lookup-table.ts';
import type { Samples } from './samples.ts';

/** The window that a user sets, in the unit of the pixels (PS3.3, C.11.2.1.2); each may come alone. */
export interface WindowOptions {
  windowCenter?: number | undefined;
  windowWidth?: number | undefined;
  windowShape?: WindowShape | undefined;
}

export type WindowShape = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

type Tone = (value: number) => number;

const WHITE = 255;
const GRAYS = 256;
export const WINDOW_MACRO: Tag = 'x00289132';
export const VALUE_MACRO: Tag = 'x00289145';

/**
 * Gray values of 8 bits: stored values become those of the modality, then those that are shown. Without a window in the
 * header or the options, the whole range of values is shown.
 */
export function renderGray(
  samples: Samples,
  { data, layout, frame }: { data: DataSet; layout: ImageLayout; frame: number },
  options: WindowOptions,
): Uint8Array {
  const attributes = frameData(data, frame);
  const toModality = modalityTransform(data, attributes, layout);
  const { minimum, maximum } = rangeOf(samples);
  const isSmall = !layout.isFloat && maximum - minimum < 65_536;
  const modality = isSmall ? tabulated(toModality, minimum, maximum) : toModality;
  const tone = toneOf(samples, modality, attributes, data, options, layout);
  const toneOfStored: Tone = (value) => tone(modality(value));
  return mapSamples(samples, isSmall ? { tone: toneOfStored, minimum, maximum } : { tone: toneOfStored });
}

/** Whether the least value is white: by Presentation LUT Shape (PS3.3, C.11.6), or else by the photometric interpretation. */
export function isInverted(data: DataSet, { photometric }: ImageLayout): boolean {
  const shape = data.text('x20500020');
  return shape === 'INVERSE' || (shape !== 'IDENTITY' && photometric === 'MONOCHROME1');
}

function mapSamples(samples: Samples, map: { tone: Tone; minimum?: number; maximum?: number }): Uint8Array {
  const { tone, minimum, maximum } = map;
  const gray = new Uint8Array(samples.length);
  if (minimum === undefined || maximum === undefined) {
    for (let i = 0; i < samples.length; i += 1) gray[i] = tone(samples[i]!);
    return gray;
  }
  // Loops over indices are several times as fast as `from` and iterators.
  const table = new Uint8Array(maximum - minimum + 1);
  for (let i = 0; i < table.length; i += 1) table[i] = tone(minimum + i);
  for (let i = 0; i < samples.length; i += 1) gray[i] = table[samples[i]! - minimum]!;
  return gray;
}

/** The least and greatest finite value. */
export function rangeOf(samples: Samples): { minimum: number; maximum: number } {
  let [minimum, maximum] = [Infinity, -Infinity];
  for (let i = 0; i < samples.length; i += 1) {
    const value = samples[i]!;
    if (value < minimum && value !== -Infinity) minimum = value;
    if (value > maximum && value !== Infinity) maximum = value;
  }
  return minimum > maximum ? { minimum: 0, maximum: 0 } : { minimum, maximum };
}

function tabulated(transform: Tone, minimum: number, maximum: number): Tone {
  const table = new Float64Array(maximum - minimum + 1);
  for (let i = 0; i < table.length; i += 1) table[i] = transform(minimum + i);
  return (value) => table[value - minimum]!;
}

/** How stored values become those of the modality: by a table, or else by slope and intercept. */
export interface Modality {
  table: Tone | null;
  slope: number;
  intercept: number;
}

/** Rescale slope and intercept, or the modality LUT (PS3.3, C.11.1). */
export function modalityOf(data: DataSet, attributes: FrameData, { isSigned, isFloat }: ImageLayout): Modality {
  const item = data.item('x00283000');
  const table = item && !isFloat ? readLookupTable(item, 'x00283002', 'x00283006', isSigned) : null;
  if (table) return { table: (value) => lookUp(table, value), slope: 1, intercept: 0 };
  const slope = attributes.numbers(VALUE_MACRO, 'x00281053', 'DS')[0] || 1;
  const intercept = attributes.numbers(VALUE_MACRO, 'x00281052', 'DS')[0] ?? 0;
  return { table: null, slope, intercept };
}

function modalityTransform(data: DataSet, attributes: FrameData, layout: ImageLayout): Tone {
  const { table, slope, intercept } = modalityOf(data, attributes, layout);
  if (table) return table;
  return slope === 1 && intercept === 0 ? (value) => value : (value) => value * slope + intercept;
}

function toneOf(
  samples: Samples,
  modality: Tone,
  attributes: FrameData,
  data: DataSet,
  options: WindowOptions,
  layout: ImageLayout,
): Tone {
  const isInverse = isInverted(data, layout);
  const own = headerWindow(attributes);
  const center = options.windowCenter ?? own?.center;
  const width = options.windowWidth ?? own?.width;
  const isChosen = options.windowCenter !== undefined || options.windowWidth !== undefined;
  const window = attributes.find(WINDOW_MACRO, 'x00281056');
  const shape = options.windowShape ?? window?.text('x00281056') ?? 'LINEAR';
  if (center !== undefined && width !== undefined) return windowTone(center, width, shape, isInverse);
  const item = isChosen ? null : data.item('x00283010');
  const table = item ? readLookupTable(item, 'x00283002', 'x00283006', layout.isSigned) : null;
  // Each gray takes as many entries as any other.
  if (table) return turned((value) => clamp(Math.floor(lookUp(table, value) * (GRAYS / 2 ** table.bits))), isInverse);
  const { minimum, maximum } = modalityRange(samples, modality);
  // By itself, this window shows the least value in black and the greatest in white.
  return windowTone(center ?? (minimum + maximum + 1) / 2, width ?? maximum - minimum + 1, shape, isInverse);
}

/** The first window of the header; null if it has none, or one without a positive width. */
function headerWindow(attributes: FrameData): { center: number; width: number } | null {
  const [center] = attributes.numbers(WINDOW_MACRO, 'x00281050', 'DS');
  const [width] = attributes.numbers(WINDOW_MACRO, 'x00281051', 'DS');
  return center === undefined || width === undefined || width <= 0 ? null : { center, width };
}

function modalityRange(samples: Samples, modality: Tone): { minimum: number; maximum: number } {
  let [minimum, maximum] = [Infinity, -Infinity];
  for (let i = 0; i < samples.length; i += 1) {
    const value = modality(samples[i]!);
    if (!Number.isFinite(value)) continue;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return { minimum, maximum };
}

const clamp = (value: number): number => Math.max(0, Math.min(WHITE, value));

const turned = (tone: Tone, isInverse: boolean): Tone => (isInverse ? (value) => WHITE - tone(value) : tone);

/** PS3.3, C.11.2.1.2 and C.11.2.1.3. */
function windowTone(center: number, width: number, shape: string, isInverse: boolean): Tone {
  if (shape === 'SIGMOID') return turned((value) => WHITE / (1 + Math.exp((-4 * (value - center)) / width)), isInverse);
  // A linear window is at least one wide; images of fractions have narrower ones.
  if (shape === 'LINEAR_EXACT' || width < 1)
    return turned((value) => clamp(((value - center) / width + 0.5) * WHITE), isInverse);
  const [low, high] = isInverse ? [WHITE, 0] : [0, WHITE];
  const range = width - 1;
  if (range === 0) return (value) => (value > center - 0.5 ? high : low);
  // Fractions are cut off after turning, as dcmtk does.
  const gradient = (high - low) / range;
  const offset = high - ((center - 0.5) / range + 0.5) * (high - low);
  const [first, last] = [center - 0.5 - range / 2, center - 0.5 + range / 2];
  return (value) => {
    // Rounding would make the ends a little less than black or white, which is cut off to another gray.
    if (value <= first) return low;
    return value > last ? high : clamp(offset + value * gradient);
  };
}

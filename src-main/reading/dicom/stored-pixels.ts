import type { PixelHeader, PixelType, PixelWindow } from '../../../src-shared/contract/imaging-pixels.ts';
import { renderColors } from './colors.ts';
import type { DataSet, Tag } from './data-set.ts';
import { DicomError } from './dicom-error.ts';
import { frameData, type FrameData } from './functional-groups.ts';
import type { ImageLayout } from './image-layout.ts';
import { readLookupTable } from './lookup-table.ts';
import { readPlacement } from './placement.ts';
import type { Samples } from './samples.ts';
import { isInverted, modalityOf, rangeOf, VALUE_MACRO, WINDOW_MACRO, type Modality } from './tones.ts';

/** The values of a frame as they are stored, with what gives them a meaning. */
export interface StoredPixels {
  header: PixelHeader;
  /** In little endian. */
  values: Uint8Array;
  /** Of graphics, a bit for each pixel. */
  overlay: Uint8Array | null;
}

/** A viewer holds several frames of this size. */
const MAX_VALUE_BYTES = 128 * 2 ** 20;
/** What PET calls its units (PS3.3, C.8.9.1.1.3), as people write them. */
const UNITS: Readonly<Record<string, string>> = { BQML: 'Bq/mL', GML: 'g/mL', CNTS: 'counts', PROPCNTS: 'counts' };

/**
 * The values of a frame, 0-based, without a window. Palettes and YBR become red, green and blue; a modality lookup table
 * is applied.
 * @throws DicomError `unsupported_pixels`, `damaged`, `too_large`
 */
export function storedPixels(
  samples: Samples,
  { data, layout, frame, overlay }: { data: DataSet; layout: ImageLayout; frame: number; overlay: Uint8Array | null },
): StoredPixels {
  const isColor = layout.samples === 3 || layout.photometric === 'PALETTE COLOR';
  if (!isColor && !layout.photometric.startsWith('MONOCHROME'))
    throw new DicomError('unsupported_pixels', layout.photometric);
  const attributes = frameData(data, frame);
  if (isColor) return colorPixels(renderColors(samples, layout, data), layout, { data, attributes });
  const modality = modalityOf(data, attributes, layout);
  const { table } = modality;
  const values = table ? Float32Array.from(samples, (value) => table(value)) : samples;
  const range = rangeOf(values);
  const [type, numbers] = narrowed(values, range);
  if (numbers.byteLength > MAX_VALUE_BYTES) throw new DicomError('too_large', `${numbers.byteLength} bytes of values`);
  return {
    header: {
      ...readCommon(data, attributes, layout),
      ...{ type, ...range, slope: modality.slope, intercept: modality.intercept },
      unit: readUnit(data, attributes),
      isInverted: isInverted(data, layout),
      windows: readWindows(data, attributes, layout, modality, range),
      windowShape: readShape(attributes),
      hasOverlay: overlay !== null,
    },
    values: new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
    overlay,
  };
}

function colorPixels(
  values: Uint8Array,
  layout: ImageLayout,
  { data, attributes }: { data: DataSet; attributes: FrameData },
): StoredPixels {
  return {
    header: {
      ...readCommon(data, attributes, layout),
      ...{ type: 'rgb8', minimum: 0, maximum: 255, slope: 1, intercept: 0, unit: null, isInverted: false },
      ...{ windows: [{ center: 128, width: 256, name: null }], windowShape: 'LINEAR', hasOverlay: false },
    },
    values,
    overlay: null,
  };
}

type Range = { minimum: number; maximum: number };

/** The smallest type of the wire that has these values; whole numbers of more than 16 bits lose their last ones. */
function narrowed(values: Samples, { minimum, maximum }: Range): [PixelType, Exclude<Samples, Float64Array>] {
  if (values instanceof Uint8Array) return ['uint8', values];
  if (values instanceof Uint16Array) return ['uint16', values];
  if (values instanceof Int16Array) return ['int16', values];
  if (values instanceof Float32Array) return ['float32', values];
  const isWhole = !(values instanceof Float64Array);
  if (isWhole && minimum >= -0x8000 && maximum <= 0x7fff) return ['int16', Int16Array.from(values)];
  if (isWhole && minimum >= 0 && maximum <= 0xffff) return ['uint16', Uint16Array.from(values)];
  return ['float32', Float32Array.from(values)];
}

const readCommon = (data: DataSet, attributes: FrameData, { rows, columns }: ImageLayout) => ({
  ...{ rows, columns },
  ...readPlacement(data, attributes),
  modality: data.text('x00080060'),
  sopInstanceUid: data.text('x00080018'),
  instanceNumber: data.number('x00200013', 'IS'),
  frameRate: readFrameRate(data),
});

/** Of Recommended Display Frame Rate, Cine Rate or Frame Time (PS3.3, C.7.6.5). */
function readFrameRate(data: DataSet): number | null {
  const milliseconds = data.number('x00181063', 'DS');
  const rate =
    data.number('x00082144', 'IS') ?? data.number('x00180040', 'IS') ?? (milliseconds && 1000 / milliseconds);
  return rate !== null && rate > 0 ? rate : null;
}

/** Of Rescale Type; values of CT are Hounsfield units also without it (PS3.3, C.8.2.1.1.2), PET has Units. */
function readUnit(data: DataSet, attributes: FrameData): string | null {
  const units = data.text('x00541001');
  if (units !== null) return UNITS[units] ?? null;
  const type = attributes.find(VALUE_MACRO, 'x00281054')?.text('x00281054') ?? null;
  if (type !== null) return type === 'US' ? null : type;
  return data.text('x00080060') === 'CT' && attributes.find(VALUE_MACRO, 'x00281052') !== null ? 'HU' : null;
}

const MAX_WINDOWS = 32;

function readWindows(
  data: DataSet,
  attributes: FrameData,
  { isSigned }: ImageLayout,
  { slope, intercept }: Modality,
  range: Range,
): PixelWindow[] {
  const numbers = (tag: Tag): number[] => attributes.numbers(WINDOW_MACRO, tag, 'DS').slice(0, MAX_WINDOWS);
  const [centers, widths] = [numbers('x00281050'), numbers('x00281051')];
  const names = attributes.find(WINDOW_MACRO, 'x00281055')?.texts('x00281055') ?? [];
  const named = centers.flatMap((center, i) => {
    const width = widths[i];
    return width === undefined || width <= 0 ? [] : [{ center, width, name: names[i] || null }];
  });
  if (named.length > 0) return named;
  const item = data.item('x00283010');
  const table = item && readLookupTable(item, 'x00283002', 'x00283006', isSigned);
  // A viewer shows what a VOI lookup table spreads over all grays with a window of the same values.
  if (table) return [spanning(table.first, table.first + table.entries.length - 1)];
  const ends = [range.minimum, range.maximum].map((value) => value * slope + intercept);
  return [spanning(Math.min(...ends), Math.max(...ends))];
}

const spanning = (least: number, greatest: number): PixelWindow => ({
  center: (least + greatest + 1) / 2,
  width: greatest - least + 1,
  name: null,
});

function readShape(attributes: FrameData): PixelHeader['windowShape'] {
  const shape = attributes.find(WINDOW_MACRO, 'x00281056')?.text('x00281056');
  return shape === 'SIGMOID' || shape === 'LINEAR_EXACT' ? shape : 'LINEAR';
}

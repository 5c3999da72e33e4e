import { Enums, utilities, type Types } from '@cornerstonejs/core';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import type { Frame, PixelValues } from './frames.ts';
import { planeOf } from './planes.ts';

const SHAPES = {
  LINEAR: Enums.VOILUTFunctionType.LINEAR,
  LINEAR_EXACT: Enums.VOILUTFunctionType.LINEAR_EXACT,
  SIGMOID: Enums.VOILUTFunctionType.SAMPLED_SIGMOID,
} as const;

/** The picture of a frame for the engine; WebGL draws rescaled values, the processor stored whole numbers. */
export function toImage(imageId: string, { header, values }: Frame, isByProcessor: boolean): Types.IImage {
  const isColor = header.type === 'rgb8';
  const drawn = isByProcessor ? forProcessor(header, values) : forWebGl(header, values);
  const plane = planeOf(header);
  const [window] = header.windows;
  const voxelManager = utilities.VoxelManager.createImageVoxelManager({
    scalarData: drawn.values,
    ...{ width: header.columns, height: header.rows, numberOfComponents: isColor ? 3 : 1 },
  });
  return {
    imageId,
    ...{ rows: header.rows, columns: header.columns, height: header.rows, width: header.columns },
    ...{ color: isColor, rgba: false, numberOfComponents: isColor ? 3 : 1 },
    ...{ rowPixelSpacing: plane.spacing[0], columnPixelSpacing: plane.spacing[1] },
    ...{ slope: drawn.slope, intercept: drawn.intercept },
    minPixelValue: drawn.minimum,
    maxPixelValue: drawn.maximum,
    windowCenter: window?.center ?? 128,
    windowWidth: window?.width ?? 256,
    // A linear window is at least one wide; pictures of fractions have narrower ones.
    voiLUTFunction: window && window.width <= 1 ? SHAPES.LINEAR_EXACT : SHAPES[header.windowShape],
    invert: header.isInverted,
    photometricInterpretation: photometricOf(header),
    // Stored values are kept beside those that are drawn.
    sizeInBytes: drawn.values.byteLength + (drawn.values === values ? 0 : values.byteLength),
    dataType: drawn.values.constructor.name as Types.PixelDataTypedArrayString,
    voxelManager,
    getPixelData: () => voxelManager.getScalarData() as Types.PixelDataTypedArray,
    getCanvas: () => undefined as never,
  };
}

export function photometricOf({ type, isInverted }: PixelHeader): string {
  if (type === 'rgb8') return 'RGB';
  return isInverted ? 'MONOCHROME1' : 'MONOCHROME2';
}

interface DrawnValues {
  values: PixelValues;
  slope: number;
  intercept: number;
  minimum: number;
  maximum: number;
}

/** Values in the unit of the modality: windows apply to them as they are. */
function forWebGl({ slope, intercept, minimum, maximum }: PixelHeader, values: PixelValues): DrawnValues {
  const ends = [minimum * slope + intercept, maximum * slope + intercept];
  const range = { minimum: Math.min(...ends), maximum: Math.max(...ends) };
  const asIs = { slope: 1, intercept: 0, ...range };
  if (slope === 1 && intercept === 0) return { values, ...asIs };
  const isWhole = !(values instanceof Float32Array) && Number.isInteger(slope) && Number.isInteger(intercept);
  const isShort = isWhole && range.minimum >= -0x8000 && range.maximum <= 0x7fff;
  const rescaled = isShort ? new Int16Array(values.length) : new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) rescaled[i] = values[i]! * slope + intercept;
  return { values: rescaled, ...asIs };
}

/** The greatest index of the tables that the processor draws with. */
const GREATEST = 0xffff;

/** Whole numbers, because they are indices of a table: fractions become steps of a 65 535th of their range. */
function forProcessor(header: PixelHeader, values: PixelValues): DrawnValues {
  const { slope, intercept, minimum, maximum } = header;
  if (!(values instanceof Float32Array)) return { values, slope, intercept, minimum, maximum };
  const step = (maximum - minimum) / GREATEST || 1;
  const steps = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i += 1)
    steps[i] = Math.max(0, Math.min(GREATEST, Math.round((values[i]! - minimum) / step)));
  return {
    values: steps,
    slope: slope * step,
    intercept: minimum * slope + intercept,
    minimum: 0,
    maximum: GREATEST,
  };
}

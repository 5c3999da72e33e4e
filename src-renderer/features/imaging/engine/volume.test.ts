import { describe, expect, it } from 'vitest';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import type { Frame } from './frames.ts';
import { toPoint, planeOf, type Vector } from './planes.ts';
import {
  cutSection,
  reduceSlice,
  refusalOfPositions,
  sectionGrid,
  sectionPositions,
  SECTIONS,
  toVolume,
  type Volume,
} from './volume.ts';

const HEADER: PixelHeader = {
  ...{ rows: 9, columns: 7, type: 'int16', slope: 1, intercept: -1024, minimum: -500, maximum: 4000, unit: 'HU' },
  ...{ isInverted: false, windows: [{ center: 40, width: 400, name: null }], windowShape: 'LINEAR' },
  ...{ spacing: [1, 1], spacingAt: 'patient', aspect: 1, position: [0, 0, 0], orientation: [1, 0, 0, 0, 1, 0] },
  ...{ frameOfReference: '1', thickness: 2, modality: 'CT', sopInstanceUid: '1', instanceNumber: 1, frameRate: null },
  hasOverlay: false,
};
/** A value for each place of the patient, so that a cut can be checked at every pixel. */
const valueOf = ([x, y, z]: Vector): number => 100 * x + 10 * y - 7 * z + 1000;

/** Slices with the value of each place; `place` gives the position of a slice. */
function slicesOf(
  header: Partial<PixelHeader>,
  count: number,
  place: (index: number) => Vector,
  rescale: (index: number) => { slope: number; intercept: number } = () => HEADER,
): Frame[] {
  return Array.from({ length: count }, (_, index) => {
    const { slope, intercept } = rescale(index);
    const own: PixelHeader = { ...HEADER, ...header, slope, intercept, position: place(index) };
    const plane = planeOf(own);
    const values = Float32Array.from({ length: own.rows * own.columns }, (_, at) => {
      const value = valueOf(toPoint(plane, [at % own.columns, Math.floor(at / own.columns)]));
      const stored = (value - intercept) / slope;
      return own.type === 'int16' ? Math.round(stored) : stored;
    });
    const typed = own.type === 'int16' ? Int16Array.from(values) : values;
    return { header: own, values: typed, overlay: null };
  });
}

function volumeOf(slices: Frame[]): Volume {
  const volume = toVolume(slices);
  if (typeof volume === 'string') throw new Error(volume);
  return volume;
}

/** How many pixels of all cuts were compared with the value of their place. */
function compareAll(volume: Volume, tolerance: number): number {
  let compared = 0;
  for (const section of SECTIONS) {
    const grid = sectionGrid(volume, section);
    for (let index = 0; index < grid.count; index += 1) {
      const { header, values } = cutSection(volume, grid, index);
      const plane = planeOf(header);
      values.forEach((value, at) => {
        if (value === volume.minimum) return;
        const place = toPoint(plane, [at % header.columns, Math.floor(at / header.columns)]);
        compared += 1;
        const shown = value * header.slope + header.intercept;
        if (Math.abs(shown - valueOf(place)) > tolerance)
          throw new Error(`${section} ${index} at ${place.join()}: ${shown}, not ${valueOf(place)}`);
      });
    }
  }
  return compared;
}

describe('The planes of a volume', () => {
  it('have the values of their places, between slices too', () => {
    const volume = volumeOf(slicesOf({}, 5, (index) => [-3, 4, 2 * index - 5]));
    // Every place of the box of 7 × 9 × 9 mm in each of three directions.
    expect(compareAll(volume, 0.51)).toBe(3 * 7 * 9 * 9);
    const coronal = sectionGrid(volume, 'coronal');
    expect(coronal).toMatchObject({ columns: 7, rows: 9, count: 9, spacing: 1, origin: [-3, 4, 3] });
    expect(cutSection(volume, coronal, 2).header).toMatchObject({
      ...{ position: [-3, 6, 3], orientation: [1, 0, 0, 0, 0, -1], spacing: [1, 1], rows: 9, columns: 7 },
      ...{ intercept: -1024, unit: 'HU', frameOfReference: '1' },
    });
  });

  it('are of the patient, also of images in another direction, tilted ones, and of a tilted gantry', () => {
    const sagittal: Partial<PixelHeader> = { orientation: [0, 1, 0, 0, 0, -1], spacing: [0.5, 1] };
    expect(compareAll(volumeOf(slicesOf(sagittal, 6, (index) => [index * 1.5, 0, 0])), 0.51)).toBeGreaterThan(1000);
    const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
    const tilted: Partial<PixelHeader> = { type: 'float32', orientation: [cos, sin, 0, -sin, cos, 0] };
    expect(compareAll(volumeOf(slicesOf(tilted, 5, (index) => [0, 0, 2 * index])), 0.01)).toBeGreaterThan(500);
    const gantry: Partial<PixelHeader> = { type: 'float32' };
    expect(compareAll(volumeOf(slicesOf(gantry, 5, (index) => [0, 0.7 * index, 2 * index])), 0.01)).toBeGreaterThan(
      500,
    );
  });

  it('have values in the unit where each slice has a slope of its own, as those of PET', () => {
    const slices = slicesOf(
      { type: 'float32' },
      5,
      (index) => [0, 0, index],
      (index) => ({
        slope: 1 + index,
        intercept: -index,
      }),
    );
    const volume = volumeOf(slices);
    expect(volume.isUniform).toBe(false);
    expect(compareAll(volume, 0.01)).toBe(3 * 7 * 9 * 5);
    expect(cutSection(volume, sectionGrid(volume, 'axial'), 1).header).toMatchObject({ slope: 1, intercept: 0 });
  });

  it('have positions along the normals of their pictures', () => {
    const volume = volumeOf(slicesOf({}, 3, (index) => [10, 20, 30 + index]));
    expect(sectionPositions(sectionGrid(volume, 'axial'))).toEqual([30, 31, 32]);
    expect(sectionPositions(sectionGrid(volume, 'coronal')).slice(0, 2)).toEqual([20, 21]);
    // From the left side, the normal goes to the right of the patient.
    expect(sectionPositions(sectionGrid(volume, 'sagittal')).slice(0, 2)).toEqual([-10, -11]);
  });

  it('are refused with a reason', () => {
    const even = (index: number): Vector => [0, 0, index];
    expect(toVolume(slicesOf({}, 2, even))).toBe('few');
    expect(toVolume(slicesOf({}, 5, (index) => [0, 0, index === 4 ? 9 : index]))).toBe('uneven');
    expect(toVolume(slicesOf({}, 5, () => [0, 0, 0]))).toBe('uneven');
    expect(toVolume(slicesOf({ spacing: null }, 5, even))).toBe('no_place');
    const mixed = slicesOf({}, 5, even);
    mixed[2] = slicesOf({ orientation: [0, 1, 0, 0, 0, -1] }, 5, even)[2]!;
    expect(toVolume(mixed)).toBe('not_parallel');
    const color = slicesOf({}, 5, even).map((slice) => ({
      ...slice,
      header: { ...slice.header, type: 'rgb8' as const },
    }));
    expect(toVolume(color)).toBe('color');
    expect(refusalOfPositions([0, 1, null])).toBe('no_place');
    expect(refusalOfPositions([0, 1, 2, 4])).toBe('uneven');
    expect(refusalOfPositions([0, 0, 0])).toBe('uneven');
    expect(refusalOfPositions([3, 2, 1.001, 0])).toBe(null);
  });

  it('are made of slices of half the size, which keep their places', () => {
    const [slice] = slicesOf({ type: 'float32', rows: 5, columns: 6 }, 1, () => [0, 0, 0]);
    const reduced = reduceSlice(slice!, 1);
    expect(reduced.header).toMatchObject({ rows: 2, columns: 3, spacing: [2, 2], position: [0.5, 0.5, 0] });
    expect(Array.from(reduced.values, (value) => Math.round(value + HEADER.intercept))).toEqual(
      [0, 1, 2, 3, 4, 5].map((at) => valueOf([0.5 + 2 * (at % 3), 0.5 + 2 * Math.floor(at / 3), 0])),
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import type { Frame } from './frames.ts';
import { measure, valueAt } from './measure.ts';
import { nearestSlice, planeOf, sidesOf, toPixel, toPoint } from './planes.ts';
import { rangeOf, windowChoices, windowOf } from './windows.ts';

const HEADER: PixelHeader = {
  ...{ rows: 3, columns: 4, type: 'int16', slope: 2, intercept: -10, minimum: 0, maximum: 11, unit: 'HU' },
  ...{ isInverted: false, windows: [{ center: 40, width: 400, name: null }], windowShape: 'LINEAR' },
  ...{
    spacing: [0.5, 0.25],
    spacingAt: 'patient',
    aspect: 2,
    position: [10, 20, 30],
    orientation: [0, 1, 0, 0, 0, -1],
  },
  hasOverlay: false,
  ...{ frameOfReference: '1', thickness: 1, modality: 'CT', sopInstanceUid: '1', instanceNumber: 1, frameRate: null },
};
const FRAME: Frame = { header: HEADER, values: Int16Array.from({ length: 12 }, (_, i) => i), overlay: null };

describe('Measurements', () => {
  it('are in millimeters across and down, and in pixels without a size', () => {
    expect(
      measure(
        'length',
        [
          [0, 0],
          [4, 0],
        ],
        FRAME,
      ),
    ).toEqual({ kind: 'length', length: 1, unit: 'mm' });
    expect(
      measure(
        'length',
        [
          [0, 0],
          [0, 2],
        ],
        FRAME,
      ),
    ).toEqual({ kind: 'length', length: 1, unit: 'mm' });
    const bare = { ...FRAME, header: { ...HEADER, spacing: null, aspect: 1 } };
    expect(
      measure(
        'length',
        [
          [0, 0],
          [3, 4],
        ],
        bare,
      ),
    ).toEqual({ kind: 'length', length: 5, unit: 'px' });
  });

  it('have the angle of the patient, not that of unequal pixels', () => {
    expect(
      measure(
        'angle',
        [
          [4, 0],
          [0, 0],
          [4, 2],
        ],
        FRAME,
      ),
    ).toEqual({ kind: 'angle', degrees: 45 });
    const reflex = measure(
      'angle',
      [
        [-4, 1],
        [0, 0],
        [-4, -1],
      ],
      FRAME,
    );
    expect(reflex?.kind === 'angle' && reflex.degrees).toBeCloseTo(53.13, 2);
  });

  it('count the pixels whose center is in the region, in their unit', () => {
    expect(
      measure(
        'rectangle',
        [
          [0, 0],
          [2.4, 1.2],
        ],
        FRAME,
      ),
    ).toMatchObject({
      kind: 'region',
      area: expect.closeTo(2.4 * 0.25 * 1.2 * 0.5, 6),
      statistics: { mean: -4, minimum: -10, maximum: 2, count: 6, unit: 'HU', deviation: expect.closeTo(4.32, 2) },
    });
    expect(
      measure(
        'ellipse',
        [
          [0, 1],
          [2, 1],
          [1, 0],
          [1, 2],
        ],
        FRAME,
      ),
    ).toMatchObject({
      statistics: { count: 5, mean: 0 },
    });
    expect(
      measure(
        'rectangle',
        [
          [9, 9],
          [12, 12],
        ],
        FRAME,
      ),
    ).toMatchObject({ statistics: null });
  });

  it('read the value of the pixel under the pointer', () => {
    expect(valueAt(FRAME, [3.4, 1.6])).toEqual({ gray: 12, unit: 'HU' });
    expect(valueAt(FRAME, [-0.6, 0])).toBeNull();
    const color = {
      header: { ...HEADER, type: 'rgb8' as const },
      values: Uint8Array.from({ length: 36 }, (_, i) => i),
      overlay: null,
    };
    expect(valueAt(color, [1, 0])).toEqual({ color: [3, 4, 5] });
  });
});

describe('Places', () => {
  it('turn pixels into points of the patient and back', () => {
    const plane = planeOf(HEADER);
    expect(toPoint(plane, [4, 2])).toEqual([10, 21, 29]);
    expect(toPixel(plane, [10, 21, 29])).toEqual([4, 2]);
  });

  it('name the sides of the patient, the main one first', () => {
    expect(sidesOf([0.1, -0.9, 0.4])).toEqual(['A', 'H']);
    expect(sidesOf([-1, 0, 0])).toEqual(['R']);
  });

  it('find the next slice, where slices have positions', () => {
    expect(nearestSlice([0, 5, null, 10], 7)).toBe(1);
    expect(nearestSlice([null, null], 7)).toBeNull();
  });
});

describe('Windows', () => {
  it('have the names and keys of other viewers for CT, and the range of the values for others', () => {
    expect(windowChoices(HEADER).map(({ name }) => name)).toEqual([
      ...['soft_tissue', 'lung', 'liver', 'bone', 'brain', 'vessels', 'own', 'whole'],
    ]);
    expect(windowChoices({ ...HEADER, unit: null }).at(-1)).toMatchObject({ name: 'whole', center: 1, width: 22 });
  });

  it('are the same after they were set and read', () => {
    for (const window of [
      { center: 40, width: 400 },
      { center: 0.5, width: 0.25 },
    ])
      expect(windowOf(rangeOf(window))).toEqual(window);
  });
});

import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';

export type Vector = [x: number, y: number, z: number];

/** Where a picture is: that of the patient, or a plane of its own for pictures without a place in the patient. */
export interface Plane {
  /** Of the center of the first pixel. */
  origin: Vector;
  /** Along a row, to the next column. */
  across: Vector;
  /** Along a column, to the next row. */
  down: Vector;
  /** Between rows, then between columns; pixels without a size have the width 1. */
  spacing: [rows: number, columns: number];
}

export const planeOf = ({ position, orientation, spacing, aspect }: PixelHeader): Plane => ({
  origin: position ?? [0, 0, 0],
  across: orientation ? [orientation[0], orientation[1], orientation[2]] : [1, 0, 0],
  down: orientation ? [orientation[3], orientation[4], orientation[5]] : [0, 1, 0],
  spacing: spacing ?? [aspect, 1],
});

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** The direction in which slices follow each other. */
export const normalOf = ({ across, down }: Plane): Vector => cross(across, down);

/** The column and row of a point, from the center of the first pixel. */
export function toPixel({ origin, across, down, spacing }: Plane, point: Vector): [column: number, row: number] {
  const from: Vector = [point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]];
  return [dot(from, across) / spacing[1], dot(from, down) / spacing[0]];
}

/** The point at a column and row. */
export function toPoint({ origin, across, down, spacing }: Plane, [column, row]: readonly [number, number]): Vector {
  const at = (axis: 0 | 1 | 2): number =>
    origin[axis] + across[axis] * column * spacing[1] + down[axis] * row * spacing[0];
  return [at(0), at(1), at(2)];
}

/** Letters of the directions of the patient's space: left, posterior and head are positive (PS3.3, C.7.6.2.1.1). */
const LETTERS = [
  ['R', 'L'],
  ['A', 'P'],
  ['F', 'H'],
] as const;
/** A part of a direction that is less than this is not named. */
const NAMED = 0.3;
export type SideLetter = (typeof LETTERS)[number][number];

/** To which sides of the patient a direction goes, the most first. */
export function sidesOf(direction: Vector): SideLetter[] {
  return ([0, 1, 2] as const)
    .filter((axis) => Math.abs(direction[axis]) > NAMED)
    .sort((a, b) => Math.abs(direction[b]) - Math.abs(direction[a]))
    .map((axis) => LETTERS[axis][direction[axis] > 0 ? 1 : 0]);
}

/** The index of the slice next to a position along the normal; null where no slice has a position. */
export function nearestSlice(positions: readonly (number | null)[], position: number): number | null {
  let nearest: number | null = null;
  positions.forEach((candidate, index) => {
    if (candidate === null) return;
    const best = nearest === null ? null : positions[nearest];
    if (best === null || best === undefined || Math.abs(candidate - position) < Math.abs(best - position))
      nearest = index;
  });
  return nearest;
}

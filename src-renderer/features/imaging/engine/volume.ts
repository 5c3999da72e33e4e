import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import type { Frame, PixelValues } from './frames.ts';
import { cross, dot, normalOf, planeOf, type Vector } from './planes.ts';

/** Planes of the patient in which a volume is cut. */
export const SECTIONS = ['axial', 'coronal', 'sagittal'] as const;
export type Section = (typeof SECTIONS)[number];

/** Parallel slices at even distances. */
export interface Volume {
  slices: readonly Frame[];
  columns: number;
  rows: number;
  /** Of the center of the first pixel of the first slice. */
  origin: Vector;
  /** From a pixel to the next one in its row, in its column, and in the next slice. */
  steps: readonly [Vector, Vector, Vector];
  /** Whether all slices have the same slope and intercept, so that stored values can be mixed. */
  isUniform: boolean;
  minimum: number;
  maximum: number;
  bytes: number;
}

/** Why slices make up none. */
export type VolumeRefusal = 'few' | 'color' | 'no_place' | 'not_parallel' | 'uneven';

const MIN_SLICES = 3;
/** Part of the distance of two slices by which one may be beside its place. */
const TOLERANCE = 0.1;
/** Lengths in files have few digits. */
const ROUNDING_MM = 0.02;
const PARALLEL = 0.9999;

/** Whether positions along the normal are those of a volume, before anything is loaded. */
export function refusalOfPositions(positions: readonly (number | null)[]): VolumeRefusal | null {
  if (positions.length < MIN_SLICES) return 'few';
  if (positions.some((position) => position === null)) return 'no_place';
  const [first, last] = [positions[0]!, positions.at(-1)!];
  const step = (last - first) / (positions.length - 1);
  const isEven = positions.every((position, at) => isNear(position! - (first + at * step), step));
  return isEven && Math.abs(step) > ROUNDING_MM ? null : 'uneven';
}

const isNear = (difference: number, step: number): boolean =>
  Math.abs(difference) <= Math.abs(step) * TOLERANCE + ROUNDING_MM;

/** Puts slices together, which are in their order. */
export function toVolume(slices: readonly Frame[]): Volume | VolumeRefusal {
  const headers = slices.map(({ header }) => header);
  const [first] = headers;
  if (!first || slices.length < MIN_SLICES || first.rows < 2 || first.columns < 2) return 'few';
  if (headers.some(({ type }) => type === 'rgb8')) return 'color';
  if (headers.some(({ position, orientation, spacing }) => !position || !orientation || !spacing)) return 'no_place';
  if (headers.some((header) => !isSameGrid(header, first))) return 'not_parallel';
  const [from, to] = [first.position!, headers.at(-1)!.position!];
  const step = scaled(minus(to, from), 1 / (slices.length - 1));
  const length = Math.hypot(...step);
  const isEven = headers.every(({ position }, at) => {
    const off = minus(position!, plus(from, scaled(step, at)));
    return isNear(Math.hypot(...off), length);
  });
  const { across, down, spacing } = planeOf(first);
  // Slices beside each other in one plane have no depth.
  if (!isEven || Math.abs(dot(step, normalOf(planeOf(first)))) <= ROUNDING_MM) return 'uneven';
  const isUniform = headers.every(({ slope, intercept }) => slope === first.slope && intercept === first.intercept);
  const rescale = (header: PixelHeader, value: number): number =>
    isUniform ? value : value * header.slope + header.intercept;
  return {
    slices,
    columns: first.columns,
    rows: first.rows,
    origin: from,
    steps: [scaled(across, spacing[1]), scaled(down, spacing[0]), step],
    isUniform,
    minimum: Math.min(...headers.map((header) => rescale(header, header.minimum))),
    maximum: Math.max(...headers.map((header) => rescale(header, header.maximum))),
    bytes: slices.reduce((sum, { values }) => sum + values.byteLength, 0),
  };
}

function isSameGrid(header: PixelHeader, first: PixelHeader): boolean {
  const [a, b] = [planeOf(header), planeOf(first)];
  return (
    header.rows === first.rows &&
    header.columns === first.columns &&
    header.frameOfReference === first.frameOfReference &&
    Math.abs(a.spacing[0] - b.spacing[0]) < b.spacing[0] * 1e-3 &&
    Math.abs(a.spacing[1] - b.spacing[1]) < b.spacing[1] * 1e-3 &&
    dot(a.across, b.across) > PARALLEL &&
    dot(a.down, b.down) > PARALLEL
  );
}

const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];

/** The pictures of a section: where they are, and how many. */
export interface SectionGrid {
  /** Of the center of the first pixel of the first picture. */
  origin: Vector;
  across: Vector;
  down: Vector;
  /** From a picture to the next one. */
  along: Vector;
  /** Between pixels and between pictures, in mm. */
  spacing: number;
  columns: number;
  rows: number;
  count: number;
}

/** As people look at the patient: from the feet, from the front, from the left side. */
const AXES: Record<Section, { across: Vector; down: Vector; along: Vector }> = {
  axial: { across: [1, 0, 0], down: [0, 1, 0], along: [0, 0, 1] },
  coronal: { across: [1, 0, 0], down: [0, 0, -1], along: [0, 1, 0] },
  sagittal: { across: [0, 1, 0], down: [0, 0, -1], along: [1, 0, 0] },
};
const MAX_SIDE = 1024;

/** The pictures that hold the whole volume, as fine as its finest direction. */
export function sectionGrid({ origin, steps, columns, rows, slices }: Volume, section: Section): SectionGrid {
  const { across, down, along } = AXES[section];
  const ends = [columns - 1, rows - 1, slices.length - 1];
  const corners = Array.from({ length: 8 }, (_, corner) =>
    steps.reduce((sum, step, axis) => plus(sum, scaled(step, corner & (1 << axis) ? ends[axis]! : 0)), origin),
  );
  const spans = [across, down, along].map((axis) => {
    const at = corners.map((corner) => dot(corner, axis));
    return { least: Math.min(...at), extent: Math.max(...at) - Math.min(...at) };
  });
  const finest = Math.min(...steps.map((step) => Math.hypot(...step)));
  const spacing = Math.max(finest, ...spans.map(({ extent }) => extent / (MAX_SIDE - 1)));
  // A thousandth of a pixel is rounding.
  const [width, height, depth] = spans.map(({ extent }) => Math.floor(extent / spacing + 1e-3) + 1);
  const start = [across, down, along].reduce<Vector>(
    (sum, axis, at) => plus(sum, scaled(axis, spans[at]!.least)),
    [0, 0, 0],
  );
  return { origin: start, across, down, along, spacing, columns: width!, rows: height!, count: depth! };
}

/** Where the pictures of a section are along the normal of their plane, in mm. */
export function sectionPositions({ origin, across, down, along, spacing, count }: SectionGrid): number[] {
  const normal = cross(across, down);
  return Array.from({ length: count }, (_, index) => dot(plus(origin, scaled(along, index * spacing)), normal));
}

/** A picture of a section, 0-based: values between pixels are mixed of the eight around them. */
export function cutSection(volume: Volume, grid: SectionGrid, index: number): Frame {
  const { header } = volume.slices[Math.floor(volume.slices.length / 2)]!;
  const values = emptyValues(volume, header, grid.columns * grid.rows);
  const position = plus(grid.origin, scaled(grid.along, index * grid.spacing));
  fill(values, volume, grid, position);
  return {
    header: {
      ...header,
      ...(volume.isUniform ? {} : { type: 'float32', slope: 1, intercept: 0 }),
      ...{ rows: grid.rows, columns: grid.columns, minimum: volume.minimum, maximum: volume.maximum },
      ...{ spacing: [grid.spacing, grid.spacing], spacingAt: 'patient', aspect: 1, thickness: grid.spacing },
      ...{ position, orientation: [...grid.across, ...grid.down] },
      ...{ sopInstanceUid: null, instanceNumber: index + 1, frameRate: null, hasOverlay: false },
    },
    values,
    overlay: null,
  };
}

/** Outside of the volume, the picture has its least value. */
function emptyValues({ isUniform, minimum }: Volume, { type }: PixelHeader, length: number): PixelValues {
  if (!isUniform || type === 'float32') return new Float32Array(length).fill(minimum);
  if (type === 'int16') return new Int16Array(length).fill(minimum);
  return type === 'uint16' ? new Uint16Array(length).fill(minimum) : new Uint8Array(length).fill(minimum);
}

/** Goes through the picture in steps of the volume's own columns, rows and slices. */
function fill(values: PixelValues, volume: Volume, grid: SectionGrid, position: Vector): void {
  const toIndex = inverse(volume.steps);
  const start = toIndex(minus(position, volume.origin));
  const right = toIndex(scaled(grid.across, grid.spacing));
  const below = toIndex(scaled(grid.down, grid.spacing));
  const valueAt = reader(volume);
  const rounding = values instanceof Float32Array ? 0 : 0.5;
  for (let row = 0, target = 0; row < grid.rows; row += 1) {
    let [x, y, z] = [start[0] + below[0] * row, start[1] + below[1] * row, start[2] + below[2] * row];
    for (let column = 0; column < grid.columns; column += 1, target += 1) {
      const value = valueAt(x, y, z);
      if (!Number.isNaN(value)) values[target] = rounding === 0 ? value : Math.floor(value + rounding);
      x += right[0];
      y += right[1];
      z += right[2];
    }
  }
}

/** Beside the outermost pixel centers by rounding only. */
const EDGE = 1e-3;

/** Reads the value between the eight pixels around a place; outside, that is NaN. Runs for each pixel of a cut. */
function reader({ slices, columns, rows, isUniform }: Volume): (x: number, y: number, z: number) => number {
  const data = slices.map(({ values }) => values);
  const slopes = Float64Array.from(slices, ({ header }) => (isUniform ? 1 : header.slope));
  const intercepts = Float64Array.from(slices, ({ header }) => (isUniform ? 0 : header.intercept));
  const [lastX, lastY, lastZ] = [columns - 2, rows - 2, slices.length - 2];
  return (x, y, z) => {
    if (!(x >= -EDGE && y >= -EDGE && z >= -EDGE && x <= lastX + 1 + EDGE)) return NaN;
    if (!(y <= lastY + 1 + EDGE && z <= lastZ + 1 + EDGE)) return NaN;
    // The pixel before a place, so that there is one after it.
    const left = Math.max(0, Math.min(lastX, Math.floor(x)));
    const top = Math.max(0, Math.min(lastY, Math.floor(y)));
    const front = Math.max(0, Math.min(lastZ, Math.floor(z)));
    const [across, down, depth] = [x - left, y - top, z - front];
    const at = top * columns + left;
    const near = between(data[front]!, at, columns, across, down) * slopes[front]! + intercepts[front]!;
    const far = between(data[front + 1]!, at, columns, across, down) * slopes[front + 1]! + intercepts[front + 1]!;
    return near + (far - near) * depth;
  };
}

function between(values: PixelValues, at: number, columns: number, across: number, down: number): number {
  const above = values[at]! + (values[at + 1]! - values[at]!) * across;
  const below = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * across;
  return above + (below - above) * down;
}

/** From millimeters to steps of the volume: the inverse of the matrix whose columns are the steps. */
function inverse([a, b, c]: Volume['steps']): (millimeters: Vector) => Vector {
  const determinant = dot(a, cross(b, c));
  const rows = [cross(b, c), cross(c, a), cross(a, b)].map((row) => scaled(row, 1 / determinant));
  return (millimeters) => [dot(rows[0]!, millimeters), dot(rows[1]!, millimeters), dot(rows[2]!, millimeters)];
}

/** Halves both sides of a slice as often as told, each pixel the mean of those that it replaces. */
export function reduceSlice({ header, values }: Frame, times: number): Frame {
  const side = 2 ** times;
  if (side === 1) return { header, values, overlay: null };
  const { orientation, position, spacing } = header;
  const [columns, rows] = [Math.floor(header.columns / side), Math.floor(header.rows / side)];
  const reduced = new (values.constructor as new (length: number) => PixelValues)(columns * rows);
  const isFloat = reduced instanceof Float32Array;
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      for (let y = 0; y < side; y += 1)
        for (let x = 0; x < side; x += 1) sum += values[(row * side + y) * header.columns + column * side + x]!;
      const mean = sum / side ** 2;
      reduced[row * columns + column] = isFloat ? mean : Math.round(mean);
    }
  const plane = planeOf(header);
  const shift = (side - 1) / 2;
  const moved = plus(scaled(plane.across, shift * plane.spacing[1]), scaled(plane.down, shift * plane.spacing[0]));
  return {
    header: {
      ...{ ...header, columns, rows, orientation },
      position: position && plus(position, moved),
      spacing: spacing && [spacing[0] * side, spacing[1] * side],
    },
    values: reduced,
    overlay: null,
  };
}

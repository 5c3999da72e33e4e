import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import type { Frame } from './frames.ts';
import type { MeasureName } from './tools.ts';

/** A column and row from the center of the first pixel; between pixels too. */
export type PixelPoint = readonly [column: number, row: number];

/** What a measurement says. Lengths are in mm, or in pixels where the header has no size. */
export type Measured =
  | { kind: 'length'; length: number; unit: LengthUnit }
  | { kind: 'angle'; degrees: number }
  | { kind: 'region'; area: number; unit: LengthUnit; statistics: Statistics | null }
  | { kind: 'value'; value: PixelValue | null };
export type LengthUnit = 'mm' | 'px';

export interface Statistics {
  mean: number;
  /** Of the values themselves, not an estimate for more of them. */
  deviation: number;
  minimum: number;
  maximum: number;
  count: number;
  unit: string | null;
}
export type PixelValue = { gray: number; unit: string | null } | { color: [red: number, green: number, blue: number] };

/** Measures between points; null without enough of them. */
export function measure(name: MeasureName, points: readonly PixelPoint[], frame: Frame): Measured | null {
  const [first, second, third] = points;
  if (!first) return null;
  if (name === 'probe') return { kind: 'value', value: valueAt(frame, first) };
  if (!second) return null;
  if (name === 'length') return { kind: 'length', ...lengthOf(first, second, frame.header) };
  if (name === 'angle') return third ? { kind: 'angle', degrees: angleAt(first, second, third, frame.header) } : null;
  return regionOf(name, points, frame);
}

const sizeOf = ({ spacing, aspect }: PixelHeader): { across: number; down: number; unit: LengthUnit } =>
  spacing ? { down: spacing[0], across: spacing[1], unit: 'mm' } : { down: aspect, across: 1, unit: 'px' };

function lengthOf(from: PixelPoint, to: PixelPoint, header: PixelHeader): { length: number; unit: LengthUnit } {
  const { across, down, unit } = sizeOf(header);
  return { length: Math.hypot((to[0] - from[0]) * across, (to[1] - from[1]) * down), unit };
}

/** The angle at the second point, 0 to 180. */
function angleAt(from: PixelPoint, at: PixelPoint, to: PixelPoint, header: PixelHeader): number {
  const { across, down } = sizeOf(header);
  const direction = (point: PixelPoint): number => Math.atan2((point[1] - at[1]) * down, (point[0] - at[0]) * across);
  const turned = Math.abs(direction(from) - direction(to)) * (180 / Math.PI);
  return turned > 180 ? 360 - turned : turned;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function regionOf(name: 'ellipse' | 'rectangle', points: readonly PixelPoint[], frame: Frame): Measured {
  const [columns, rows] = [points.map(([column]) => column), points.map(([, row]) => row)];
  const box = {
    ...{ left: Math.min(...columns), right: Math.max(...columns) },
    ...{ top: Math.min(...rows), bottom: Math.max(...rows) },
  };
  const { across, down, unit } = sizeOf(frame.header);
  const square = (box.right - box.left) * across * (box.bottom - box.top) * down;
  const area = name === 'ellipse' ? (square * Math.PI) / 4 : square;
  return { kind: 'region', area, unit, statistics: statisticsOf(frame, box, name === 'ellipse') };
}

/** Of the pixels whose center is inside; null where there are none, and for colors. */
function statisticsOf({ header, values }: Frame, box: Box, isEllipse: boolean): Statistics | null {
  if (header.type === 'rgb8') return null;
  const { left, right, top, bottom } = box;
  const middle = [(left + right) / 2, (top + bottom) / 2] as const;
  const radius = [(right - left) / 2, (bottom - top) / 2] as const;
  let [count, sum, squares, minimum, maximum] = [0, 0, 0, Infinity, -Infinity];
  for (let row = Math.max(0, Math.ceil(top)); row <= Math.min(header.rows - 1, bottom); row += 1)
    for (let column = Math.max(0, Math.ceil(left)); column <= Math.min(header.columns - 1, right); column += 1) {
      if (isEllipse && ((column - middle[0]) / radius[0]) ** 2 + ((row - middle[1]) / radius[1]) ** 2 > 1) continue;
      const value = values[row * header.columns + column]! * header.slope + header.intercept;
      count += 1;
      sum += value;
      squares += value ** 2;
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    }
  if (count === 0) return null;
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean ** 2));
  return { mean, deviation, minimum, maximum, count, unit: header.unit };
}

/** The value of the pixel under a point; null outside. */
export function valueAt({ header, values }: Frame, [x, y]: PixelPoint): PixelValue | null {
  const [column, row] = [Math.round(x), Math.round(y)];
  if (column < 0 || row < 0 || column >= header.columns || row >= header.rows) return null;
  const at = row * header.columns + column;
  if (header.type === 'rgb8') return { color: [values[3 * at]!, values[3 * at + 1]!, values[3 * at + 2]!] };
  return { gray: values[at]! * header.slope + header.intercept, unit: header.unit };
}

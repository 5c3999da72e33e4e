import type { PixelHeader } from '../../../src-shared/contract/imaging-pixels.ts';
import type { DataSet } from './data-set.ts';
import type { FrameData } from './functional-groups.ts';

type Placement = Pick<
  PixelHeader,
  'spacing' | 'spacingAt' | 'aspect' | 'position' | 'orientation' | 'frameOfReference' | 'thickness'
>;
type Spacing = [rows: number, columns: number];

/** Pictures of a shadow: their spacing is that of the detector unless it was calibrated (PS3.3, 10.7.1.3). */
const PROJECTIONS = new Set(['CR', 'DX', 'MG', 'RF', 'XA', 'RG', 'PX', 'IO']);
/** Physical Units of an ultrasound region (PS3.3, C.8.5.5.1.15). */
const CENTIMETERS = 3;

/** Where the pixels of a frame are in the patient, and how large they are. */
export function readPlacement(data: DataSet, attributes: FrameData): Placement {
  const own = asSpacing(attributes.numbers('x00289110', 'x00280030', 'DS')) ?? ultrasoundSpacing(data);
  const detector = asSpacing(data.numbers('x00181164', 'DS'));
  const spacing = own ?? detector;
  const orientation = attributes.numbers('x00209116', 'x00200037', 'DS');
  const position = attributes.numbers('x00209113', 'x00200032', 'DS');
  return {
    spacing,
    spacingAt: spacing && (own && isInPatient(data, own, detector) ? 'patient' : 'detector'),
    aspect: aspectOf(data, spacing),
    position: position.length === 3 ? (position as [number, number, number]) : null,
    orientation: orientation.length === 6 && isUpright(orientation) ? (orientation as Placement['orientation']) : null,
    frameOfReference: data.text('x00200052'),
    thickness: attributes.numbers('x00289110', 'x00180050', 'DS')[0] ?? null,
  };
}

/** Null without two lengths above zero. */
function asSpacing([rows, columns]: readonly number[]): Spacing | null {
  return rows !== undefined && columns !== undefined && rows > 0 && columns > 0 ? [rows, columns] : null;
}

function isInPatient(data: DataSet, own: Spacing, detector: Spacing | null): boolean {
  if (!PROJECTIONS.has(data.text('x00080060') ?? '')) return true;
  if (data.text('x00280a02') !== null) return true;
  return detector !== null && (own[0] !== detector[0] || own[1] !== detector[1]);
}

/** Of the only region with lengths in both directions; several regions have a spacing each. */
function ultrasoundSpacing(data: DataSet): Spacing | null {
  const regions = data.items('x00186011').filter((region) => region.number('x00186024', 'US') === CENTIMETERS);
  const [region] = regions;
  if (!region || regions.length > 1 || region.number('x00186026', 'US') !== CENTIMETERS) return null;
  const [across, down] = [region.number('x0018602c', 'FD'), region.number('x0018602e', 'FD')];
  return asSpacing([Math.abs(down ?? 0) * 10, Math.abs(across ?? 0) * 10]);
}

function aspectOf(data: DataSet, spacing: Spacing | null): number {
  const [vertical, horizontal] = spacing ?? asSpacing(data.numbers('x00280034', 'IS')) ?? [1, 1];
  return vertical / horizontal;
}

/** Whether both directions have a length, and are not the same. */
function isUpright([rx = 0, ry = 0, rz = 0, cx = 0, cy = 0, cz = 0]: readonly number[]): boolean {
  const normal = Math.hypot(ry * cz - rz * cy, rz * cx - rx * cz, rx * cy - ry * cx);
  return normal > 0.9 && normal < 1.1;
}

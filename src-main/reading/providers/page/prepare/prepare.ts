import type { PageTurn } from '../../../../../src-shared/medical/page.ts';
import { turned, type Grey, type Point } from './grayscale.ts';
import { withoutLeaders } from './dot-leaders.ts';
import { evenLight } from './illumination.ts';
import { findSheet } from './page-outline.ts';
import { findSkew, liesSideways } from './skew.ts';
import { homography, project, warp, type Corners, type Homography } from './warp.ts';

/** Long side of a prepared page in pixels: A4 at about 300 dpi, at which the OCR models are best. */
const LONG_SIDE = 3400;
/** Less than this is not worth another sampling of the pixels. */
const LEAST_SKEW = 0.2;

export interface Prepared {
  grey: Grey;
  /** Boxes of what may be letters and digits, in pixels: left, top, right, bottom of each. */
  letters: Int32Array;
  /** Clockwise turn that was applied to the stored page. */
  turn: PageTurn;
  /** From shares of the prepared page to shares of the turned page; null when they are the same. */
  toDisplay: Homography | null;
}

/**
 * Makes a page ready for OCR: turned upright (`turn` null: only sideways is told apart, upside down is for the reader to notice),
 * a photographed sheet cut out and straightened, lines made level, light made even, leaders of dots taken off.
 */
export function prepare(stored: Grey, turn: PageTurn | null): Prepared {
  const sheetBefore = turn === null ? findSheet(stored) : null;
  const asked = turn ?? (liesSideways(sheetBefore ? cutOut(stored, sheetBefore).grey : stored) ? 90 : 0);
  const upright = turned(stored, asked);
  const sheet = asked === 0 && sheetBefore ? sheetBefore : findSheet(upright);
  const flat = sheet ? cutOut(upright, sheet) : { grey: upright, toSource: null };
  const level = makeLevel(flat.grey);
  const { grey, letters } = withoutLeaders(evenLight(level.grey));
  if (!flat.toSource && !level.toSource) return { grey, letters, turn: asked, toDisplay: null };
  const carry = (point: Point): Point => {
    const before = level.toSource ? project(level.toSource, point) : point;
    return flat.toSource ? project(flat.toSource, before) : before;
  };
  return { grey, letters, turn: asked, toDisplay: inShares(carry, grey, upright) };
}

interface Warped {
  grey: Grey;
  toSource: Homography | null;
}

/** The sheet between its corners, as large as an upright sheet of `LONG_SIDE`. */
function cutOut(grey: Grey, corners: Corners): { grey: Grey; toSource: Homography } {
  const [tl, tr, br, bl] = corners;
  const length = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
  const w = (length(tl, tr) + length(bl, br)) / 2,
    h = (length(tl, bl) + length(tr, br)) / 2;
  const scale = Math.min(1.8, Math.max(0.8, LONG_SIDE / Math.max(w, h)));
  const width = Math.round(w * scale),
    height = Math.round(h * scale);
  const toSource = homography(rectangle(width, height), corners);
  return { grey: warp(grey, toSource, width, height), toSource };
}

function makeLevel(grey: Grey): Warped {
  const degrees = findSkew(grey);
  if (Math.abs(degrees) < LEAST_SKEW) return { grey, toSource: null };
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const cx = grey.width / 2,
    cy = grey.height / 2;
  const toSource: Homography = [cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy, 0, 0, 1];
  return { grey: warp(grey, toSource, grey.width, grey.height), toSource };
}

const rectangle = (width: number, height: number): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

/** The same map between shares instead of pixels. */
function inShares(carry: (point: Point) => Point, from: Grey, to: Grey): Homography {
  const target = rectangle(from.width, from.height).map((corner) => {
    const { x, y } = carry(corner);
    return { x: x / to.width, y: y / to.height };
  });
  return homography(rectangle(1, 1), target as unknown as Corners);
}

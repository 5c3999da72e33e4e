import type { PageTurn } from '../../../../../src-shared/medical/page.ts';
import { invert, isMostlyDark, isUniform, rotate, type GrayscaleImage, type Point } from './grayscale.ts';
import { removeDotLeaders } from './dot-leaders.ts';
import { normalizeIllumination } from './illumination.ts';
import { findPageOutline, hasSheet } from './page-outline.ts';
import { findSkew, isSideways } from './skew.ts';
import { computeHomography, project, warp, type Corners, type Homography } from './warp.ts';

/** Long side of a prepared page in pixels: A4 at about 300 dpi, for which the OCR models work best. */
const LONG_SIDE = 3400;
/** A smaller skew, in degrees, is not worth resampling the image. */
const MIN_SKEW = 0.2;

export interface Prepared {
  grayscale: GrayscaleImage;
  /** Boxes of possible letters and digits, in pixels: left, top, right, bottom of each. */
  letters: Int32Array;
  /** Clockwise rotation that was applied to the stored page. */
  turn: PageTurn;
  /** Maps fractions of the prepared page to fractions of the rotated page; null if they are the same. */
  toDisplay: Homography | null;
}

/**
 * Prepares a page for OCR: inverts light print on a dark ground, rotates the page upright, crops and deskews a
 * photographed sheet, levels the lines, normalizes the illumination and removes dot leaders. With `turn` null, only
 * sideways pages are detected; the OCR reader has to detect upside-down ones.
 */
export function prepare(image: GrayscaleImage, turn: PageTurn | null): Prepared {
  // A page without print has no outline and no lines, but each search for them would find some.
  if (isUniform(image))
    return { grayscale: rotate(image, turn ?? 0), letters: new Int32Array(0), turn: turn ?? 0, toDisplay: null };
  const stored = isNegative(image) ? invert(image) : image;
  const sheetBefore = turn === null ? findPageOutline(stored) : null;
  const rotation = turn ?? (isSideways(sheetBefore ? cropPage(stored, sheetBefore).grayscale : stored) ? 90 : 0);
  const upright = rotate(stored, rotation);
  const sheet = rotation === 0 && sheetBefore ? sheetBefore : findPageOutline(upright);
  const flat = sheet ? cropPage(upright, sheet) : { grayscale: upright, toSource: null };
  const level = deskew(flat.grayscale);
  const { grayscale, letters } = removeDotLeaders(normalizeIllumination(level.grayscale));
  if (!flat.toSource && !level.toSource) return { grayscale, letters, turn: rotation, toDisplay: null };
  const carry = (point: Point): Point => {
    const before = level.toSource ? project(level.toSource, point) : point;
    return flat.toSource ? project(flat.toSource, before) : before;
  };
  return { grayscale, letters, turn: rotation, toDisplay: inShares(carry, grayscale, upright) };
}

/** Whether light print is on a dark ground, as on a screenshot in dark mode, rather than a sheet on a dark table. */
const isNegative = (image: GrayscaleImage): boolean => isMostlyDark(image) && !hasSheet(image);

interface Warped {
  grayscale: GrayscaleImage;
  toSource: Homography | null;
}

/** Crops the sheet between its corners to the size of an upright sheet of `LONG_SIDE`. */
function cropPage(grayscale: GrayscaleImage, corners: Corners): { grayscale: GrayscaleImage; toSource: Homography } {
  const [tl, tr, br, bl] = corners;
  const length = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
  const w = (length(tl, tr) + length(bl, br)) / 2,
    h = (length(tl, bl) + length(tr, br)) / 2;
  const scale = Math.min(1.8, Math.max(0.8, LONG_SIDE / Math.max(w, h)));
  const width = Math.round(w * scale),
    height = Math.round(h * scale);
  const toSource = computeHomography(rectangle(width, height), corners);
  return { grayscale: warp(grayscale, toSource, width, height), toSource };
}

function deskew(grayscale: GrayscaleImage): Warped {
  const degrees = findSkew(grayscale);
  if (Math.abs(degrees) < MIN_SKEW) return { grayscale, toSource: null };
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const cx = grayscale.width / 2,
    cy = grayscale.height / 2;
  const toSource: Homography = [cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy, 0, 0, 1];
  return { grayscale: warp(grayscale, toSource, grayscale.width, grayscale.height), toSource };
}

const rectangle = (width: number, height: number): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

/** Converts a map between pixels to a map between fractions. */
function inShares(carry: (point: Point) => Point, from: GrayscaleImage, to: GrayscaleImage): Homography {
  const target = rectangle(from.width, from.height).map((corner) => {
    const { x, y } = carry(corner);
    return { x: x / to.width, y: y / to.height };
  });
  return computeHomography(rectangle(1, 1), target as unknown as Corners);
}

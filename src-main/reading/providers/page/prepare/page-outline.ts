import { otsu, shrink, type GrayscaleImage, type Point } from './grayscale.ts';
import { brightestAround, growIntoShadow } from './shadow.ts';
import type { Corners } from './warp.ts';

/** Long side of the image in which the sheet is searched. */
const LOOK = 480;
/** Limits for the size of a sheet: a smaller area is something else, and a larger one fills the image. */
const MIN_SHARE = 0.2;
const MAX_SHARE = 0.985;
/** Minimum difference in gray values between the sheet and its background. */
const MIN_CONTRAST = 30;
/** Fraction of an edge's points that must be on the line; edges may be bent or covered by a thumb. */
const ON_LINE_SHARE = 0.55;
const ON_LINE_PIXELS = 2.5;
/** Outside of an edge it is so much darker than inside, both so many pixels from its line. */
const MIN_EDGE = 8;
const EDGE_REACH = 4;

/** `along` is y for the vertical edges and x for the others: position = slope · along + offset. */
interface Edge {
  slope: number;
  offset: number;
}

/**
 * Finds the corners of a bright sheet on a darker background, in pixels of the image; null for scans and other images
 * without such a sheet, and where the edge of a shadow was taken for one of the sheet, beyond which there is print.
 */
export function findPageOutline(grayscale: GrayscaleImage): Corners | null {
  const found = findSheet(grayscale);
  return found && areEdges(found.small, found.corners) ? inImage(found) : null;
}

/** Whether there is a bright sheet, even if not all of its edges can be found. */
export const hasSheet = (grayscale: GrayscaleImage): boolean => findSheet(grayscale) !== null;

/** A sheet in an image that is smaller by a factor. */
interface Sheet {
  small: GrayscaleImage;
  factor: number;
  corners: Corners;
}

const inImage = ({ corners, factor }: Sheet): Corners =>
  corners.map(({ x, y }) => ({ x: (x + 0.5) * factor, y: (y + 0.5) * factor })) as unknown as Corners;

function findSheet(grayscale: GrayscaleImage): Sheet | null {
  const factor = Math.max(1, Math.round(Math.max(grayscale.width, grayscale.height) / LOOK));
  const small = shrink(grayscale, factor);
  const mask = pageMask(small);
  if (!mask) return null;
  const { width, height } = small;
  const rows = spans(width, height, (y, x) => mask[y * width + x] === 1);
  const columns = spans(height, width, (x, y) => mask[y * width + x] === 1);
  const left = fitEdge(rows.map(({ at, first }) => ({ along: at, position: first })));
  const right = fitEdge(rows.map(({ at, last }) => ({ along: at, position: last })));
  const top = fitEdge(columns.map(({ at, first }) => ({ along: at, position: first })));
  const bottom = fitEdge(columns.map(({ at, last }) => ({ along: at, position: last })));
  if (!left || !right || !top || !bottom) return null;
  const corners: Corners = [
    intersect(left, top),
    intersect(right, top),
    intersect(right, bottom),
    intersect(left, bottom),
  ];
  return isPlausible(corners, width, height) ? { small, factor, corners } : null;
}

/** Whether each line between two corners is a step from bright to dark, or the border of the image. */
function areEdges(small: GrayscaleImage, corners: Corners): boolean {
  const data = brightestAround(small);
  const at = ({ x, y }: Point): number | null => {
    const isInside = x >= 0 && y >= 0 && x < small.width && y < small.height;
    return isInside ? (data[Math.floor(y) * small.width + Math.floor(x)] ?? null) : null;
  };
  return corners.every((from, i) => {
    const to = corners[(i + 1) % corners.length] ?? from;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    // The corners are in the order of the clock, so the outside is to the left of their way.
    const out = { x: ((to.y - from.y) / length) * EDGE_REACH, y: ((from.x - to.x) / length) * EDGE_REACH };
    const found = Array.from({ length: 17 }, (_, n) => {
      const share = (n + 2) / 20;
      const x = from.x + share * (to.x - from.x),
        y = from.y + share * (to.y - from.y);
      const [inside, outside, beyond] = [-1, 1, 3].map((steps) => at({ x: x + steps * out.x, y: y + steps * out.y }));
      if (inside == null || outside == null) return MIN_EDGE;
      // A shadow goes on getting darker.
      return inside - outside - Math.max(0, outside - (beyond ?? outside));
    });
    return (found.sort((a, b) => a - b)[8] ?? 0) >= MIN_EDGE;
  });
}

/** The largest bright area with its part in the shadow, if its size and contrast are those of a sheet. */
function pageMask(small: GrayscaleImage): Uint8Array | null {
  const limit = otsu(small);
  const { data, width } = small;
  const label = new Int32Array(data.length);
  // A thin dark stripe (of the scanner, or a fold) does not divide a sheet.
  const isBright = (at: number): boolean =>
    (data[at] ?? 0) > limit ||
    ((data[at - 2] ?? 0) > limit && (data[at + 2] ?? 0) > limit) ||
    ((data[at - 2 * width] ?? 0) > limit && (data[at + 2 * width] ?? 0) > limit);
  let best = 0,
    bestSize = 0,
    next = 0;
  const stack: number[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (label[start] !== 0 || !isBright(start)) continue;
    next += 1;
    let size = 0;
    stack.push(start);
    label[start] = next;
    while (stack.length) {
      const at = stack.pop() as number;
      size += 1;
      const x = at % width;
      for (const to of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (to >= 0 && to < data.length && label[to] === 0 && isBright(to)) {
          label[to] = next;
          stack.push(to);
        }
      }
    }
    if (size > bestSize) {
      best = next;
      bestSize = size;
    }
  }
  if (bestSize > MAX_SHARE * data.length) return null;
  const bright = Uint8Array.from(label, (value) => (value === best ? 1 : 0));
  const mask = growIntoShadow(small, bright) ?? bright;
  const share = mask.reduce((sum, value) => sum + value, 0) / data.length;
  return share >= MIN_SHARE && share <= MAX_SHARE && borderContrast(small, mask) >= MIN_CONTRAST ? mask : null;
}

/** How much darker the border of the image is than the sheet; in a scan, the border is paper. */
function borderContrast({ data, width, height }: GrayscaleImage, mask: Uint8Array): number {
  let rim = 0,
    rimCount = 0,
    sheet = 0,
    sheetCount = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x,
        value = data[at] ?? 0;
      if (mask[at] === 1) {
        sheet += value;
        sheetCount += 1;
      } else if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) {
        rim += value;
        rimCount += 1;
      }
    }
  const rimShare = rimCount / (6 * (width + height));
  return rimShare < 0.4 || sheetCount === 0 ? 0 : sheet / sheetCount - rim / rimCount;
}

/** First and last marked position of each row (or column). */
function spans(
  length: number,
  count: number,
  marked: (at: number, along: number) => boolean,
): { at: number; first: number; last: number }[] {
  const found: { at: number; first: number; last: number }[] = [];
  for (let at = 0; at < count; at += 1) {
    let first = -1,
      last = -1;
    for (let along = 0; along < length; along += 1)
      if (marked(at, along)) {
        if (first < 0) first = along;
        last = along;
      }
    if (first >= 0 && last - first > length * MIN_SHARE) found.push({ at, first, last });
  }
  return found;
}

/**
 * The line through most points: every pair of a sample is tried (RANSAC without randomness), then a line is fitted
 * through its points.
 */
function fitEdge(points: { along: number; position: number }[]): Edge | null {
  const middle = points.slice(Math.floor(points.length * 0.06), Math.ceil(points.length * 0.94));
  if (middle.length < 20) return null;
  const sample = Array.from(
    { length: 24 },
    (_, i) => middle[Math.floor((i * (middle.length - 1)) / 23)] as { along: number; position: number },
  );
  let best: typeof points = [];
  for (let i = 0; i < sample.length; i += 1)
    for (let j = i + 6; j < sample.length; j += 1) {
      const a = sample[i] as (typeof points)[0],
        b = sample[j] as (typeof points)[0];
      const slope = (b.position - a.position) / (b.along - a.along || 1);
      const near = middle.filter(
        (p) => Math.abs(a.position + slope * (p.along - a.along) - p.position) <= ON_LINE_PIXELS,
      );
      if (near.length > best.length) best = near;
    }
  if (best.length < middle.length * ON_LINE_SHARE) return null;
  const n = best.length,
    sx = sum(best, (p) => p.along),
    sy = sum(best, (p) => p.position);
  const slope =
    (n * sum(best, (p) => p.along * p.position) - sx * sy) / (n * sum(best, (p) => p.along ** 2) - sx ** 2 || 1);
  return { slope, offset: (sy - slope * sx) / n };
}

const sum = <T>(items: T[], of: (item: T) => number): number => items.reduce((total, item) => total + of(item), 0);

/** The point where x = v.slope·y + v.offset and y = h.slope·x + h.offset. */
function intersect(v: Edge, h: Edge): Point {
  const y = (h.slope * v.offset + h.offset) / (1 - h.slope * v.slope || 1e-9);
  return { x: v.slope * y + v.offset, y };
}

/** Whether opposite edges are similar and no corner is far outside the image. */
function isPlausible(corners: Corners, width: number, height: number): boolean {
  const length = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
  const [tl, tr, br, bl] = corners;
  const alike = (a: number, b: number): boolean => Math.min(a, b) / Math.max(a, b) > 0.6;
  const inside = corners.every(
    ({ x, y }) => x > -0.1 * width && x < 1.1 * width && y > -0.1 * height && y < 1.1 * height,
  );
  return (
    inside &&
    alike(length(tl, tr), length(bl, br)) &&
    alike(length(tl, bl), length(tr, br)) &&
    length(tl, tr) > 0.3 * width &&
    length(tl, bl) > 0.3 * height
  );
}

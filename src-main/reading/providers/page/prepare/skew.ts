import { findComponents } from './components.ts';
import { otsu, shrink, type GrayscaleImage } from './grayscale.ts';

/** Width to which a page is reduced before lines are detected; lines of text remain separate. */
const LOOK_WIDTH = 800;
const MAX_DEGREES = 15;
const COARSE = 0.5;
const FINE = 0.1;
/** Sideways text must be this much more distinct than upright text, because tables have columns, too. */
const SIDEWAYS_FACTOR = 1.25;

/** A connected component longer than this fraction of the page is a line, a border or an image, not text. */
const LONG_COMPONENT = 0.12;
/** If less of the ink remains, the page consists of frames and images, and all of its ink is used. */
const MIN_WRITING = 0.2;

interface Ink {
  xs: Float32Array;
  ys: Float32Array;
  width: number;
  height: number;
}

/** Dark pixels of a reduced page; none for pages without contrast. */
function inkOf(grayscale: GrayscaleImage): Ink {
  const small = shrink(
    grayscale,
    Math.max(1, Math.round(Math.max(grayscale.width, grayscale.height) / (LOOK_WIDTH * 1.4))),
  );
  const limit = Math.min(otsu(small), 200);
  const xs: number[] = [],
    ys: number[] = [];
  // A scanner's black border would outweigh all text.
  const margin = Math.round(small.width * 0.02);
  for (let y = margin; y < small.height - margin; y += 1)
    for (let x = margin; x < small.width - margin; x += 1) {
      if ((small.data[y * small.width + x] ?? 255) <= limit) {
        xs.push(x);
        ys.push(y);
      }
    }
  return { xs: Float32Array.from(xs), ys: Float32Array.from(ys), width: small.width, height: small.height };
}

/**
 * The ink of letters only, because a scanner's stripe or the rules of a form run from top to bottom on an upright page,
 * too.
 */
function writingOf(grayscale: GrayscaleImage): Ink {
  const small = shrink(
    grayscale,
    Math.max(1, Math.round(Math.max(grayscale.width, grayscale.height) / (LOOK_WIDTH * 1.4))),
  );
  const { components, runs, owners } = findComponents(small, Math.min(otsu(small), 200));
  const longest = LONG_COMPONENT * Math.max(small.width, small.height),
    margin = Math.round(small.width * 0.02);
  const isLong = components.map(({ left, top, right, bottom }) => Math.max(right - left, bottom - top) > longest);
  const xs: number[] = [],
    ys: number[] = [];
  let all = 0;
  owners.forEach((owner, run) => {
    const [y = 0, from = 0, to = 0] = runs.subarray(run * 3, run * 3 + 3);
    all += to - from + 1;
    if (isLong[owner] || y < margin || y >= small.height - margin) return;
    for (let x = Math.max(from, margin); x <= Math.min(to, small.width - margin - 1); x += 1) {
      xs.push(x);
      ys.push(y);
    }
  });
  return xs.length < MIN_WRITING * all
    ? inkOf(grayscale)
    : { xs: Float32Array.from(xs), ys: Float32Array.from(ys), width: small.width, height: small.height };
}

function bestAngle(along: Float32Array, across: Float32Array, span: number): { degrees: number; score: number } {
  const reach = Math.ceil(span * Math.tan((MAX_DEGREES * Math.PI) / 180)) + 2;
  const highest = across.reduce((max, value) => Math.max(max, value), 0);
  const rows = new Float64Array(Math.ceil(highest) + 2 * reach + 2);
  const scoreAt = (degrees: number): number => {
    countInRows(along, across, degrees, reach, rows);
    return sharpness(rows);
  };
  let best = { degrees: 0, score: scoreAt(0) };
  const tryAll = (from: number, to: number, step: number): void => {
    for (let degrees = from; degrees <= to; degrees += step) {
      const score = scoreAt(degrees);
      if (score > best.score) best = { degrees, score };
    }
  };
  tryAll(-MAX_DEGREES, MAX_DEGREES, COARSE);
  tryAll(best.degrees - COARSE, best.degrees + COARSE, FINE);
  return best;
}

/** Counts the ink of each row of a page that is skewed by so many degrees; row 0 is `reach` above the page. */
function countInRows(
  along: Float32Array,
  across: Float32Array,
  degrees: number,
  reach: number,
  rows: Float64Array,
): void {
  const slope = Math.tan((degrees * Math.PI) / 180);
  rows.fill(0);
  for (let i = 0; i < along.length; i += 1) {
    const row = Math.round((across[i] ?? 0) - (along[i] ?? 0) * slope) + reach;
    if (row >= 0 && row < rows.length) rows[row] = (rows[row] ?? 0) + 1;
  }
}

/** How sharply ink is concentrated in rows: the sum of squared differences of neighboring rows (Postl 1986). */
function sharpness(rows: Float64Array): number {
  let sum = 0;
  for (let i = 1; i < rows.length; i += 1) sum += ((rows[i] ?? 0) - (rows[i - 1] ?? 0)) ** 2;
  return sum;
}

/** Clockwise skew of text lines in degrees, within ±15; 0 for a page without text. */
export function findSkew(grayscale: GrayscaleImage): number {
  const { xs, ys, width } = inkOf(grayscale);
  return xs.length < 200 ? 0 : bestAngle(xs, ys, width).degrees;
}

/** Whether lines of text run from top to bottom. */
export function isSideways(grayscale: GrayscaleImage): boolean {
  const { xs, ys, width, height } = writingOf(grayscale);
  if (xs.length < 200) return false;
  return bestAngle(ys, xs, height).score > SIDEWAYS_FACTOR * bestAngle(xs, ys, width).score;
}

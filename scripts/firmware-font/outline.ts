import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Coverage of one glyph in 0..255, row by row, with its place around the pen: `left` and `top` count from the pen and
 * the baseline, y down.
 */
export type Bitmap = { width: number; height: number; left: number; top: number; coverage: Uint8Array };

/** The part of opentype.js (2.0, without types of its own) that is used here. */
export type Command =
  | { type: 'M' | 'L'; x: number; y: number }
  | { type: 'Q'; x: number; y: number; x1: number; y1: number }
  | { type: 'C'; x: number; y: number }
  | { type: 'Z' };
export type Outline = { advanceWidth: number; getPath(x: number, y: number, size: number): { commands: Command[] } };
type Face = {
  unitsPerEm: number;
  charToGlyphIndex(character: string): number;
  charToGlyph(character: string): Outline;
};

const require = createRequire(import.meta.url);
const opentype = require('opentype.js') as { parse(font: ArrayBuffer): Face };

/** The first face of the list that draws the character: fontsource cuts a font into files by script. */
export function openFaces(files: readonly string[]): Face[] {
  return files.map((file) => {
    const bytes = readFileSync(require.resolve(file));
    return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  });
}

export const faceOf = (faces: readonly Face[], character: string): Face | undefined =>
  faces.find((face) => face.charToGlyphIndex(character) !== 0);

/**
 * Draws `commands` (pixels, y down) by exact signed areas: each edge adds what it covers of every cell, so that no
 * sample grid shows.
 */
export function rasterise(commands: readonly Command[]): Bitmap {
  const edges = flatten(commands);
  if (edges.length === 0) return { width: 0, height: 0, left: 0, top: 0, coverage: new Uint8Array(0) };
  const xs = edges.flatMap(([x0, , x1]) => [x0, x1]);
  const ys = edges.flatMap(([, y0, , y1]) => [y0, y1]);
  const left = Math.floor(Math.min(...xs));
  const top = Math.floor(Math.min(...ys));
  const width = Math.ceil(Math.max(...xs)) - left;
  const height = Math.ceil(Math.max(...ys)) - top;
  const cells = new Float64Array((width + 2) * height);
  for (const [x0, y0, x1, y1] of edges) addEdge(cells, width + 2, x0 - left, y0 - top, x1 - left, y1 - top);
  const coverage = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    let sum = 0;
    for (let x = 0; x < width; x += 1) {
      sum += cells[y * (width + 2) + x] ?? 0;
      coverage[y * width + x] = Math.round(Math.min(1, Math.abs(sum)) * 255);
    }
  }
  return { width, height, left, top, coverage };
}

type Edge = [x0: number, y0: number, x1: number, y1: number];

function flatten(commands: readonly Command[]): Edge[] {
  const edges: Edge[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nextX: number, nextY: number): void => {
    if (y !== nextY) edges.push([x, y, nextX, nextY]);
    [x, y] = [nextX, nextY];
  };
  for (const command of commands) {
    if (command.type === 'M') [x, y, startX, startY] = [command.x, command.y, command.x, command.y];
    else if (command.type === 'L') to(command.x, command.y);
    else if (command.type === 'Q') {
      const [x0, y0] = [x, y];
      for (let step = 1; step <= CURVE_STEPS; step += 1) {
        const t = step / CURVE_STEPS;
        const u = 1 - t;
        to(
          u * u * x0 + 2 * u * t * command.x1 + t * t * command.x,
          u * u * y0 + 2 * u * t * command.y1 + t * t * command.y,
        );
      }
    } else if (command.type === 'Z') to(startX, startY);
    else throw new Error(`outline command ${command.type}: only TrueType outlines are read`);
  }
  return edges;
}
const CURVE_STEPS = 8;

/** Adds an edge to the running-sum cells: cell x gets the area right of the edge within it, cell x + 1 the rest. */
function addEdge(cells: Float64Array, stride: number, ax: number, ay: number, bx: number, by: number): void {
  const direction = ay < by ? 1 : -1;
  const [x0, y0, x1, y1] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay];
  const slope = (x1 - x0) / (y1 - y0);
  for (let row = Math.floor(y0); row < y1; row += 1) {
    const from = Math.max(y0, row);
    const till = Math.min(y1, row + 1);
    let x = x0 + (from - y0) * slope;
    let rest = till - from;
    const end = x0 + (till - y0) * slope;
    for (let guard = 0; rest > 1e-12 && guard < 4096; guard += 1) {
      const cell = slope < 0 && Number.isInteger(x) ? x - 1 : Math.floor(x);
      const border = nextBorder(slope, cell, end) ?? x;
      const part = slope === 0 || border === end ? rest : Math.min(rest, Math.abs((border - x) / slope));
      const middle = (x + border) / 2 - cell;
      const at = row * stride + cell;
      cells[at] = (cells[at] ?? 0) + direction * part * (1 - middle);
      cells[at + 1] = (cells[at + 1] ?? 0) + direction * part * middle;
      rest -= part;
      x = border;
    }
  }
}

/** Where a line leaves its cell or ends, in its direction; undefined for a vertical one. */
function nextBorder(slope: number, cell: number, end: number): number | undefined {
  if (slope > 0) return Math.min(cell + 1, end);
  return slope < 0 ? Math.max(cell, end) : undefined;
}

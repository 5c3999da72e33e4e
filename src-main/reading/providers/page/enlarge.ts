import type { GrayscaleImage } from './prepare/grayscale.ts';

/** Enlargement of a cell; at 300 dpi a decimal point is 4 or 5 pixels wide. */
const SCALE = 3;
/** Blank paper around a cell, as a fraction of its height. */
export const MARGIN = 0.35;
const PAPER = 255;

/** A part of an image in whole pixels. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Enlarges a part of an image bilinearly, with a rim of blank paper. */
export function enlarge({ data, width, height }: GrayscaleImage, part: Part): GrayscaleImage {
  const rim = Math.round(part.height * SCALE * MARGIN);
  const w = part.width * SCALE + 2 * rim,
    h = part.height * SCALE + 2 * rim;
  const enlarged = new Uint8Array(w * h).fill(PAPER);
  for (let y = 0; y < part.height * SCALE; y += 1) {
    const sy = Math.min(height - 1, part.top + y / SCALE),
      y0 = Math.floor(sy),
      y1 = Math.min(height - 1, y0 + 1);
    for (let x = 0; x < part.width * SCALE; x += 1) {
      const sx = Math.min(width - 1, part.left + x / SCALE),
        x0 = Math.floor(sx),
        x1 = Math.min(width - 1, x0 + 1);
      const at = (px: number, py: number): number => data[py * width + px] ?? PAPER;
      const upper = at(x0, y0) * (1 - sx + x0) + at(x1, y0) * (sx - x0);
      const lower = at(x0, y1) * (1 - sx + x0) + at(x1, y1) * (sx - x0);
      enlarged[(y + rim) * w + x + rim] = Math.round(upper * (1 - sy + y0) + lower * (sy - y0));
    }
  }
  return { data: enlarged, width: w, height: h };
}

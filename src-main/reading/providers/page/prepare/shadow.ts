import type { GrayscaleImage } from './grayscale.ts';

/**
 * A shadow darkens paper gradually: from one pixel to the next by less than this fraction, unlike the edge of a sheet.
 */
const MAX_STEP = 0.06;
const MIN_STEP = 4;
/** Distance of the pixels that are compared; print and noise of the camera are smaller. */
const REACH = 3;
/** A mask that grows by less has no part of the sheet in a shadow. */
const WORTH = 1.03;
/** Growth that reaches more of the border of the image has left the sheet. */
const MAX_BORDER = 0.12;

/**
 * Adds the part of a sheet under a soft shadow to the mask of its bright part; null if there is none or if the
 * sheet can't be distinguished from what is under it.
 */
export function growIntoShadow({ data, width, height }: GrayscaleImage, bright: Uint8Array): Uint8Array | null {
  const paper = brightestAround({ data, width, height });
  const mask = bright.slice();
  const stack: number[] = [];
  for (let at = 0; at < mask.length; at += 1) if (mask[at] === 1) stack.push(at);
  const before = stack.length;
  let size = before;
  while (stack.length) {
    const at = stack.pop() as number;
    const x = at % width,
      own = paper[at] ?? 0;
    for (const to of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (to < 0 || to >= mask.length || mask[to] === 1) continue;
      // Over a few pixels, the edge of a sheet is a larger step than any part of a shadow.
      if (isStep(paper, at, to, own)) continue;
      mask[to] = 1;
      size += 1;
      stack.push(to);
    }
  }
  return size > WORTH * before && borderShare(mask, width, height) < MAX_BORDER ? mask : null;
}

function isStep(paper: Uint8Array, at: number, to: number, own: number): boolean {
  const limit = Math.max(MIN_STEP, MAX_STEP * own);
  const ahead = to + (to - at) * (REACH - 1);
  const far = paper[ahead] ?? paper[to] ?? 0;
  return Math.abs((paper[to] ?? 0) - own) > limit || own - far > REACH * limit * 0.7;
}

/** The brightest pixel of each square of three: thin print disappears. */
export function brightestAround({ data, width, height }: GrayscaleImage): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const nx = x + dx,
            ny = y + dy;
          if (nx >= 0 && ny >= 0 && nx < width && ny < height) most = Math.max(most, data[ny * width + nx] ?? 0);
        }
      out[y * width + x] = most;
    }
  return out;
}

function borderShare(mask: Uint8Array, width: number, height: number): number {
  let touched = 0;
  for (let x = 0; x < width; x += 1) touched += (mask[x] ?? 0) + (mask[(height - 1) * width + x] ?? 0);
  for (let y = 0; y < height; y += 1) touched += (mask[y * width] ?? 0) + (mask[y * width + width - 1] ?? 0);
  return touched / (2 * (width + height));
}

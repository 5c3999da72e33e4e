import type { Bitmap } from './outline.ts';

/**
 * Glyphs are stored as four grey levels a pixel, coded by a range coder whose probabilities depend on four neighbours
 * already known
 * (left, above, above right, above left). The model is trained on all glyphs once and shipped with them, so a device
 * needs no table per glyph.
 * `firmware/core/text/glyph_reader.cpp` is the reader; `range` has 24 bits and probabilities are of 256.
 */
export const LEVELS = 4;
const CONTEXTS = LEVELS ** 4;
const NODES = 3;

export type Model = Uint8Array;

/** Coverage 0..255 to levels 0..3. */
export const quantise = (bitmap: Bitmap): Uint8Array =>
  Uint8Array.from(bitmap.coverage, (value) => Math.round((value * (LEVELS - 1)) / 255));

/** Calls `visit` for each binary decision of a glyph: which probability it uses and what it was. */
function decisions(levels: Uint8Array, width: number, visit: (slot: number, bit: 0 | 1) => void): void {
  const at = (x: number, y: number): number => (x < 0 || y < 0 || x >= width ? 0 : (levels[y * width + x] ?? 0));
  for (let y = 0; y * width < levels.length; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const context = ((at(x - 1, y) * LEVELS + at(x, y - 1)) * LEVELS + at(x + 1, y - 1)) * LEVELS + at(x - 1, y - 1);
      const level = at(x, y);
      visit(context * NODES, level >= 2 ? 1 : 0);
      visit(context * NODES + (level >= 2 ? 2 : 1), (level & 1) as 0 | 1);
    }
  }
}

/** For each context and node the share of zeros, 1..255 of 256. */
export function train(glyphs: readonly { levels: Uint8Array; width: number }[]): Model {
  const counts = new Float64Array(CONTEXTS * NODES * 2).fill(0.4);
  for (const { levels, width } of glyphs)
    decisions(levels, width, (slot, bit) => (counts[slot * 2 + bit] = (counts[slot * 2 + bit] ?? 0) + 1));
  return Uint8Array.from({ length: CONTEXTS * NODES }, (_, slot) => {
    const [zeros, ones] = [counts[slot * 2] ?? 0, counts[slot * 2 + 1] ?? 0];
    return Math.min(255, Math.max(1, Math.round((256 * zeros) / (zeros + ones))));
  });
}

/** One glyph as bytes; the reader may run on into the next glyph's bytes without harm. */
export function encode(levels: Uint8Array, width: number, model: Model): number[] {
  const bytes: number[] = [];
  let low = 0;
  let range = 0xffffff;
  const carry = (): void => {
    for (let at = bytes.length - 1; at >= 0; at -= 1) {
      bytes[at] = ((bytes[at] ?? 0) + 1) & 255;
      if (bytes[at] !== 0) break;
    }
    low -= 0x1000000;
  };
  decisions(levels, width, (slot, bit) => {
    const bound = (range >> 8) * (model[slot] ?? 0);
    if (bit === 0) range = bound;
    else {
      low += bound;
      range -= bound;
      if (low >= 0x1000000) carry();
    }
    while (range < 0x10000) {
      bytes.push(low >> 16);
      low = (low & 0xffff) << 8;
      range <<= 8;
    }
  });
  flush(bytes, low, range, carry);
  return bytes;
}

/** As few bytes as leave every continuation inside the last interval. */
function flush(bytes: number[], low: number, range: number, carry: () => void): void {
  for (const kept of [0, 1, 2, 3]) {
    const step = 2 ** (24 - 8 * kept);
    const value = Math.ceil(low / step) * step;
    if (kept < 3 && value + step > low + range) continue;
    if (value >= 0x1000000) carry();
    for (let at = 0; at < kept; at += 1) bytes.push((value >> (16 - 8 * at)) & 255);
    return;
  }
}

import type { StampTile } from './stamp-tile.ts';

/** Uncompressed pixels, row by row. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  /** Gray; or red, green and blue, and a fourth byte that is ignored. */
  channels: 1 | 3 | 4;
}

/** Share of the difference to black or white that a stamp covers. */
const OPACITY = 0.2;
/** Less of the stamp may be lost when the picture is compressed. */
const MIN_LEFT = 0.6;

/** Brightness of a pixel, 0 to 255 (ITU-R BT.601). */
const brightnessAt = (data: Uint8Array, at: number): number =>
  (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 8;

/** The brightness of each pixel. */
export function brightnessOf({ data, width, height, channels }: Pixels): Uint8Array {
  const brightness = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < brightness.length; i += 1, at += channels) brightness[i] = brightnessAt(data, at);
  return brightness;
}

/** Bright pixels are stamped dark and dark ones bright, so that a stamp is visible on everything. */
const targetFor = (brightness: number): 0 | 255 => (brightness >= 128 ? 0 : 255);

/**
 * Stamps the pixels, all over the page; every other row of tiles is moved by half a tile. `brightness` is that of the
 * pixels before.
 */
export function stampPixels({ data, width, height, channels }: Pixels, brightness: Uint8Array, tile: StampTile): void {
  for (let y = 0; y < height; y += 1) {
    const inkRow = (y % tile.height) * tile.width;
    let column = Math.floor(y / tile.height) % 2 === 1 ? tile.width >> 1 : 0;
    for (let at = y * width; at < (y + 1) * width; at += 1) {
      const ink = tile.ink[inkRow + column] ?? 0;
      column = column + 1 === tile.width ? 0 : column + 1;
      if (ink === 0) continue;
      const target = targetFor(brightness[at] ?? 0);
      const share = (OPACITY * ink) / 255;
      const first = at * channels;
      data[first] = mixed(data[first] ?? 0, target, share);
      data[first + 1] = mixed(data[first + 1] ?? 0, target, share);
      data[first + 2] = mixed(data[first + 2] ?? 0, target, share);
    }
  }
}

const mixed = (value: number, target: number, share: number): number => (value + (target - value) * share + 0.5) | 0;

/**
 * Whether the finished picture has the stamp: compares it with the brightness before, in every tile that is whole on
 * the page. The part of the difference that has the form of the stamp must be as strong as it was made.
 */
export function hasStamp(after: Pixels, before: Uint8Array, tile: StampTile): boolean {
  const { width, height } = after;
  if (before.length !== width * height) return false;
  const rows = Math.floor(height / tile.height);
  let whole = 0;
  for (let row = 0; row < rows; row += 1) {
    const shift = row % 2 === 1 ? tile.width >> 1 : 0;
    for (let left = shift === 0 ? 0 : tile.width - shift; left + tile.width <= width; left += tile.width) {
      whole += 1;
      if (shareLeft(after, before, tile, left, row * tile.height) < MIN_LEFT) return false;
    }
  }
  return whole > 0;
}

/** How much of the stamp is left in one tile of a picture: 1 if it is as it was made, 0 if there is nothing of it. */
function shareLeft(after: Pixels, before: Uint8Array, tile: StampTile, left: number, top: number): number {
  let made = 0,
    found = 0;
  for (let y = 0; y < tile.height; y += 1)
    for (let x = 0; x < tile.width; x += 1) {
      const ink = tile.ink[y * tile.width + x] ?? 0;
      if (ink === 0) continue;
      const at = (top + y) * after.width + left + x;
      const was = before[at] ?? 0;
      const change = ((targetFor(was) - was) * OPACITY * ink) / 255;
      made += change * change;
      const is = after.channels === 1 ? (after.data[at] ?? 0) : brightnessAt(after.data, at * after.channels);
      found += change * (is - was);
    }
  return made === 0 ? 0 : found / made;
}

/** Images are scaled down to at most this width and height, which is enough to tell a printed page from a photo. */
export const SAMPLE_PIXELS = 128;
/** A pixel of paper: the minimum of its darkest channel, and the maximum difference between its channels. */
const MIN_PAPER_VALUE = 130,
  MAX_PAPER_SPREAD = 48;
/** The minimum difference between neighboring pixels at the edge of a stroke. */
const MIN_STROKE_CONTRAST = 22;
/** The share of paper from which an image may be a document, and the share from which it is one. */
const MIN_PAPER_SHARE = 0.4,
  FULL_PAPER_SHARE = 0.75;
/** The share of stroke edges on a page with text, and the share from which an image is a texture without text. */
const TEXT_STROKE_SHARE = 0.05,
  MIN_TEXTURE_SHARE = 0.45;

/** A small decoded image on a white background, with one (gray) to four channels per pixel. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  channels: number;
}

/** Maps `from` to 0 and `to` to 1, clamped. */
const rampUp = (value: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)));

/** How much an image looks like a printed page, 0 to 1: light and colorless, with strokes. */
export function likelihoodOfPixels({ data, width, height, channels }: Pixels): number {
  let paper = 0,
    strokes = 0;
  const lumaAt = (at: number): number =>
    channels < 3 ? data[at]! : (data[at]! * 3 + data[at + 1]! * 6 + data[at + 2]!) / 10;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const [r, g, b] = channels < 3 ? [data[at]!, data[at]!, data[at]!] : [data[at]!, data[at + 1]!, data[at + 2]!];
      if (Math.min(r, g, b) >= MIN_PAPER_VALUE && Math.max(r, g, b) - Math.min(r, g, b) <= MAX_PAPER_SPREAD) paper += 1;
      if (x + 1 < width && Math.abs(lumaAt(at) - lumaAt(at + channels)) >= MIN_STROKE_CONTRAST) strokes += 1;
    }
  }
  const pixelCount = width * height;
  return (
    rampUp(paper / pixelCount, MIN_PAPER_SHARE, FULL_PAPER_SHARE) *
    rampUp(strokes / pixelCount, 0, TEXT_STROKE_SHARE) *
    (1 - rampUp(strokes / pixelCount, MIN_TEXTURE_SHARE, 1))
  );
}

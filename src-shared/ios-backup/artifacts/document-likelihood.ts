/** Small on purpose: whether a photo shows printed paper is seen at a glance. Pictures are made no larger than this, in both ways. */
export const SAMPLE_PIXELS = 128;
/** A pixel of paper: the lowest value of its darkest channel, and the largest difference between its channels. */
const LIGHT = 130,
  COLOURLESS = 48;
/** Difference between neighbours that is a stroke. */
const STROKE = 22;
/** Share of paper in the picture that makes a document likely, and the share that makes it certain. */
const MIN_PAPER_SHARE = 0.4,
  FULL_PAPER_SHARE = 0.75;
/** Share of strokes on a page with text, and in a texture without text. */
const TEXT = 0.05,
  TEXTURE = 0.45;

/** A small picture, decoded: one (grey) to four channels a pixel, on white. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  channels: number;
}

const between = (value: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)));

/** How much a picture looks like a page of print, 0 to 1: light and colourless, with strokes on it. */
export function likelihoodOfPixels({ data, width, height, channels }: Pixels): number {
  let light = 0,
    strokes = 0;
  const lumaAt = (at: number): number =>
    channels < 3 ? data[at]! : (data[at]! * 3 + data[at + 1]! * 6 + data[at + 2]!) / 10;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const [r, g, b] = channels < 3 ? [data[at]!, data[at]!, data[at]!] : [data[at]!, data[at + 1]!, data[at + 2]!];
      if (Math.min(r, g, b) >= LIGHT && Math.max(r, g, b) - Math.min(r, g, b) <= COLOURLESS) light += 1;
      if (x + 1 < width && Math.abs(lumaAt(at) - lumaAt(at + channels)) >= STROKE) strokes += 1;
    }
  }
  const ofAll = width * height;
  return (
    between(light / ofAll, MIN_PAPER_SHARE, FULL_PAPER_SHARE) *
    between(strokes / ofAll, 0, TEXT) *
    (1 - between(strokes / ofAll, TEXTURE, 1))
  );
}

import { shrink, type GrayscaleImage } from './grayscale.ts';

/**
 * Side of a tile whose brightest part is assumed to be paper, in pixels at about 300 dpi: larger than letters, smaller
 * than shadows.
 */
const TILE = 32;
/** Maximum deviation of paper that is even and bright enough to need no correction. */
const EVEN_SPREAD = 12;
const BRIGHT = 235;

/**
 * Divides a page by its illumination, so that paper becomes white everywhere. A page that is already white is returned
 * unchanged.
 */
export function normalizeIllumination(grayscale: GrayscaleImage): GrayscaleImage {
  const paper = paperMap(grayscale);
  const sorted = Uint8Array.from(paper.data).sort();
  const low = sorted[Math.floor(sorted.length * 0.05)] ?? 0,
    high = sorted[Math.floor(sorted.length * 0.95)] ?? 255;
  if (high - low <= EVEN_SPREAD && low >= BRIGHT) return grayscale;
  return divide(grayscale, paper);
}

/** The brightness of the paper for each tile, smoothed over its neighbors. */
function paperMap(grayscale: GrayscaleImage): GrayscaleImage {
  const small = shrink(grayscale, 4);
  const side = TILE / 4;
  const w = Math.max(1, Math.ceil(small.width / side)),
    h = Math.max(1, Math.ceil(small.height / side));
  const bright = new Uint8Array(w * h);
  for (let ty = 0; ty < h; ty += 1)
    for (let tx = 0; tx < w; tx += 1) bright[ty * w + tx] = brightPart(small, tx * side, ty * side, side);
  // A tile inside a dark bar or a black image gets the brightness of the surrounding paper.
  return smooth(smooth(largestAround({ data: bright, width: w, height: h })));
}

function brightPart({ data, width, height }: GrayscaleImage, x0: number, y0: number, side: number): number {
  const values: number[] = [];
  for (let y = y0; y < Math.min(y0 + side, height); y += 1)
    for (let x = x0; x < Math.min(x0 + side, width); x += 1) values.push(data[y * width + x] ?? 255);
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length * 0.8)] ?? 255;
}

const around = (grayscale: GrayscaleImage, combine: (values: number[]) => number): GrayscaleImage => {
  const out = new Uint8Array(grayscale.data.length);
  for (let y = 0; y < grayscale.height; y += 1)
    for (let x = 0; x < grayscale.width; x += 1) {
      const values: number[] = [];
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const nx = x + dx,
            ny = y + dy;
          if (nx >= 0 && ny >= 0 && nx < grayscale.width && ny < grayscale.height)
            values.push(grayscale.data[ny * grayscale.width + nx] ?? 255);
        }
      out[y * grayscale.width + x] = combine(values);
    }
  return { ...grayscale, data: out };
};
const largestAround = (grayscale: GrayscaleImage): GrayscaleImage => around(grayscale, (values) => Math.max(...values));
const smooth = (grayscale: GrayscaleImage): GrayscaleImage =>
  around(grayscale, (values) => values.reduce((sum, value) => sum + value, 0) / values.length);

function divide({ data, width, height }: GrayscaleImage, paper: GrayscaleImage): GrayscaleImage {
  const out = new Uint8Array(data.length);
  const at = (tx: number, ty: number): number =>
    paper.data[
      Math.min(paper.height - 1, Math.max(0, ty)) * paper.width + Math.min(paper.width - 1, Math.max(0, tx))
    ] ?? 255;
  for (let y = 0; y < height; y += 1) {
    const fy = y / TILE - 0.5,
      ty = Math.floor(fy),
      wy = fy - ty;
    for (let x = 0; x < width; x += 1) {
      const fx = x / TILE - 0.5,
        tx = Math.floor(fx),
        wx = fx - tx;
      const light =
        (at(tx, ty) * (1 - wx) + at(tx + 1, ty) * wx) * (1 - wy) +
        (at(tx, ty + 1) * (1 - wx) + at(tx + 1, ty + 1) * wx) * wy;
      const value = ((data[y * width + x] ?? 0) * 250) / Math.max(40, light);
      out[y * width + x] = value > 255 ? 255 : value;
    }
  }
  return { data: out, width, height };
}

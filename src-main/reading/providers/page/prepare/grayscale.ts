/** An 8-bit gray image, row by row; 0 is black. */
export interface GrayscaleImage {
  data: Uint8Array;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Shrinks an image by averaging squares of `factor` pixels; the remainder at the right and lower edge is dropped. */
export function shrink({ data, width, height }: GrayscaleImage, factor: number): GrayscaleImage {
  if (factor <= 1) return { data, width, height };
  const w = Math.max(1, Math.floor(width / factor)),
    h = Math.max(1, Math.floor(height / factor));
  const out = new Uint8Array(w * h);
  const area = factor * factor;
  const sums = new Uint32Array(w);
  for (let y = 0; y < h; y += 1) {
    sums.fill(0);
    for (let dy = 0; dy < factor; dy += 1) {
      let at = (y * factor + dy) * width;
      for (let x = 0; x < w; x += 1) {
        let sum = 0;
        for (let dx = 0; dx < factor; dx += 1) sum += data[at++] ?? 0;
        sums[x] = (sums[x] ?? 0) + sum;
      }
    }
    for (let x = 0; x < w; x += 1) out[y * w + x] = (sums[x] ?? 0) / area;
  }
  return { data: out, width: w, height: h };
}

/** Rotates clockwise by quarter turns. */
export function rotate(grayscale: GrayscaleImage, degrees: 0 | 90 | 180 | 270): GrayscaleImage {
  const { data, width, height } = grayscale;
  if (degrees === 0) return grayscale;
  const out = new Uint8Array(data.length);
  if (degrees === 180) {
    for (let i = 0, j = data.length - 1; j >= 0; i += 1, j -= 1) out[i] = data[j] ?? 0;
    return { data: out, width, height };
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = data[y * width + x] ?? 0;
      if (degrees === 90) out[x * height + (height - 1 - y)] = value;
      else out[(width - 1 - x) * height + y] = value;
    }
  }
  return { data: out, width: height, height: width };
}

/** The gray value that best separates dark from light (Otsu 1979). */
export function otsu({ data }: GrayscaleImage): number {
  const histogram = new Uint32Array(256);
  for (const value of data) histogram[value] = (histogram[value] ?? 0) + 1;
  let total = 0;
  histogram.forEach((count, value) => {
    total += count * value;
  });
  let below = 0,
    sumBelow = 0,
    best = 0,
    bestAt = 127;
  for (let t = 0; t < 256; t += 1) {
    below += histogram[t] ?? 0;
    if (below === 0) continue;
    const above = data.length - below;
    if (above === 0) break;
    sumBelow += t * (histogram[t] ?? 0);
    const gap = sumBelow / below - (total - sumBelow) / above;
    const between = below * above * gap * gap;
    if (between > best) {
      best = between;
      bestAt = t;
    }
  }
  return bestAt;
}

/** Print is darker or lighter than its paper by more than this, of 255. */
const MIN_CONTRAST = 16;

/** Whether a page is of one shade, as an empty page of a PDF and a photo of darkness are. */
export function isUniform({ data }: GrayscaleImage): boolean {
  let darkest = 255,
    lightest = 0;
  for (const shade of data) {
    if (shade < darkest) darkest = shade;
    if (shade > lightest) lightest = shade;
    if (lightest - darkest > MIN_CONTRAST) return false;
  }
  return true;
}

/** Share of dark pixels from which an image is mostly dark; a third of a page of text is ink at most. */
const MIN_DARK_SHARE = 0.6;
const DARK = 96;

/** Whether most of an image is dark. */
export function isMostlyDark({ data }: GrayscaleImage): boolean {
  let dark = 0;
  for (const shade of data) if (shade < DARK) dark += 1;
  return dark > MIN_DARK_SHARE * data.length;
}

/** The negative of an image. */
export const invert = ({ data, width, height }: GrayscaleImage): GrayscaleImage => ({
  data: data.map((shade) => 255 - shade),
  width,
  height,
});

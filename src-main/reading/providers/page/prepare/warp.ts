import type { GrayscaleImage, Point } from './grayscale.ts';

/** Row-major 3×3 projective map. */
export type Homography = readonly [number, number, number, number, number, number, number, number, number];
export type Corners = readonly [topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point];

/** The homography that maps four points to four others (direct linear transformation; Hartley and Zisserman, 4.1). */
export function computeHomography(from: Corners, to: Corners): Homography {
  const rows: number[][] = [];
  from.forEach((p, i) => {
    const q = to[i] ?? p;
    rows.push([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, q.x], [0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, q.y]);
  });
  const h = solve(rows);
  return [h[0] ?? 1, h[1] ?? 0, h[2] ?? 0, h[3] ?? 0, h[4] ?? 1, h[5] ?? 0, h[6] ?? 0, h[7] ?? 0, 1];
}

/** Gaussian elimination with partial pivoting, for eight equations with eight unknowns. */
function solve(rows: number[][]): number[] {
  const n = rows.length;
  const at = (r: number, c: number): number => rows[r]?.[c] ?? 0;
  for (let c = 0; c < n; c += 1) {
    let pivot = c;
    for (let r = c + 1; r < n; r += 1) if (Math.abs(at(r, c)) > Math.abs(at(pivot, c))) pivot = r;
    const top = rows[pivot] as number[];
    rows[pivot] = rows[c] as number[];
    rows[c] = top;
    for (let r = 0; r < n; r += 1) {
      if (r === c) continue;
      const factor = at(r, c) / (top[c] || 1e-12);
      const row = rows[r] as number[];
      for (let k = c; k <= n; k += 1) row[k] = (row[k] ?? 0) - factor * (top[k] ?? 0);
    }
  }
  return rows.map((row, i) => (row[n] ?? 0) / (row[i] || 1e-12));
}

/** Maps a point by a homography (row by row, with m[8] for the scale), in pixels. */
export function project(m: Homography, { x, y }: Point): Point {
  const w = m[6] * x + m[7] * y + m[8] || 1e-12;
  return { x: (m[0] * x + m[1] * y + m[2]) / w, y: (m[3] * x + m[4] * y + m[5]) / w };
}

/**
 * Creates an image of the given size by bilinear sampling at the positions that `toSource` returns; outside is white.
 */
export function warp(
  { data, width, height }: GrayscaleImage,
  toSource: Homography,
  outWidth: number,
  outHeight: number,
): GrayscaleImage {
  const out = new Uint8Array(outWidth * outHeight).fill(255);
  const [a, b, c, d, e, f, g, h, i] = toSource;
  for (let y = 0; y < outHeight; y += 1) {
    let nx = b * y + c,
      ny = e * y + f,
      nw = h * y + i;
    for (let x = 0; x < outWidth; x += 1, nx += a, ny += d, nw += g) {
      const sx = nx / nw,
        sy = ny / nw;
      if (sx < 0 || sy < 0 || sx >= width - 1 || sy >= height - 1) continue;
      const x0 = sx | 0,
        y0 = sy | 0,
        fx = sx - x0,
        fy = sy - y0,
        at = y0 * width + x0;
      const top = (data[at] as number) * (1 - fx) + (data[at + 1] as number) * fx;
      const low = (data[at + width] as number) * (1 - fx) + (data[at + width + 1] as number) * fx;
      out[y * outWidth + x] = top * (1 - fy) + low * fy + 0.5;
    }
  }
  return { data: out, width: outWidth, height: outHeight };
}

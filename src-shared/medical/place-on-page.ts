import type { BBox } from './page.ts';

/** Maps a box of the corrected page to the displayed page: the bounding box of its four projected corners. */
export function toDisplayBox([x, y, w, h]: BBox, homography: readonly number[] | null): BBox {
  if (!homography) return [x, y, w, h];
  const corners = [
    [x, y],
    [x + w, y],
    [x, y + h],
    [x + w, y + h],
  ].map(([px, py]) => project(homography, px ?? 0, py ?? 0));
  const xs = corners.map(([px]) => px),
    ys = corners.map(([, py]) => py);
  const left = Math.min(...xs),
    top = Math.min(...ys);
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** Applies a row-major 3×3 homography to a point. */
function project(m: readonly number[], x: number, y: number): [number, number] {
  const at = (i: number) => m[i] ?? 0;
  const w = at(6) * x + at(7) * y + at(8) || 1;
  return [(at(0) * x + at(1) * y + at(2)) / w, (at(3) * x + at(4) * y + at(5)) / w];
}

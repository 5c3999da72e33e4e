interface ImageSize {
  width: number | null;
  height: number | null;
}
export interface ImageRow {
  height: number;
  items: {
    /** Index in the whole list. */
    index: number;
    width: number;
  }[];
}

/** Images with a shape beyond these are cropped: a panorama would leave no room for others. */
const MIN_ASPECT_RATIO = 0.5;
const MAX_ASPECT_RATIO = 2.5;

const aspectRatioOf = ({ width, height }: ImageSize): number =>
  width && height ? Math.min(MAX_ASPECT_RATIO, Math.max(MIN_ASPECT_RATIO, width / height)) : 1;

/**
 * Lays out images in rows that fill `width` pixels, each image with its own aspect ratio; the last row has the desired
 * height. `start` is the index of the first image in the whole list.
 */
export function layOutRows(
  images: readonly ImageSize[],
  { width, height, gap, start = 0 }: { width: number; height: number; gap: number; start?: number },
): ImageRow[] {
  const rows: ImageRow[] = [];
  let row: { index: number; ratio: number }[] = [];
  let ratioSum = 0;
  const closeRow = (rowHeight: number): void => {
    rows.push({ height: rowHeight, items: row.map(({ index, ratio }) => ({ index, width: ratio * rowHeight })) });
    row = [];
    ratioSum = 0;
  };
  images.forEach((image, index) => {
    const ratio = aspectRatioOf(image);
    row.push({ index: start + index, ratio });
    ratioSum += ratio;
    const availableWidth = width - gap * (row.length - 1);
    if (ratioSum * height >= availableWidth) closeRow(availableWidth / ratioSum);
  });
  if (row.length > 0) closeRow(height);
  return rows;
}

export interface Sized {
  width: number | null;
  height: number | null;
}
export interface Placed {
  index: number;
  width: number;
}
export interface Row {
  height: number;
  items: Placed[];
}

/** Shapes beyond these are cut when they are shown: a panorama would leave no room for others. */
const NARROWEST = 0.5,
  WIDEST = 2.5;
const SQUARE = 1;

const shapeOf = ({ width, height }: Sized): number =>
  width && height ? Math.min(WIDEST, Math.max(NARROWEST, width / height)) : SQUARE;

/**
 * Rows of pictures that fill `width` px, each picture in its own shape; the last row keeps the wanted height.
 * `start`: index of the first picture in the whole list.
 */
export function justified(
  pictures: readonly Sized[],
  { width, height, gap, start = 0 }: { width: number; height: number; gap: number; start?: number },
): Row[] {
  const rows: Row[] = [];
  let row: { index: number; shape: number }[] = [],
    shapes = 0;
  const close = (own: number): void => {
    rows.push({ height: own, items: row.map(({ index, shape }) => ({ index, width: shape * own })) });
    row = [];
    shapes = 0;
  };
  pictures.forEach((picture, index) => {
    const shape = shapeOf(picture);
    row.push({ index: start + index, shape });
    shapes += shape;
    const room = width - gap * (row.length - 1);
    if (shapes * height >= room) close(room / shapes);
  });
  if (row.length > 0) close(height);
  return rows;
}

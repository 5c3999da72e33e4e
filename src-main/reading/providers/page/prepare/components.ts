import type { GrayscaleImage } from './grayscale.ts';

/** A group of connected dark pixels: its box in pixels (`right` and `bottom` included). */
export interface Component {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Finds connected dark areas (values up to `limit`, eight neighbors) of an image by runs of its rows and union-find.
 * `runs` contains row, first and last column of every dark run, `owners` the component of each.
 */
export function findComponents(
  { data, width, height }: GrayscaleImage,
  limit: number,
): { components: Component[]; runs: Int32Array; owners: Int32Array } {
  const runs: number[] = [],
    parents: number[] = [];
  const rootOf = (run: number): number => {
    let root = run;
    while ((parents[root] ?? root) !== root) root = parents[root] ?? root;
    for (let at = run; at !== root;) [at, parents[at]] = [parents[at] ?? root, root];
    return root;
  };
  let aboveFrom = 0,
    aboveTo = 0;
  for (let y = 0; y < height; y += 1) {
    const from = parents.length;
    let above = aboveFrom;
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      if ((data[at] ?? 255) > limit) continue;
      const start = x;
      while (x + 1 < width && (data[at + 1] ?? 255) <= limit) {
        x += 1;
        at += 1;
      }
      const run = parents.length;
      parents.push(run);
      runs.push(y, start, x);
      // Runs of the row above that touch this one, including diagonally.
      while (above < aboveTo && (runs[above * 3 + 2] ?? 0) < start - 1) above += 1;
      for (let touching = above; touching < aboveTo && (runs[touching * 3 + 1] ?? 0) <= x + 1; touching += 1)
        parents[rootOf(touching)] = rootOf(run);
    }
    [aboveFrom, aboveTo] = [from, parents.length];
  }
  const numbers = new Map<number, number>(),
    components: Component[] = [];
  const owners = Int32Array.from(parents, (_, run) => {
    const root = rootOf(run);
    const [y = 0, left = 0, right = 0] = [runs[run * 3], runs[run * 3 + 1], runs[run * 3 + 2]];
    const number = numbers.get(root);
    const component = number === undefined ? undefined : components[number];
    if (number === undefined || !component) {
      numbers.set(root, components.length);
      return components.push({ left, right, top: y, bottom: y }) - 1;
    }
    component.left = Math.min(component.left, left);
    component.right = Math.max(component.right, right);
    component.bottom = y;
    return number;
  });
  return { components, runs: Int32Array.from(runs), owners };
}

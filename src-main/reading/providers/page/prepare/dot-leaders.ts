import { findComponents, type Component } from './components.ts';
import { otsu, shrink, type GrayscaleImage } from './grayscale.ts';

/** Long side of A4 at about 300 dpi; the sizes below are pixels of such a page. */
const SIDE = 3400;
/** Size of printed dots between 6 and 14 points; blurred neighbors merge in pairs. */
const MIN_SIDE = 2,
  MAX_HEIGHT = 11,
  MAX_WIDTH = 28;
/** Height of letters and digits between 6 and 20 points. */
const MIN_LETTER = 13,
  MAX_LETTER = 75;
/** Maximum distance between the dots of a leader. */
const MAX_STEP = 40,
  MAX_RISE = 3.5;
/** Fewer dots are an ellipsis or the periods of an abbreviation. */
const MIN_DOTS = 8;
/**
 * A shorter piece belongs to a leader that a scanner stripe cut, if it continues at the same level within this
 * distance.
 */
const MIN_PIECE = 2,
  PIECE_REACH = 70;
/** Dots have equal sizes; letters of small print differ in width. */
const MIN_ALIKE = 0.7;

/**
 * Removes rows of dots ("Hemoglobin ........ 13.4") and dotted rules from a page, because OCR reads them as letters and
 * corrupts the words beside them. The remaining gap separates name and value equally well. A page without leaders is
 * returned unchanged. `letters` are the other dark components that may be letters or digits: left, top, right and
 * bottom of each.
 */
export function removeDotLeaders(grayscale: GrayscaleImage): { grayscale: GrayscaleImage; letters: Int32Array } {
  const scale = Math.max(grayscale.width, grayscale.height) / SIDE;
  const small = shrink(grayscale, 4);
  const paper = Uint8Array.from(small.data).sort()[Math.floor(small.data.length / 2)] ?? 255;
  // Small dots are paler than letters.
  const { components } = findComponents(grayscale, Math.round((otsu(small) + paper) / 2) - 8);
  const letters = Int32Array.from(
    components
      .filter((component) => isLetter(component, scale))
      .flatMap(({ left, top, right, bottom }) => [left, top, right, bottom]),
  );
  const dotLeaders = findDotLeaders(
    components.filter((component) => isDot(component, scale)),
    scale,
  );
  if (dotLeaders.length === 0) return { grayscale, letters };
  const data = Uint8Array.from(grayscale.data),
    rim = Math.max(1, Math.round(3 * scale));
  for (const { left, top, right, bottom } of dotLeaders.flat()) {
    for (let y = Math.max(0, top - rim); y <= Math.min(grayscale.height - 1, bottom + rim); y += 1)
      data.fill(
        paper,
        y * grayscale.width + Math.max(0, left - rim),
        y * grayscale.width + Math.min(grayscale.width - 1, right + rim) + 1,
      );
  }
  return { grayscale: { ...grayscale, data }, letters };
}

const widthOf = ({ left, right }: Component): number => right - left + 1;
const heightOf = ({ top, bottom }: Component): number => bottom - top + 1;
const middle = ({ top, bottom }: Component): number => (top + bottom) / 2;

function isDot(component: Component, scale: number): boolean {
  const width = widthOf(component),
    height = heightOf(component);
  return (
    height >= MIN_SIDE * scale &&
    height <= MAX_HEIGHT * scale &&
    width >= MIN_SIDE * scale &&
    width <= MAX_WIDTH * scale
  );
}

function isLetter(component: Component, scale: number): boolean {
  const width = widthOf(component),
    height = heightOf(component);
  return (
    height > MIN_LETTER * scale &&
    height < MAX_LETTER * scale &&
    width < 2 * MAX_LETTER * scale &&
    width > 0.12 * height
  );
}

/** Finds rows of dots with about the same distance between neighbors. */
function findDotLeaders(dots: readonly Component[], scale: number): Component[][] {
  const chains: Component[][] = [];
  const open: Component[][] = [];
  for (const dot of [...dots].sort((a, b) => a.left - b.left)) {
    let home = -1;
    for (let i = open.length - 1; i >= 0; i -= 1) {
      const last = open[i]?.at(-1);
      if (!last || dot.left - last.right > MAX_STEP * scale) open.splice(i, 1);
      else if (
        Math.abs(middle(last) - middle(dot)) <= MAX_RISE * scale &&
        dot.left > last.right &&
        Math.abs(heightOf(last) - heightOf(dot)) <= 4 * scale
      ) {
        home = i;
        break;
      }
    }
    const chain = open[home];
    if (chain) chain.push(dot);
    else {
      const chain = [dot];
      chains.push(chain);
      open.push(chain);
    }
  }
  const parts = chains.flatMap(splitUnevenParts),
    dotLeaders = parts.filter((part) => part.length >= MIN_DOTS && areAlike(part, scale));
  const pieces = parts.filter(
    (part) =>
      part.length >= MIN_PIECE &&
      !dotLeaders.includes(part) &&
      dotLeaders.some((dotLeader) => continuesLeader(dotLeader, part, scale)),
  );
  return [...dotLeaders, ...pieces];
}

/** Splits a chain where its step changes: the periods of "V.G.M." before a leader are not part of it. */
function splitUnevenParts(chain: readonly Component[]): Component[][] {
  const gaps = chain.slice(1).map((dot, i) => dot.left - (chain[i]?.right ?? 0));
  const usual = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const parts: Component[][] = [];
  chain.forEach((dot, i) => {
    const part = parts.at(-1);
    if (part && Math.abs((gaps[i - 1] ?? 0) - usual) <= Math.max(4, 0.6 * usual)) part.push(dot);
    else parts.push([dot]);
  });
  return parts;
}

function areAlike(chain: readonly Component[], scale: number): boolean {
  const widths = chain.map(widthOf),
    usual = [...widths].sort((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0;
  return (
    widths.filter((width) => Math.abs(width - usual) <= Math.max(2 * scale, 0.3 * usual)).length >=
    MIN_ALIKE * widths.length
  );
}

function continuesLeader(dotLeader: readonly Component[], piece: readonly Component[], scale: number): boolean {
  const [first, last, begin, end] = [dotLeader[0], dotLeader.at(-1), piece[0], piece.at(-1)];
  if (!first || !last || !begin || !end) return false;
  const before = first.left - end.right,
    after = begin.left - last.right,
    reach = PIECE_REACH * scale,
    rise = MAX_RISE * scale;
  return (
    (before > 0 && before < reach && Math.abs(middle(first) - middle(end)) <= rise) ||
    (after > 0 && after < reach && Math.abs(middle(last) - middle(begin)) <= rise)
  );
}

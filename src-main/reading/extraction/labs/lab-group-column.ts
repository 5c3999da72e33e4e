import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';
import { labTokens } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

const SAME_EDGE = 0.015;
/** So many rows begin at the edge of the names, without the name of a group before them. */
const MIN_ROWS = 2;

/**
 * Moves the names of groups that are printed to the left of the tests into a line of their own: "Chimie   Potassium
 * 3.8" over "            Créatinine   92".
 */
export function raiseGroups(page: LayoutPage): LayoutPage {
  const edges = page.lines.flatMap(({ segments: [first, ...others] }) =>
    first && others.length > 0 && isKnownTest(first.text) ? [first.bbox[0]] : [],
  );
  return {
    ...page,
    lines: page.lines.flatMap((line) => {
      const edge = line.segments[1]?.bbox[0] ?? 0;
      const rows = edges.filter((other) => Math.abs(other - edge) < SAME_EDGE).length;
      return rows >= MIN_ROWS && isRowOfGroup(line)
        ? [partOf(line, line.segments.slice(0, 1)), partOf(line, line.segments.slice(1))]
        : [line];
    }),
  };
}

/** Whether a line is a word that does not name a test, the name of one, and its result. */
function isRowOfGroup({ segments: [group, name, ...result] }: Line): boolean {
  return (
    group !== undefined &&
    name !== undefined &&
    /^\p{L}{3}[^\d:]*$/u.test(group.text) &&
    !isKnownTest(group.text) &&
    isKnownTest(name.text) &&
    labTokens(result).some(({ kind }) => kind === 'number')
  );
}

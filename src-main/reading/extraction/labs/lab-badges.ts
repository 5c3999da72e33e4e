import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';

/** A badge of an app that is broken in two: "Above" over "range", "Im" over "Normbereich". */
const BEGINS = /^(?:above|below|in|within|out of|outside|über|unter|im|ausserhalb|außerhalb|dans|hors|nella|fuori)$/iu;
const ENDS = /^(?:range|(?:norm|referenz)bereich|norm|(?:la )?norme|norma)$/iu;
/** Both parts are centered, one below the other; in fractions of the page. */
const SAME_MIDDLE = 0.05;

/** Joins the second line of a badge beside the name of a result, which would be taken for a name, to its first one. */
export function joinBadges(page: LayoutPage): LayoutPage {
  const lines: Line[] = [];
  for (const line of page.lines) {
    const above = lines.at(-1);
    const joined = above && withBadgeBelow(above, line);
    if (joined) lines[lines.length - 1] = joined;
    else lines.push(line);
  }
  return { ...page, lines };
}

function withBadgeBelow(above: Line, line: Line): Line | null {
  const [end, ...others] = line.segments;
  const begin = above.segments.at(-1);
  if (!end || !begin || others.length > 0 || !BEGINS.test(begin.text) || !ENDS.test(end.text)) return null;
  const middleOf = ([x, , w]: Line['bbox']): number => x + w / 2;
  if (Math.abs(middleOf(begin.bbox) - middleOf(end.bbox)) > SAME_MIDDLE) return null;
  const words = [...begin.words, ...end.words];
  const badge = { ...begin, words, text: `${begin.text} ${end.text}` };
  // What follows is as near as it is to the second line.
  return { ...partOf(above, [...above.segments.slice(0, -1), badge]), y: line.y };
}

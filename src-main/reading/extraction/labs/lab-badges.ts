import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

/** A badge of an app, which may be broken in two: "Above" over "range", "Im" over "Normbereich". */
const BEGIN = String.raw`(?:above|below|in|within|out of|outside|über|unter|im|ausserhalb|außerhalb|dans|hors|nella|fuori)`;
const END = String.raw`(?:range|(?:norm|referenz)bereich|norm|(?:la )?norme|norma)`;
const BEGINS = new RegExp(`^${BEGIN}$`, 'iu'),
  ENDS = new RegExp(`^${END}$`, 'iu'),
  WHOLE = new RegExp(`^${BEGIN} ${END}$`, 'iu');

/** Joins a badge, or its second line, to the name of a result above it; it would be taken for a name itself. */
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
  const [badge, ...others] = line.segments;
  const begin = above.segments.at(-1);
  if (!badge || !begin || others.length > 0) return null;
  // What follows is as near as it is to the second line.
  const joined = (segments: Segment[]): Line => ({ ...partOf(above, segments), y: line.y });
  if (WHOLE.test(badge.text) && !/\d/.test(above.text)) return joined([...above.segments, badge]);
  if (!BEGINS.test(begin.text) || !ENDS.test(badge.text)) return null;
  const whole = { ...begin, words: [...begin.words, ...badge.words], text: `${begin.text} ${badge.text}` };
  return joined([...above.segments.slice(0, -1), whole]);
}

import type { Found } from '../extraction.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { loadWords } from '../../knowledge/words.ts';

/**
 * Findings, follow-up instructions, and other passages that end them; `passage-headings.tsv` contains their headings.
 */
const PASSAGES = ['findings', 'follow_up', 'other'] as const;
type Passage = (typeof PASSAGES)[number];

export const findPassageHeadings = createPhraseFinder(loadWords('passage-headings', PASSAGES));
const MAX_LINES = 8;
const MAX_LETTERS = 600;

interface Heading {
  role: Passage;
  index: number;
  rest: string;
}

function headingOf(line: Line, index: number): Heading | null {
  const segment = line.segments[0];
  if (!segment) return null;
  const tokens = tokensOf(segment.words);
  const match = findPassageHeadings(tokens)[0];
  if (!match || match.from > 0) return null;
  const end = (tokens[match.to - 1]?.word ?? 0) + 1;
  const hasColon = (segment.words[end - 1]?.text ?? '').endsWith(':') || segment.words[end]?.text === ':';
  const after = line.words.slice(end).filter((word) => word.text !== ':');
  if (after.length > 0 && !hasColon) return null;
  return { role: match.role, index, rest: after.map((word) => word.text).join(' ') };
}

/** The text under the first heading of a role. Conclusions take precedence over findings because they come later. */
function passageOf(layout: Layout, role: Passage): Found<string> | null {
  const headings = layout.lines.flatMap((line, index) => headingOf(line, index) ?? []);
  const own = headings.filter((heading) => heading.role === role).at(-1);
  const first = own && layout.lines[own.index];
  if (!own || !first) return null;
  const next = headings.find((heading) => heading.index > own.index)?.index ?? layout.lines.length;
  const lines = own.rest ? [first] : [];
  let previous = first;
  for (const line of layout.lines.slice(own.index + 1, Math.min(next, own.index + 1 + MAX_LINES))) {
    if (line.page !== first.page || line.y - previous.y > 4 * Math.max(line.h, 0.008)) break;
    lines.push(line);
    previous = line;
  }
  const text = lines
    .map((line) => (line === first ? own.rest : line.segments.map((segment) => segment.text).join(' ')))
    .join(' ')
    .slice(0, MAX_LETTERS)
    .trim();
  const words = lines.flatMap((line) => line.words);
  return /\p{L}{4}/u.test(text)
    ? {
        value: text,
        confidence: confidenceOf(words) * 0.9,
        place: placeOf(first.page, words),
        label: first.segments[0]?.text.replace(/:.*$/, '') ?? '',
      }
    : null;
}

/** The passage below the heading for findings; null without one. */
export const readFindings = (layout: Layout): Found<string> | null => passageOf(layout, 'findings');
/** The passage about what is to be done next; null without one. */
export const readFollowUp = (layout: Layout): Found<string> | null => passageOf(layout, 'follow_up');

import { confidenceOf, overlapShare, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { wordRange } from '../layout/words-in-text.ts';
import { DATE_LABELS, type DateRole } from '../languages/date-labels.ts';
import { createPhraseFinder, tokensOf, type PhraseMatch } from '../languages/phrases.ts';
import type { Place } from '../extraction.ts';
import { findDates, type DateInText } from './date-text.ts';

/** A date on a page with the role its surroundings give it. */
export interface DateMention extends DateInText {
  page: number;
  place: Place;
  /** Null where nothing printed says what the date is. */
  role: DateRole | null;
  label: string | undefined;
  /** How firmly the label belongs to the date, 0–1. */
  strength: number;
  /** Mean confidence of the date's words, 0–1. */
  confidence: number;
  /** Printed within a sentence, not in a field or a letterhead. */
  inProse: boolean;
  /** One of a column of dates (rows of a table). */
  inColumn: boolean;
  /** Top of the line, share of the page. */
  y: number;
}

const findLabels = createPhraseFinder(DATE_LABELS);
/** A label further from its date than this many words does not name it. */
const LABEL_REACH_WORDS = 7;
/** Words of a segment before it counts as a sentence. */
const PROSE_WORDS = 9;

/** Every date of the pages with its role. `today` is YYYY-MM-DD. */
export function findDateMentions(layout: Layout, today: string): DateMention[] {
  return layout.pages.flatMap((page) =>
    markColumns(page.lines.flatMap((line, i) => mentionsOfLine(page, line, i, today))),
  );
}

function mentionsOfLine(page: LayoutPage, line: Line, index: number, today: string): DateMention[] {
  return line.segments.flatMap((segment, s) => {
    let after = 0;
    let previousRole: DateRole | null = null;
    return findDates(segment.text, today).map((date): DateMention => {
      const [first, end] = wordRange(segment.words, date.from, date.to);
      const words = segment.words.slice(first, end);
      const label =
        labelBefore(segment, after, first) ??
        (first === 0 ? (labelBeside(line, s) ?? labelAbove(page, index, segment)) : null);
      after = end;
      const closes = first === 0 && label === null && endsOpen(page.lines[index - 1]);
      const isTail = label !== null && isTailOfSentence(segment, first, label);
      const role = isTail ? null : roleOf(label?.role ?? null, closes, previousRole);
      previousRole = role;
      return {
        ...date,
        page: page.page,
        place: placeOf(page.page, words),
        confidence: confidenceOf(words),
        role,
        label: isTail ? undefined : label?.text,
        strength: isTail ? 0 : (label?.strength ?? 0),
        inProse: isTail || segment.words.length >= PROSE_WORDS,
        inColumn: false,
        y: line.y,
      };
    });
  });
}

/**
 * "… department on 6 August 2023.": the last line of a paragraph is short, but its "on" is not a label. "Lyon, le 6
 * août" is one.
 */
function isTailOfSentence(segment: Segment, first: number, label: Label): boolean {
  return (
    label.role === 'letter' &&
    /^(?:on|le|il|li|den|as of)$/i.test(label.text) &&
    /^\p{Ll}[\p{L}'’-]*$/u.test(segment.words[first - label.text.split(' ').length - 1]?.text ?? '')
  );
}

/** A line whose period continues in the next one: "… from work from 01/16/2020 through". */
const endsOpen = (line: Line | undefined): boolean =>
  line !== undefined &&
  /\d{2}[ ,]+(?:through|thru|until|till|to|bis(?: zum| einschließlich| einschliesslich)?|au|jusqu['’]?au|al|fino al)$/iu.test(
    line.text.trim(),
  );

/** What a date is by its label; the end of a period is what its start tells. */
function roleOf(labelled: DateRole | null, closes: boolean, previous: DateRole | null): DateRole | null {
  if (closes) return 'until';
  return labelled === 'until' ? endOf(previous) : labelled;
}

/** What the second date of "from … to …" is, when the first one is known. */
function endOf(start: DateRole | null): DateRole | null {
  if (start === 'admission' || start === 'stay') return 'discharge';
  return start === 'incapacity' ? 'validity' : (start ?? 'until');
}

interface Label {
  role: DateRole;
  text: string;
  strength: number;
}

/** The label in the same segment, between the date before (or the segment's begin) and this date. */
function labelBefore(segment: Segment, from: number, to: number): Label | null {
  const start = Math.max(from, to - LABEL_REACH_WORDS);
  const words = segment.words.slice(start, to);
  const match = bestLabel(findLabels(tokensOf(words)));
  if (!match) return null;
  const tokens = tokensOf(words);
  const text = words
    .slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1)
    .map((w) => w.text)
    .join(' ');
  const distance = words.length - (tokens[match.to - 1]?.word ?? 0) - 1;
  return { role: match.role, text: text.replace(/[:;,]+$/, ''), strength: distance <= 1 ? 1 : 1 - 0.08 * distance };
}

/**
 * The nearest label wins, but a plain "date" or "on" gives way to a word that says which date: "date of the last
 * sample".
 */
function bestLabel(matches: PhraseMatch<DateRole>[]): PhraseMatch<DateRole> | undefined {
  const last = matches.at(-1);
  // "Comparison with the examination of 12 March" is an earlier one.
  if (last?.role === 'examination' || last?.role === 'visit')
    return matches.findLast((m) => m.role === 'referral') ?? last;
  if (last?.role !== 'letter') return last;
  return matches.findLast((m) => m.role !== 'letter' && m.role !== 'until') ?? last;
}

/** A segment to the left that holds nothing but a label. */
function labelBeside(line: Line, index: number): Label | null {
  const beside = line.segments[index - 1];
  if (!beside || beside.words.length > 6 || /\d{2}/.test(beside.text)) return null;
  const label = labelBefore(beside, 0, beside.words.length);
  return label && { ...label, strength: label.strength * 0.95 };
}

/** A segment right above, in the same column, that holds nothing but a label. */
function labelAbove(page: LayoutPage, index: number, segment: Segment): Label | null {
  const line = page.lines[index];
  for (let i = index - 1; line && i >= Math.max(0, index - 2); i--) {
    const above = page.lines[i];
    if (!above || line.y - above.y > 3.2 * page.lineHeight) return null;
    const over = above.segments.find(
      (s) =>
        overlapShare(s.bbox[0], s.bbox[2], segment.bbox[0], segment.bbox[2]) > 0.4 &&
        Math.abs(s.bbox[0] - segment.bbox[0]) < 0.06,
    );
    if (!over) continue;
    if (over.words.length > 5 || /\d/.test(over.text)) return null;
    const label = labelBefore(over, 0, over.words.length);
    return label && { ...label, strength: label.strength * 0.8 };
  }
  return null;
}

/**
 * Dates that are above each other at the beginning or in a column of successive lines without labels are
 * rows of a table; fields of a form have labels that differ.
 */
function markColumns(mentions: DateMention[]): DateMention[] {
  return mentions.map((m) => {
    const alike = mentions.filter(
      (o) =>
        o !== m &&
        Math.abs(o.place.bbox[0] - m.place.bbox[0]) < 0.012 &&
        Math.abs(o.y - m.y) < 0.09 &&
        o.strength < 0.9 &&
        m.strength < 0.9 &&
        (o.role === m.role || o.role === null || m.role === null),
    );
    return alike.length >= 1 ? { ...m, inColumn: true } : m;
  });
}

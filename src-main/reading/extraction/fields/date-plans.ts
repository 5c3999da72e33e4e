import { overlapShare } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { DATE_LABELS, type DateRole } from '../languages/date-labels.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { isFree, type DateMention } from './date-mention.ts';

const findLabels = createPhraseFinder(DATE_LABELS);
const PLANS = new Set<DateRole>(['due', 'follow_up', 'validity']);
const MAX_HEADING_WORDS = 5;

/**
 * Dates of a column have the role of its heading where that is a plan: "Next due", "Auffrischung", "Valable jusqu'au".
 */
export function underPlans(page: LayoutPage, mentions: DateMention[]): DateMention[] {
  const headings = page.lines.flatMap(({ y, segments }) =>
    segments.length < 2
      ? []
      : segments.flatMap(({ words, text, bbox }) => {
          if (words.length > MAX_HEADING_WORDS || /\d/.test(text)) return [];
          const role = findLabels(tokensOf(words)).find((match) => PLANS.has(match.role))?.role;
          return role ? [{ y, role, text, bbox }] : [];
        }),
  );
  return mentions.map((date) => {
    if (date.role !== null || headings.length === 0) return date;
    const [x, , width] = date.place.bbox;
    const heading = headings.find(
      ({ y, bbox }) => y < date.y && (Math.abs(bbox[0] - x) < 0.02 || overlapShare(bbox[0], bbox[2], x, width) > 0.5),
    );
    return heading ? { ...date, role: heading.role, label: heading.text, strength: 0.8 } : date;
  });
}

/** Lines below a heading that its list of appointments may take. */
const MAX_PLANNED_LINES = 8;

/**
 * Dates without a word of their own in the lines below "Follow-up" or "Ihre Termine:" are planned, up to the next gap.
 */
export function underPlanHeading(page: LayoutPage, mentions: DateMention[]): DateMention[] {
  const planned = page.lines.flatMap((heading, index) => {
    const label = planOf(heading);
    if (label === null) return [];
    const below = page.lines.slice(index + 1, index + 1 + MAX_PLANNED_LINES);
    const end = below.findIndex(
      (line, i) => line.y - (below[i - 1] ?? heading).y > 2.6 * page.lineHeight || line.text.endsWith(':'),
    );
    return below.slice(0, end < 0 ? undefined : end).map(({ y }) => ({ y, label }));
  });
  return mentions.map((date) => {
    const own = planned.find(({ y }) => y === date.y);
    return own && isFree(date) && date.isCell ? { ...date, role: 'follow_up', label: own.label, strength: 0.8 } : date;
  });
}

/** The text of a line that is nothing but the heading of plans. */
function planOf({ segments, words, text }: Line): string | null {
  if (segments.length !== 1 || words.length > MAX_HEADING_WORDS || /\d/.test(text)) return null;
  const tokens = tokensOf(words);
  const match = findLabels(tokens).find(({ role }) => role === 'follow_up');
  return match && match.to - match.from >= tokens.length - 1 ? text : null;
}

/** So many other dates at the same left edge are a column, also of rows with several lines. */
const MIN_DISTANT = 2;

/**
 * Dates above each other at the start of lines, or in a column of successive lines without labels, are rows of a table;
 * the fields of a form have different labels.
 */
export function markColumns(mentions: DateMention[]): DateMention[] {
  return mentions.map((m) => {
    const below = mentions.filter(
      (o) =>
        o !== m &&
        Math.abs(o.place.bbox[0] - m.place.bbox[0]) < 0.012 &&
        (o.isCell || m.isCell) &&
        o.strength < 0.9 &&
        m.strength < 0.9 &&
        (o.role === m.role ||
          ((o.role === null || m.role === null) && o.role !== 'follow_up' && m.role !== 'follow_up')),
    );
    const alike = below.filter((o) => Math.abs(o.y - m.y) < 0.09);
    return alike.length >= 1 || below.length >= MIN_DISTANT ? { ...m, inColumn: true } : m;
  });
}

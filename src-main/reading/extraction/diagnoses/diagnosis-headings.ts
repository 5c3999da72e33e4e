import { findIcdCode } from '../../../../src-shared/medical/icd.ts';
import { loadWords } from '../../knowledge/words.ts';
import { isSuspected } from '../languages/assertion.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';

const HEADINGS = loadWords('diagnosis-headings', ['diagnoses', 'assessed', 'other']);
const findHeadings = createPhraseFinder(HEADINGS);

/** Bullet or number in front of a list item. */
export const BULLET = /^(?:[-•·*–—«»°¢¤oe+>▪■●#]|\(?\d{1,2}[.)]|[a-h][.)]|(?!V\.\s?a\.)[IVX]{1,4}[.)])\s+/u;
const STATE_AFTER = /^status\s+(?:post|nach|n\.|après|dopo|epilepticus)/iu;
/** Additions to a diagnosis, such as "Recurrence: …". */
export const LABELLED_PART = /^\p{L}[\p{L}\s.]{1,30}:/u;

export interface Heading {
  line: Line;
  index: number;
  role: 'diagnoses' | 'assessed' | 'other';
  /** Left edge of its column, 0 for the first of the page. */
  from: number;
  /** Left edge of the column beside it, if that has a heading in the same line. */
  to: number;
  rest: string;
  restWords: Line['words'];
}

/** A line that begins with a heading, alone or followed by a colon. */
export function headingOf(line: Line, index: number, ctx: RowContext): Heading | null {
  const segment = line.segments[0];
  if (!segment || segment.bbox[0] > MAX_LEFT) return null;
  const tokens = tokensOf(segment.words);
  const match = findHeadings(tokens)[0];
  if (!match || (match.from > 0 && !mayPrecede(segment, tokens[match.from]?.word ?? 0, match.role))) return null;
  // Only in French is "Diagnostics" on a separate line a heading; elsewhere it is part of a hospital's name.
  if (
    ctx.language !== 'fr' &&
    line.words.length === 1 &&
    tokens[match.from]?.text === 'diagnostics' &&
    !segment.text.endsWith(':')
  )
    return null;
  const beside = line.segments.slice(1).find((other) => findHeadings(tokensOf(other.words))[0]?.role === 'other');
  if (beside && isHeadingAlone(segment) && isHeadingAlone(beside))
    return { line, index, from: 0, to: beside.bbox[0], role: match.role, rest: '', restWords: [] };
  const end = (tokens[match.to - 1]?.word ?? 0) + 1;
  const printed = segment.words
    .slice(0, end)
    .map((word) => word.text)
    .join(' ');
  const after = line.segments
    .filter((part, i) => i === 0 || !LABELLED_PART.test(part.text))
    .flatMap(({ words }) => words)
    .slice(end)
    .filter((word, i) => word.text !== ':' && !(i === 0 && DASH.test(word.text)));
  // A heading in a separate column needs no colon.
  const apart = end === segment.words.length && line.segments.length > 1;
  const next = segment.words[end]?.text ?? '';
  const hasColon = apart || /[:;]$/.test(printed) || next === ':' || DASH.test(next) || /^\(?1[.)]$/.test(next);
  const shortTail =
    after.length <= 3 &&
    after.every((word) => /^[(/\p{L}\d]/u.test(word.text)) &&
    !after.some((word) => findIcdCode(word.text));
  // "3. Status post appendectomy" is an item.
  if (
    after.length > 0 &&
    !hasColon &&
    (!shortTail || match.from > 0 || BULLET.test(segment.text) || STATE_AFTER.test(segment.text))
  )
    return null;
  const isTailOfHeading = after.length > 0 && !hasColon;
  return {
    line,
    index,
    from: 0,
    to: Infinity,
    role: match.role,
    rest: isTailOfHeading ? '' : textOfItems(after, line),
    restWords: isTailOfHeading ? [] : after,
  };
}

/**
 * Whether a heading may have the words before it: a number, or in front of "diagnosis" and a colon the words of its
 * sentence: "ricoverata con diagnosi di:".
 */
function mayPrecede({ words, text }: Segment, count: number, role: Heading['role']): boolean {
  if (count === 1 && /^\W*\d*\W*$/.test(words[0]?.text ?? '')) return true;
  const before = words.slice(0, count).map((word) => word.text);
  return role === 'diagnoses' && count <= MAX_WORDS_BEFORE && text.endsWith(':') && !isSuspected(before.join(' '));
}
const MAX_WORDS_BEFORE = 4;

/** "Diagnostics   Polyarthralgies   Hypertension artérielle": what begins anew in a line is another item. */
function textOfItems(words: Line['words'], { segments }: Line): string {
  const begins = new Set(segments.slice(2).map((segment) => segment.words[0]));
  return words
    .map((word, i) => (i > 0 && begins.has(word) && /^\p{Lu}\p{Ll}/u.test(word.text) ? `; ${word.text}` : word.text))
    .join(' ')
    .replaceAll(' ;', ';');
}

/** "Diagnoses — Psoriasis; Gout". */
const DASH = /^[—–-]$/u;

/** A heading further right is that of a value beside it. */
const MAX_LEFT = 0.75;
/** Words of two columns are at most this far left of the heading of theirs. */
export const COLUMN_SLACK = 0.02;

/** Items may be indented. */
const isUnder = (x: number, heading: number): boolean => x > heading - COLUMN_SLACK && x < heading + MAX_INDENT;
const MAX_INDENT = 0.05;
/** Of so many lines under a heading in a column, at least two are in it. */
const LINES_OF_COLUMN = 4;

/** Whether nothing but a heading is in a cell: "Diagnosi" beside "Anamnesi". */
function isHeadingAlone({ words }: Segment): boolean {
  const tokens = tokensOf(words);
  const match = findHeadings(tokens)[0];
  return match?.from === 0 && match.to === tokens.length;
}

/** The words of a line between the left edges of two columns; null if there are none. */
export function lineFrom(line: Line, from: number, to: number = Infinity): Line | null {
  if (from === 0 && to === Infinity) return line;
  const segments = line.segments.filter(({ bbox }) => bbox[0] >= from - COLUMN_SLACK && bbox[0] < to - COLUMN_SLACK);
  const words = segments.flatMap((segment) => segment.words);
  if (words.length === 0) return null;
  return { ...line, segments, words, text: segments.map(({ text }) => text).join('  '), bbox: boxAround(words) };
}

/** A heading in a column to the right, with a colon or a list under it: the left one has the letterhead. */
export function headingInColumn(page: LayoutPage, line: Line, index: number, ctx: RowContext): Heading | null {
  for (const segment of line.segments.slice(1)) {
    const hasList =
      page.lines
        .slice(index + 1, index + 1 + LINES_OF_COLUMN)
        .filter(({ segments }) => segments.some(({ bbox }) => isUnder(bbox[0], segment.bbox[0]))).length > 1;
    if (segment.bbox[0] > MAX_LEFT || !(segment.text.trimEnd().endsWith(':') || hasList)) continue;
    const rest = lineFrom(line, segment.bbox[0]);
    const heading = rest && headingOf(rest, index, ctx);
    if (heading?.role === 'diagnoses' && heading.rest === '') return { ...heading, from: segment.bbox[0] };
  }
  return null;
}

const NOTE = /^(?:([SOP])|(A)|(A\/P)):/u;
/** Lines "S:", "O:", "A:" and "P:" of a note, at least three of them: what is behind "A:" is the diagnosis. */
export function headingsOfNotes(page: LayoutPage): Map<number, Heading> {
  const found = page.lines.flatMap((line, index) => {
    const letter = NOTE.exec(line.text)?.[0];
    return letter === undefined ? [] : [{ line, index, letter }];
  });
  if (new Set(found.map(({ letter }) => letter)).size < MIN_NOTES) return new Map();
  return new Map(
    found.map(({ line, index, letter }): [number, Heading] => {
      const isAssessed = letter.startsWith('A');
      const printed = line.words.map(({ text }) => text).join(' ');
      const rest = isAssessed ? printed.slice(letter.length).trim() : '';
      return [
        index,
        { line, index, from: 0, to: Infinity, role: isAssessed ? 'diagnoses' : 'other', rest, restWords: line.words },
      ];
    }),
  );
}
const MIN_NOTES = 3;

/** "Family history Mother: stroke" in the column of a list of diagnoses. */
export const beginsOtherPassage = ({ words }: Line): boolean => {
  const heading = findHeadings(tokensOf(words))[0];
  return heading?.from === 0 && heading.role !== 'diagnoses';
};

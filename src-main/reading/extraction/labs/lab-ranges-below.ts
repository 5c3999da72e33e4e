import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { tokensOf } from '../languages/phrases.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
import { labTokens } from './lab-tokens.ts';

/** Maximum distance of a range from the result above it, in usual line heights. */
const MAX_GAP_LINES = 2.5;
/** Distance of a range that is moved up to the end of its row, as a fraction of the page width. */
const GAP = 0.03;
const SAME_EDGE = 0.02;
/** Earlier results in the same row. */
const MAX_EARLIER = 3;
/** Words before the numbers: "Valeurs de référence :", "desiderabile". */
const MAX_WORDS_BEFORE = 4;

/**
 * Moves reference ranges that are printed below their results into the row above: "Hb  10.2 g/dl" over "Reference:
 * 12 - 16", also for several results side by side. Headings of ranges show that a range is beside its result, so such
 * pages stay as they are.
 */
export function raiseRanges(page: LayoutPage): LayoutPage {
  if (page.lines.some((line, index) => hasRangeHeading(line, page.lines[index - 1]))) return page;
  const lines: Line[] = [];
  for (const line of page.lines) {
    const above = lines.at(-1);
    const row = above && isBelow(page, above, line) ? withRanges(above, line) : null;
    if (row) lines[lines.length - 1] = row;
    else lines.push(line);
  }
  return { ...page, lines };
}

/** Whether a line contains the heading of a column of ranges; under another heading it says where the ranges are. */
const hasRangeHeading = ({ segments }: Line, above: Line | undefined): boolean =>
  segments.some(
    (segment) =>
      roleOfHeading(segment) === 'range' &&
      !above?.segments.some((upper) => isUnder(segment, upper) && roleOfHeading(upper) !== null),
  );

const isUnder = ({ bbox }: Segment, upper: Segment): boolean => Math.abs(bbox[0] - upper.bbox[0]) < SAME_EDGE;

function roleOfHeading({ words }: Segment): LabColumn | null {
  const tokens = tokensOf(words);
  const [match] = findLabHeadings(tokens);
  const isWhole = match?.from === 0 && match.to === tokens.length && !words.at(-1)?.text.endsWith(':');
  return isWhole ? match.role : null;
}

const isBelow = (page: LayoutPage, above: Line, line: Line): boolean =>
  line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, above.h);

/** The row above a line of ranges, each of them behind the result that it is under; null for other lines. */
function withRanges(above: Line, { segments }: Line): Line | null {
  const ranges = segments.map((segment) => ({ from: segment.bbox[0], range: rangeAlone(segment) }));
  const groups = resultsOf(above);
  const raised = groups.map((group, i) => {
    const next = groups[i + 1]?.[0]?.bbox[0] ?? 2;
    const own = ranges.filter(
      ({ from }) => (i === 0 || from > (group[0]?.bbox[0] ?? 0) - SAME_EDGE) && from < next - SAME_EDGE,
    );
    return own.length === 1 && own[0]?.range && isResultWithoutRange(group) ? behind(group, own[0].range) : group;
  });
  const hasAll = raised.filter((group, i) => group !== groups[i]).length === ranges.length;
  return hasAll ? { ...partOf(above, raised.flat()), bbox: above.bbox } : null;
}

/** The segments of each result in a row; a name behind a number begins another one. */
function resultsOf({ segments }: Line): Segment[][] {
  const groups: Segment[][] = [];
  let hasNumber = false;
  for (const segment of segments) {
    const kinds = labTokens([segment]);
    const last = groups.at(-1);
    if (!last || (hasNumber && kinds[0]?.kind === 'name' && /\p{L}{2}/u.test(segment.text))) {
      groups.push([segment]);
      hasNumber = false;
    } else last.push(segment);
    hasNumber ||= kinds.some(({ kind }) => kind === 'number');
  }
  return groups;
}

function isResultWithoutRange(segments: readonly Segment[]): boolean {
  const tokens = labTokens(segments);
  const numbers = tokens.filter(({ kind }) => kind === 'number').length;
  return (
    tokens[0]?.kind === 'name' &&
    numbers >= 1 &&
    numbers <= 1 + MAX_EARLIER &&
    !tokens.some(({ kind }) => kind === 'range' || kind === 'bound')
  );
}

/** The range of a segment that contains nothing else, without the words before it. */
function rangeAlone(segment: Segment): Segment | null {
  const { text } = segment;
  if (parseReferenceRange(text) === null) return null;
  const from = segment.words.findIndex((word) => /^[[(]?[<>≤≥]?[-−]?\d|^[[(]?[<>≤≥]$/.test(word.text));
  // The bracket before the words has no other one among the numbers.
  const words = segment.words
    .slice(from)
    .map((word) => (from > 0 && !/^[[(]/.test(word.text) ? { ...word, text: word.text.replace(/[\])]$/, '') } : word));
  const before = segment.words.slice(0, Math.max(0, from));
  const isLabelled = before.length > 0 && findLabHeadings(tokensOf(before))[0]?.role === 'range';
  const isBracketed = /^[[(]/.test(text) && /[\])]$/.test(text);
  if (from < 0 || before.length > MAX_WORDS_BEFORE) return null;
  const tokens = labTokens([{ words, text: words.map((word) => word.text).join(' '), bbox: boxAround(words) }]);
  const isBare = from === 0 && tokens[0]?.kind === 'range';
  const isRange = tokens.every(
    ({ kind, text: printed }) =>
      ['range', 'bound', 'unit'].includes(kind) || (kind === 'number' && /^\W*[<>≤≥]/.test(printed)),
  );
  if (!isRange || !(isLabelled || isBracketed || isBare)) return null;
  const whole = inBrackets(words);
  return { words: whole, text: whole.map((word) => word.text).join(' '), bbox: boxAround(whole) };
}

/** "< 200" behind a row would be an earlier result; brackets make it a range. */
const inBrackets = (words: Segment['words']): Segment['words'] =>
  /^[<>≤≥]/.test(words[0]?.text ?? '')
    ? words.map((word, i) => ({
        ...word,
        text: `${i === 0 ? '(' : ''}${word.text}${i === words.length - 1 ? ')' : ''}`,
      }))
    : words;

/** A result with the range as its last segment. */
function behind(result: readonly Segment[], range: Segment): Segment[] {
  const [x, , width] = result.at(-1)?.bbox ?? range.bbox;
  const words = range.words.map((word) => ({ ...word, x: word.x + x + width + GAP - range.bbox[0] }));
  return [...result, { ...range, words, bbox: boxAround(words) }];
}

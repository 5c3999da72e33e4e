import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { tokensOf } from '../languages/phrases.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findLabHeadings } from './lab-columns.ts';
import { labTokens } from './lab-tokens.ts';

/** Maximum distance of a range from the result above it, in usual line heights. */
const MAX_GAP_LINES = 2.5;
/** Distance of a range that is moved up to the end of its row, as a fraction of the page width. */
const GAP = 0.03;
/** Words before the numbers: "Valeurs de référence :", "desiderabile". */
const MAX_WORDS_BEFORE = 4;

/**
 * Moves reference ranges that are printed below their results to the end of the row above: "Hb  10.2 g/dl" over
 * "Reference: 12 - 16". Headings of ranges show that a range is beside its result, so such pages stay as they are.
 */
export function raiseRanges(page: LayoutPage): LayoutPage {
  if (page.lines.some(({ segments }) => segments.some(isRangeHeading))) return page;
  const lines: Line[] = [];
  for (const line of page.lines) {
    const above = lines.at(-1);
    const range = above && isResultWithoutRange(above) && isBelow(page, above, line) ? rangeAlone(line) : null;
    if (above && range) lines[lines.length - 1] = joined(above, range);
    else lines.push(line);
  }
  return { ...page, lines };
}

const isRangeHeading = ({ words }: Segment): boolean => {
  const tokens = tokensOf(words);
  const [match] = findLabHeadings(tokens);
  return match?.role === 'range' && match.from === 0 && match.to === tokens.length && !words.at(-1)?.text.endsWith(':');
};

const isBelow = (page: LayoutPage, above: Line, line: Line): boolean =>
  line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, above.h);

function isResultWithoutRange(line: Line): boolean {
  const tokens = labTokens(line.segments);
  const numbers = tokens.filter(({ kind }) => kind === 'number').length;
  return (
    tokens[0]?.kind === 'name' && numbers === 1 && !tokens.some(({ kind }) => kind === 'range' || kind === 'bound')
  );
}

/** The range of a line that contains nothing else, without the words before it. */
function rangeAlone({ segments, text }: Line): Segment | null {
  const [segment] = segments;
  if (!segment || segments.length > 1 || parseReferenceRange(text) === null) return null;
  const from = segment.words.findIndex((word) => /^[[(]?[<>≤≥]?\d|^[[(]?[<>≤≥]$/.test(word.text));
  // The bracket before the words has no other one among the numbers.
  const words = segment.words
    .slice(from)
    .map((word) => (from > 0 && !/^[[(]/.test(word.text) ? { ...word, text: word.text.replace(/[\])]$/, '') } : word));
  const before = segment.words.slice(0, Math.max(0, from));
  const isLabelled = before.length > 0 && findLabHeadings(tokensOf(before))[0]?.role === 'range';
  const isBracketed = /^[[(]/.test(segment.text) && /[\])]$/.test(segment.text);
  if (from < 0 || before.length > MAX_WORDS_BEFORE || !(isLabelled || isBracketed)) return null;
  const tokens = labTokens([{ words, text: words.map((word) => word.text).join(' '), bbox: boxAround(words) }]);
  const isRange = tokens.every(
    ({ kind, text: printed }) =>
      ['range', 'bound', 'unit'].includes(kind) || (kind === 'number' && /^\W*[<>≤≥]/.test(printed)),
  );
  return isRange ? { words, text: words.map((word) => word.text).join(' '), bbox: boxAround(words) } : null;
}

/** The row with the range as its last segment. */
function joined(row: Line, range: Segment): Line {
  const shift = row.bbox[0] + row.bbox[2] + GAP - range.bbox[0];
  const words = range.words.map((word) => ({ ...word, x: word.x + shift }));
  const segments = [...row.segments, { ...range, words, bbox: boxAround(words) }];
  return {
    ...row,
    segments,
    words: [...row.words, ...words],
    text: segments.map(({ text }) => text).join('  '),
  };
}

import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { Place } from '../extraction.ts';
import { tokensOf, type PhraseFinder, type PhraseMatch, type Token } from '../languages/phrases.ts';
import { confidenceOf, overlapShare, placeOf } from './geometry.ts';
import type { Layout, LayoutPage } from './layout.ts';
import type { Line, Segment } from './lines.ts';

/** A printed label with the words that it introduces. */
export interface Pair<R extends string> {
  role: R;
  label: string;
  text: string;
  words: PageWord[];
  page: number;
  place: Place;
  /** Top of the value's line, as a fraction of the page. */
  y: number;
  how: 'inline' | 'beside' | 'below';
  /** Whether the label ends with a colon. */
  hasColon: boolean;
  /** OCR confidence of the value, 0–1. */
  confidence: number;
}

/**
 * Finds labels with their values: "label: value", several on one line, label and value in neighboring columns, or the
 * value under its label. `isLabel` recognizes other labels: a row of labels has its values below it.
 */
export function findPairs<R extends string>(
  layout: Layout,
  find: PhraseFinder<R>,
  isLabel: (segment: Segment) => boolean = () => false,
): Pair<R>[] {
  return layout.pages.flatMap((page) =>
    page.lines.flatMap((line, i) =>
      line.segments.flatMap((_, s) => pairsOfSegment(page, line, i, s, { find, isLabel })),
    ),
  );
}

/** How labels are recognized: those whose value is wanted, and others that must not be mistaken for a value. */
interface Knowledge<R extends string> {
  find: PhraseFinder<R>;
  isLabel: (segment: Segment) => boolean;
}

interface Label<R extends string> {
  role: R;
  first: number;
  end: number;
  hasColon: boolean;
  text: string;
}

function pairsOfSegment<R extends string>(
  page: LayoutPage,
  line: Line,
  index: number,
  s: number,
  { find, isLabel }: Knowledge<R>,
): Pair<R>[] {
  const segment = line.segments[s];
  if (!segment) return [];
  const labels = labelsOf(segment, find);
  return labels.flatMap((label, i): Pair<R>[] => {
    const words = segment.words
      .slice(label.end, labels[i + 1]?.first ?? segment.words.length)
      .filter((w) => /[\p{L}\p{N}]/u.test(w.text));
    const isLast = i === labels.length - 1;
    if (words.length > 0) return [pair(label, words, line, 'inline')];
    if (!isLast) return [];
    const beside = line.segments[s + 1];
    if (beside && labelsOf(beside, find)[0]?.first !== 0 && !isLabel(beside))
      return [pair(label, beside.words, line, 'beside')];
    const under = segmentBelow(page, index, segment);
    if (!under || labelsOf(under.segment, find)[0]?.first === 0 || isLabel(under.segment)) return [];
    return [pair(label, under.segment.words, under.line, 'below')];
  });
}

/** Labels of a segment: one at its start, with or without a colon, and others that are followed by a colon. */
function labelsOf<R extends string>(segment: Segment, find: PhraseFinder<R>): Label<R>[] {
  const tokens = tokensOf(segment.words);
  return find(tokens)
    .map((match) => toLabel(segment, tokens, match))
    .filter((label) => label.hasColon || label.first === 0);
}

function toLabel<R extends string>(segment: Segment, tokens: readonly Token[], match: PhraseMatch<R>): Label<R> {
  const first = tokens[match.from]?.word ?? 0;
  let end = (tokens[match.to - 1]?.word ?? 0) + 1;
  const printed = segment.words
    .slice(first, end)
    .map((w) => w.text)
    .join(' ');
  let hasColon = /[:：]\)?$/.test(printed);
  while (!hasColon && /^[:;.(),/|–-]+$/.test(segment.words[end]?.text ?? '')) {
    hasColon = segment.words[end]?.text.startsWith(':') ?? false;
    end += 1;
  }
  return { role: match.role, first, end, hasColon, text: printed.replace(/[:;,]+$/, '') };
}

function segmentBelow(page: LayoutPage, index: number, segment: Segment): { segment: Segment; line: Line } | null {
  const own = page.lines[index];
  for (const line of page.lines.slice(index + 1, index + 3)) {
    if (!own || line.y - own.y > 2.8 * Math.max(page.lineHeight, own.h)) return null;
    const below = line.segments.find(
      (s) =>
        Math.abs(s.bbox[0] - segment.bbox[0]) < 0.03 ||
        overlapShare(s.bbox[0], s.bbox[2], segment.bbox[0], segment.bbox[2]) > 0.7,
    );
    if (below) return { segment: below, line };
  }
  return null;
}

function pair<R extends string>(label: Label<R>, words: PageWord[], line: Line, how: Pair<R>['how']): Pair<R> {
  return {
    role: label.role,
    label: label.text,
    text: words.map((w) => w.text).join(' '),
    words,
    page: line.page,
    place: placeOf(line.page, words),
    y: line.y,
    how,
    hasColon: label.hasColon,
    confidence: confidenceOf(words),
  };
}

import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

const BEGINS = /^[<>≤≥]?\d{1,4}[.,]$/;
const ENDS = /^\d{1,3}$/;
/** A blank within a number is at most so many of its characters wide. */
const MAX_BLANK = 1.5;

/**
 * Joins the numbers of a scan behind whose decimal mark a blank was read: "Bilirubin   1, 31 H   mg/dL". A cell begins
 * with such a number; in a sentence, "138, 4" are two.
 */
export const joinBrokenNumbers = (page: LayoutPage): LayoutPage =>
  page.source === 'ocr' ? { ...page, lines: page.lines.map(joinedLine) } : page;

function joinedLine(line: Line): Line {
  const segments = line.segments.map((segment, at) => (at === 0 ? segment : joinedCell(segment)));
  return segments.every((segment, at) => segment === line.segments[at]) ? line : partOf(line, segments);
}

function joinedCell(segment: Segment): Segment {
  const [sign, ...behind] = segment.words;
  const isSign = /^[<>≤≥]$/.test(sign?.text ?? '');
  const [first, second, ...rest] = isSign ? behind : segment.words;
  if (!sign || !first || !second || !BEGINS.test(first.text) || !ENDS.test(second.text)) return segment;
  const isNear = second.x - first.x - first.w < (MAX_BLANK * first.w) / first.text.length;
  if (!isNear) return segment;
  const number: PageWord = { ...first, text: first.text + second.text, w: second.x + second.w - first.x };
  return segmentOf([...(isSign ? [sign] : []), number, ...rest]);
}

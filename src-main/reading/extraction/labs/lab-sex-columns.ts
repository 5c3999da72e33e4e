import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { parseReferenceRange, sexOfRange } from '../../../../src-shared/medical/reference-range.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

type Sex = 'M' | 'F';

/** The heading of the ranges of one sex. */
interface SexColumn {
  sex: Sex;
  from: number;
  to: number;
}

/** The words that say in a cell for which sex its range is. */
const LABELS: Record<Sex, string> = { M: 'Männer', F: 'Frauen' };
/** A range begins at most so far from the heading above it, as a fraction of the page width. */
const MAX_DISTANCE = 0.03;
const MAX_WORDS_OF_HEADING = 4;

/**
 * Where the ranges of men and women are in columns of their own, "Männer   Frauen" over "< 50   < 35", writes into each
 * cell for whom it is, and joins the two cells: "Männer < 50 Frauen < 35".
 */
export function labelRangesBySex(page: LayoutPage): LayoutPage {
  let columns: SexColumn[] = [];
  const lines = page.lines.map((line) => {
    const own = columnsOf(line);
    if (own !== null) columns = own;
    return own !== null || columns.length === 0 ? line : labelled(line, columns);
  });
  return columns.length === 0 ? page : { ...page, lines };
}

/** The columns of a heading that names both sexes once; null for other lines. */
function columnsOf({ segments }: Line): SexColumn[] | null {
  const columns = segments.flatMap((segment) => {
    const sexes = segment.words.flatMap((word) => (sexOf(word) === null ? [] : [word]));
    const isOne = sexes.length === 1 && segment.words.length <= MAX_WORDS_OF_HEADING;
    const spans = isOne ? [segment.bbox] : sexes.map(({ x, w }) => [x, 0, w] as const);
    return sexes.flatMap((word, i): SexColumn[] => {
      const [from = word.x, , width = word.w] = spans[i] ?? [];
      const sex = sexOf(word);
      return sex === null ? [] : [{ sex, from, to: from + width }];
    });
  });
  const [first, second, ...others] = columns;
  const isOfBoth = first !== undefined && second !== undefined && others.length === 0 && first.sex !== second.sex;
  return isOfBoth && segments.every(({ text }) => !/\d/.test(text)) ? columns : null;
}

const sexOf = ({ text }: PageWord): Sex | null => sexOfRange(`${text.replace(/[():,]/g, '')} 1`);

/** A row whose cells under the headings of both sexes say for whom they are. */
function labelled(line: Line, columns: readonly SexColumn[]): Line {
  const cells = columns.flatMap((column) => {
    const cell = line.segments.find((segment) => isUnder(segment, column) && isRange(segment));
    return cell ? [{ cell, sex: column.sex }] : [];
  });
  const own = cells.map(({ cell }) => cell);
  if (cells.length === 0 || new Set(own).size < own.length) return line;
  const words = cells.flatMap(({ cell, sex }) => [labelOf(cell, sex), ...cell.words]);
  const joined: Segment = { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
  const at = line.segments.indexOf(own[0] ?? joined);
  const rest = line.segments.filter((segment) => !own.includes(segment));
  return partOf(line, [...rest.slice(0, at), joined, ...rest.slice(at)]);
}

const isUnder = ({ bbox: [x, , width] }: Segment, { from, to }: SexColumn): boolean =>
  Math.min(x + width, to) > Math.max(x, from) || Math.abs(x - from) < MAX_DISTANCE;

const isRange = ({ text }: Segment): boolean =>
  sexOfRange(text) === null &&
  /^[[(]?\s*(?:[<>≤≥]|\p{L}+\s)?\s*[-−]?\d/u.test(text) &&
  parseReferenceRange(text) !== null;

/** A word without width at the start of a cell. */
function labelOf({ words: [first] }: Segment, sex: Sex): PageWord {
  const { x = 0, y = 0, h = 0, confidence = 1 } = first ?? {};
  return { text: LABELS[sex], x, y, w: 0, h, confidence };
}

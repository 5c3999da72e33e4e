import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { tokensOf } from '../languages/phrases.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findLabHeadings } from './lab-columns.ts';
import { labTokens } from './lab-tokens.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';

/** Maximum gap between the lines of a card, in usual line heights. */
const MAX_GAP_LINES = 3;
const MAX_SKEW_LINES = 1.6;
const SAME_EDGE = 0.03,
  SAME_CENTER = 0.02;
const MAX_NAME_WORDS = 6;
/** Names, units, values and ranges. */
const MAX_LINES_OF_CARD = 5;

/**
 * Some laboratories print results as cards side by side: names in a line, perhaps their units, below them the values,
 * below these the ranges. Returns the lines of the page with each card as a line of its own, and the set of these lines.
 */
export function unfoldCards(page: LayoutPage): { page: LayoutPage; cards: Set<Line> } {
  const lines: Line[] = [],
    cards = new Set<Line>();
  for (let index = 0; index < page.lines.length;) {
    const { found, count, areCards } = linesAt(page, index);
    lines.push(...found);
    if (areCards) for (const card of found) cards.add(card);
    index += count;
  }
  return { page: { ...page, lines }, cards };
}

/** What begins at a line: cards, a slanted row of two lines, or this line alone. `count` lines of the page were used. */
function linesAt(page: LayoutPage, index: number): { found: Line[]; count: number; areCards: boolean } {
  const [first, next] = page.lines.slice(index, index + 2);
  if (!first) return { found: [], count: 1, areCards: false };
  const slanted = next && joinedBySlant(page, first, next);
  if (slanted) return { found: [slanted], count: 2, areCards: false };
  return cardsAt(page, index) ?? { found: [first], count: 1, areCards: false };
}

function cardsAt(page: LayoutPage, index: number): ReturnType<typeof linesAt> | null {
  const [names, ...below] = page.lines.slice(index, index + MAX_LINES_OF_CARD);
  if (!names) return null;
  const named = withFlags(names.segments);
  const above = areUnits(named, below[0]) ? below.shift() : undefined;
  const values = below.shift();
  if (!values) return null;
  const units = above ?? (areUnitsBelow(page, named, values, below[0]) ? below.shift() : undefined);
  const ranges = below[0] && withWholeRanges(below[0], named);
  const hasFlags = values.segments.length > named.length;
  const results = hasFlags ? withFlags(values.segments) : values.segments.map((text) => ({ text, flag: undefined }));
  if (!isNear(page, names, values, MAX_GAP_LINES + (above ? 2 : 0)) || !areCards(named, results, units)) return null;
  const hasRanges = ranges !== undefined && areRanges(page, above ? values : (units ?? values), ranges, named);
  const found = named.map(({ text: name, flag }, i) => {
    const result = results[i];
    const range = hasRanges ? ranges.segments.find((segment) => isUnder(name, segment)) : undefined;
    const value = result && withoutEarlier(result.text);
    const unit = units?.segments.find((segment) => isUnder(name, segment));
    const parts = [name, value, unit, range && withoutLabel(range), flag ?? result?.flag];
    return partOf(
      names,
      parts.filter((part) => part !== undefined),
    );
  });
  return { found, count: 2 + (units ? 1 : 0) + (hasRanges ? 1 : 0), areCards: true };
}

/** Whether two texts begin at the same edge, or are centered on each other. */
const isUnder = ({ bbox: [x, , w] }: Segment, { bbox: [under, , width] }: Segment): boolean =>
  Math.abs(x - under) < SAME_EDGE || Math.abs(x + w / 2 - under - width / 2) < SAME_CENTER;
const isNear = (page: LayoutPage, above: Line, below: Line, lines: number): boolean =>
  below.y - above.y < lines * Math.max(page.lineHeight, above.h);

/** The name or the value of a card, and the arrow or other flag behind it. */
interface Flagged {
  text: Segment;
  flag: Segment | undefined;
}

/** A dot of a color that is not in the text; it says nothing. */
const DOT = /^[●•○◯⬤]$/u;

function withFlags(segments: readonly Segment[]): Flagged[] {
  const flagged: Flagged[] = [];
  for (const segment of segments) {
    const last = flagged.at(-1);
    if (last && !last.flag && parseLabFlag(segment.text) !== null) last.flag = segment;
    else if (!last || !DOT.test(segment.text)) flagged.push({ text: segment, flag: undefined });
  }
  return flagged;
}

/** Whether a line has, under each name, its unit; a scan may have spoilt some of them. */
function areUnits(named: readonly Flagged[], line: Line | undefined): boolean {
  if (line?.segments.length !== named.length) return false;
  const units = line.segments.filter(({ text }) => isUnit(text, { inColumn: true })).length;
  return (
    2 * units > named.length &&
    line.segments.every((segment, i) => {
      const name = named[i];
      return name !== undefined && isUnder(name.text, segment) && !/^[[(<>≤≥]?\s?\d/.test(segment.text);
    })
  );
}

/** Whether a line below the values has nothing but units, each under its name; a ratio has none. */
const areUnitsBelow = (
  page: LayoutPage,
  named: readonly Flagged[],
  values: Line,
  line: Line | undefined,
): line is Line =>
  line !== undefined &&
  isNear(page, values, line, MAX_GAP_LINES) &&
  line.segments.every(
    (segment) => isUnit(segment.text, { inColumn: true }) && named.some(({ text: name }) => isUnder(name, segment)),
  );

/** "104 pmol/L (98 le 14/11/2025)": the earlier result in brackets is not part of this one. */
function withoutEarlier(value: Segment): Segment {
  const bracket = value.words.findIndex(({ text }, i) => i > 0 && text.startsWith('('));
  const words = value.words.slice(0, bracket);
  const rest = value.words.slice(bracket).map(({ text }) => text);
  const isEarlier = bracket > 0 && rest.length > 1 && /\d[\d./-]*\)$/u.test(rest.join(' '));
  return isEarlier ? { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) } : value;
}

/**
 * Whether a text is a number or a word of a result, perhaps with a unit and a flag behind it. Where units have a line of
 * their own, only a flag can be behind it, which a scan may have spoilt.
 */
function isValue(printed: Segment, hasOwnUnits: boolean): boolean {
  const [first, second, ...others] = labTokens([withoutEarlier(printed)]);
  if (!first || others.length > 1) return false;
  const isResult = first.kind === 'number' || (first.kind === 'name' && isWordResult(first.text));
  const isFlag = hasOwnUnits && others.length === 0 && (second?.words.length ?? 0) === 1;
  // "5.9 «": a scan spoilt a percent sign.
  const isSpoilt = second?.kind === 'name' && /^[^\p{L}\d]{1,2}$/u.test(second.text);
  return (
    isResult && (!second || second.kind !== 'name' || isFlag || isSpoilt || isUnit(second.text, { inColumn: true }))
  );
}

const isName = (segment: Segment): boolean =>
  /^\p{L}/u.test(segment.text) &&
  /\p{L}\.?\p{L}/u.test(segment.text) &&
  !segment.text.includes(':') &&
  segment.words.length <= MAX_NAME_WORDS &&
  !isWordResult(segment.text) &&
  findLabHeadings(tokensOf(segment.words)).every(({ from, to }) => from > 0 || to < tokensOf(segment.words).length) &&
  (isKnownTest(segment.text) || !labTokens([segment]).some(({ kind }) => kind === 'unit' || kind === 'range'));

/** Names over values, edge under edge, of which at least one has a unit or is a word. */
function areCards(named: readonly Flagged[], results: readonly Flagged[], units: Line | undefined): boolean {
  return (
    named.length > 1 &&
    named.length === results.length &&
    named.every(({ text: name }, i) => {
      const value = results[i]?.text;
      return value !== undefined && isName(name) && isUnder(name, value) && isValue(value, units !== undefined);
    }) &&
    (units !== undefined || results.some(({ text }) => labTokens([text]).length > 1))
  );
}

/** A line of ranges in which a scan has a wide blank: "Range: 0.50" and "1.03 mg/dL" are of one card. */
function withWholeRanges(line: Line, named: readonly Flagged[]): Line {
  const whole: Segment[] = [];
  for (const segment of line.segments) {
    const last = whole.at(-1),
      end = last?.words.at(-1);
    const isRest = /^\d/.test(segment.text) && !named.some(({ text: name }) => isUnder(name, segment));
    if (!last || !end || !isRest || !/\d[-–]?$/.test(end.text)) whole.push(segment);
    else {
      const dash = /[-–]$/.test(end.text) ? [] : [{ ...end, text: '-', x: end.x + end.w, w: 0 }];
      const words = [...last.words, ...dash, ...segment.words];
      whole[whole.length - 1] = { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
    }
  }
  return whole.length === line.segments.length ? line : partOf(line, whole);
}

function areRanges(page: LayoutPage, above: Line, ranges: Line, named: readonly Flagged[]): boolean {
  return (
    isNear(page, above, ranges, MAX_GAP_LINES) &&
    ranges.segments.every(
      (range) =>
        (named.some(({ text: name }) => isUnder(name, range)) || above.segments.some((one) => isUnder(one, range))) &&
        (labelWords(range) > 0 || /^[[(]?[<>≤≥]?\s?\d/.test(range.text)),
    )
  );
}

/** Number of words at the start of a range that say that it is one: "Reference:", "Norm". */
function labelWords({ words }: Segment): number {
  const tokens = tokensOf(words);
  const [match] = findLabHeadings(tokens);
  return match?.from === 0 && match.role === 'range' ? (tokens[match.to - 1]?.word ?? 0) + 1 : 0;
}

/** The range without its label and without a remark behind a dash: "Referenz: über 10 – auffällig". */
function withoutLabel(range: Segment): Segment {
  const own = range.words.slice(labelWords(range));
  const dash = own.findIndex(({ text }, i) => i > 0 && /^[-–—]$/.test(text) && /^\p{L}/u.test(own[i + 1]?.text ?? ''));
  const words = dash < 0 ? own : own.slice(0, dash);
  return words.length === 0 ? range : { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
}

/** A row of a slanted scan that became two lines: the name alone, and its result to the right and hardly below. */
function joinedBySlant(page: LayoutPage, name: Line, rest: Line): Line | null {
  const [only, ...others] = name.segments,
    [first] = rest.segments;
  if (page.source !== 'ocr' || !only || !first || others.length > 0) return null;
  const right = only.bbox[0] + only.bbox[2];
  const isBeside = first.bbox[0] > right && isNear(page, name, rest, MAX_SKEW_LINES);
  if (!isBeside || !isName(only) || !isResultFirst(rest)) return null;
  return partOf(rest, [only, ...rest.segments]);
}

const isResultFirst = ({ segments }: Line): boolean => {
  const [first] = labTokens(segments);
  return first !== undefined && first.kind === 'name' && isWordResult(first.text);
};

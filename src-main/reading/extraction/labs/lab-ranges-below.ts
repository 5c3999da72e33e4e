import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
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
export function raiseRanges(printed: LayoutPage): LayoutPage {
  const page = { ...printed, lines: printed.lines.map((line) => withWholeRange(line, printed.source === 'ocr')) };
  if (page.lines.some((line, index) => hasRangeHeading(line, page.lines[index - 1]))) return printed;
  const lines: Line[] = [];
  for (const line of page.lines) {
    const above = lines.at(-1);
    const row = above && isBelow(page, above, line) ? withRanges(above, line) : null;
    if (row) lines[lines.length - 1] = row;
    else lines.push(line);
  }
  return { ...page, lines };
}

const BARE_NUMBER = /^[[(]?\d+(?:[.,]\d+)?[\])]?$/;

/** A label far before its range, "rif.    > 40", and in a scan a range without its dash, "rif. 3,5   7,2", as one text. */
function withWholeRange(line: Line, isScanned: boolean): Line {
  const { segments, words } = line;
  const [label, ...rest] = segments;
  if (!label || labelledAs(label) !== 'range' || words.length > MAX_WORDS_BEFORE + 4) return line;
  const isLabelAlone = segments.length === 2 && roleOfHeading(label) === 'range';
  const isRange = isLabelAlone && rest[0] !== undefined && rangeAlone(rest[0], true) !== null;
  const at = words.findIndex(({ text }) => BARE_NUMBER.test(text));
  const [low, high, ...unit] = words.slice(at);
  const isDashLost =
    isScanned &&
    at > 0 &&
    low !== undefined &&
    high !== undefined &&
    [low, high].every(({ text }) => BARE_NUMBER.test(text)) &&
    numberOf(low.text) < numberOf(high.text) &&
    (unit.length === 0 || isUnit(unit.map(({ text }) => text).join(' '), { inColumn: true }));
  if (!isRange && !isDashLost) return line;
  const own = isDashLost ? [...words.slice(0, at), low, { ...low, text: '-', x: low.x + low.w, w: 0 }, high] : words;
  return partOf(line, [{ words: own, text: own.map(({ text }) => text).join(' '), bbox: boxAround(own) }]);
}
const numberOf = (text: string): number => Number(text.replace(/[^\d.,]/g, '').replace(',', '.'));

/** Whether a line contains the heading of a column of ranges; under another heading it says where the ranges are. */
const hasRangeHeading = (line: Line, above: Line | undefined): boolean =>
  !isRangeWithFlag(line) &&
  !isRangeWithUnit(line) &&
  line.segments.some(
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

/** Whether a line holds a range, or no more than its label, and what a portal says of it: "Referenz bis 6,5   erhöht". */
function isRangeWithFlag({ segments }: Line): boolean {
  const [range, flag] = segments;
  return (
    segments.length === 2 && range !== undefined && flag !== undefined && isFlag(flag) && labelledAs(range) === 'range'
  );
}

/** Whether a line of a card holds a range at the left, and at the right the unit of the result above: "Norm: 7 - 35   U/L". */
function isRangeWithUnit({ segments }: Line): boolean {
  const [range, unit] = segments;
  return (
    segments.length === 2 &&
    range !== undefined &&
    unit !== undefined &&
    isUnit(unit.text, { inColumn: true }) &&
    rangeAlone(range, false) !== null &&
    labelledAs(range) === 'range'
  );
}

/** Whether a line of a card holds a range at the left, and at the right the result: "Norm: 7 - 35   12". */
const isRangeWithValue = ({ segments: [range, value, ...others] }: Line): boolean =>
  range !== undefined &&
  value !== undefined &&
  others.length === 0 &&
  labelledAs(range) === 'range' &&
  rangeAlone(range, false) !== null &&
  labTokens([value]).every(({ kind }) => kind === 'number' || kind === 'flag') &&
  labTokens([value])[0]?.kind === 'number';

const labelledAs = ({ words }: Segment): LabColumn | null => findLabHeadings(tokensOf(words))[0]?.role ?? null;

const isFlag = ({ text }: Segment): boolean => parseLabFlag(text) !== null;

/** The row above a line of ranges, each of them behind the result that it is under; null for other lines. */
function withRanges(above: Line, below: Line): Line | null {
  const { segments } = below;
  if (isRangeWithFlag(below)) return withRangeAndFlag(above, segments);
  if (isRangeWithUnit(below)) return withRangeAndUnit(above, segments);
  if (isRangeWithValue(below)) return withRangeAndValue(above, segments);
  const isAlone = segments.length === 1;
  const ranges = segments.map((segment) => ({ from: segment.bbox[0], range: rangeAlone(segment, isAlone) }));
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

/** The row above with the flag and, unless the scan lost it, with the range. */
function withRangeAndFlag(above: Line, [label, flag]: readonly Segment[]): Line | null {
  const [result, ...others] = resultsOf(above);
  if (!label || !flag || !result || others.length > 0 || !isResultWithoutRange(result)) return null;
  const range = rangeAlone(label, true);
  if (range === null && roleOfHeading(label) === null) return null;
  return { ...partOf(above, behind(range === null ? result : behind(result, range), flag)), bbox: above.bbox };
}

/** The row above, which has a name and a number, with the unit and the range. */
function withRangeAndUnit(above: Line, [label, unit]: readonly Segment[]): Line | null {
  const [result, ...others] = resultsOf(above);
  const range = label && rangeAlone(label, true);
  if (!range || !unit || !result || others.length > 0 || !isResultWithoutRange(result)) return null;
  if (labTokens(result).some(({ kind }) => kind === 'unit')) return null;
  return { ...partOf(above, behind(behind(result, unit), range)), bbox: above.bbox };
}

/** The row above, which has a name and perhaps a unit, with the result and the range. */
function withRangeAndValue({ segments, ...above }: Line, [label, value]: readonly Segment[]): Line | null {
  const [name, ...printed] = segments;
  const marks = printed.flatMap(unitAndFlag);
  const range = label && rangeAlone(label, true);
  const tokens = labTokens(name ? [name, ...marks] : []);
  if (!name || !value || !range || tokens[0]?.kind !== 'name') return null;
  if (tokens.slice(1).some(({ kind, text }) => kind !== 'unit' && kind !== 'flag' && parseLabFlag(text) === null))
    return null;
  const parts = [value, ...marks, range].reduce<Segment[]>(behind, [name]);
  return { ...partOf({ ...above, segments }, parts), bbox: above.bbox };
}

/** "µg/dL basso" as two texts. */
function unitAndFlag(segment: Segment): Segment[] {
  const [unit, ...flag] = segment.words;
  if (!unit || flag.length === 0 || !isUnit(unit.text)) return [segment];
  return [[unit], flag].map((words) => ({
    words,
    text: words.map(({ text }) => text).join(' '),
    bbox: boxAround(words),
  }));
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

/** The range of a segment that contains nothing else, without the words before it but with its unit. */
function rangeAlone(printed: Segment, isAloneInLine: boolean): Segment | null {
  const segment = withoutRemark(printed);
  const { text } = segment;
  const number = segment.words.findIndex((word) => /^[[(]?[<>≤≥]?[-−]?\d|^[[(]?[<>≤≥]$/.test(word.text));
  const hasUnit = number === 1 && isUnit(withoutSeparator(segment.words[0]?.text ?? ''));
  const bounds = hasUnit ? segment.words.slice(1).map((word) => word.text) : [text];
  if (parseReferenceRange(bounds.join(' ')) === null) return null;
  const from = hasUnit ? 0 : startOfBound(segment.words, number);
  // The bracket before the words has no other one among the numbers.
  const words = segment.words
    .slice(from)
    .map((word, i) => (hasUnit && i === 0 ? { ...word, text: withoutSeparator(word.text) } : word))
    .map((word) => (from > 0 && !/^[[(]/.test(word.text) ? { ...word, text: word.text.replace(/[\])]$/, '') } : word));
  const before = segment.words.slice(0, Math.max(0, from));
  const isLabelled = before.length > 0 && findLabHeadings(tokensOf(before))[0]?.role === 'range';
  const isBracketed = /^[[(]/.test(text) && /[\])]$/.test(text);
  if (from < 0 || before.length > MAX_WORDS_BEFORE) return null;
  const numbers = words.slice(hasUnit ? 1 : 0);
  const tokens = labTokens([
    { words: numbers, text: numbers.map((word) => word.text).join(' '), bbox: boxAround(numbers) },
  ]);
  const isBare = from === 0 && (tokens[0]?.kind === 'range' || hasUnit || (isAloneInLine && /^[<>≤≥]/.test(text)));
  const isRange = tokens.every(
    ({ kind, text: own }) => ['range', 'bound', 'unit'].includes(kind) || (kind === 'number' && /^\W*[<>≤≥]/.test(own)),
  );
  if (!isRange || !(isLabelled || isBracketed || isBare)) return null;
  const whole = inBrackets(words);
  return { words: whole, text: whole.map((word) => word.text).join(' '), bbox: boxAround(whole) };
}

/** A labeled range without what a portal says behind it: "Range 13 to 150 · Below range · 12 Feb 2025". */
export function wordsBeforeRemarks(words: Segment['words']): Segment['words'] {
  const dot = words.findIndex(({ text }, i) => i > 1 && /^[·•]$/u.test(text));
  const before = words.slice(0, dot);
  return dot > 0 && findLabHeadings(tokensOf(before))[0]?.role === 'range' ? before : words;
}

/** "Referenz 30 - 300 µg/l - zu tief": what an app says of the result is not part of its range. */
function withoutRemark(segment: Segment): Segment {
  const { words } = segment;
  const before = wordsBeforeRemarks(words);
  if (before.length < words.length)
    return { words: before, text: before.map(({ text }) => text).join(' '), bbox: boxAround(before) };
  const dash = words.findIndex(({ text }, i) => i > 1 && /^[-–—·•+]$/u.test(text) && isWord(words[i + 1]?.text));
  if (dash < 0 || !words.slice(dash + 1).every(({ text }) => isWord(text))) return segment;
  // "µg/" lost its volume.
  const isCut = /^\p{L}{1,4}\/$/u.test(words[dash - 1]?.text ?? '');
  const own = words.slice(0, isCut ? dash - 1 : dash);
  return { words: own, text: own.map(({ text }) => text).join(' '), bbox: boxAround(own) };
}
const isWord = (text: string | undefined): boolean => text !== undefined && /^\p{L}+$/u.test(text);

/** "g/l:", "G/L·" */
const withoutSeparator = (text: string): string => text.replace(/[-–:·•]$/u, '');

/** The words before a number that make it a bound, "ab 90", "up to 40", are a part of the range. */
function startOfBound(words: Segment['words'], number: number): number {
  const isBound = (at: number): boolean => {
    const own = words.slice(at);
    const tokens = labTokens([{ words: own, text: own.map(({ text }) => text).join(' '), bbox: boxAround(own) }]);
    return at >= 0 && tokens[0]?.kind === 'range' && (tokens[0]?.words.length ?? 0) > number - at;
  };
  return number > 0 ? ([number - 1, number - 2].find(isBound) ?? number) : number;
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

import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
import { wordsBeforeRemarks } from './lab-ranges-below.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';

/** Maximum gap between lines of one block, in usual line heights. */
const MAX_GAP_LINES = 3;
const MAX_LABEL_WORDS = 4,
  MAX_NAME_WORDS = 8;
const PARTS = new Set<LabColumn>(['value', 'unit', 'range', 'flag']);

/**
 * Patient portals print results as blocks: the test alone in its line, below it "Your value: 5.6 mmol/L" and "Normal
 * range: 3.9 – 5.6" in any order, or the bare value. Returns the lines of the page with each block merged into one
 * line, and the set of merged lines.
 */
export function unfoldBlocks(page: LayoutPage): { lines: Line[]; blocks: Set<Line> } {
  const lines: Line[] = [],
    blocks = new Set<Line>();
  for (let index = 0; index < page.lines.length; index += 1) {
    const name = page.lines[index];
    if (!name) continue;
    const whole = isNameAlone(name) ? resultBelow(page, index) : null;
    if (whole) {
      const block = partOf(name, [...name.segments, ...whole.segments]);
      lines.push(block);
      blocks.add(block);
      index += 1;
      continue;
    }
    const parts = partsUnder(page, index);
    const value = parts.find(
      ({ role, segment }) => role === 'value' && labTokens([segment]).slice(0, 1).some(isResult),
    );
    const isBlock = parts.some(({ isLabelled }) => isLabelled) || (value && isBareBlock(name, value, blocks.size));
    if (!isNameAlone(name) || !value || !isBlock) {
      lines.push(name);
      continue;
    }
    const [test, flag = parts.find((part) => part.flag !== undefined)?.flag] = name.segments;
    const others = parts.filter((part) => part !== value);
    const segments = [
      withoutTestLabel(test),
      withoutFlagBehind(value.segment),
      ...others.map(({ segment }) => segment),
      flag,
    ];
    const block = partOf(name, segments.filter((segment) => segment !== undefined).flatMap(withoutFlagBehindRange));
    lines.push(block);
    blocks.add(block);
    index += parts.length;
  }
  return { lines, blocks };
}

/** A name, perhaps with a flag at the end of its line: "Sed rate   Abnormal". */
const isNameAlone = ({ segments, words }: Line): boolean =>
  (segments.length === 1 || (segments.length === 2 && parseLabFlag(segments[1]?.text ?? '') !== null)) &&
  words.length <= MAX_NAME_WORDS &&
  /\p{L}{2}/u.test(segments[0]?.text ?? '') &&
  !/:\s|:$/.test(withoutTestLabel(segments[0])?.text ?? '');

/** The line below a name that has its number with a unit, and behind it a labeled range: "93 mg/dL   expected: < 92". */
function resultBelow(page: LayoutPage, index: number): Line | null {
  const [name, line] = page.lines.slice(index, index + 2);
  const [value, range] = line?.segments ?? [];
  if (!name || !line || !value || !range || line.segments.length > MAX_SEGMENTS_BELOW) return null;
  const [number, unit, ...others] = labTokens([value]);
  const isValue = number?.kind === 'number' && unit?.kind === 'unit' && others.length === 0;
  const isNear = line.y - name.y < MAX_GAP_LINES * Math.max(page.lineHeight, name.h);
  const colon = range.words.findIndex(({ text }) => text.endsWith(':'));
  const isRange = colon >= 0 && colon < MAX_LABEL_WORDS && parseReferenceRange(textFrom(range, colon + 1)) !== null;
  return isValue && isNear && isRange && !/\d/.test(textFrom(range, 0).split(':')[0] ?? '') ? line : null;
}
const MAX_SEGMENTS_BELOW = 3;
const textFrom = ({ words }: Segment, from: number): string =>
  words
    .slice(from)
    .map(({ text }) => text)
    .join(' ');

/** So many blocks above show how the results of a page are printed. */
const MIN_BLOCKS = 3;

/** Without labels, the name has to be known or below other blocks, and the value has to be a word or have a unit. */
const isBareBlock = ({ text }: Line, { segment }: Part, above: number): boolean =>
  (isKnownTest(text) || above >= MIN_BLOCKS) &&
  (isWordResult(segment.text) ||
    labTokens([segment]).some(({ kind, text: own }, i) => kind === 'unit' || (i === 0 && isWordResult(own))));

/** "Positive – abnormal": what a portal says of a result in words is not part of it. */
function withoutFlagBehind(value: Segment): Segment {
  const dash = value.words.findIndex(({ text }, i) => i > 0 && /^[-–—]$/u.test(text));
  const said = value.words.slice(dash + 1).map(({ text }) => text);
  const words = value.words.slice(0, dash);
  const text = words.map((word) => word.text).join(' ');
  const isFlag = dash > 0 && parseLabFlag(said.join(' ')) !== null && isWordResult(text);
  return isFlag ? { words, text, bbox: boxAround(words) } : value;
}

/** "64 to 104 Above range" is a range and a flag. */
function withoutFlagBehindRange(segment: Segment): Segment[] {
  const texts = segment.words.map(({ text }) => text);
  const end = texts.findIndex(
    (_, i) =>
      i > 0 &&
      parseLabFlag(texts.slice(i).join(' ')) !== null &&
      parseReferenceRange(texts.slice(0, i).join(' ')) !== null,
  );
  if (end < 0 || /\d/.test(texts.slice(end).join(''))) return [segment];
  return [segment.words.slice(0, end), segment.words.slice(end)].map((words) => ({
    words,
    text: words.map(({ text }) => text).join(' '),
    bbox: boxAround(words),
  }));
}

/** "Test: Hemoglobin A1c" is the name alone. */
function withoutTestLabel(segment: Segment | undefined): Segment | undefined {
  const colon = segment?.words.findIndex(({ text }) => text.endsWith(':')) ?? -1;
  if (!segment || colon < 0 || colon >= segment.words.length - 1) return segment;
  const tokens = tokensOf(segment.words.slice(0, colon + 1)),
    [match] = findLabHeadings(tokens);
  if (match?.role !== 'test' || match.from > 0 || match.to < tokens.length) return segment;
  const words = segment.words.slice(colon + 1);
  return { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
}

interface Part {
  role: LabColumn;
  isLabelled: boolean;
  segment: Segment;
  /** What is said of the value at the end of its line. */
  flag?: Segment;
}

/** The labeled lines directly below a line, without their labels. */
function partsUnder(page: LayoutPage, index: number): Part[] {
  const parts: Part[] = [];
  for (let at = index + 1; at < page.lines.length; at += 1) {
    const line = page.lines[at],
      above = page.lines[at - 1];
    const isNear = line && above && line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, above.h);
    const isOverRange = page.source === 'ocr' && labelledPart(page.lines[at + 1])?.role === 'range';
    const part = isNear
      ? (labelledPart(line) ?? barePart(line, parts) ?? (isOverRange ? spoiltValue(line, parts) : null))
      : null;
    if (!part || parts.some(({ role }) => role === part.role)) break;
    parts.push(part);
  }
  return parts;
}

/** Number of words of a label without a colon, before a number or a word of a result: "Your value 6.2 %". */
function bareLabel(words: readonly PageWord[]): number {
  const tokens = tokensOf(words),
    [match] = findLabHeadings(tokens);
  const end = match?.from === 0 ? (tokens[match.to - 1]?.word ?? -1) + 1 : 0;
  const next = words
    .slice(end)
    .map(({ text }) => text)
    .join(' ');
  // "Referenz 50-150"
  // "Value 10.8 Low"
  const isValue = end === 1 && match?.role === 'value' && words.length <= MAX_LABEL_WORDS && /^[<>≤≥]?\s?\d/.test(next);
  const isLabel = end > 1 || isValue || (end === 1 && match?.role === 'range' && next.length <= MAX_RANGE_LETTERS);
  const bare = next.replace(/^[[(]\s?(.+)[\])]$/u, '$1');
  return isLabel && (/^[<>≤≥]?\s?\d/.test(bare) || isWordResult(next) || isBound(bare)) ? end : 0;
}

/** Length of the longest range with a unit. */
const MAX_RANGE_LETTERS = 24;

/** "below 200 mg/dL" */
const isBound = (text: string): boolean => /^\p{L}+\s(?:\p{L}+\s)?\d/u.test(text) && parseReferenceRange(text) !== null;

/** A value or a range without a label: "6.1 %" under the test, "4.0 - 5.6" under its value. */
function barePart({ segments }: Line, above: readonly Part[]): Part | null {
  const [segment, flag, ...others] = segments;
  const [first, ...rest] = segment ? labTokens([segment]) : [];
  const isFlagged = flag !== undefined && parseLabFlag(flag.text) !== null;
  if (!segment || !first || others.length > 0 || (flag && !isFlagged)) return null;
  const isUnitOrFlag = ({ kind, text }: LabToken): boolean =>
    kind === 'unit' ||
    kind === 'flag' ||
    parseLabFlag(text.replace(/^[-–—]\s/u, '')) !== null ||
    /^\S{1,5}\/\S{0,4}$/.test(text);
  if (above.some(({ role }) => role === 'value')) {
    // "In range", "mU/L   Above range"
    if (!flag && parseLabFlag(segment.text) !== null) return { role: 'flag', segment, isLabelled: false };
    if (isUnit(segment.text, { inColumn: true }))
      return { role: 'unit', segment, isLabelled: false, ...(flag && { flag }) };
    const isRange = first.kind === 'range' || (first.kind === 'number' && /^[<>≤≥]/.test(first.text));
    return !flag && isRange && rest.every(({ kind }) => kind === 'unit')
      ? { role: 'range', segment, isLabelled: false }
      : null;
  }
  // "103 g/L Below normal range"
  const said = rest.slice(1).map((token) => token.text);
  const isFlaggedBehind = rest[0]?.kind === 'unit' && parseLabFlag(said.join(' ')) !== null;
  if (!isResult(first) || !(isFlaggedBehind || rest.every(isUnitOrFlag))) return null;
  return { role: 'value', segment, isLabelled: false, ...(flag && { flag }) };
}

/** A number and its unit, which may be read as two. */
const MAX_SPOILT_WORDS = 3;

/** A number over a labeled range, with a unit that a scan spoilt: "12.5 10%/L", "90   £fL". */
function spoiltValue({ segments, words }: Line, above: readonly Part[]): Part | null {
  const [first, ...rest] = labTokens(segments);
  const isValue = first?.kind === 'number' && rest.length > 0 && words.length <= MAX_SPOILT_WORDS;
  if (!isValue || above.length > 0 || rest.some(({ kind }) => kind === 'range')) return null;
  const text = words.map((word) => word.text).join(' ');
  return { role: 'value', segment: { words, text, bbox: boxAround(words) }, isLabelled: false };
}

const isResult = ({ kind, text }: LabToken): boolean => kind === 'number' || (kind === 'name' && isWordResult(text));

function labelledPart(line: Line | undefined): Part | null {
  if (!line) return null;
  const words = wordsBeforeRemarks(line.words);
  const colon = words.findIndex(({ text }) => text.endsWith(':'));
  const end = colon < 0 ? bareLabel(words) : colon + 1;
  if (end === 0 || end > MAX_LABEL_WORDS || end === words.length) return null;
  const tokens = tokensOf(words.slice(0, end)),
    [match] = findLabHeadings(tokens);
  if (!match || match.from > 0 || match.to < tokens.length || !PARTS.has(match.role)) return null;
  const rest = words.slice(end);
  return {
    role: match.role,
    isLabelled: true,
    segment: { words: rest, text: rest.map(({ text }) => text).join(' '), bbox: boxAround(rest) },
  };
}

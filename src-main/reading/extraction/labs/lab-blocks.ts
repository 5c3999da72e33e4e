import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
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
    const parts = partsUnder(page, index);
    const value = parts.find(
      ({ role, segment }) => role === 'value' && labTokens([segment]).slice(0, 1).some(isResult),
    );
    if (!isNameAlone(name) || !value || !(parts.some(({ isLabelled }) => isLabelled) || isBareBlock(name, value))) {
      lines.push(name);
      continue;
    }
    const [test, flag] = name.segments;
    const others = parts.filter((part) => part !== value);
    const segments = [withoutTestLabel(test), value.segment, ...others.map(({ segment }) => segment), flag];
    const block = partOf(
      name,
      segments.filter((segment) => segment !== undefined),
    );
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

/** Without labels, the name has to be known, and the value has to be a word or have a unit. */
const isBareBlock = ({ text }: Line, { segment }: Part): boolean =>
  isKnownTest(text) && (isWordResult(segment.text) || labTokens([segment]).some(({ kind }) => kind === 'unit'));

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
}

/** The labeled lines directly below a line, without their labels. */
function partsUnder(page: LayoutPage, index: number): Part[] {
  const parts: Part[] = [];
  for (let at = index + 1; at < page.lines.length; at += 1) {
    const line = page.lines[at],
      above = page.lines[at - 1];
    const isNear = line && above && line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, above.h);
    const part = isNear ? (labelledPart(line) ?? barePart(line, parts)) : null;
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
  return end > 1 && (/^[<>≤≥]?\s?\d/.test(next) || isWordResult(next) || isBound(next)) ? end : 0;
}

/** "below 200 mg/dL" */
const isBound = (text: string): boolean => /^\p{L}+\s(?:\p{L}+\s)?\d/u.test(text) && parseReferenceRange(text) !== null;

/** A value or a range without a label: "6.1 %" under the test, "4.0 - 5.6" under its value. */
function barePart({ segments }: Line, above: readonly Part[]): Part | null {
  const [segment, ...others] = segments;
  const [first, ...rest] = segment ? labTokens([segment]) : [];
  if (!segment || !first || others.length > 0) return null;
  const isUnitOrFlag = ({ kind, text }: LabToken): boolean =>
    kind === 'unit' || kind === 'flag' || parseLabFlag(text) !== null;
  if (above.some(({ role }) => role === 'value')) {
    const isRange = first.kind === 'range' || (first.kind === 'number' && /^[<>≤≥]/.test(first.text));
    return isRange && rest.every(({ kind }) => kind === 'unit') ? { role: 'range', segment, isLabelled: false } : null;
  }
  return isResult(first) && rest.every(isUnitOrFlag) ? { role: 'value', segment, isLabelled: false } : null;
}

const isResult = ({ kind, text }: LabToken): boolean => kind === 'number' || (kind === 'name' && isWordResult(text));

function labelledPart({ words }: Line): Part | null {
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

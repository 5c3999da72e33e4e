import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';

/** Maximum gap between lines of one block, in usual line heights. */
const MAX_GAP_LINES = 3;
const MAX_LABEL_WORDS = 4,
  MAX_NAME_WORDS = 8;
const PARTS = new Set<LabColumn>(['value', 'unit', 'range', 'flag']);

/**
 * Patient portals print results as blocks: the test alone in its line, below it "Your value: 5.6 mmol/L" and "Normal
 * range: 3.9 – 5.6". Returns the lines of the page with each block merged into one line, and the set of merged lines.
 */
export function unfoldBlocks(page: LayoutPage): { lines: Line[]; blocks: Set<Line> } {
  const lines: Line[] = [],
    blocks = new Set<Line>();
  for (let index = 0; index < page.lines.length; index += 1) {
    const name = page.lines[index];
    if (!name) continue;
    const parts = partsUnder(page, index);
    if (!isNameAlone(name) || parts[0]?.role !== 'value') {
      lines.push(name);
      continue;
    }
    const segments = [withoutTestLabel(name.segments[0]), ...parts.map(({ segment }) => segment)].filter(
      (segment): segment is Segment => segment !== undefined,
    );
    const words = segments.flatMap((segment) => segment.words);
    const block: Line = {
      ...name,
      segments,
      words,
      bbox: boxAround(words),
      text: segments.map(({ text }) => text).join('  '),
    };
    lines.push(block);
    blocks.add(block);
    index += parts.length;
  }
  return { lines, blocks };
}

const isNameAlone = ({ segments, words }: Line): boolean =>
  segments.length === 1 &&
  words.length <= MAX_NAME_WORDS &&
  /\p{L}{2}/u.test(segments[0]?.text ?? '') &&
  !/:\s|:$/.test(withoutTestLabel(segments[0])?.text ?? '');

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
  segment: Segment;
}

/** The labeled lines directly below a line, without their labels. */
function partsUnder(page: LayoutPage, index: number): Part[] {
  const parts: Part[] = [];
  for (let at = index + 1; at < page.lines.length; at += 1) {
    const line = page.lines[at],
      above = page.lines[at - 1];
    const part =
      line && above && line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, above.h) ? partOf(line) : null;
    if (!part || parts.some(({ role }) => role === part.role)) break;
    parts.push(part);
  }
  return parts;
}

function partOf({ words }: Line): Part | null {
  const colon = words.findIndex(({ text }) => text.endsWith(':'));
  if (colon < 0 || colon >= MAX_LABEL_WORDS || colon === words.length - 1) return null;
  const tokens = tokensOf(words.slice(0, colon + 1)),
    [match] = findLabHeadings(tokens);
  if (!match || match.from > 0 || match.to < tokens.length || !PARTS.has(match.role)) return null;
  const rest = words.slice(colon + 1);
  return {
    role: match.role,
    segment: { words: rest, text: rest.map(({ text }) => text).join(' '), bbox: boxAround(rest) },
  };
}

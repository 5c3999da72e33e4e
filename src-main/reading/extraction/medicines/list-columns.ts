import { findDirections } from '../../../../src-shared/medical/directions.ts';
import { findStrength } from '../../../../src-shared/medical/dose.ts';
import { startsWith } from '../languages/assertion.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { isDirections } from './medicine-directions.ts';
import { isListHeading } from './medicine-headings.ts';

/** Items of a column begin at the same place as its heading, in fractions of the page width. */
const SAME_COLUMN = 0.02;
const MAX_HEADING_WORDS = 4;
const MAX_LINES = 20;

/** Whether a segment is the heading of a list of medicines: "Current treatment", "Continued", "Arrêtés". */
const isHeading = ({ text, words }: Segment): boolean =>
  words.length <= MAX_HEADING_WORDS &&
  findStrength(text) === null &&
  (isListHeading(text) || isWhole(text, 'taken') || isWhole(text, 'stopped'));

const isWhole = (text: string, cue: 'taken' | 'stopped'): boolean =>
  startsWith(cue, text) > 0 && startsWith(cue, text) >= text.trim().split(/\s+/).length;

/**
 * Puts lists that are beside each other, or in a column beside other text, one after another: each heading with the
 * lines of its column, of which those that go on in the next line are joined. Other lines stay as they are, and so do
 * `tables`, the headers of tables.
 */
export function withListColumns(lines: readonly Line[], tables: ReadonlySet<Line>): Line[] {
  const result: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) continue;
    // "Unchanged" beside a dose is the last cell of its row.
    const isRow = line.segments.some(({ text }) => findStrength(text) !== null);
    const headings = tables.has(line) || isRow ? [] : line.segments.filter(isHeading);
    const isBesideText = headings.length === 1 && headings[0] !== line.segments[0];
    const below = lines.slice(at + 1, at + 1 + MAX_LINES);
    const columns = headings.map((heading) => columnOf(heading, below, line.page));
    const isList = columns.some((items) => items.some(({ segment }) => findStrength(segment.text) !== null));
    if (!(headings.length > 1 || isBesideText) || !isList) {
      result.push(line);
      continue;
    }
    const taken = new Set(columns.flat().map(({ segment }) => segment));
    const rest = line.segments.filter((segment) => !headings.includes(segment));
    if (rest.length > 0) result.push(partOf(line, rest));
    const depth = Math.max(0, ...columns.flat().map(({ row }) => row + 1));
    for (const other of below.slice(0, depth)) {
      const left = other.segments.filter((segment) => !taken.has(segment));
      if (left.length > 0) result.push(partOf(other, left));
    }
    headings.forEach((heading, i) => {
      result.push(partOf(line, [heading]), ...joinedItems(columns[i] ?? []));
    });
    at += depth;
  }
  return result;
}

interface Item {
  line: Line;
  segment: Segment;
  row: number;
}

/** The segments under a heading down to the first line without one in its column. */
function columnOf(heading: Segment, below: readonly Line[], page: number): Item[] {
  const items: Item[] = [];
  for (const [row, line] of below.entries()) {
    const segment = line.segments.find(({ bbox }) => Math.abs(bbox[0] - heading.bbox[0]) < SAME_COLUMN);
    if (line.page !== page || (segment && isHeading(segment))) break;
    if (segment) items.push({ line, segment, row });
    else if (items.length === 0 || row - (items.at(-1)?.row ?? row) > 1) break;
  }
  return items;
}

/** Joins an item with the lines that go on with it: they begin in lower case, or with a sign. */
function joinedItems(items: readonly Item[]): Line[] {
  const joined: { line: Line; segments: Segment[] }[] = [];
  for (const { line, segment } of items) {
    const last = joined.at(-1);
    const isOpen = last !== undefined && /[:(/,]\s?\d*$/.test(last.segments.at(-1)?.text ?? '');
    if (last && (/^[\p{Ll}:(]/u.test(segment.text) || isOpen)) last.segments.push(segment);
    else joined.push({ line, segments: [segment] });
  }
  return joined.map(({ line, segments }) => {
    const words = segments.flatMap((segment) => segment.words);
    const [first] = segments;
    const text = words.map((word) => word.text).join(' ');
    return partOf(line, first ? [{ text, words, bbox: first.bbox }] : []);
  });
}

const MAX_CARD_LINES = 3;

/**
 * Puts medicines that are printed as cards side by side one after another: names with their strengths in a line, below
 * each of them how it is taken. Other lines stay as they are.
 */
export function withCards(lines: readonly Line[]): Line[] {
  const result: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const names = lines[at];
    if (!names) continue;
    const below =
      names.segments.length > 1 && names.segments.every(isNameWithStrength) ? cardLines(names, lines, at) : [];
    if (below.length === 0) {
      result.push(names);
      continue;
    }
    const rows = [names, ...below];
    names.segments.forEach((name) => {
      for (const row of rows)
        result.push(
          partOf(
            row,
            row.segments.filter((segment) => isSameColumn(segment, name)),
          ),
        );
    });
    at += below.length;
  }
  return result;
}

/** The lines below names in which each name has its own segment and the first is not another name. */
function cardLines(names: Line, lines: readonly Line[], at: number): Line[] {
  const below = lines.slice(at + 1, at + 1 + MAX_CARD_LINES);
  const end = below.findIndex(
    ({ segments, page }) =>
      page !== names.page ||
      segments.length !== names.segments.length ||
      !segments.every((segment, i) => isSameColumn(segment, names.segments[i] ?? segment)) ||
      segments.some(({ text }) => findStrength(text) !== null && !isDirections(text)),
  );
  const card = end < 0 ? below : below.slice(0, end);
  const [first] = card.map(({ segments }) => segments.map(({ text }) => text));
  const areDirections = first?.some(isDirections) && first.every((text) => isDirections(text) || /^[\d½]/u.test(text));
  return areDirections ? card : [];
}

const isNameWithStrength = ({ text }: Segment): boolean =>
  /^(?:\d{1,2}[.)]\s+)?\p{Lu}\p{L}/u.test(text) && findStrength(text) !== null && findDirections(text) === null;
const isSameColumn = ({ bbox }: Segment, head: Segment): boolean => Math.abs(bbox[0] - head.bbox[0]) < SAME_COLUMN;

import { parseReferenceRange, sexOfRange } from '../../../../src-shared/medical/reference-range.ts';
import type { FoundLabResult } from '../extraction.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { doubted } from './doubted.ts';
import { labTokens } from './lab-tokens.ts';

const SAME_EDGE = 0.02;
/** Maximum distance of two lines of one cell, in usual line heights. */
const MAX_GAP_LINES = 1.8;
/** Lines of one cell above and below that of its result. */
const MAX_LINES = 3;
/** The category that a person should be in: "ottimale < 100", "sufficienza 30 - 100". */
const WANTED = new RegExp(
  [
    String.raw`^(?:optimal\p{L}*|ottimale|desirable|desiderabile|souhaitable|wünschenswert|erwünscht|normal[ei]?|norm|`,
    String.raw`sufficien\p{L}*|suffisan\p{L}*|ausreichend|adequate?|recommand\p{L}*)(?!\p{L})`,
  ].join(''),
  'iu',
);

/**
 * Where a cell of ranges lists categories in lines of their own, puts the one that a person should be in beside the
 * result: "carenza < 20" over "insufficienza 20 - 30" over "sufficienza 30 - 100". Other cells stay as they are.
 */
export function chooseWantedRanges(page: LayoutPage): LayoutPage {
  const lines = [...page.lines];
  const used = new Set<Line>();
  page.lines.forEach((line, index) => {
    const own = line.segments.at(-1);
    if (!own || line.segments.length < 2) return;
    const others = categoriesAround(page, index);
    const all = [own, ...others.map(({ segment }) => segment)];
    const wanted = all.filter(({ text }) => WANTED.test(text));
    const [range] = wanted;
    if (others.length === 0 || !range || wanted.length > 1) return;
    for (const other of others) used.add(other.line);
    lines[index] = partOf(line, [...line.segments.slice(0, -1), withoutWord(range, own)]);
  });
  return used.size === 0 ? page : { ...page, lines: lines.filter((line) => !used.has(line)) };
}

/** Marks results whose range is one of several in their cell, since the page does not say which one applies. */
export function addDoubtsOfCategories(rows: FoundLabResult[], page: LayoutPage): FoundLabResult[] {
  return rows.map((row) => {
    const middle = row.place && row.place.bbox[1] + row.place.bbox[3] / 2;
    const index = page.lines.findIndex(({ y, h }) => middle !== null && y <= middle && middle <= y + h);
    const hasRange = row.reference_range_low !== null || row.reference_range_high !== null;
    if (!hasRange || categoriesAround(page, index).length === 0) return row;
    return doubted(row, 'poor_print');
  });
}

/** The lines above and below that have nothing but another range with its words under that of a result. */
function categoriesAround(page: LayoutPage, index: number): { line: Line; segment: Segment }[] {
  const own = page.lines[index]?.segments.at(-1);
  const found: { line: Line; segment: Segment }[] = [];
  if (!own || !isCategory(own)) return found;
  for (const step of [-1, 1])
    for (let count = 1; count <= MAX_LINES; count += 1) {
      const [line, before] = [page.lines[index + step * count], page.lines[index + step * (count - 1)]];
      const [segment, ...others] = line?.segments ?? [];
      const isOther =
        line !== undefined &&
        segment !== undefined &&
        others.length === 0 &&
        Math.abs(segment.bbox[0] - own.bbox[0]) < SAME_EDGE &&
        Math.abs(line.y - (before?.y ?? 0)) < MAX_GAP_LINES * Math.max(page.lineHeight, line.h) &&
        isCategory(segment);
      if (!isOther) break;
      found.push({ line, segment });
    }
  return found;
}

/** Whether a text has words and a range, and no other number; not the range of one sex. */
function isCategory(segment: Segment): boolean {
  const kinds = labTokens([segment]).map(({ kind, text }) => (/^[<>≤≥]/.test(text) ? 'range' : kind));
  const hasOne = kinds.filter((kind) => kind === 'range').length === 1 && !kinds.includes('number');
  return (
    hasOne &&
    /\p{L}{3}/u.test(segment.text) &&
    parseReferenceRange(segment.text) !== null &&
    sexOfRange(segment.text) === null
  );
}

/** The range without the word before it, in the place of the cell of its row. */
function withoutWord({ words }: Segment, { bbox: [, y, , h] }: Segment): Segment {
  const from = words.findIndex(({ text }) => /^[<>≤≥]?\d|^[<>≤≥]=?$/.test(text));
  const own = words.slice(Math.max(0, from)).map((word) => ({ ...word, y, h }));
  return { words: own, text: own.map(({ text }) => text).join(' '), bbox: boxAround(own) };
}

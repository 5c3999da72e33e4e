import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';

const NUMBER = /^(\d{1,2})[.):]?$/;
/** So many rows whose numbers increase by one are numbered. */
const MIN_ROWS = 3;
const SAME_EDGE = 0.02;

/** Removes the numbers of rows that are counted at the left: "4   LDH   331   U/l" is the fourth result. */
export function withoutRowNumbers(page: LayoutPage): LayoutPage {
  const numbered = new Set<Line>();
  let run: Line[] = [];
  const close = (): void => {
    if (run.length >= MIN_ROWS) for (const line of run) numbered.add(line);
    run = [];
  };
  for (const line of page.lines) {
    const number = rowNumber(line);
    const last = run.at(-1);
    if (number === null) continue;
    if (last && !(number === (rowNumber(last) ?? 0) + 1 && Math.abs(last.bbox[0] - line.bbox[0]) < SAME_EDGE)) close();
    run.push(line);
  }
  close();
  return numbered.size === 0
    ? page
    : { ...page, lines: page.lines.map((line) => (numbered.has(line) ? withoutFirstWord(line) : line)) };
}

/** The number before a name at the start of a line. */
function rowNumber({ words: [first, next] }: Line): number | null {
  const number = NUMBER.exec(first?.text ?? '')?.[1];
  return number !== undefined && /^\W?\p{L}/u.test(next?.text ?? '') ? Number(number) : null;
}

function withoutFirstWord(line: Line): Line {
  const [first, ...others] = line.segments;
  const words = first?.words.slice(1) ?? [];
  const rest = { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
  return partOf(line, words.length > 0 ? [rest, ...others] : others);
}

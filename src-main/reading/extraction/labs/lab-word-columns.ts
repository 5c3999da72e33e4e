import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { isWordResult, polarityOf } from './lab-words.ts';

/** Tolerance for aligned words of one column, as a fraction of the page width. */
const SAME_COLUMN = 0.015;
const MAX_GAP_LINES = 2.2;
const MIN_LINES = 3;
/** Findings of an examination are normal, too. */
const OF_EXAMINATION =
  /^(?:normale?|norm|unauffällig|within normal limits|nella norma|dans les normes|im normbereich)$/iu;

/**
 * Lines of a list without headings in which each name has a result in words beside it: "RSV PCR   negative". Three such
 * lines below each other, whose words are aligned, are results even of unknown tests.
 */
export function linesOfWordColumns(page: LayoutPage): Set<Line> {
  const found = new Set<Line>();
  let run: Line[] = [];
  const close = (): void => {
    if (run.length >= MIN_LINES) for (const line of run) found.add(line);
    run = [];
  };
  for (const line of page.lines) {
    const above = run.at(-1);
    if (!hasWordResult(line)) close();
    else if (!above || (isAligned(above, line) && line.y - above.y < MAX_GAP_LINES * Math.max(page.lineHeight, line.h)))
      run.push(line);
    else {
      close();
      run = [line];
    }
  }
  close();
  return found;
}

function hasWordResult({ segments }: Line): boolean {
  const [name, result] = segments;
  return (
    name !== undefined &&
    result !== undefined &&
    /\p{L}{2}/u.test(name.text) &&
    !isWordResult(name.text) &&
    isWordResult(result.text) &&
    polarityOf(result.text) !== null &&
    !OF_EXAMINATION.test(result.text)
  );
}

const isAligned = (above: Line, line: Line): boolean =>
  Math.abs((above.segments[1]?.bbox[0] ?? 0) - (line.segments[1]?.bbox[0] ?? 1)) < SAME_COLUMN;

import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

/** Headings of the three columns of which one has the result: below, within and above its range. */
const PLACES = [
  /^\W?(?:low|below|niedrig|tief|zu tief|bas|basso|sotto)$/iu,
  /^\W?(?:normale?|in range|within|im bereich|dans la norme|nella norma)$/iu,
  /^\W?(?:high|above|hoch|zu hoch|haut|élevé|alto|sopra)$/iu,
];

/** Makes "Basso   Normale   Alto" headings of results: the column that has the number shows where it is. */
export function withResultsByPlace(line: Line): Line {
  const from = line.segments.findIndex((_, at) => PLACES.every((form, i) => form.test(textAt(line, at + i))));
  if (from < 0) return line;
  return partOf(
    line,
    line.segments.map((segment, at) => (at >= from && at < from + PLACES.length ? asResult(segment) : segment)),
  );
}

const textAt = ({ segments }: Line, at: number): string => segments[at]?.text ?? '';

const asResult = (segment: Segment): Segment => {
  const [first] = segment.words;
  const words = first ? [{ ...first, text: 'result', w: segment.bbox[2] }] : [];
  return { ...segment, words, text: 'result' };
};

import { boxAround } from './geometry.ts';
import type { Line, Segment } from './lines.ts';

/** A line reduced to some of its segments. */
export function partOf(line: Line, segments: Segment[]): Line {
  const words = segments.flatMap((segment) => segment.words);
  return { ...line, segments, words, bbox: boxAround(words), text: segments.map((segment) => segment.text).join('  ') };
}

/** The segment that some words of a line make. */
export const segmentOf = (words: Segment['words']): Segment => ({
  words,
  text: words.map(({ text }) => text).join(' '),
  bbox: boxAround(words),
});

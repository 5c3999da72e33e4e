import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { boxAround } from '../layout/geometry.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { isKnownTest } from './lab-words.ts';

const MAX_NAME_WORDS = 4;

/** The words that introduce results in a sentence, and the line from the first result on. */
export interface Introduced {
  introduction: string;
  line: Line;
}

/**
 * Recognizes "Labor bei Aufnahme (12.08.20): Hämoglobin 10,1 g/dl, …": words with a colon before a test and its number.
 * Returns null for other lines.
 */
export function introduced(line: Line): Introduced | null {
  const [first, ...others] = line.segments;
  const colon =
    first?.words.findIndex((word, i) => word.text.endsWith(':') && beginsResult(first.words.slice(i + 1))) ?? -1;
  if (!first || colon < 0) return null;
  const segments = [segmentOf(first.words.slice(colon + 1)), ...others],
    words = segments.flatMap((segment) => segment.words);
  return {
    introduction: first.words
      .slice(0, colon + 1)
      .map(({ text }) => text)
      .join(' '),
    line: { ...line, segments, words, bbox: boxAround(words), text: segments.map(({ text }) => text).join('  ') },
  };
}

function beginsResult(words: readonly PageWord[]): boolean {
  const number = words.findIndex(({ text }) => /^[<>≤≥]?\d/.test(text));
  return (
    number > 0 &&
    number <= MAX_NAME_WORDS &&
    isKnownTest(
      words
        .slice(0, number)
        .map(({ text }) => text)
        .join(' '),
    )
  );
}

const segmentOf = (words: PageWord[]): Segment => ({
  words,
  text: words.map(({ text }) => text).join(' '),
  bbox: boxAround(words),
});

import type { PageWord } from '../../../../src-shared/medical/page.ts';

/** Returns the words that cover `[from, to)` of `words.map(text).join(' ')`: the first index and one past the last. */
export function wordRange(words: readonly PageWord[], from: number, to: number): readonly [first: number, end: number] {
  let at = 0,
    first = words.length,
    end = 0;
  words.forEach((word, i) => {
    const stop = at + word.text.length;
    if (stop > from && at < to) {
      first = Math.min(first, i);
      end = i + 1;
    }
    at = stop + 1;
  });
  return first < end ? [first, end] : [0, 0];
}

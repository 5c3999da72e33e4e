import { describe, expect, it } from 'vitest';
import type { Word } from './page.ts';
import { linesOf, textOf, wordsIn } from './text-lines.ts';

const WORDS: Word[] = [
  ['Ferritin', 0.1, 0.1, 0.16, 0.02],
  ['24', 0.5, 0.101, 0.04, 0.02],
  ['µg/L', 0.6, 0.1, 0.08, 0.02],
  ['Serum', 0.1, 0.13, 0.1, 0.02],
  ['iron', 0.21, 0.13, 0.08, 0.02],
  ['12.1', 0.5, 0.13, 0.08, 0.02],
];

describe('lines', () => {
  it('groups the words of a line', () => {
    expect(linesOf(WORDS).map((line) => line.words)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });
  it('starts a line when reading returns to the left, even at the same height', () => {
    const columns: Word[] = [
      ['right', 0.6, 0.1, 0.1, 0.02],
      ['left', 0.1, 0.1, 0.1, 0.02],
    ];
    expect(linesOf(columns)).toHaveLength(2);
  });
  it('copies tables as tables and sentences as sentences', () => {
    expect(textOf(WORDS)).toBe('Ferritin\t24\tµg/L\nSerum iron\t12.1');
  });
});

it('returns the words whose center is in a box', () => {
  expect(wordsIn(WORDS, [0.45, 0.09, 0.3, 0.035]).map((word) => word[0])).toEqual(['24', 'µg/L']);
  expect(wordsIn(WORDS, [0.8, 0.8, 0.1, 0.1])).toEqual([]);
});

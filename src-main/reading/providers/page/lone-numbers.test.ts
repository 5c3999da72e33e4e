import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { readLoneNumbers } from './lone-numbers.ts';

const SIZE = { width: 1000, height: 1400 };
const word = (text: string, x: number, y: number): PageWord => ({
  ...{ text, x: x / SIZE.width, y: y / SIZE.height, w: (text.length * 16) / SIZE.width, h: 20 / SIZE.height },
  confidence: 0.9,
});
const letter = (x: number, y: number): number[] => [x, y, x + 10, y + 20];
const PLAN = [word('Norvasc', 100, 300), word('Sortis', 100, 340), word('0', 500, 340), word('Xatral', 100, 380)];

async function readWith(answers: readonly [string, number][], letters: readonly number[][], words = PLAN) {
  const image = { data: new Uint8Array(SIZE.width * SIZE.height).fill(255), ...SIZE };
  const numbers = {
    readNumbers: (images: unknown[]) =>
      Promise.resolve(images.map((_, i) => ({ text: answers[i]?.[0] ?? '', confidence: answers[i]?.[1] ?? 0 }))),
  };
  const all = await readLoneNumbers(
    numbers,
    { grayscale: image, letters: Int32Array.from(letters.flat()) },
    words,
    new AbortController().signal,
  );
  return all.slice(words.length).map(({ text, y }) => [text, Math.round(y * SIZE.height)]);
}

describe('numbers that OCR of the page skipped', () => {
  it('are read in the cells of a column of numbers', async () => {
    expect(
      await readWith(
        [
          ['1', 0.95],
          ['l', 0.9],
        ],
        [letter(500, 300), letter(500, 380)],
      ),
    ).toEqual([
      ['1', 300],
      ['1', 380],
    ]);
    expect(await readWith([['12', 0.95]], [letter(494, 300), letter(506, 300)])).toEqual([['12', 300]]);
  });

  it('are none in words, alone, beside nothing, or unsure', async () => {
    expect(await readWith([['1', 0.95]], [letter(110, 300)])).toEqual([]);
    expect(
      await readWith(
        [
          ['1', 0.95],
          ['1', 0.95],
        ],
        [letter(700, 300), letter(700, 380)],
      ),
    ).toEqual([]);
    expect(await readWith([['1', 0.95]], [letter(500, 900)])).toEqual([]);
    expect(await readWith([['1', 0.6]], [letter(500, 300)])).toEqual([]);
    expect(await readWith([['A', 0.95]], [letter(500, 300)])).toEqual([]);
  });
});

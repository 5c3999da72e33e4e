import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { findUnrecognizedGlyphs, selectNewWords } from './unrecognized-glyphs.ts';

const WIDTH = 1000,
  HEIGHT = 1400;
const word = (text: string, x: number, y: number, confidence = 0.9): PageWord => ({
  text,
  x: x / WIDTH,
  y: y / HEIGHT,
  w: (text.length * 16) / WIDTH,
  h: 20 / HEIGHT,
  confidence,
});
/** Boxes of the letters of words, as dark components. */
const lettersOf = (words: readonly PageWord[]): number[] =>
  words.flatMap(({ text, x, y }) =>
    [...text].flatMap((_, i) => [x * WIDTH + i * 16, y * HEIGHT, x * WIDTH + i * 16 + 12, y * HEIGHT + 20]),
  );
const page = () => ({
  data: new Uint8Array(WIDTH * HEIGHT).fill(250).fill(20, 500 * WIDTH, 521 * WIDTH),
  width: WIDTH,
  height: HEIGHT,
});

const read = [word('Kalium', 100, 300), word('4.5', 400, 300), word('Natrium', 100, 500), word('Chlorid', 100, 700)];

describe('unrecognized glyphs', () => {
  it('are read again with their whole line only', () => {
    const rest = findUnrecognizedGlyphs(page(), Int32Array.from(lettersOf([...read, word('141', 400, 500)])), read);
    // The line with half a line of paper above and below it, and a line of paper around it.
    expect([
      rest?.grayscale.height,
      rest?.grayscale.data[(20 + 10 + 10) * WIDTH + 5],
      rest?.grayscale.data[5],
      rest?.grayscale.data.at(-5),
    ]).toEqual([20 + 40 + 20, 20, 250, 250]);
  });

  it('have their original positions on the page', () => {
    const unread = [word('141', 400, 500), word('88', 600, 520), word('103', 400, 700), word('97', 600, 1300)];
    const rest = findUnrecognizedGlyphs(
      page(),
      Int32Array.from(lettersOf([...read, ...Array.from({ length: 12 }, (_, i) => word('x', 900, i * 20)), ...unread])),
      [...read, ...Array.from({ length: 12 }, (_, i) => word('x', 900, i * 20))],
    );
    const {
      grayscale: { height },
      onPage,
    } = rest!;
    // Bands: rows 490 to 550 from row 20 on, 690 to 730 from row 100 on, 1290 to 1330 from row 160 on.
    const rows = [
      [20, 490],
      [30, 500],
      [50, 520],
      [100, 690],
      [110, 700],
      [160, 1290],
      [170, 1300],
    ] as const;
    expect(height).toBe(160 + 40 + 20);
    expect(
      onPage(rows.map(([y]) => ({ ...word('1', 400, 0), y: y / height, h: 20 / height }))).map(({ y, h }) => [
        Math.round(y * HEIGHT),
        Math.round(h * HEIGHT),
      ]),
    ).toEqual(rows.map(([, y]) => [y, 20]));
  });

  it('are not found in recognized text, strokes and images', () => {
    expect(findUnrecognizedGlyphs(page(), Int32Array.from(lettersOf(read)), read)).toBeNull();
    expect(findUnrecognizedGlyphs(page(), Int32Array.from([...lettersOf(read), 600, 500, 605, 520]), read)).toBeNull();
    expect(
      findUnrecognizedGlyphs(
        page(),
        Int32Array.from(lettersOf([...read, ...Array.from({ length: 20 }, (_, i) => word('xxxx', 500, 50 + i * 30))])),
        read,
      ),
    ).toBeNull();
  });

  it('become words in gaps if the confidence is high', () => {
    expect(
      selectNewWords(
        [word('Natrium', 102, 501), word('141', 400, 500), word('1', 600, 500, 0.6), word('ab', 700, 500, 0.3)],
        read,
      ).map(({ text }) => text),
    ).toEqual(['141']);
  });
});

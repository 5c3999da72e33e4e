import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../src-shared/medical/page.ts';
import { leftOver, missed } from './left-over.ts';

const WIDTH = 1000, HEIGHT = 1400;
const word = (text: string, x: number, y: number, confidence = 0.9): PageWord => ({ text, x: x / WIDTH, y: y / HEIGHT, w: (text.length * 16) / WIDTH, h: 20 / HEIGHT, confidence });
/** Boxes of the letters of words, as dark components. */
const lettersOf = (words: readonly PageWord[]): number[] => words.flatMap(({ text, x, y }) => [...text].flatMap((_, i) => [x * WIDTH + i * 16, y * HEIGHT, x * WIDTH + i * 16 + 12, y * HEIGHT + 20]));
const page = () => ({ data: new Uint8Array(WIDTH * HEIGHT).fill(250).fill(20, 500 * WIDTH, 521 * WIDTH), width: WIDTH, height: HEIGHT });

const read = [word('Kalium', 100, 300), word('4.5', 400, 300), word('Natrium', 100, 500), word('Chlorid', 100, 700)];

describe('letters that nobody read', () => {
  it('are shown again with their whole line, and nothing else', () => {
    const rest = leftOver(page(), Int32Array.from(lettersOf([...read, word('141', 400, 500)])), read);
    expect([rest?.data[510 * WIDTH + 5], rest?.data[300 * WIDTH + 110], rest?.data[700 * WIDTH + 110]]).toEqual([20, 250, 250]);
  });

  it('are none where all is read, where only a stroke is left, and where a picture is', () => {
    expect(leftOver(page(), Int32Array.from(lettersOf(read)), read)).toBeNull();
    expect(leftOver(page(), Int32Array.from([...lettersOf(read), 600, 500, 605, 520]), read)).toBeNull();
    expect(leftOver(page(), Int32Array.from(lettersOf([...read, ...Array.from({ length: 20 }, (_, i) => word('xxxx', 500, 50 + i * 30))])), read)).toBeNull();
  });

  it('become words where no word is, when they are sure', () => {
    expect(missed([word('Natrium', 102, 501), word('141', 400, 500), word('1', 600, 500, 0.6), word('ab', 700, 500, 0.3)], read).map(({ text }) => text)).toEqual(['141']);
  });
});

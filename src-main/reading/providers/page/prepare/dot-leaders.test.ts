import { describe, expect, test } from 'vitest';
import type { GrayscaleImage } from './grayscale.ts';
import { removeDotLeaders } from './dot-leaders.ts';

const WIDTH = 1200,
  HEIGHT = 1700;

/** A page at half of 300 dpi with dark boxes. */
function page(boxes: readonly (readonly [x: number, y: number, w: number, h: number])[]): GrayscaleImage {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(245);
  for (const [x, y, w, h] of boxes)
    for (let row = y; row < y + h; row += 1) data.fill(30, row * WIDTH + x, row * WIDTH + x + w);
  return { data, width: WIDTH, height: HEIGHT };
}
const dots = (from: number, count: number, step: number, y: number) =>
  Array.from({ length: count }, (_, i) => [from + i * step, y, 3, 3] as const);
const isDark = ({ data }: GrayscaleImage, x: number, y: number): boolean => (data[y * WIDTH + x] ?? 255) < 100;

describe('dot leaders', () => {
  test('are removed, also when a stripe cuts them, without the letters beside them', () => {
    const word = [200, 390, 60, 14] as const;
    const { grayscale: clean } = removeDotLeaders(
      page([word, ...dots(280, 5, 8, 401), [321, 100, 2, 1500], ...dots(326, 30, 8, 401)]),
    );
    expect(isDark(clean, 230, 396)).toBe(true);
    expect([281, 297, 327, 400, 550].some((x) => isDark(clean, x, 402))).toBe(false);
    expect(isDark(clean, 321, 700)).toBe(true);
  });

  test('are not confused with decimal points, abbreviations or small print', () => {
    const plain = page([
      ...dots(200, 4, 14, 300),
      ...dots(500, 1, 8, 400),
      ...Array.from({ length: 12 }, (_, i) => [200 + i * 9 + (i % 3), 600, 2 + ((i * 5) % 7), 5] as const),
    ]);
    expect(removeDotLeaders(plain).grayscale).toBe(plain);
  });
});

import { expect, it } from 'vitest';
import { cropOf } from './page-crop.tsx';

const A4 = 1.414;

it('shows the row around a value with the lines above and below, inside the page', () => {
  const { x, y, width, height } = cropOf([0.4, 0.5, 0.1, 0.02], A4);
  expect(width).toBe(0.6);
  expect([x, y + height / 2]).toEqual([expect.closeTo(0.15), expect.closeTo(0.51 * A4)]);
  expect(height).toBeGreaterThan(0.02 * A4 * 2);
  for (const box of [
    [0, 0, 0.1, 0.01],
    [0.9, 0.99, 0.1, 0.01],
    [0, 0, 1, 1],
  ] as const) {
    const crop = cropOf(box, A4);
    expect([crop.x, crop.y].every((start) => start >= 0)).toBe(true);
    expect(crop.x + crop.width).toBeLessThanOrEqual(1.0001);
    expect(crop.y + crop.height).toBeLessThanOrEqual(A4 + 0.0001);
  }
});

import { expect, it } from 'vitest';
import type { GrayscaleImage } from './grayscale.ts';
import { findPageOutline } from './page-outline.ts';

const WIDTH = 900,
  HEIGHT = 1200;
const SHEET = { left: 80, top: 90, right: 800, bottom: 1100 };

/** A bright sheet with lines of print on a darker table, in a light that differs from place to place. */
function photo(light: (x: number, y: number) => number): GrayscaleImage {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      const isSheet = x >= SHEET.left && x < SHEET.right && y >= SHEET.top && y < SHEET.bottom;
      const isPrint = isSheet && y % 40 < 8 && x % 60 < 45 && x > SHEET.left + 60 && x < SHEET.right - 60;
      const paint = isSheet ? 235 : 130;
      data[y * WIDTH + x] = (isPrint ? 40 : paint) * light(x, y);
    }
  return { data, width: WIDTH, height: HEIGHT };
}

const edges = (corners: ReturnType<typeof findPageOutline>) => {
  const xs = corners?.map(({ x }) => x) ?? [],
    ys = corners?.map(({ y }) => y) ?? [];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};
/** The shadow of a hand or phone begins at a line and becomes darker over some centimeters. */
const shadow = (from: number, along: number): number => Math.min(1, Math.max(0.6, 1 - (along - from) / 250));

it('finds the whole sheet if a soft shadow covers one half of it', () => {
  for (const light of [
    (x: number) => shadow(350, x),
    (x: number) => shadow(-550, -x),
    (_x: number, y: number) => shadow(500, y),
    (x: number, y: number) => shadow(600, (x + y) / 1.4),
  ]) {
    const found = edges(findPageOutline(photo(light)));
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect([side, Math.abs(found[side] - SHEET[side]) < 14]).toEqual([side, true]);
  }
});

it('finds the same sheet without a shadow', () => {
  const found = edges(findPageOutline(photo(() => 1)));
  for (const side of ['left', 'top', 'right', 'bottom'] as const)
    expect([side, Math.abs(found[side] - SHEET[side]) < 14]).toEqual([side, true]);
});

it('takes no edge of a shadow for one of the sheet, where the table is as bright as the sheet in the shadow', () => {
  // The table is bright, and the shadow covers the left half of both.
  const onBrightTable = (x: number, y: number): number => {
    const isSheet = x >= SHEET.left && x < SHEET.right && y >= SHEET.top && y < SHEET.bottom;
    return (isSheet ? 1 : 225 / 130) * shadow(-500, -x);
  };
  expect(findPageOutline(photo(onBrightTable))).toBeNull();
});

import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../../test/support/long.ts';
import type { GrayscaleImage } from './grayscale.ts';
import { rotate } from './grayscale.ts';
import { normalizeIllumination } from './illumination.ts';
import { prepare } from './prepare.ts';
import { findSkew, isSideways } from './skew.ts';
import { computeHomography, project, warp, type Corners } from './warp.ts';

const WIDTH = 1240,
  HEIGHT = 1754;

async function toGrayscale(image: Sharp): Promise<GrayscaleImage> {
  const { data, info } = await image
    .flatten({ background: '#fff' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

/** A page with bars as long and high as words, which is enough to detect lines. */
function page(background = '#fff'): Sharp {
  const words = Array.from({ length: 34 }, (_, line) =>
    Array.from(
      { length: 9 },
      (__, i) =>
        `<rect x="${130 + i * 110}" y="${150 + line * 42}" width="${50 + ((line * 7 + i * 13) % 45)}" height="16" fill="#111"/>`,
    ).join(''),
  ).join('');
  return sharp(
    Buffer.from(
      `<svg width="${WIDTH}" height="${HEIGHT}" xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="${background}"/>${words}</svg>`,
    ),
  );
}
const skewed = async (degrees: number): Promise<GrayscaleImage> =>
  toGrayscale(sharp(await page().png().toBuffer()).rotate(degrees, { background: '#fff' }));

describe('skew', () => {
  test.each([-12, -4.5, -1, 0, 2.3, 9])('detects a skew of %d degrees', async (degrees) => {
    expect(findSkew(await skewed(degrees))).toBeCloseTo(degrees, 0);
  });

  test('is removed from the prepared page, whose coordinates map back to the displayed one', async () => {
    const stored = await skewed(5);
    const { grayscale, toDisplay, turn } = prepare(stored, 0);
    expect(turn).toBe(0);
    expect(Math.abs(findSkew(grayscale))).toBeLessThan(0.4);
    // The page is rotated about its center: the center stays, and a point to its right is lower on the tilted page.
    const map = toDisplay ?? computeHomography(SQUARE, SQUARE);
    const centre = project(map, { x: 0.5, y: 0.5 }),
      right = project(map, { x: 0.9, y: 0.5 });
    expect(centre.x).toBeCloseTo(0.5, 2);
    expect(centre.y).toBeCloseTo(0.5, 2);
    expect(
      (Math.atan2((right.y - centre.y) * stored.height, (right.x - centre.x) * stored.width) * 180) / Math.PI,
    ).toBeCloseTo(5, 0);
  });
});

describe('a page on its side', () => {
  test('is distinguished from an upright one', async () => {
    const upright = await toGrayscale(page());
    expect(isSideways(upright)).toBe(false);
    expect(isSideways(rotate(upright, 90))).toBe(true);
  });

  test('is not detected because of scanner stripes or lines of a form', async () => {
    const striped = await toGrayscale(
      sharp(await page().png().toBuffer()).composite([
        {
          input: Buffer.from(
            [
              `<svg width="${WIDTH}" height="${HEIGHT}"><rect width="22" height="100%" fill="#333"/>`,
              ...[300, 700, 900].map((x) => `<rect x="${x}" width="2" height="100%" fill="#555"/>`),
              '</svg>',
            ].join(''),
          ),
        },
      ]),
    );
    expect(isSideways(striped)).toBe(false);
    expect(isSideways(rotate(striped, 90))).toBe(true);
  });

  test('is rotated by a quarter, but not if a user rotated it', async () => {
    const side = rotate(await toGrayscale(page()), 270);
    expect([90, 270]).toContain(prepare(side, null).turn);
    expect(prepare(side, 0).turn).toBe(0);
  });

  test('returns to the start after four quarter turns', LONG, async () => {
    const upright = await toGrayscale(page());
    expect(rotate(rotate(rotate(upright, 90), 180), 90).data).toEqual(upright.data);
  });
});

const SQUARE: Corners = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

describe('a photographed sheet', () => {
  const corners: Corners = [
    { x: 260, y: 210 },
    { x: 1380, y: 300 },
    { x: 1470, y: 1880 },
    { x: 170, y: 1790 },
  ];

  test('is cropped, and its corners map back to the photo', async () => {
    const sheet = await toGrayscale(page('#f4f4f4'));
    const photo = warp(
      sheet,
      computeHomography(corners, [
        { x: 0, y: 0 },
        { x: WIDTH - 1, y: 0 },
        { x: WIDTH - 1, y: HEIGHT - 1 },
        { x: 0, y: HEIGHT - 1 },
      ]),
      1640,
      2120,
    );
    // Pixels outside the sheet show the table below it.
    const within = warp(
      { data: new Uint8Array(WIDTH * HEIGHT), width: WIDTH, height: HEIGHT },
      computeHomography(corners, [
        { x: 0, y: 0 },
        { x: WIDTH - 1, y: 0 },
        { x: WIDTH - 1, y: HEIGHT - 1 },
        { x: 0, y: HEIGHT - 1 },
      ]),
      1640,
      2120,
    );
    const onTable: GrayscaleImage = {
      ...photo,
      data: photo.data.map((value, i) => (within.data[i] === 255 ? 70 : value)),
    };
    const { toDisplay } = prepare(onTable, 0);
    expect(toDisplay).not.toBeNull();
    SQUARE.forEach((corner, i) => {
      const at = project(toDisplay ?? computeHomography(SQUARE, SQUARE), corner),
        truth = corners[i] ?? corner;
      expect(Math.hypot(at.x * onTable.width - truth.x, at.y * onTable.height - truth.y)).toBeLessThan(40);
    });
  });
});

test('turns uneven light into white paper with dark ink', async () => {
  const { data, width, height } = await toGrayscale(page());
  const shaded: GrayscaleImage = {
    width,
    height,
    data: data.map((value, i) => value * (0.4 + 0.5 * ((i % width) / width))),
  };
  const even = normalizeIllumination(shaded);
  const at = (x: number, y: number): number => even.data[y * width + x] ?? 0;
  for (const x of [60, 620, 1190]) expect(at(x, 130)).toBeGreaterThan(225);
  expect(at(150, 158)).toBeLessThan(90);
  expect(at(1030, 158)).toBeLessThan(90);
});

describe('light print on a dark ground', () => {
  const meanOf = ({ data }: GrayscaleImage): number => data.reduce((sum, shade) => sum + shade, 0) / data.length;

  test('becomes dark print on a light ground', async () => {
    const screenshot = await toGrayscale(page('#f4f4f4').negate({ alpha: false }));
    expect(meanOf(screenshot)).toBeLessThan(100);
    expect(meanOf(prepare(screenshot, null).grayscale)).toBeGreaterThan(150);
  });

  test('is distinguished from a sheet on a dark table', LONG, async () => {
    const sheet = await page('#f4f4f4').resize(620, 877).png().toBuffer();
    const photo = sharp({ create: { width: 1240, height: 1500, channels: 3, background: '#18181a' } });
    const onTable = await toGrayscale(
      sharp(
        await photo
          .composite([{ input: sheet, left: 300, top: 300 }])
          .png()
          .toBuffer(),
      ),
    );
    expect(meanOf(onTable)).toBeLessThan(100);
    const { grayscale, toDisplay } = prepare(onTable, null);
    expect([toDisplay === null, meanOf(grayscale) > 150]).toEqual([false, true]);
  });
});

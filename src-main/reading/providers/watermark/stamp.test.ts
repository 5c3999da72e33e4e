import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { brightnessOf, hasStamp, stampPixels, type Pixels } from './stamp.ts';
import { drawText, makeStampTile, type StampTile } from './stamp-tile.ts';

const AT = Date.UTC(2026, 10, 26, 1, 58);
const PAGE = { width: 800, height: 1130 } as const;

const pageOf = (value: number): Pixels => ({
  ...PAGE,
  data: new Uint8Array(PAGE.width * PAGE.height * 3).fill(value),
  channels: 3,
});
const tileFor = (label: string): Promise<StampTile> => makeStampTile({ label, at: AT }, PAGE.width, PAGE.height);
const likeness = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe('the stamp of a recipient', () => {
  test.each([
    ['an ordinary name', 'Dr. med. Ruth Oesch, Kantonsspital Aarau'],
    ['200 wide letters without a blank', 'W'.repeat(200)],
    ['200 words', 'a b '.repeat(50)],
    ['Chinese', '张伟医生'],
    ['Arabic', 'الدكتور محمد العلي'],
    ['Thai and Devanagari', 'คุณหมอ डॉक्टर'],
    ['emoji', '🏥👩‍⚕️'],
    ['markup', '<b>&amp;</i> "x"'],
  ])('fits on a page: %s', async (_, label) => {
    const tile = await tileFor(label);
    expect(tile.width).toBeLessThanOrEqual(PAGE.width);
    expect(tile.height).toBeLessThanOrEqual(PAGE.height);
    for (const value of [0, 127, 128, 255]) {
      const page = pageOf(value);
      const before = brightnessOf(page);
      stampPixels(page, before, tile);
      expect(hasStamp(page, before, tile)).toBe(true);
    }
  });

  test.each([
    ['张伟', '王芳'],
    ['محمد', 'علي'],
    ['🐶', '🐱'],
    ['Dr. A', 'Dr. B'],
  ])('differs for different names: %s and %s', async (one, other) => {
    const [a, b] = await Promise.all([drawText(one, 40, 600), drawText(other, 40, 600)]);
    expect(likeness(a.ink, b.ink)).toBe(false);
  });

  test('has its time in UTC', async () => {
    const [early, late] = await Promise.all(
      [AT, AT + 60_000].map((at) => makeStampTile({ label: 'Dr. A', at }, PAGE.width, PAGE.height)),
    );
    expect(likeness(early?.ink ?? new Uint8Array(), late?.ink ?? new Uint8Array())).toBe(false);
  });

  test.each(['', ' \n', '\u200b', '\u3164', '\ue000', 'x'.repeat(201)])(
    'is refused for a name that can’t be drawn: %j',
    async (label) => {
      await expect(tileFor(label)).rejects.toMatchObject({ code: 'share.watermark_failed' });
    },
  );

  test('is refused on a page without room for it', async () => {
    await expect(makeStampTile({ label: 'W'.repeat(200), at: AT }, 60, 60)).rejects.toMatchObject({
      code: 'share.watermark_failed',
    });
  });
});

describe('looking for the stamp in a finished picture', () => {
  test('finds it after compression, on a busy picture too', async () => {
    const tile = await tileFor('Dr. Ruth Oesch');
    const page = pageOf(0);
    for (let i = 0; i < page.data.length; i += 1) page.data[i] = (i * 7919) % 251;
    const before = brightnessOf(page);
    stampPixels(page, before, tile);
    const jpeg = await sharp(page.data, { raw: { ...PAGE, channels: 3 } })
      .jpeg({ quality: 82 })
      .toBuffer();
    const data = await sharp(jpeg).toColourspace('srgb').removeAlpha().raw().toBuffer();
    expect(hasStamp({ ...PAGE, data, channels: 3 }, before, tile)).toBe(true);
  });

  test('does not find it on a page that was not stamped, or stamped for somebody else', async () => {
    const [tile, other] = await Promise.all([tileFor('Dr. Ruth Oesch'), tileFor('Dr. Kurt Abt, Spital Muri')]);
    const page = pageOf(255);
    const before = brightnessOf(page);
    expect(hasStamp(page, before, tile)).toBe(false);
    stampPixels(page, before, other);
    expect(hasStamp(page, before, tile)).toBe(false);
  });

  test('does not find it if one part of the page is without it', async () => {
    const tile = await tileFor('Dr. Ruth Oesch');
    const page = pageOf(255);
    const before = brightnessOf(page);
    stampPixels(page, before, tile);
    for (let y = 0; y < tile.height; y += 1) page.data.fill(255, y * PAGE.width * 3, (y * PAGE.width + tile.width) * 3);
    expect(hasStamp(page, before, tile)).toBe(false);
  });
});

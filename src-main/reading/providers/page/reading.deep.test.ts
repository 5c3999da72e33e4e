import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LETTER_LINES, recallOf, startPageReading, type PageReading } from '../../../../test/support/page-reading.ts';
import { letter, scanned } from '../../../../test/support/sample-documents.ts';

let t: PageReading, scan: Buffer;
beforeAll(async () => {
  t = startPageReading();
  scan = await scanned(LETTER_LINES);
});
afterAll(() => t.close());

test('reads a PDF whose text runs down the page by OCR and turns the page', async () => {
  const document = await PDFDocument.load(await letter([LETTER_LINES.map((text, i) => ({ text, y: 300 + i * 20 }))]));
  document.getPage(0).setRotation(degrees(90));
  const { pages } = await t.read(t.file('sideways.pdf', await document.save()), 'application/pdf');
  expect(pages[0]).toMatchObject({ turn: 270, source: 'ocr' });
  expect(recallOf(pages[0])).toBeGreaterThan(0.9);
});

test.each([90, 180, 270] as const)('reads a scan that is rotated by %d degrees upright', async (angle) => {
  const { pages } = await t.read(
    t.file(`rotated-${angle}.png`, await sharp(scan).rotate(angle).png().toBuffer()),
    'image/png',
  );
  expect(pages[0]?.turn).toBe(360 - angle);
  expect(recallOf(pages[0])).toBeGreaterThan(0.9);
});

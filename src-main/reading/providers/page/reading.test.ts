import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import { inDepth } from '../../../../test/support/depth.ts';
import { labReport, letter, scanned } from '../../../../test/support/sample-documents.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { createBuiltinOcr } from '../ocr/builtin.ts';
import type { OcrProvider } from '../provider.ts';
import { createReading, type Reading } from './reading.ts';

const PDF = 'application/pdf',
  PNG = 'image/png';
const LINES = [
  'Sehr geehrte Frau Kollegin',
  'wir berichten über unsere gemeinsame Patientin',
  'Elena Keller, geboren am 09.05.1979',
  'Hämoglobin 13.4 g/dL, Ferritin 24 µg/L',
  'Die Patientin stellte sich zur Kontrolle in unserer',
  'Sprechstunde vor und klagte über Müdigkeit.',
  'Wir bitten um eine Kontrolle in drei Monaten.',
];

let folder: string, reading: Reading, ocr: OcrProvider;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-reading-'));
  reading = createReading({ clock: systemClock, limits: { maxPages: 20, maxPixels: 1e8 }, idleMs: 60_000 });
  ocr = createBuiltinOcr({ clock: systemClock, idleMs: 60_000 });
});
afterAll(async () => {
  await Promise.all([reading.close(), ocr.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
async function read(path: string, mime: string, turns: Record<string, PageTurn> = {}) {
  const seen: [number, number][] = [];
  const answer = await reading.readFile(
    { path, mime, turns },
    { ocr, signal: new AbortController().signal, onPage: (current, total) => void seen.push([current, total]) },
  );
  if (!answer.ok) throw new Error(answer.detail);
  return { ...answer.value, seen };
}
const wordAt = (page: PageText | undefined, text: string) => page?.words.find((word) => word.text === text);
/** Share of the words of `LINES` that stand in the page. */
const recall = (page: PageText | undefined): number => {
  const wanted = LINES.flatMap((line) => line.split(/[\s,]+/));
  const found = new Set(page?.words.flatMap((word) => word.text.split(/[\s,]+/)));
  return wanted.filter((word) => found.has(word)).length / wanted.length;
};

describe('a PDF with text', () => {
  test('gives its words where they stand, without OCR', async () => {
    const { pages, ocr_engine, seen } = await read(file('lab.pdf', await labReport()), PDF);
    expect(ocr_engine).toBeNull();
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({
      page: 1,
      width: 595,
      height: 842,
      turn: 0,
      toDisplay: null,
      source: 'text_layer',
      confidence: 1,
    });
    expect(wordAt(pages[0], 'Ferritin')?.x).toBeCloseTo(60 / 595, 2);
    expect(wordAt(pages[0], '136')?.x).toBeCloseTo(430 / 595, 2);
    const word = wordAt(pages[0], 'Ferritin');
    expect((word?.y ?? 0) + (word?.h ?? 0) / 2).toBeCloseTo((292 - 4) / 842, 1);
    expect(pages[0]?.text).toMatch(/Ferritin {2,}21 {2,}µg\/L {2,}30 - 300/);
    expect(seen.at(-1)).toEqual([1, 1]);
  });

  test('on a turned and cropped page lies as it is shown', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    // Written upwards from the lower edge; turned clockwise it is level, with its start at the left.
    LINES.forEach((text, i) => page.drawText(text, { x: 200 + i * 20, y: 100, size: 11, rotate: degrees(90) }));
    page.setCropBox(50, 40, 545, 802);
    page.setRotation(degrees(90));
    const { pages, ocr_engine } = await read(file('turned.pdf', await document.save()), PDF);
    expect(ocr_engine).toBeNull();
    expect(pages[0]).toMatchObject({ width: 802, height: 545, source: 'text_layer' });
    expect(recall(pages[0])).toBe(1);
    LINES.forEach((text, i) => {
      const word = wordAt(pages[0], text.split(/[\s,]/)[0] ?? '');
      expect(word?.x).toBeCloseTo(60 / 802, 1);
      expect((word?.y ?? 0) + (word?.h ?? 0) / 2).toBeCloseTo((150 + i * 20 - 4) / 545, 1);
    });
  });

  test('that runs down the page is read by OCR, and the page turned', async () => {
    const document = await PDFDocument.load(await letter([LINES.map((text, i) => ({ text, y: 300 + i * 20 }))]));
    document.getPage(0).setRotation(degrees(90));
    const { pages } = await read(file('sideways.pdf', await document.save()), PDF);
    expect(pages[0]).toMatchObject({ turn: 270, source: 'ocr' });
    expect(recall(pages[0])).toBeGreaterThan(0.9);
  });
});

describe('a scan', () => {
  test('in a PDF is read beside pages with text, in order', async () => {
    const document = await PDFDocument.load(await letter([LINES.map((text, i) => ({ text, y: 100 + i * 20 }))]));
    const page = document.insertPage(0, [595, 842]);
    page.drawImage(await document.embedPng(await scanned(LINES)), { x: 0, y: 0, width: 595, height: 842 });
    const { pages, ocr_engine } = await read(file('mixed.pdf', await document.save()), PDF);
    expect(ocr_engine).toBe('builtin');
    expect(pages.map((one) => [one.page, one.source])).toEqual([
      [1, 'ocr'],
      [2, 'text_layer'],
    ]);
    expect(recall(pages[0])).toBeGreaterThan(0.9);
    expect(wordAt(pages[0], 'Hämoglobin')?.x).toBeCloseTo(160 / 1654, 1);
    expect(pages[0]?.text).toContain('13.4');
  });

  test.each(inDepth([180], [90, 180, 270]))('that lies %d degrees off is read upright', async (off) => {
    const { pages } = await read(
      file(
        `off-${off}.png`,
        await sharp(await scanned(LINES))
          .rotate(off)
          .png()
          .toBuffer(),
      ),
      PNG,
    );
    expect(pages[0]?.turn).toBe(360 - off);
    expect(recall(pages[0])).toBeGreaterThan(0.9);
  });

  test('that is cancelled stops', async () => {
    const stop = new AbortController();
    const path = file('cancel.png', await scanned(LINES));
    const going = reading
      .readFile(
        { path, mime: PNG, turns: {} },
        { ocr, signal: stop.signal, onPage: () => stop.abort(new Error('cancelled by a person')) },
      )
      .then(
        (answer) => (answer.ok ? 'read' : answer.reason),
        (error: unknown) => (error as Error).message,
      );
    expect(await going).toMatch(/^cancelled/);
  });
});

describe('what cannot be read is refused with its reason:', () => {
  const refused = (path: string, mime: string) => expect(reading.inspect(path, mime)).rejects;

  test('a PDF that is cut off or is none', async () => {
    await refused(file('none.pdf', '%PDF-1.7\nnothing of a document'), PDF).toMatchObject({ code: 'upload.damaged' });
    await refused(file('empty.pdf', ''), PDF).toMatchObject({ code: 'upload.damaged' });
  });

  test('a PDF behind a password', async () => {
    const document = await PDFDocument.load(await labReport());
    document.encrypt({ userPassword: 'secret', ownerPassword: 'other' });
    await refused(file('locked.pdf', await document.save({ useObjectStreams: false })), PDF).toMatchObject({
      code: 'upload.encrypted',
    });
  });

  test('a PDF of too many pages', async () => {
    const path = file('long.pdf', await letter(Array.from({ length: 21 }, () => [{ text: 'x', y: 100 }])));
    await refused(path, PDF).toMatchObject({ code: 'upload.too_many_pages', params: { pages: 21, limit: 20 } });
  });

  test('an image of too many pixels, from its head alone', async () => {
    const image = await sharp({ create: { width: 11_000, height: 11_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    await refused(file('large.png', image), PNG).toMatchObject({
      code: 'upload.too_many_pixels',
      params: { megapixels: 121, limit: 100 },
    });
  });

  test('an image that is cut off', async () => {
    const whole = await scanned(LINES);
    await refused(file('cut.png', whole.subarray(0, whole.length / 2)), PNG).toMatchObject({ code: 'upload.damaged' });
  });
});

describe('pictures', () => {
  test('show the page as wide as asked, turned as asked', async () => {
    const path = file('picture.pdf', await labReport());
    for (const [turn, ratio] of [
      [0, 842 / 595],
      [90, 595 / 842],
    ] as const) {
      const image = await reading.pageImage(path, PDF, 1, 500, turn);
      const { width, height } = await sharp(image?.data).metadata();
      expect(width).toBe(500);
      expect(height / width).toBeCloseTo(ratio, 1);
    }
    expect(await reading.pageImage(path, PDF, 2, 500, 0)).toBeNull();
  });

  test('of each page of a TIFF are its own', async () => {
    const pages = await Promise.all(
      ['#000', '#fff'].map((background) =>
        sharp({ create: { width: 300, height: 400, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const path = file(
      'two.tiff',
      await sharp(pages, { join: { animated: true } })
        .tiff()
        .toBuffer(),
    );
    expect(await reading.inspect(path, 'image/tiff')).toEqual({ pages: 2 });
    const [first, second] = await Promise.all(
      [1, 2].map(
        async (page) =>
          (await sharp((await reading.pageImage(path, 'image/tiff', page, 100, 0))?.data).stats()).channels[0]?.mean ??
          -1,
      ),
    );
    expect(first).toBeLessThan(20);
    expect(second).toBeGreaterThan(235);
  });

  test('apply what a camera said of its position', async () => {
    const path = file(
      'phone.jpg',
      await sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    const { width, height } = await sharp((await reading.thumbnail(path, 'image/jpeg', 0)).data).metadata();
    expect(height).toBe(width * 2);
  });
});

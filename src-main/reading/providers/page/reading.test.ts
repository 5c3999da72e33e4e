import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../../test/support/long.ts';
import {
  LETTER_LINES,
  recallOf,
  startPageReading,
  wordAt,
  type PageReading,
} from '../../../../test/support/page-reading.ts';
import { labReport, letter, scanned } from '../../../../test/support/sample-documents.ts';
import type { OcrProvider } from '../provider.ts';

const PDF = 'application/pdf',
  PNG = 'image/png';

let t: PageReading, scan: Buffer, report: Uint8Array;
beforeAll(async () => {
  t = startPageReading();
  [scan, report] = await Promise.all([scanned(LETTER_LINES), labReport()]);
});
afterAll(() => t.close());

describe('reading a PDF with text', () => {
  test('returns its words with their positions, without OCR', async () => {
    const { pages, ocr_engine, seen } = await t.read(t.file('lab.pdf', report), PDF);
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

  test('separates words whose spaces are only moves to the right, and keeps ligatures whole', async () => {
    const papers = fileURLToPath(new URL('../../../../test/fixtures/corpus/first-looks/', import.meta.url));
    const [moved] = (await t.read(`${papers}sixth/documents/618_courrier.pdf`, PDF)).pages;
    expect(moved?.text).toContain("J'ai vu ce jour en consultation Madame Jeanne Toussirot, née le 02/12/1965");
    expect(moved?.text).toContain('Les anticorps anti-transglutaminase étant négatifs');
    const [joined] = (await t.read(`${papers}third/documents/314_Dokument1449.pdf`, PDF)).pages;
    expect(joined?.text).toContain('influenza swabs negative');
  });

  test('positions words as a rotated and cropped page shows them', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    // Written upward from the lower edge; after a clockwise rotation it is level and starts at the left.
    LETTER_LINES.forEach((text, i) => page.drawText(text, { x: 200 + i * 20, y: 100, size: 11, rotate: degrees(90) }));
    page.setCropBox(50, 40, 545, 802);
    page.setRotation(degrees(90));
    const { pages, ocr_engine } = await t.read(t.file('turned.pdf', await document.save()), PDF);
    expect(ocr_engine).toBeNull();
    expect(pages[0]).toMatchObject({ width: 802, height: 545, source: 'text_layer' });
    expect(recallOf(pages[0])).toBe(1);
    LETTER_LINES.forEach((text, i) => {
      const word = wordAt(pages[0], text.split(/[\s,]/)[0] ?? '');
      expect(word?.x).toBeCloseTo(60 / 802, 1);
      expect((word?.y ?? 0) + (word?.h ?? 0) / 2).toBeCloseTo((150 + i * 20 - 4) / 545, 1);
    });
  });
});

describe('reading a scan', LONG, () => {
  // Weak point 17 of the program that Hearth follows: mixed files lost their scanned pages.
  test('keeps scanned pages and pages with text in order', async () => {
    const document = await PDFDocument.load(await letter([LETTER_LINES.map((text, i) => ({ text, y: 100 + i * 20 }))]));
    const page = document.insertPage(0, [595, 842]);
    page.drawImage(await document.embedPng(scan), { x: 0, y: 0, width: 595, height: 842 });
    const { pages, ocr_engine } = await t.read(t.file('mixed.pdf', await document.save()), PDF);
    expect(ocr_engine).toBe('builtin');
    expect(pages.map((one) => [one.page, one.source])).toEqual([
      [1, 'ocr'],
      [2, 'text_layer'],
    ]);
    expect(recallOf(pages[0])).toBeGreaterThan(0.9);
    expect(wordAt(pages[0], 'Hämoglobin')?.x).toBeCloseTo(160 / 1654, 1);
    expect(pages[0]?.text).toContain('13.4');
  });

  test('rotates a page that is upside down', async () => {
    const { pages } = await t.read(t.file('upside-down.png', await sharp(scan).rotate(180).png().toBuffer()), PNG);
    expect(pages[0]?.turn).toBe(180);
    expect(recallOf(pages[0])).toBeGreaterThan(0.9);
  });

  test('stops a page that takes too long, and later reads only this page again', async () => {
    let pages = 0;
    const ocr: OcrProvider = {
      ...t.ocr,
      readPage: (_image, { signal }) =>
        (pages += 1) <= 1
          ? new Promise((resolve) =>
              signal.addEventListener('abort', () =>
                resolve({ ok: false, reason: 'cancelled', code: 'reading.cancelled' }),
              ),
            )
          : Promise.resolve({ ok: true, value: { words: [] } }),
    };
    const document = await PDFDocument.load(await letter([LETTER_LINES.map((text, i) => ({ text, y: 100 + i * 20 }))]));
    document
      .insertPage(0, [595, 842])
      .drawImage(await document.embedPng(scan), { x: 0, y: 0, width: 595, height: 842 });
    const file = { path: t.file('slow.pdf', await document.save()), mime: PDF, turns: {} };
    const { signal } = new AbortController();
    const first = await t.reading.readFile(file, { ocr, signal, onPage: () => undefined, ocrPageMs: 50 });
    if (!first.ok) throw new Error(first.code);
    expect(first.value.pages).toMatchObject([{ isUnread: true, words: [], text: '', source: 'ocr' }, { page: 2 }]);
    expect(first.value.pages[1]?.text).toContain('Hämoglobin');
    const known = first.value.pages.slice(1).map((page) => ({ ...page, text: 'as it was' }));
    const second = await t.reading.readFile(file, { ocr: t.ocr, signal, onPage: () => undefined, known });
    if (!second.ok) throw new Error(second.code);
    expect(second.value.pages.map(({ text, isUnread }) => [text === 'as it was', isUnread])).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
    expect(recallOf(second.value.pages[0])).toBeGreaterThan(0.9);
  });

  test('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const path = t.file('cancel.png', scan);
    const going = t.reading
      .readFile(
        { path, mime: PNG, turns: {} },
        { ocr: t.ocr, signal: stop.signal, onPage: () => stop.abort(new Error('cancelled by a person')) },
      )
      .then(
        (answer) => (answer.ok ? 'read' : answer.reason),
        (error: unknown) => (error as Error).message,
      );
    expect(await going).toMatch(/^cancelled/);
  });
});

describe('inspecting a file', () => {
  const refused = (path: string, mime: string) => expect(t.reading.inspect(path, mime)).rejects;

  test('rejects a truncated PDF and one without a document', async () => {
    await refused(t.file('none.pdf', '%PDF-1.7\nnothing of a document'), PDF).toMatchObject({ code: 'upload.damaged' });
    await refused(t.file('empty.pdf', ''), PDF).toMatchObject({ code: 'upload.damaged' });
  });

  test('rejects an encrypted PDF', async () => {
    const document = await PDFDocument.load(report);
    document.encrypt({ userPassword: 'secret', ownerPassword: 'other' });
    await refused(t.file('locked.pdf', await document.save({ useObjectStreams: false })), PDF).toMatchObject({
      code: 'upload.encrypted',
    });
  });

  test('rejects a PDF with too many pages', async () => {
    const path = t.file('long.pdf', await letter(Array.from({ length: 21 }, () => [{ text: 'x', y: 100 }])));
    await refused(path, PDF).toMatchObject({ code: 'upload.too_many_pages', params: { pages: 21, limit: 20 } });
  });

  test('rejects an image with too many pixels before decoding it', async () => {
    const image = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await refused(t.file('large.png', image), PNG).toMatchObject({
      code: 'upload.too_many_pixels',
      params: { megapixels: 6, limit: 5 },
    });
  });

  test('rejects a truncated image', async () => {
    const whole = scan;
    await refused(t.file('cut.png', whole.subarray(0, whole.length / 2)), PNG).toMatchObject({
      code: 'upload.damaged',
    });
  });
});

describe('page images', () => {
  test('have the requested width and rotation', async () => {
    const path = t.file('picture.pdf', report);
    for (const [turn, ratio] of [
      [0, 842 / 595],
      [90, 595 / 842],
    ] as const) {
      const image = await t.reading.pageImage(path, PDF, 1, 500, turn);
      const { width, height } = await sharp(image?.data).metadata();
      expect(width).toBe(500);
      expect(height / width).toBeCloseTo(ratio, 1);
    }
    expect(await t.reading.pageImage(path, PDF, 2, 500, 0)).toBeNull();
  });

  test('apply the orientation of a photo, then the rotation by a user', async () => {
    // A camera that was held upright stores the photo lying on its side: red is at the top when it is shown.
    const stored = sharp({ create: { width: 400, height: 200, channels: 3, background: '#00f' } }).composite([
      { input: { create: { width: 200, height: 200, channels: 3, background: '#f00' } }, left: 0, top: 0 },
    ]);
    const path = t.file('photo.jpg', await stored.withMetadata({ orientation: 6 }).jpeg().toBuffer());
    for (const [turn, size, corner] of [
      [0, [100, 200], 'red'],
      [90, [100, 50], 'blue'],
      [180, [100, 200], 'blue'],
    ] as const) {
      const image = await t.reading.pageImage(path, 'image/jpeg', 1, 100, turn);
      const { data, info } = await sharp(image?.data).raw().toBuffer({ resolveWithObject: true });
      const color = (data[0] ?? 0) > (data[2] ?? 0) ? 'red' : 'blue';
      expect([turn, [info.width, info.height], color]).toEqual([turn, size, corner]);
    }
  });

  test('show each page of a TIFF', async () => {
    const pages = await Promise.all(
      ['#000', '#fff'].map((background) =>
        sharp({ create: { width: 300, height: 400, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const path = t.file(
      'two.tiff',
      await sharp(pages, { join: { animated: true } })
        .tiff()
        .toBuffer(),
    );
    expect(await t.reading.inspect(path, 'image/tiff')).toEqual({ pages: 2 });
    const [first, second] = await Promise.all(
      [1, 2].map(
        async (page) =>
          (await sharp((await t.reading.pageImage(path, 'image/tiff', page, 100, 0))?.data).stats()).channels[0]
            ?.mean ?? -1,
      ),
    );
    expect(first).toBeLessThan(20);
    expect(second).toBeGreaterThan(235);
  });

  test('apply the EXIF orientation', async () => {
    const path = t.file(
      'phone.jpg',
      await sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    const { width, height } = await sharp((await t.reading.thumbnail(path, 'image/jpeg', 0)).data).metadata();
    expect(height).toBe(width * 2);
  });

  test('are narrower when WebP has no room for their height', async () => {
    const path = t.file(
      'scrolling screenshot.png',
      await sharp({ create: { width: 200, height: 20_000, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    );
    const image = await t.reading.pageImage(path, 'image/png', 1, 777, 0);
    const { width, height } = await sharp(image?.data).metadata();
    expect([width, height]).toEqual([163, expect.any(Number)]);
    expect(height).toBeLessThanOrEqual(16_383);
  });
});

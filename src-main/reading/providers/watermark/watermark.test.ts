import {
  clip,
  endPath,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  StandardFonts,
  TextRenderingMode,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heic } from '../../../../test/support/heic-files.ts';
import { jpeg } from '../../../../test/support/large-images.ts';
import { LETTER_LINES, startPageReading, type PageReading } from '../../../../test/support/page-reading.ts';
import { hasPdfPrograms, readPdf } from '../../../../test/support/read-pdf.ts';
import { letter, scanned } from '../../../../test/support/sample-documents.ts';
import { LONG } from '../../../../test/support/long.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { createLargeWork } from '../../../platform/kernel/large-work.ts';
import type { OcrProvider } from '../provider.ts';
import { createWatermark, type Watermark } from './watermark.ts';

const PDF = 'application/pdf',
  PNG = 'image/png';
const STAMP = { label: 'Dr. Ruth Oesch', at: Date.UTC(2026, 10, 26, 1, 58) };
const UNREADABLE = 'This page could not be shown.';

let t: PageReading, watermark: Watermark;
beforeAll(() => {
  t = startPageReading();
  watermark = createWatermark({
    clock: systemClock,
    largeWork: createLargeWork(),
    limits: { maxPages: 20, maxPixels: 30e6 },
  });
});
afterAll(() => Promise.all([t.close(), watermark.close()]));

const fileOf = (path: string, mime: string) => ({ path, mime, turns: {} });

async function stampedPdf(path: string, mime = PDF, stamp = STAMP): Promise<Buffer> {
  const { signal } = new AbortController();
  const parts: Uint8Array[] = [];
  const stream = watermark.streamWatermarkedPdf(fileOf(path, mime), { stamp, unreadable: UNREADABLE, signal });
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** A page in gray, and how many of its pixels are neither black nor white, in each cell of a grid. */
async function stampedCells(image: Uint8Array, cells = 4): Promise<number[]> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  const counts = Array<number>(cells * cells).fill(0);
  for (let y = 0; y < info.height; y += 1)
    for (let x = 0; x < info.width; x += 1) {
      const value = data[(y * info.width + x) * info.channels] ?? 0;
      const cell = Math.floor((y * cells) / info.height) * cells + Math.floor((x * cells) / info.width);
      if (value > 25 && value < 230) counts[cell] = (counts[cell] ?? 0) + 1;
    }
  return counts;
}

const pageOf = async (pdf: Uint8Array, page: number): Promise<Uint8Array> => {
  const image = await t.reading.pageImage(t.file(`made ${page}.pdf`, pdf), PDF, page, 800, 0);
  return image?.data ?? new Uint8Array();
};

const SECRETS = ['WHITEINK', 'INVISIBLE', 'UNDERBAR', 'OUTSIDE', 'CLIPPED', 'ATTACHED', 'TITLEOFFILE', 'SCRIPTED'];

/** A letter that hides words in every way that the tests know, and keeps more behind its pages. */
async function secretive(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('TITLEOFFILE');
  await document.attach(Buffer.from('ATTACHED words'), 'ATTACHED.txt', { mimeType: 'text/plain' });
  document.addJavaScript('main', 'app.alert("SCRIPTED")');
  const font = await document.embedFont(StandardFonts.Helvetica);
  const write = (page: PDFPage, text: string, y: number, more = {}): void =>
    page.drawText(text, { x: 60, y, size: 11, font, ...more });
  const page = document.addPage([595, 842]);
  [...LETTER_LINES, ...LETTER_LINES].forEach((line, i) => write(page, line, 800 - 20 * i));
  write(page, 'WHITEINK', 500, { color: { type: 'RGB', red: 1, green: 1, blue: 1 } });
  write(page, 'INVISIBLE', 470, { renderMode: TextRenderingMode.Invisible });
  write(page, 'UNDERBAR', 440);
  page.drawRectangle({ x: 55, y: 435, width: 200, height: 20 });
  write(page, 'OUTSIDE', 400, { x: 700 });
  page.pushOperators(pushGraphicsState(), rectangle(0, 0, 10, 10), clip(), endPath());
  write(page, 'CLIPPED', 370);
  page.pushOperators(popGraphicsState());
  return document.save({ useObjectStreams: false });
}

describe('a stamped PDF', () => {
  test('has nothing of the original but the look of its pages', async () => {
    const original = await secretive();
    const made = await stampedPdf(t.file('secretive.pdf', original));
    const plain = made.toString('latin1');
    expect(plain).not.toMatch(/\/(Font|Info|Metadata|EmbeddedFiles|JavaScript|Annots|AcroForm)\b/);
    for (const secret of SECRETS) expect(plain).not.toContain(secret);
    const document = await PDFDocument.load(made, { updateMetadata: false });
    expect(document.getPageCount()).toBe(1);
    expect(document.getPage(0).getSize()).toEqual({ width: expect.closeTo(595, 0), height: expect.closeTo(842, 0) });
    expect([document.getTitle(), document.getAuthor(), document.getCreator()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(document.catalog.get(PDFName.of('Names'))).toBeUndefined();
  });

  test.skipIf(!hasPdfPrograms)('is valid, and other programs find neither text nor attachments in it', async () => {
    const made = await stampedPdf(t.file('secretive.pdf', await secretive()));
    const { text, info, fonts, images } = readPdf(made);
    expect(text.trim()).toBe('');
    expect(info).not.toMatch(/Title|Author|Creator|Producer/);
    expect(info).toMatch(/JavaScript: +no/);
    expect(fonts.trim().split('\n')).toHaveLength(2);
    expect(images).toMatch(/jpeg/);
    const folder = mkdtempSync(join(tmpdir(), 'hearth-stamped-'));
    try {
      writeFileSync(join(folder, 'made.pdf'), made);
      expect(execFileSync('pdfdetach', ['-list', join(folder, 'made.pdf')]).toString()).toMatch(/^0 embedded/);
      const open = execFileSync('qpdf', ['--qdf', '--object-streams=disable', join(folder, 'made.pdf'), '-']);
      for (const secret of SECRETS) expect(open.includes(secret)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is stamped all over, on white and on black pages', async () => {
    const document = await PDFDocument.create();
    document.addPage([595, 842]);
    const black = document.addPage([842, 595]);
    black.drawRectangle({ x: 0, y: 0, width: 842, height: 595 });
    const made = await stampedPdf(t.file('plain.pdf', await document.save()));
    for (const page of [1, 2])
      for (const pixels of await stampedCells(await pageOf(made, page))) expect(pixels).toBeGreaterThan(100);
  });

  test('shows the page as a person rotated it', async () => {
    const path = t.file('turned.pdf', await letter([[{ text: 'x', y: 100 }]]));
    const { signal } = new AbortController();
    const parts: Uint8Array[] = [];
    const file = { path, mime: PDF, turns: { '1': 90 } as const };
    for await (const part of watermark.streamWatermarkedPdf(file, { stamp: STAMP, unreadable: '', signal }))
      parts.push(part);
    const { width, height } = (await PDFDocument.load(Buffer.concat(parts))).getPage(0).getSize();
    expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  });

  test('is made one page at a time, and stops when it is cancelled', async () => {
    const path = t.file('three.pdf', await letter(['a', 'b', 'c'].map((text) => [{ text, y: 100 }])));
    const stop = new AbortController();
    const stream = watermark.streamWatermarkedPdf(fileOf(path, PDF), {
      ...{ stamp: STAMP, unreadable: UNREADABLE, signal: stop.signal },
    });
    let bytes = 0;
    const reading = (async () => {
      for await (const part of stream) {
        bytes += part.length;
        stop.abort(new Error('revoked'));
      }
    })();
    await expect(reading).rejects.toThrow('revoked');
    const whole = await stampedPdf(path);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(whole.length / 2);
  });

  test('is made of a scan that takes much memory to decode', LONG, async () => {
    const document = await PDFDocument.create();
    const scan = await document.embedJpg(jpeg(4300, 6080, { isProgressive: true, isSubsampled: false }));
    document.addPage([595, 842]).drawImage(scan, { x: 0, y: 0, width: 595, height: 842 });
    const made = await stampedPdf(t.file('large scan.pdf', await document.save()));
    // The picture is gray.
    expect((await sharp(await pageOf(made, 1)).stats()).channels[0]?.mean).toBeCloseTo(128, -2);
  });

  test('fails before its first byte if the file is encrypted or damaged', async () => {
    const document = await PDFDocument.load(await letter([[{ text: 'x', y: 100 }]]));
    document.encrypt({ userPassword: 'secret', ownerPassword: 'other' });
    const locked = t.file('locked.pdf', await document.save({ useObjectStreams: false }));
    await expect(stampedPdf(locked)).rejects.toMatchObject({ code: 'upload.encrypted' });
    await expect(stampedPdf(t.file('none.pdf', '%PDF-1.7\nnothing'))).rejects.toMatchObject({ code: 'upload.damaged' });
  });

  test('is made of a PDF that only its owner may change', async () => {
    const document = await PDFDocument.load(await letter([[{ text: 'x', y: 100 }]]));
    document.encrypt({ userPassword: '', ownerPassword: 'other' });
    const made = await stampedPdf(t.file('restricted.pdf', await document.save({ useObjectStreams: false })));
    expect((await PDFDocument.load(made)).getPageCount()).toBe(1);
  });

  test('has a stamped notice in the place of a page that cannot be drawn', async () => {
    const document = await PDFDocument.create();
    for (const width of [0.1, 595, 0.1, 595]) document.addPage([width, 842]);
    const made = await stampedPdf(t.file('two bad pages.pdf', await document.save()));
    expect((await PDFDocument.load(made)).getPageCount()).toBe(4);
    for (const page of [1, 3])
      for (const pixels of await stampedCells(await pageOf(made, page))) expect(pixels).toBeGreaterThan(100);
  });
});

describe('a stamped image', () => {
  test('is an upright PNG without metadata', async () => {
    const photo = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#39c' } });
    const exif = { IFD0: { Copyright: 'SECRETOWNER' }, IFD3: { GPSLatitude: '47/1 22/1 0/1' } };
    const path = t.file('photo.jpg', await photo.withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    const file = fileOf(path, 'image/jpeg');
    expect(await watermark.describeCopy(file)).toEqual({ pages: 1, type: PNG });
    const made = await watermark.watermarkImage(file, STAMP);
    const header = await sharp(made).metadata();
    expect(header).toMatchObject({ format: 'png', width: 900, height: 1200 });
    expect([header.exif, header.icc, header.xmp, header.orientation]).toEqual(Array(4).fill(undefined));
    expect(Buffer.from(made).includes('SECRETOWNER')).toBe(false);
  });

  test('has a stamp on colors of every brightness', async () => {
    for (const background of ['#000', '#777', '#808080', '#fff']) {
      const flat = sharp({ create: { width: 600, height: 600, channels: 3, background } });
      const made = await watermark.watermarkImage(fileOf(t.file('flat.png', await flat.png().toBuffer()), PNG), STAMP);
      const { channels } = await sharp(made).stats();
      expect((channels[0]?.max ?? 0) - (channels[0]?.min ?? 0)).toBeGreaterThan(20);
    }
  });

  test('has a margin when it is too small for a name', async () => {
    for (const [width, height] of [
      [16, 16],
      [200, 9000],
    ] as const) {
      const image = sharp({ create: { width, height, channels: 3, background: '#246' } });
      const path = t.file('small.png', await image.png().toBuffer());
      const header = await sharp(await watermark.watermarkImage(fileOf(path, PNG), STAMP)).metadata();
      expect(Math.min(header.width, header.height)).toBe(440);
    }
  });

  test('is made of a HEIC photo, and of the first picture of an animation', async () => {
    const photo = await watermark.watermarkImage(
      fileOf(t.file('photo.heic', heic({ columns: 2, rows: 1, width: 900, height: 500 })), 'image/heic'),
      STAMP,
    );
    expect(await sharp(photo).metadata()).toMatchObject({ format: 'png' });
    const frames = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 500, height: 500, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const made = await watermark.watermarkImage(fileOf(t.file('moving.webp', animation), 'image/webp'), STAMP);
    const { channels } = await sharp(made).stats();
    expect((channels[0]?.mean ?? 0) - (channels[2]?.mean ?? 0)).toBeGreaterThan(100);
  });

  test('leaves as a PDF if it has several pages', async () => {
    const pages = await Promise.all(
      ['#fff', '#fff'].map((background) =>
        sharp({ create: { width: 600, height: 800, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const tiff = await sharp(pages, { join: { animated: true } })
      .tiff()
      .toBuffer();
    const path = t.file('two.tiff', tiff);
    expect(await watermark.describeCopy(fileOf(path, 'image/tiff'))).toEqual({ pages: 2, type: PDF });
    expect((await PDFDocument.load(await stampedPdf(path, 'image/tiff'))).getPageCount()).toBe(2);
    await expect(watermark.watermarkImage(fileOf(path, 'image/tiff'), STAMP, { page: 3 })).rejects.toMatchObject({
      code: 'document.page_not_found',
    });
  });

  test('is refused if the name can’t be stamped', async () => {
    const image = sharp({ create: { width: 600, height: 600, channels: 3, background: '#fff' } });
    const path = t.file('page.png', await image.png().toBuffer());
    for (const label of ['', '\u200b\u200b', 'x'.repeat(201)])
      await expect(watermark.watermarkImage(fileOf(path, PNG), { ...STAMP, label })).rejects.toMatchObject({
        code: 'share.watermark_failed',
      });
  });
});

describe('visible text', () => {
  const { signal } = new AbortController();
  /** Remembers how often it was asked, and reads the same words on every page. */
  function fakeOcr(...texts: string[]): Pick<OcrProvider, 'readPage'> & { asked: number } {
    const words = texts.map((text, i) => ({ text, x: 0.1 + 0.3 * i, y: 0.1, w: 0.25, h: 0.02, confidence: 0.9 }));
    const ocr = {
      asked: 0,
      readPage: () => {
        ocr.asked += 1;
        return Promise.resolve({ ok: true as const, value: { words } });
      },
    };
    return ocr;
  }
  const textOf = async (name: string, bytes: Uint8Array, ocr: Pick<OcrProvider, 'readPage'>): Promise<string> => {
    const answer = await watermark.readVisibleText(fileOf(t.file(name, bytes), PDF), 1, { ocr, signal });
    return answer.ok ? answer.value.text : answer.code;
  };

  test('is the text of a page without what it hides', async () => {
    const ocr = fakeOcr('Hämoglobin');
    const text = await textOf('secretive.pdf', await secretive(), ocr);
    expect(ocr.asked).toBe(0);
    for (const word of LETTER_LINES.join(' ').split(/[\s,]+/)) expect(text).toContain(word);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });

  test.each([
    ['white', { color: { type: 'RGB', red: 1, green: 1, blue: 1 } }],
    ['invisible', { renderMode: TextRenderingMode.Invisible }],
  ] as const)('has no %s letters, although the page is not empty in their place', async (_, style) => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    [...LETTER_LINES, 'WW'].forEach((line, i) => page.drawText(line, { x: 60, y: 760 - 20 * i, size: 11 }));
    page.drawText('xy', { x: 62, y: 760 - 20 * LETTER_LINES.length, size: 11, ...(style as object) });
    const ocr = fakeOcr();
    const text = await textOf('behind.pdf', await document.save(), ocr);
    expect(ocr.asked).toBe(0);
    expect(text).toContain('WW');
    expect(text).not.toMatch(/[xy]\b/);
  });

  test.each([
    'tenth/documents/1021_Entlassbericht_Geburtshilfe.pdf',
    'first/documents/115_Dokument5057.pdf',
    'twentieth/documents/2010_referto_ASP_sicilia.pdf',
  ])('has every word and every sign of a paper that hides nothing: %s', async (name) => {
    const path = fileURLToPath(new URL(`../../../../test/fixtures/corpus/first-looks/${name}`, import.meta.url));
    const ocr = fakeOcr();
    const all = (await t.read(path, PDF)).pages[0]?.words.map(({ text }) => text);
    const answer = await watermark.readVisibleText(fileOf(path, PDF), 1, { ocr, signal });
    expect(ocr.asked).toBe(0);
    expect(answer.ok && answer.value.words.map(({ text }) => text)).toEqual(all);
  });

  test('is read by OCR from a scan with another text behind it', LONG, async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    page.drawImage(await document.embedPng(await scanned(LETTER_LINES)), { x: 0, y: 0, width: 595, height: 842 });
    for (let i = 0; i < 10; i += 1)
      page.drawText('Something else entirely is written here', {
        ...{ x: 60, y: 700 - 20 * i, size: 11, renderMode: TextRenderingMode.Invisible },
      });
    const ocr = fakeOcr('Hämoglobin', '13.4');
    const text = await textOf('scan.pdf', await document.save(), ocr);
    expect(ocr.asked).toBeGreaterThan(0);
    expect(text).toMatch(/^Hämoglobin +13.4/);
    expect(text).not.toContain('entirely');
  });

  test.each([
    ['FreeText', 1],
    ['Link', 0],
  ])('is read by OCR from a page with notes that have text, but not with links: %s', LONG, async (subtype, pages) => {
    const document = await PDFDocument.load(await letter([LETTER_LINES.map((text, i) => ({ text, y: 100 + i * 20 }))]));
    const note = { Type: 'Annot', Subtype: subtype, Rect: [60, 500, 200, 520] };
    document.getPage(0).node.set(PDFName.of('Annots'), document.context.obj([note]));
    const ocr = fakeOcr('Hämoglobin');
    await textOf('note.pdf', await document.save(), ocr);
    expect(Math.min(1, ocr.asked)).toBe(pages);
  });

  test('is read by OCR if one text is drawn over another', LONG, async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    LETTER_LINES.forEach((line, i) => page.drawText(line, { x: 60, y: 760 - 20 * i, size: 11 }));
    page.drawText('POSITIVE RESULT', { x: 60, y: 500, size: 14 });
    page.drawText('NEGATIVE RESULT', { x: 60, y: 500, size: 14 });
    const ocr = fakeOcr('Hämoglobin');
    expect(await textOf('overprinted.pdf', await document.save(), ocr)).toContain('Hämoglobin');
    expect(ocr.asked).toBeGreaterThan(0);
  });
});

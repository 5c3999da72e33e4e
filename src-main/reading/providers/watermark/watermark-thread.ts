import { workerData } from 'node:worker_threads';
import sharp, { type Sharp } from 'sharp';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import { collectGarbage } from '../../../platform/kernel/collect-garbage.ts';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';
import { countRefusedGrowths, limitWasmMemory } from '../../../platform/kernel/web-assembly.ts';
import { grayscaleImage, inspectImage, pixelsOfImage } from '../page/image.ts';
import { countPdfPages, grayscalePdfPage, openPdf, pixelsOfPdfPage } from '../page/pdf.ts';
import { prepare } from '../page/prepare/prepare.ts';
import type { Stamp, StampedPage, WatermarkRequest, WatermarkThreadData } from './requests.ts';
import { makeStampTile, drawText } from './stamp-tile.ts';
import { brightnessOf, hasStamp, stampPixels, type Pixels } from './stamp.ts';
import { readVisibleLayer } from './visible-text.ts';

/** The worker that draws pages and stamps them. `requests.ts` declares its requests. */
const { wasmBytes, ...limits } = workerData as WatermarkThreadData;
limitWasmMemory(wasmBytes);
// Each thread of libvips has buffers of its own, and one page is made at a time.
sharp.concurrency(1);
const PDF = 'application/pdf';
/** Resolution of the pages of a PDF, in pixels per inch. */
const DPI = 170;
/** Of images without a size on paper. */
const IMAGE_DPI = 150;
/** A page of A3 at the full resolution has fewer. */
const MAX_PIXELS = 9e6;
const MAX_SIDE = 30_000;
/** Smaller pages get a white margin, so that there is room for a name. */
const MIN_SIDE = 440;
const JPEG_QUALITY = 82;
/** A third of the time of the usual 6, for files that are a twentieth larger. */
const PNG_COMPRESSION = 3;
/** A page of which no channel differs more from the others is gray. */
const MAX_TINT = 12;
const EMPTY = { ink: new Uint8Array(), width: 0, height: 0 } as const;
const A4 = { width: 1406, height: 1988 } as const;

type PageRequest = WatermarkRequest & { op: 'page' };

const inspect = (path: string, mime: string): Promise<number> =>
  mime === PDF ? countPdfPages(path, limits.maxPages) : inspectImage(path, mime, limits);

/** A page upright on white, and how many pixels an inch of it has. */
async function pixelsOf({ path, mime, page, turn }: PageRequest): Promise<Pixels & { dpi: number }> {
  if (mime !== PDF) {
    const image = await pixelsOfImage(path, mime, page, turn, { ...limits, mostPixels: MAX_PIXELS });
    return { ...(await withMargin({ ...image, channels: 3 })), dpi: IMAGE_DPI };
  }
  const size = { mostPixels: MAX_PIXELS, longestSide: MAX_SIDE };
  const { scale, ...drawn } = await pixelsOfPdfPage((await openPdf(path)).getPage(page - 1), DPI, size);
  return { ...(await withMargin(await turned({ ...drawn, channels: 4 }, turn))), dpi: scale * 72 };
}

async function turned(pixels: Pixels, turn: PageTurn): Promise<Pixels> {
  return turn === 0 ? pixels : rawPixels(sharp(pixels.data, { raw: pixels }).rotate(turn).removeAlpha());
}

/** A picture that was drawn here; pictures of imaging studies are on black. */
async function pixelsOfPicture(picture: Uint8Array): Promise<Pixels & { dpi: number }> {
  const drawn = await rawPixels(sharp(picture).toColourspace('srgb').removeAlpha());
  return { ...(await withMargin(drawn, '#000')), dpi: IMAGE_DPI };
}

async function withMargin(pixels: Pixels, background = '#fff'): Promise<Pixels> {
  const [across, high] = [pixels.width, pixels.height].map((side) => Math.max(0, MIN_SIDE - side)) as [number, number];
  if (across + high === 0) return pixels;
  const [left, top] = [across >> 1, high >> 1];
  const sides = { left, right: across - left, top, bottom: high - top };
  return rawPixels(
    sharp(pixels.data, { raw: pixels })
      .removeAlpha()
      .extend({ ...sides, background }),
  );
}

async function rawPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels['channels'] };
}

function isGrayPicture({ data, width, height, channels }: Pixels): boolean {
  for (let at = 0; at < width * height * channels; at += channels) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > MAX_TINT) return false;
  }
  return true;
}

/** Frees pixels at once; the collector would wait until those of several pages are there. */
function release({ buffer, byteLength }: Uint8Array): void {
  // Another array may share a larger buffer.
  if (buffer.byteLength === byteLength) (buffer as ArrayBuffer).transfer(0);
}

/**
 * Stamps the pixels and encodes them, then decodes the result and compares it with the pixels before.
 * @throws `share.watermark_failed` if the stamp is not there
 */
async function finish(
  pixels: Pixels & { dpi: number },
  stamp: Stamp,
  format: PageRequest['format'],
): Promise<StampedPage> {
  const { width, height, dpi } = pixels;
  const tile = await makeStampTile(stamp, width, height);
  const before = brightnessOf(pixels);
  stampPixels(pixels, before, tile);
  const isGray = isGrayPicture(pixels);
  const image = sharp(pixels.data, { raw: pixels, limitInputPixels: false }).removeAlpha();
  if (isGray) image.toColourspace('b-w');
  const encoded = await (
    format === 'png' ? image.png({ compressionLevel: PNG_COMPRESSION }) : image.jpeg({ quality: JPEG_QUALITY })
  ).toBuffer();
  release(pixels.data);
  const decoded = sharp(encoded, { limitInputPixels: false }).removeAlpha();
  const readBack = await rawPixels(isGray ? decoded.toColourspace('b-w') : decoded.toColourspace('srgb'));
  const isStamped = hasStamp(readBack, before, tile);
  release(readBack.data);
  release(before);
  if (!isStamped) throw fail('share.watermark_failed');
  const points = [(width * 72) / dpi, (height * 72) / dpi] as const;
  return { data: encoded, width, height, isGray, points };
}

/** A white page with a stamp and a text, in the place of one that can't be drawn. */
async function notice(text: string, stamp: Stamp): Promise<StampedPage> {
  const { width, height } = A4;
  const data = new Uint8Array(width * height * 3).fill(255);
  const drawn = text.trim() === '' ? EMPTY : await drawText(text, width / 40, width / 2);
  const [left, top] = [(width - drawn.width) >> 1, (height - drawn.height) >> 1];
  for (let y = 0; y < drawn.height; y += 1)
    for (let x = 0; x < drawn.width; x += 1)
      data.fill(255 - (drawn.ink[y * drawn.width + x] ?? 0), ...channelsAt(((top + y) * width + left + x) * 3));
  return finish({ data, width, height, channels: 3, dpi: DPI }, stamp, 'jpeg');
}

/** Whether a page of A4 can bear the stamp. */
const canStamp = (stamp: Stamp): Promise<boolean> =>
  makeStampTile(stamp, A4.width, A4.height).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false;
      throw error;
    },
  );

const channelsAt = (at: number): [from: number, to: number] => [at, at + 3];

async function grayscale({ path, mime, page }: WatermarkRequest & { op: 'prepare' }) {
  return mime === PDF
    ? grayscalePdfPage((await openPdf(path)).getPage(page - 1))
    : grayscaleImage(path, mime, page, limits.maxPixels);
}

async function answer(request: WatermarkRequest): Promise<unknown> {
  switch (request.op) {
    case 'inspect':
      return { pages: await inspect(request.path, request.mime) };
    case 'page':
      if (request.mayBeMissing && request.page > (await inspect(request.path, request.mime)))
        throw fail('document.page_not_found', { page: request.page });
      return finish(await pixelsOf(request), request.stamp, request.format);
    case 'notice':
      return notice(request.text, request.stamp);
    case 'picture':
      return finish(await pixelsOfPicture(request.picture), request.stamp, 'png');
    case 'try_stamp':
      return canStamp(request.stamp);
    case 'visible_layer':
      return readVisibleLayer(await openPdf(request.path), request.page - 1);
    case 'prepare':
      return prepare(await grayscale(request), request.turn);
  }
}

serveTasks<WatermarkRequest>(async (request) => {
  // The page before this one.
  collectGarbage();
  const refused = countRefusedGrowths();
  const value = await answer(request).catch((error: unknown) => {
    // Decoders that get no memory call the file damaged.
    throw countRefusedGrowths() === refused ? error : new Error('out of memory', { cause: error });
  });
  // A decoder may leave out what it has no memory for, and the page would miss a part.
  if (countRefusedGrowths() > refused) throw new Error('out of memory');
  return { value };
});

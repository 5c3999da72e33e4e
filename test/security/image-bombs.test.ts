/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { inDepth, itInDepth } from '../support/depth.ts';
import { heic } from '../support/heic-files.ts';
import { animatedWebp, blackPng, gif, jpeg, tiffPages, tiffStrip } from '../support/large-images.ts';
import { watchMemory } from '../support/memory.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** What Hearth may hold in memory, all of its processes together. */
const MAX_MEMORY = 2 ** 30;
const READ = /^(done|needs_review)$/;
const TOO_LARGE = '400 upload.too_many_pixels';

let served: Served, person: Client;
beforeAll(async () => {
  served = await serve();
  person = new Client(served.url);
  await person.setup();
});
afterAll(() => served.remove());

type File = [name: string, bytes: Uint8Array];

/** Uploads files at once, waits for their readings, and returns how each ended. */
async function endOf(files: File[]): Promise<string[]> {
  const replies = await Promise.all(files.map(([name, bytes]) => person.upload(bytes, name)));
  await person.idle(280);
  return Promise.all(
    replies.map(async ({ status, body }) => {
      if (status >= 400) return `${status} ${body.code}`;
      const { body: document } = await person.get(`/api/documents/${body.document_id}`);
      return `${document.status} ${document.error?.code ?? ''}`.trim();
    }),
  );
}

/** Uploads files; all processes must stay below the limit, and the server must answer all the time. */
async function expectBounded(files: File[]): Promise<string[]> {
  const largest = watchMemory(served.process.pid);
  let isDone = false;
  const health = (async () => {
    while (!isDone) {
      expect((await person.get('/health')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const ends = await endOf(files);
  isDone = true;
  await health;
  expect(largest() ?? 0).toBeLessThan(MAX_MEMORY);
  return ends;
}

const progressive = (side: number, isSubsampled: boolean): Buffer =>
  jpeg(side, side, { isProgressive: true, isSubsampled });
/** Different bytes with the same image. */
const variant = (bytes: Uint8Array, name: string): Buffer => Buffer.concat([bytes, Buffer.from(name)]);

async function expectHonestFileToPass(name: string): Promise<void> {
  const report = Buffer.concat([Buffer.from(await labReport()), Buffer.from(`\n% ${name}\n`)]);
  expect(await endOf([[`${name}.pdf`, report]])).toEqual([expect.stringMatching(READ)]);
}

describe('a large image', () => {
  const photo: File = ['phone at 48 MP.heic', heic({ columns: 16, rows: 12, width: 8064, height: 6048 })];
  const alone = (): File[] => [
    photo,
    ['panorama.jpg', jpeg(14_000, 7200, { isProgressive: false, isSubsampled: true })],
    ['A3 at 600 dpi.png', blackPng(9921, 7016)],
  ];
  it.each<File>(inDepth(() => [photo], alone)())('comes in when it is honest: %s', async (name, bytes) => {
    expect(await expectBounded([[name, bytes]])).toEqual([expect.stringMatching(READ)]);
  });

  it('is refused if its decoder needs more memory than there is', async () => {
    const ends = await expectBounded([
      ['progressive.jpg', progressive(13_700, true)],
      ['all colors.jpg', progressive(9000, false)],
      ['animation.gif', gif(13_700, 13_700)],
      ['interlaced.png', blackPng(9000, 9000, { isInterlaced: true, isDeep: true })],
      ['photo.heic', heic({ columns: 27, rows: 27 })],
      ['animation.webp', animatedWebp(14_000, 14_000, 3)],
    ]);
    expect(ends).toEqual(Array(6).fill(TOO_LARGE));
  });

  itInDepth('costs no more memory when several come at once, just below their limits', async () => {
    const files: File[] = [
      ['progressive.jpg', progressive(10_900, true)],
      ['animation.gif', gif(8300, 8300)],
      ['interlaced.png', blackPng(6600, 6600, { isInterlaced: true, isDeep: true })],
      ['photo.heic', variant(photo[1], 'x')],
    ];
    expect(await expectBounded(files)).toEqual(files.map(() => expect.stringMatching(READ)));
    await expectHonestFileToPass('after them');
  });

  itInDepth('costs no more memory as one strip of floating-point numbers, or as frames without end', async () => {
    const ends = await expectBounded([
      ['strip.tiff', tiffStrip(8000, 8000)],
      ['frames.webp', animatedWebp(3000, 3000, 2000)],
    ]);
    expect(ends).toEqual(Array(2).fill(expect.stringMatching(READ)));
  });
});

describe('an image that is thousands of times wider than high', () => {
  it('costs no more memory, although its header promises few pixels', async () => {
    const ends = await expectBounded([['line.png', blackPng(1_000_000, 40, { isDeep: true })]]);
    expect(ends).toEqual(['422 reading.file_too_demanding']);
  });
});

describe('a TIFF with thousands of pages', () => {
  it('is refused, and one whose pages are looped has each of them once', async () => {
    const ends = await expectBounded([
      ['pages.tiff', tiffPages(5000)],
      ['looped.tiff', tiffPages(2, { isLooped: true })],
    ]);
    expect(ends).toEqual(['400 upload.too_many_pages', expect.stringMatching(READ)]);
  });
});

describe('an image with a lying header', () => {
  it('is refused as damaged, and honest files after it are read', async () => {
    const ends = await expectBounded([
      ['larger than its tiles.heic', heic({ columns: 2, rows: 1, width: 7000, height: 7000 })],
      ['without its tiles.heic', heic({ columns: 20, rows: 10, tiles: 3 })],
      ['cut.jpg', jpeg(9000, 9000, { isProgressive: true, isSubsampled: true }).subarray(0, 40_000)],
      ['cut.png', blackPng(9000, 9000).subarray(0, 5000)],
    ]);
    expect(ends).toEqual(Array(4).fill('400 upload.damaged'));
    await expectHonestFileToPass('after the lies');
  });
});

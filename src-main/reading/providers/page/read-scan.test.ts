import { expect, it } from 'vitest';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import type { PageImage } from '../provider.ts';
import { prepare } from './prepare/prepare.ts';
import { readScan } from './read-scan.ts';

const WIDTH = 240,
  HEIGHT = 320;

/** A page of one shade, with a gray bar on it if `bar` gives its shade. */
function pageOf(shade: number, bar = shade): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(shade);
  for (let y = 120; y < 130; y += 1) data.fill(bar, y * WIDTH + 40, y * WIDTH + 160);
  return data;
}

async function read(data: Uint8Array, turn: PageTurn | null = null) {
  const images: PageImage[] = [];
  const outcome = await readScan(
    {
      ocr: {
        readPage: async (image) => {
          images.push(image);
          return Promise.resolve({ ok: true, value: { words: [], engine: 'none' } });
        },
      },
      numbers: { readNumbers: () => Promise.reject(new Error('a page without words has no numbers')) },
      prepare: async (_page, wanted) => Promise.resolve(prepare({ data, width: WIDTH, height: HEIGHT }, wanted)),
      signal: new AbortController().signal,
    },
    1,
    turn,
    { languages: null },
  );
  if (!outcome.ok) throw new Error(outcome.code);
  return { page: outcome.value, images };
}

it.each([0, 128, 250])('a page of the shade %i has no words, and OCR does not search it', async (shade) => {
  const { page, images } = await read(pageOf(shade, shade + 5));
  expect([page.words, page.text, images.length]).toEqual([[], '', 0]);
});

it('a page of one shade that a user rotated is shown rotated', async () => {
  const { page } = await read(pageOf(0), 90);
  expect([page.turn, page.width > page.height]).toEqual([90, true]);
});

it.each([
  [255, 225],
  [0, 40],
])('OCR searches a page of the shade %i with print of the shade %i', async (shade, print) => {
  expect((await read(pageOf(shade, print))).images.length).toBeGreaterThan(0);
});

it('a page whose strip does not show its language is read again in that of the whole page', async () => {
  const sentence = 'Die Laborwerte des Patienten sind unauffällig, eine Kontrolle ist nicht erforderlich';
  const words = sentence.split(' ').map((text, i) => ({
    ...{ text, x: 0.05 + (i % 4) * 0.2, y: 0.2 + Math.floor(i / 4) * 0.1, w: 0.15, h: 0.02, confidence: 0.9 },
  }));
  const languages: string[] = [];
  const outcome = await readScan(
    {
      ocr: {
        readPage: (_image, options) => {
          languages.push(options.languages.join('+'));
          return Promise.resolve({ ok: true, value: { words: options.isProbe ? [] : words } });
        },
      },
      numbers: { readNumbers: () => Promise.resolve([]) },
      prepare: (_page, wanted) =>
        Promise.resolve(prepare({ data: pageOf(255, 0), width: WIDTH, height: HEIGHT }, wanted)),
      signal: new AbortController().signal,
    },
    1,
    0,
    { languages: null },
  );
  expect([outcome.ok, languages]).toEqual([true, ['en', 'en', 'de']]);
});

it('a page whose lines run from top to bottom is turned to the side on which it can be read', async () => {
  const sentence = 'Laborwerte Eisenspiegel Blutdruck Kontrolle Untersuchung Ergebnis'.split(' ');
  const inLines = (isUpright: boolean) =>
    sentence.map((text, i) => ({
      ...{ text, confidence: 0.9, w: isUpright ? 0.3 : 0.02, h: isUpright ? 0.02 : 0.3 },
      ...(isUpright ? { x: 0.1, y: 0.1 + i * 0.1 } : { x: 0.1 + i * 0.1, y: 0.1 }),
    }));
  let turn: PageTurn = 0;
  const outcome = await readScan(
    {
      ocr: {
        readPage: (_image, { isProbe, asBlock }) => {
          // Upside down, nothing can be made out; on its side, lines can be read from top to bottom.
          const words = asBlock || turn === 90 ? [] : inLines(turn === 270 || isProbe === true);
          return Promise.resolve({ ok: true, value: { words } });
        },
      },
      numbers: { readNumbers: () => Promise.resolve([]) },
      prepare: (_page, wanted) => {
        turn = wanted ?? 0;
        return Promise.resolve(prepare({ data: pageOf(255, 0), width: WIDTH, height: HEIGHT }, turn));
      },
      signal: new AbortController().signal,
    },
    1,
    null,
    { languages: null, requestedLanguages: ['de'] },
  );
  expect(outcome.ok && [outcome.value.turn, outcome.value.words.map(({ text }) => text)]).toEqual([270, sentence]);
});

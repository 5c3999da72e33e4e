import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { OcrProvider } from '../provider.ts';
import { readUnreadCells, unreadCells } from './unread-cells.ts';

const TABLE = [
  'Leukozyten     6.1      G/l       4.0-9.5',
  'Glukose        7.1      mmol/l    3.9-5.6',
  'Harnstoff      33       mg/dl     17-49',
  'Bilirubin      1.4      mg/dl     0.1-1.2',
  'Harnsäure      7.9      mg/dl     3.4-7.0',
];
const SIZE = { width: 1700, height: 2400 };
const options = { languages: ['de'], signal: new AbortController().signal } as const;

/** A page of paper with print at the given words. */
function imageOf(words: readonly PageWord[]) {
  const data = new Uint8Array(SIZE.width * SIZE.height).fill(255);
  for (const { x, y, w, h } of words)
    for (let row = Math.ceil(y * SIZE.height); row < (y + h) * SIZE.height; row += 1)
      for (let at = Math.ceil(x * SIZE.width); at < (x + w) * SIZE.width; at += 3) data[row * SIZE.width + at] = 0;
  return { data, ...SIZE };
}

/** An engine that reads the same text in each image. */
function engine(text: string, confidence = 0.9) {
  const images: number[] = [];
  const ocr: Pick<OcrProvider, 'readPage'> = {
    readPage: (image) => {
      images.push(image.height);
      const word = { text, x: 0.2, y: 0.3, w: 0.6, h: 0.4, confidence };
      return Promise.resolve({ ok: true, value: { words: [word] } });
    },
  };
  return { ocr, images };
}

describe('cells of a table that were not read', () => {
  const all = printedPage(TABLE).words;
  const isOf = (row: number, text: string) => (word: PageWord) =>
    word.text === text && word.y === all.find((one) => TABLE[row]?.startsWith(one.text))?.y;
  const hole = all.find(isOf(3, '0.1-1.2'));

  it('are read again alone where something is printed', async () => {
    const { ocr, images } = engine('0.1-1.2');
    const words = await readUnreadCells(
      ocr,
      imageOf(all),
      all.filter((word) => word !== hole),
      options,
    );
    const added = words.filter((word) => !all.includes(word));
    expect(images).toHaveLength(1);
    expect(added.map(({ text }) => text)).toEqual(['0.1-1.2']);
    expect(added[0]?.x).toBeGreaterThan((hole?.x ?? 0) - 0.05);
    expect(Math.abs((added[0]?.y ?? 0) - (hole?.y ?? 0))).toBeLessThan(0.01);
  });

  it('stay blank where nothing is printed', async () => {
    const { ocr, images } = engine('9');
    const words = all.filter((word) => word !== hole);
    expect(unreadCells(words)).toHaveLength(1);
    expect(await readUnreadCells(ocr, imageOf(words), words, options)).toEqual(words);
    expect(images).toEqual([]);
  });

  it('are read again where letters are in a column of numbers, and keep both readings', async () => {
    const words = all.map((word) => (isOf(1, '7.1')(word) ? { ...word, text: 'KL' } : word));
    const { ocr } = engine('7.1');
    const read = await readUnreadCells(ocr, imageOf(all), words, options);
    expect(read.find(({ secondReading }) => secondReading === 'KL')?.text).toBe('7.1');
  });

  it('keep their letters if the number in their place is not sure', async () => {
    const words = all.map((word) => (isOf(1, '7.1')(word) ? { ...word, text: 'KL' } : word));
    const { ocr, images } = engine('7.1', 0.6);
    expect(await readUnreadCells(ocr, imageOf(all), words, options)).toEqual(words);
    expect(images).toHaveLength(1);
  });

  it('are left alone if print is in more of them than a table leaves unread', async () => {
    const row = (number: number): string => `Wert${number}`.padEnd(12) + '6.1      '.repeat(5);
    const page = printedPage(Array.from({ length: 50 }, (_, number) => row(number))).words;
    // A third of the cells, in every row and every column of numbers.
    const words = page.filter((_, at) => at % 6 === 0 || (Math.floor(at / 6) + (at % 6)) % 3 !== 0);
    const { ocr, images } = engine('6.1');
    expect(unreadCells(words).length).toBeGreaterThan(40);
    expect(await readUnreadCells(ocr, imageOf(page), words, options)).toEqual(words);
    expect(images).toEqual([]);
  });
});

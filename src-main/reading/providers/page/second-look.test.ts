import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import type { OcrProvider } from '../provider.ts';
import { cellsToReadAgain, lookAgain, mergeReadings } from './second-look.ts';

const word = (text: string): PageWord => ({ text, x: 0.5, y: 0.5, w: 0.05, h: 0.01, confidence: 0.9 });
const merged = (first: string, second: string, confidence = 0.9) => {
  const { text, secondReading } = mergeReadings(word(first), second, confidence);
  return secondReading === undefined ? text : [text, secondReading];
};

describe('a second reading of a number', () => {
  it('restores points that the first one lost', () => {
    expect(merged('131', '1.31')).toBe('1.31');
    expect(merged('24-57', '2.4-5.7')).toBe('2.4-5.7');
    expect(merged('<48]', '4,8')).toBe('<4,8]');
  });

  it('is kept beside the first one when its digits differ and it is sure', () => {
    expect(merged('131', '137')).toEqual(['131', '137']);
    expect(merged('131', '137', 0.4)).toBe('131');
  });

  it('changes nothing when it agrees, is not a number, or has another shape', () => {
    expect([merged('131', '131'), merged('131', '.-'), merged('2457', '2.4-5.7')]).toEqual(['131', '131', '2457']);
  });
});

describe('the numbers to read again', () => {
  const TABLE = ['Kalium        42     3.5 - 5.1', 'Natrium       141    136-145', 'Ferritin      64     15 - 150'];
  const texts = (lines: readonly string[]) => cellsToReadAgain(printedPage(lines).words).map(({ text }) => text);

  it('are those of a table without a decimal mark', () => {
    expect(texts(TABLE)).toEqual(['42', '141', '136-145', '64', '15', '150']);
  });

  it('are none on a page without decimals or without a table', () => {
    expect(texts(['Kalium 42', 'Natrium 141', 'Ferritin 64'])).toEqual([]);
    expect(texts(TABLE.map((line) => line.replace('3.5 - 5.1', '')))).toEqual([]);
  });

  it('are cut out with their blank surroundings and read as one number each', async () => {
    const asked: boolean[] = [];
    const ocr = {
      type: 'test',
      concurrency: 1,
      readPage: (image, { asNumber }) => {
        asked.push(asNumber === true && image.pixels.length === image.width * image.height);
        return Promise.resolve({ ok: true, value: { words: [{ ...word('4.2'), confidence: 1 }] } });
      },
      close: () => Promise.resolve(),
    } satisfies OcrProvider;
    const image = { data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 };
    const words = await lookAgain(ocr, image, printedPage(TABLE).words, new AbortController().signal);
    expect(words.filter(({ text }) => text === '4.2')).toHaveLength(1);
    expect(asked).toEqual(Array.from({ length: 6 }, () => true));
  });
});

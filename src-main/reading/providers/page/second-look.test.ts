import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import { WorkerCrash } from '../../../platform/kernel/worker-pool.ts';
import { cellsToReadAgain, lookAgain, mergeReadings } from './second-look.ts';

const word = (text: string, confidence = 0.9): PageWord => ({ text, x: 0.5, y: 0.5, w: 0.05, h: 0.01, confidence });
const merged = (first: string, second: string, { sure = 0.9, firstSure = 0.9 } = {}) => {
  const cell = { words: [word(first, firstSure)], text: first };
  const result = mergeReadings(cell, { text: second, confidence: sure });
  if (result === null) return 'unchanged';
  const texts = result.flatMap(({ text, secondReading }) =>
    secondReading === undefined ? [text] : [text, secondReading],
  );
  return texts.length === 1 ? texts[0] : texts;
};

describe('a second reading of a number', () => {
  it('restores points that the first one lost, and replaces what can’t be a number', () => {
    expect(merged('131', '1.31')).toBe('1.31');
    expect(merged('24-57', '2.4-5.7')).toBe('2.4-5.7');
    expect(merged('<48]', '<4,8]')).toBe('<4,8]');
    expect(merged('1.005—-1.030', '1.005-1.030')).toBe('1.005-1.030');
    expect(merged('«5', '<5')).toBe('<5');
    expect(merged('3,4)-', '（3,4）')).toBe('(3,4)');
  });

  it('keeps both when their digits differ, the surer one first', () => {
    expect(merged('131', '137')).toEqual(['137', '131']);
    expect(merged('9.4', '3.2', { sure: 0.85, firstSure: 0.6 })).toEqual(['3.2', '9.4']);
    expect(merged('9.4', '3.2', { sure: 0.95, firstSure: 0.6 })).toBe('3.2');
    expect(merged('131', '137', { sure: 0.6 })).toEqual(['131', '137']);
    expect(merged('131', '137', { sure: 0.6, firstSure: 0.4 })).toEqual(['137', '131']);
    expect(merged('70', '1.8-7.0', { sure: 0.6 })).toEqual(['1.8-7.0', '70']);
    expect(merged('40-10,0', '4,0-10.0', { sure: 0.45, firstSure: 0.6 })).toBe('4,0-10.0');
  });

  it('changes nothing when it agrees, is unsure, lost a point itself or is not a number', () => {
    expect([merged('131', '131'), merged('131', '.-'), merged('131', '137', { sure: 0.45 })]).toEqual(
      Array.from({ length: 3 }, () => 'unchanged'),
    );
    expect(merged('3*', '3+', { sure: 0.97 })).toBe('3+');
    expect([merged('7,45', '745'), merged('2457', 'mg/l')]).toEqual(['unchanged', 'unchanged']);
  });

  it('has the unit behind it as a word of its own', () => {
    expect(merged('22161', '2,21G/L')).toEqual(['2,21', '22161', 'G/L']);
    expect(merged('180', '180x')).toBe('unchanged');
  });

  it('has the arrow behind it as a word of its own, and is a range where the first one lost the dash', () => {
    expect(merged('383', '38↓', { sure: 0.92, firstSure: 0.44 })).toEqual(['38', '↓']);
    expect(merged('571', '57T', { sure: 0.85 })).toEqual(['57', '571', '↑']);
    expect(merged('2.152,55', '2,15-2,55', { sure: 0.8 })).toBe('2,15-2,55');
  });

  it('sees an arrow where the first one saw a digit or letter', () => {
    expect([merged('1', '↑'), merged('T', '↓'), merged('1', 'T')]).toEqual(['↑', '↓', '↑']);
    expect([merged('T', 'T'), merged('18', '↑')]).toEqual(['unchanged', 'unchanged']);
    expect([merged('1', 'T', { sure: 0.7 }), merged('1', '↓', { sure: 0.3 })]).toEqual(['unchanged', 'unchanged']);
  });
});

describe('the numbers to read again', () => {
  const TABLE = ['Kalium        42     3.5 - 5.1', 'Natrium       141    136-145', 'Ferritin      64     15 - 150'];
  const texts = (lines: readonly string[]) => cellsToReadAgain(printedPage(lines).words).map(({ text }) => text);

  it('are those of a table', () => {
    expect(texts(TABLE)).toEqual(
      ['42', '3.5', '5.1', '141', '136-145', '64', '15', '150'].filter((one) => !one.includes('.')),
    );
  });

  it('are those of a card with a number, its range and its unit below each other', () => {
    const card = [
      'Serum folate level',
      '39',
      '3.9   26.8',
      'ug/L',
      'Serum ferritin',
      '19',
      'ng/mL',
      'Sodium',
      '140',
      'mmol/L',
    ];
    expect(texts(card)).toEqual(expect.arrayContaining(['39', '19', '140']));
  });

  it('are none on a page without a table, no days and no words', () => {
    expect(texts(['Kalium 42', 'Natrium 141', 'Ferritin 64'])).toEqual([]);
    expect(texts([...TABLE, 'Kontrolle      12.10.2023'])).not.toContain('12.10.2023');
  });

  it('are whole where a typewriter has a wide space behind the comma', () => {
    const { words } = printedPage(TABLE);
    const [point, decimals] = [words.find(({ text }) => text === '42'), words.find(({ text }) => text === '3.5')];
    if (!point || !decimals) throw new Error('the table has these');
    const broken = words.map((one) => {
      if (one === point) return { ...one, text: '1,' };
      return one === decimals ? { ...one, text: '018', x: point.x + point.w + 0.7 * point.h } : one;
    });
    expect(cellsToReadAgain(broken).map(({ text }) => text)).toContain('1,018');
  });

  it('are whole where OCR broke one, and read in its place', async () => {
    const page = printedPage(TABLE);
    const number = page.words.find(({ text }) => text === '141') as PageWord;
    const broken = page.words.flatMap((one) =>
      one === number
        ? [
            { ...one, text: '14,', w: 0.02 },
            { ...one, text: '1', x: one.x + 0.021, w: 0.008 },
          ]
        : [one],
    );
    const sizes: boolean[] = [];
    const reader: Pick<NumberReader, 'readNumbers'> = {
      readNumbers: (images) => {
        sizes.push(...images.map(({ data, width, height }) => data.length === width * height));
        return Promise.resolve(images.map((_, index) => ({ text: index === 1 ? '14,7' : '', confidence: 0.95 })));
      },
    };
    const image = { data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 };
    const words = await lookAgain(reader, image, broken, new AbortController().signal);
    expect(words.filter(({ text }) => text.startsWith('14'))).toMatchObject([{ text: '14,7', secondReading: '14,1' }]);
    expect(sizes.every(Boolean)).toBe(true);
    expect(words).toHaveLength(page.words.length);
  });

  it('stay as they were when the recognizer breaks', async () => {
    const { words } = printedPage(TABLE);
    const broken = { readNumbers: () => Promise.reject(new WorkerCrash('out of memory')) };
    const image = { data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 };
    expect(await lookAgain(broken, image, words, new AbortController().signal)).toEqual(words);
  });
});

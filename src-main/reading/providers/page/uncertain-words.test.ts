import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { OcrProvider } from '../provider.ts';
import { chooseReading, readUncertainWords, uncertainGroups } from './uncertain-words.ts';

const SIZE = { width: 1700, height: 2400 };
const word = (text: string, x: number, y: number, { confidence = 0.95, h = 0.012 } = {}): PageWord => ({
  ...{ text, x, y, w: 0.01 * text.length, h, confidence },
});
const UNSURE = { confidence: 0.3 };
const row = [word('Kalium', 0.1, 0.3), word('mmol/l', 0.5, 0.3), word('Natrium', 0.1, 0.33)];
const groupOf = (text: string, confidence: number, isTall = false) => ({
  words: [word(text, 0.3, 0.3, { confidence })],
  isTall,
});
const again = (text: string, confidence = 0.9) => text.split(' ').map((one) => word(one, 0.3, 0.3, { confidence }));
const texts = (words: readonly PageWord[] | null) =>
  words?.map(({ text, secondReading }) => (secondReading === undefined ? text : `${text} or ${secondReading}`)) ?? null;
const chosen = (first: string, before: number, page: [string, number], number: [string, number], isTall = false) =>
  texts(
    chooseReading(groupOf(first, before, isTall), again(page[0], page[1]), { text: number[0], confidence: number[1] }),
  );

describe('words of low confidence', () => {
  it('are read again, the lowest first, without plain numbers and strokes', () => {
    const words = [
      ...row,
      word('nlichtern', 0.3, 0.4, { confidence: 0.5 }),
      word('WS', 0.3, 0.3, UNSURE),
      word('4,5', 0.3, 0.33, UNSURE),
      word('i', 0.7, 0.3, { confidence: 0.2, h: 0.002 }),
    ];
    expect(uncertainGroups(words, SIZE).map((group) => texts(group.words))).toEqual([['WS'], ['nlichtern']]);
  });

  it('belong together where each is as high as two lines', () => {
    const tall = { confidence: 0.4, h: 0.026 };
    const words = [
      ...row,
      word('Ze', 0.1, 0.5, tall),
      word('Aha', 0.122, 0.5, tall),
      word('cas', 0.5, 0.5, { ...tall, confidence: 0.8 }),
    ];
    expect(uncertainGroups(words, SIZE).map((group) => [group.isTall, texts(group.words)])).toEqual([
      [true, ['Ze', 'Aha']],
      [true, ['cas']],
    ]);
  });

  it('become the words of both lines that they cover', () => {
    expect(chosen('cas', 0.34, ['18/11/2024 07:15', 0.95], ['18/11/2025', 0.37], true)).toEqual([
      '18/11/2024',
      '07:15',
    ]);
    expect(chosen('cas', 0.34, ['18/11/2024 07:15', 0.6], ['18/11/2025', 0.37], true)).toBeNull();
  });

  it('become what both readers see, with the accents of the one that knows them', () => {
    expect(chosen('Niichternzucker', 0.5, ['Nüchternzucker', 0.75], ['Nuchternzucker', 0.9])).toEqual([
      'Nüchternzucker',
    ]);
    expect(chosen('HGH', 0.12, ['HIGH', 0.6], ['HIGH', 0.6])).toEqual(['HIGH']);
  });

  it('become the number or unit that the recognizer of numbers is sure of, with the unit apart', () => {
    expect(chosen('2:95.16', 0.29, ['2,5 mg', 0.5], ['2,5mg', 0.93])).toEqual(['2,5', 'mg']);
    expect(chosen('ner', 0.36, ['mg/dl', 0.23], ['mg/dl', 0.82])).toEqual(['mg/dl']);
  });

  it('keep both readings where a number takes the place of letters and is not sure', () => {
    expect(chosen('WS', 0.18, ['', 0], ['>5，6', 0.47])).toEqual(['>5,6 or WS']);
    expect(chosen('WS', 0.18, ['', 0], ['>5，6', 0.4])).toBeNull();
    expect(chosen('U8', 0.18, ['', 0], ['5,6', 0.47])).toBeNull();
  });

  it('stay as they are where one reader agrees, or none is sure', () => {
    expect(chosen('sec', 0.56, ['SEC', 0.9], ['sec', 0.9])).toBeNull();
    expect(chosen('Bauer', 0.4, ['Baner', 0.6], ['Barer', 0.7])).toBeNull();
  });

  it('have their new reading in their place on the page', async () => {
    const bad = word('cas', 0.4, 0.2, { confidence: 0.3, h: 0.03 });
    const sizes: number[] = [];
    const ocr: Pick<OcrProvider, 'readPage'> = {
      readPage: ({ height }) => {
        sizes.push(height);
        return Promise.resolve({ ok: true, value: { words: again('18/11/2024 07:15', 0.95) } });
      },
    };
    const read = await readUncertainWords(
      { ocr, numbers: { readNumbers: () => Promise.resolve([{ text: '', confidence: 0 }]) } },
      { data: new Uint8Array(SIZE.width * SIZE.height).fill(255), ...SIZE },
      [...row, bad],
      { languages: ['en'], signal: new AbortController().signal },
    );
    expect(sizes).toHaveLength(1);
    expect(texts(read)).toEqual(['Kalium', 'mmol/l', 'Natrium', '18/11/2024', '07:15']);
    for (const { x, y, w, h } of read.slice(-2)) {
      expect([x > bad.x - 0.02, x + w < bad.x + bad.w + 0.02]).toEqual([true, true]);
      expect([y > bad.y - 0.02, y + h < bad.y + bad.h + 0.02]).toEqual([true, true]);
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { MAX_PLACED, placeWords } from './place-words.ts';

/** Words in lines of a page, as a local engine finds them. */
const found = (lines: readonly string[], confidence = 0.95): PageWord[] =>
  lines.flatMap((line, row) =>
    line.split(' ').map((text, column) => ({
      ...{ text, x: 0.1 + column * 0.15, y: 0.1 + row * 0.05, w: 0.12, h: 0.02, confidence },
    })),
  );
const REPORT = ['Synlabor Mittelland Laborbefund', 'Ferritin 23 µg/L', 'Natrium 139 mmol/L'];
const placesOf = (words: readonly PageWord[] | null) => (words ?? []).map(({ text, x, y }) => [text, x, y]);
const textOf = (words: readonly PageWord[] | null) => (words ?? []).map(({ text }) => text).join(' ');

describe('the places of words that a vision model read', () => {
  it('are those of the same words', () => {
    expect(placesOf(placeWords(REPORT, found(REPORT)))).toEqual(placesOf(found(REPORT)));
  });

  it('are those of misread words between the same neighbors, with less confidence', () => {
    const local = found(['Synlabor Mittelland Laborbefund', 'Femtin 28 µg/L', 'Natrium 139 mmol/L']);
    const words = placeWords(REPORT, local);
    expect(placesOf(words)).toEqual(placesOf(found(REPORT)));
    expect(words?.[4]).toMatchObject({ text: '23', confidence: 0.75 });
  });

  it('are parts of a word that the engine did not divide, and the box around one that it divided', () => {
    const local = found(['Synlabor Mittelland Laborbefund', 'Ferritin23 µg/L Natrium', '13 9 mmol/L']);
    const words = placeWords(REPORT, local) ?? [];
    expect(textOf(words)).toBe(REPORT.join(' '));
    const [ferritin, value] = [words[3]!, words[4]!];
    expect([ferritin.x, ferritin.x + ferritin.w, value.x + value.w]).toEqual([
      0.1,
      expect.closeTo(0.16),
      expect.closeTo(0.22),
    ]);
    const split = words.find(({ text }) => text === '139')!;
    expect([split.x, split.w]).toEqual([0.1, expect.closeTo(0.27)]);
  });

  it('are between the neighbors for a word that the engine did not see, within the page', () => {
    const local = found(REPORT).filter(({ text }) => text !== '23' && text !== 'mmol/L');
    const words = placeWords(REPORT, local) ?? [];
    expect(textOf(words)).toBe(REPORT.join(' '));
    const value = words.find(({ text }) => text === '23')!;
    expect([value.x >= 0.22, value.x + value.w <= 0.4, value.y]).toEqual([true, true, 0.15000000000000002]);
    for (const { x, y, w, h } of words) expect(x >= 0 && y >= 0 && x + w <= 1.001 && y + h <= 1).toBe(true);
  });

  it('keep a sure word that the model left out', () => {
    const words = placeWords([REPORT[0]!, 'Ferritin 23', REPORT[2]!], found([...REPORT, 'Unterschrift']));
    expect(textOf(words)).toBe('Synlabor Mittelland Laborbefund Ferritin 23 µg/L Natrium 139 mmol/L Unterschrift');
  });

  it('are refused for an answer about another page, and are those of lines where nothing was recognized', () => {
    expect(placeWords(['I can’t read this page, sorry.'], found(REPORT))).toBeNull();
    expect(placeWords([], found(REPORT))).toBeNull();
    const written = placeWords(['Liebe Elena', 'bis bald'], []) ?? [];
    expect(written.map(({ text, confidence }) => [text, confidence])).toEqual([
      ['Liebe', 0.4],
      ['Elena', 0.4],
      ['bis', 0.4],
      ['bald', 0.4],
    ]);
    expect(written[0]!.y).toBe(written[1]!.y);
    expect(written[2]!.y).toBeGreaterThan(written[0]!.y + 0.1);
  });

  it('take no more words than a page has', () => {
    const long = Array.from({ length: 30 }, () => 'wort '.repeat(200));
    expect(placeWords(long, found(['wort']))!.length).toBeLessThanOrEqual(MAX_PLACED + 1);
  });
});

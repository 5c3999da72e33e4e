import { expect, it } from 'vitest';
import { createSynonyms } from './synonyms.ts';

const synonyms = createSynonyms();
const textsOf = (words: string): string[] => synonyms.of(words).map(({ text }) => text);

it.each([
  ['Knie', 'knee'],
  ['knee', 'Knie'],
  ['genoux', 'Knie'],
  ['Kniegelenk', 'knee'],
  ['Röntgen', 'X-ray'],
  ['BLUTDRUCK', 'blood pressure'],
  ['blood pressure', 'Blutdruck'],
  ['Hämoglobin', 'Haemoglobin'],
  ['hypertension', 'Hypertonie'],
  ['Kardiologie', 'Cardiology'],
  ['Dafalgan', 'Paracetamol'],
])('%s also looks for %s', (typed, other) => {
  expect(textsOf(typed)).toContain(other);
});

it('finds words that begin so only where the table says it', () => {
  expect(synonyms.of('knee').find(({ text }) => text === 'Knie')?.isPrefix).toBe(true);
  expect(synonyms.of('Hand').find(({ text }) => text === 'mano')?.isPrefix).toBe(false);
});

it('knows nothing of other words, and never returns what was typed or contains it', () => {
  expect(textsOf('Handel')).toEqual([]);
  expect(textsOf('Zaunkönig')).toEqual([]);
  expect(textsOf('')).toEqual([]);
  expect(textsOf('glucose').filter((text) => /glucose/i.test(text))).toEqual([]);
});

it('a substance does not look for its brands', () => {
  expect(textsOf('Paracetamol')).not.toContain('Dafalgan');
});

it('returns at most twelve names', () => {
  for (const word of ['cancer', 'glucose', 'hypertension', 'diabetes', 'Schmerz'])
    expect(textsOf(word).length).toBeLessThanOrEqual(12);
});

import { describe, expect, it } from 'vitest';
import { findWords, spokenParts } from './spoken.ts';

describe('what is read aloud', () => {
  it('joins lines of a sentence, and leaves rows of a table apart', () => {
    const text = [
      'Befund',
      '',
      'The patient was seen',
      'on 12 November. She',
      'feels well.',
      'Ferritin   24   µg/L',
      'Quick      98   %',
      'Kind regards',
    ].join('\n');
    expect(spokenParts(text)).toEqual([
      'Befund',
      'The patient was seen on 12 November. She feels well.',
      'Ferritin, 24, µg/L',
      'Quick, 98, %',
      'Kind regards',
    ]);
    expect(spokenParts('')).toEqual([]);
  });
});

describe('words on a page', () => {
  it.each([
    ['ferritin', ['Ferritin']],
    ['FERRITIN 24', ['Ferritin   24']],
    ['(a+b)', ['(a+b)']],
    ['.*', []],
    ['   ', []],
    ['zinc', []],
    ['12.0-16.0', ['12.0-16.0']],
  ])('are found as somebody types them: %s', (words, found) => {
    const text = 'Ferritin   24 µg/L\n(a+b) 12.0-16.0';
    expect(findWords(text, words).map(({ start, end }) => text.slice(start, end))).toEqual(found);
  });
});

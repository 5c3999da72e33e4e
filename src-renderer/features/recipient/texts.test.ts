import { describe, expect, it } from 'vitest';
import { LANGUAGES, textsOf } from './texts.ts';

const english = textsOf('en');

describe('the page of recipients', () => {
  it('is in English and German, each by its own name', () => {
    expect(LANGUAGES).toEqual(
      expect.arrayContaining([
        { code: 'en', name: 'English' },
        { code: 'de', name: 'Deutsch' },
      ]),
    );
  });

  it.each(LANGUAGES.map(({ code }) => code))('has all texts in the file of the language %s', (code) => {
    const texts = textsOf(code);
    expect(texts === english).toBe(code === 'en');
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    const empty = Object.entries({ ...texts, ...texts.types }).filter(([, text]) => text === '');
    expect(empty).toEqual([]);
  });
});

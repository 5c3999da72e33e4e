import { describe, expect, it } from 'vitest';
import { DoorError } from './door.ts';
import { errorText, LANGUAGES, textsOf } from './texts.ts';

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

  it.each([
    ['en', 20, 'in 20 min.'],
    ['en', 1440, 'in 24 hours.'],
    ['de', 1440, 'in 24 Stunden erneut.'],
  ])('says in %s how long %i minutes are', (language, minutes, words) => {
    expect(errorText(textsOf(language), new DoorError('auth.rate_limited', minutes))).toContain(words);
  });

  it.each(LANGUAGES.map(({ code }) => code))('has all texts in the file of the language %s', (code) => {
    const texts = textsOf(code);
    expect(texts === english).toBe(code === 'en');
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    const empty = Object.entries({ ...texts, ...texts.types }).filter(([, text]) => text === '');
    expect(empty).toEqual([]);
  });
});

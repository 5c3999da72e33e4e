import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src-shared/contract/error-codes.ts';
import { FIELD_ERRORS } from '../../src-shared/contract/field-error-codes.ts';
import { LANGUAGE_FACTS, loadMessages } from '../locales/index.ts';
import { spellFor } from './spelling.ts';

/** Every message by its path: `app › nav › today`. */
function* leaves(node: object, path = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(node) as [string, string | object][]) {
    const at = path === '' ? key : `${path} › ${key}`;
    if (typeof value === 'string') yield [at, value];
    else yield* leaves(value, at);
  }
}
const paramsOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))].sort();
const CATALOGS = await Promise.all(
  Object.keys(LANGUAGE_FACTS).map(async (language) => [language, await loadMessages(language)] as const),
);
const english = new Map(leaves(await loadMessages('en')));

describe.each(CATALOGS)('the messages in %s', (_, messages) => {
  it('have a text for every error code', () => {
    for (const code of Object.keys({ ...ERRORS, ...FIELD_ERRORS }))
      expect(messages.errors, code).toHaveProperty([code]);
  });

  it('have a text for every English message', () => {
    const texts = new Map(leaves(messages));
    expect([...english.keys()].filter((path) => !texts.has(path))).toEqual([]);
  });

  it('have exactly the parameters of the English message', () => {
    const singular = /_one$/;
    const differing = [...leaves(messages)].filter(([path, text]) => {
      // A singular may spell the number out.
      const expected = paramsOf(english.get(path) ?? '').filter((name) => name !== 'count' || !singular.test(path));
      const found = paramsOf(text).filter((name) => name !== 'count' || !singular.test(path));
      return found.join() !== expected.join();
    });
    expect(differing).toEqual([]);
  });

  it('are not empty and have no leading or trailing blanks', () => {
    expect([...leaves(messages)].filter(([, text]) => text === '' || text !== text.trim())).toEqual([]);
  });
});

describe('German', async () => {
  const messages = await loadMessages('de');
  const texts = (locale: string): string[] =>
    [...leaves(spellFor(LANGUAGE_FACTS['de']!, locale, messages))].map(([, text]) => text);
  /** Words that are written with `ss` in Switzerland only. */
  const SWISS =
    /(gröss|\bgross|[aä]usser(?!t)|\baussen|schliess|strasse|gemäss|heiss|\bweiss|eiweiss|liess|mässig|massgeb|dreissig)/i;

  it('is spelled as in Germany and Austria', () => {
    expect(texts('de-AT').filter((text) => SWISS.test(text))).toEqual([]);
    expect(texts('de')).toEqual(texts('de-AT'));
  });

  it.each(['de-CH', 'de-li'])('is spelled without its sharp s for %s', (locale) => {
    expect(texts(locale).filter((text) => text.includes('ß'))).toEqual([]);
    expect(texts(locale)).toContain('Schliessen');
    expect(texts('de')).toContain('Schließen');
  });

  it('keeps functions of texts, which carry words of people', () => {
    const title = (name: string): string => `Für ${name}`;
    const spelled = spellFor(LANGUAGE_FACTS['de']!, 'de-CH', { close: 'Schließen', title });
    expect([spelled.close, spelled.title('Weiß')]).toEqual(['Schliessen', 'Für Weiß']);
  });
});

import type { LanguageFacts } from '../locales/en.ts';

/**
 * Texts of a language as a locale spells them: without `ß` in Switzerland. Texts are strings, nested objects and
 * functions; those of functions stay as they are, because they carry words of people.
 */
export function spellFor<T>({ spellings = {} }: LanguageFacts, locale: string, texts: T): T {
  const letters = spellings[locale.toLowerCase().split('-')[1] ?? ''];
  return letters === undefined ? texts : spell(texts, letters);
}

function spell<T>(texts: T, letters: Readonly<Record<string, string>>): T {
  if (typeof texts === 'string')
    return Object.entries(letters).reduce<string>((text, [from, to]) => text.replaceAll(from, to), texts) as T;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, spell(value, letters)])) as T;
}

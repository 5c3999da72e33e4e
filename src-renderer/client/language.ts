import i18next, { type TFunction } from 'i18next';
import type { Messages } from '../locales/en.ts';
import { LANGUAGE_FACTS, loadMessages } from '../locales/index.ts';
import { spellFor } from './spelling.ts';
import { storePreference, readPreference } from './storage.ts';

/** Code of a language that has messages (BCP 47: `en`, `de`). */
export type Language = keyof typeof LANGUAGE_FACTS;

/** For browsers that prefer no language of the interface. */
const FALLBACK_LANGUAGE: Language = 'en';

/** The languages of the interface, with their native names. */
export const LANGUAGES = Object.entries(LANGUAGE_FACTS).map(([value, { name, switch_to: switchTo }]) => ({
  value,
  label: name,
  switchTo,
  lang: value,
}));

const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.hasOwn(LANGUAGE_FACTS, code);

/** The language stored in this browser, otherwise the first supported one of the browser's preferences. */
export function firstLanguage(): Language {
  const storedLanguage = readPreference('language') ?? undefined;
  if (isLanguage(storedLanguage)) return storedLanguage;
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return preferred.find(isLanguage) ?? FALLBACK_LANGUAGE;
}

/** Every cell of a table asks for its locale, and the browser makes the list of its languages anew for each. */
const locales = new Map<Language, string>();

/** The locale for dates and numbers: the browser's variant of the language ("de-CH", "en-US") if it has one. */
export function localeOf(language: Language): string {
  const known = locales.get(language);
  if (known !== undefined) return known;
  const locale =
    navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
    (LANGUAGE_FACTS[language] ?? LANGUAGE_FACTS[FALLBACK_LANGUAGE])!.locale;
  locales.set(language, locale);
  return locale;
}

/** The messages of a language, spelled as the browser's variant of it. */
export async function messagesOf(language: Language): Promise<Messages> {
  const messages = await loadMessages(language);
  const facts = LANGUAGE_FACTS[language];
  return facts === undefined ? messages : spellFor(facts, localeOf(language), messages);
}

async function addMessages(language: Language): Promise<void> {
  const messages = await messagesOf(language);
  for (const [namespace, texts] of Object.entries(messages)) i18next.addResourceBundle(language, namespace, texts);
}

/** The messages of a language, for texts that are not in that of the page, such as those for somebody else. */
export async function wordsIn(language: Language): Promise<TFunction<'app'>> {
  await addMessages(language);
  return i18next.getFixedT(language, 'app');
}

/** Changes the language of the interface, once its messages are loaded, and stores it. */
export function setLanguage(language: Language): void {
  storePreference('language', language);
  void addMessages(language).then(() => {
    document.documentElement.lang = language;
    return i18next.changeLanguage(language);
  });
}

import i18next from 'i18next';
import { MESSAGES } from '../locales/index.ts';
import { storePreference, readPreference } from './storage.ts';

/** Code of a language that has messages (BCP 47: `en`, `de`). */
export type Language = keyof typeof MESSAGES;

/** English defines the message keys and is the fallback for unknown languages. */
export const FALLBACK_LANGUAGE: Language = 'en';

/** The languages of the interface, with their native names. */
export const LANGUAGES = Object.entries(MESSAGES).map(([value, { language }]) => ({
  value,
  label: language.name,
  lang: value,
}));

const isLanguage = (code: string | undefined): code is Language => code !== undefined && Object.hasOwn(MESSAGES, code);

/** The language stored in this browser, otherwise the first supported one of the browser's preferences. */
export function firstLanguage(): Language {
  const storedLanguage = readPreference('language') ?? undefined;
  if (isLanguage(storedLanguage)) return storedLanguage;
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return preferred.find(isLanguage) ?? FALLBACK_LANGUAGE;
}

/** The locale for dates and numbers: the browser's variant of the language ("de-CH", "en-US") if it has one. */
export function localeOf(language: Language): string {
  return (
    navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
    (MESSAGES[language] ?? MESSAGES[FALLBACK_LANGUAGE])!.language.locale
  );
}

/** Changes the language of the interface and stores it. */
export function setLanguage(language: Language): void {
  storePreference('language', language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

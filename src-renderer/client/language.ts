import i18next from 'i18next';
import { MESSAGES } from '../locales/index.ts';
import { remember, remembered } from './storage.ts';

/** Code of a language that has messages (BCP 47: `en`, `de`). */
export type Language = keyof typeof MESSAGES;

/** English decides the keys, so it also fills in for a language that is unknown. */
export const FALLBACK_LANGUAGE: Language = 'en';

/** The languages of the interface, each by its own name. */
export const LANGUAGES = Object.entries(MESSAGES).map(([value, { language }]) => ({
  value,
  label: language.name,
  lang: value,
}));

const isLanguage = (code: string | undefined): code is Language => code !== undefined && Object.hasOwn(MESSAGES, code);

/** The language that was set on this computer, else the first of the browser's that there are messages for. */
export function firstLanguage(): Language {
  const stored = remembered('language') ?? undefined;
  if (isLanguage(stored)) return stored;
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return preferred.find(isLanguage) ?? FALLBACK_LANGUAGE;
}

/** The locale whose dates and numbers a language uses: the browser's own variant ("de-CH", "en-US") if it has one. */
export function localeOf(language: Language): string {
  return (
    navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
    (MESSAGES[language] ?? MESSAGES[FALLBACK_LANGUAGE])!.language.locale
  );
}

/** Changes the language of everything at once and remembers it. */
export function setLanguage(language: Language): void {
  remember('language', language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

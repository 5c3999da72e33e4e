import i18next from 'i18next';
import { remember, remembered } from './storage.ts';

export type Language = 'en' | 'de';
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const;

/** The language chosen on this computer, else the one that the browser prefers. */
export function firstLanguage(): Language {
  const kept = remembered('language');
  if (kept === 'en' || kept === 'de') return kept;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('de')) &&
    !navigator.languages[0]?.startsWith('en')
    ? 'de'
    : 'en';
}

/** Changes the language of everything at once and remembers it. */
export function setLanguage(language: Language): void {
  remember('language', language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

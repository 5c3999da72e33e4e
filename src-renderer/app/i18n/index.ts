import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { remember, remembered } from '../storage.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Catalogues } from './catalogues.ts';

export type Language = 'en' | 'de';
export const LANGUAGES = [{ value: 'en', label: 'English' }, { value: 'de', label: 'Deutsch' }] as const;

function firstLanguage(): Language {
  const kept = remembered('language');
  if (kept === 'en' || kept === 'de') return kept;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('de')) && !navigator.languages[0]?.startsWith('en') ? 'de' : 'en';
}

/** Starts the catalogues; `app` is the namespace of the frame and its pages. */
export function startI18n(): void {
  const language = firstLanguage();
  document.documentElement.lang = language;
  void i18next.use(initReactI18next).init({
    lng: language, fallbackLng: 'en', defaultNS: 'app', ns: ['app'],
    resources: { en: { app: en }, de: { app: de } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

/** Adds the words of a page that is loaded later, under its own namespace; declare it in `Catalogues` as well. */
export function addCatalogue<N extends keyof Catalogues>(name: N, words: Record<Language, object>): void {
  i18next.addResourceBundle('en', name, words.en, true, true);
  i18next.addResourceBundle('de', name, words.de, true, true);
}

/** Changes the language of everything at once and remembers it. */
export function setLanguage(language: Language): void {
  remember('language', language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

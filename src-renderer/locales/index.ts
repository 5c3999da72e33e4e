import { SEARCH_WORDS, type SearchWord } from '../../src-shared/contract/search-words.ts';
import type { Messages } from './en.ts';

/** What is known of a language before its messages are loaded. */
interface LanguageFacts {
  name: string;
  /** For dates and numbers, if the browser has no variant of the language (BCP 47). */
  locale: string;
  switch_to: string;
  /** Words of a search line, separated by spaces; English ones work in every language. */
  search_words: Readonly<Record<SearchWord, string>>;
}

/** The languages by their code; the file of the same name has the messages. */
export const LANGUAGE_FACTS: Readonly<Record<string, LanguageFacts>> = {
  de: {
    name: 'Deutsch',
    locale: 'de-CH',
    switch_to: 'Auf Deutsch umschalten',
    search_words: {
      or: 'ODER',
      title: 'titel datei',
      body: 'inhalt',
      english: 'englisch zusammenfassung',
      people: 'arzt praxis spital klinik labor',
      labels: 'typ fach diagnose medikament',
    },
  },
  en: { name: 'English', locale: 'en-GB', switch_to: 'Switch to English', search_words: SEARCH_WORDS },
};

const files = import.meta.glob<Messages>(['./*.ts', '!./index.ts'], { import: 'messages' });

/** Loads the messages of a language. The page loads those of one language only. */
export async function loadMessages(language: string): Promise<Messages> {
  const load = files[`./${language}.ts`];
  if (!load) throw new Error(`there are no messages in "${language}"`);
  return load();
}

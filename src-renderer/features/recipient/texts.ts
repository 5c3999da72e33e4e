import { createContext, use } from 'react';
import { RECIPIENT_FACTS, RECIPIENT_FALLBACK, RECIPIENT_TEXTS } from '../../client/recipient-texts.ts';
import type { RecipientTexts } from '../../locales/en.ts';
import { spellFor } from '../../client/spelling.ts';
import { dateFormat } from '../../ui/format/formats.ts';
import type { DoorError, SharedDocument } from './door.ts';

/** The code of a language, which is the name of its file. */
export type Language = string;

const [FACTS, TEXTS, FALLBACK] = [RECIPIENT_FACTS, RECIPIENT_TEXTS, RECIPIENT_FALLBACK];

/** The languages of the page with their own names. */
export const LANGUAGES = Object.entries(FACTS).map(([code, { name }]) => ({ code, name }));

/** The first language of the browser that the page has, otherwise English. */
export function preferredLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return preferred.find((code) => Object.hasOwn(TEXTS, code)) ?? FALLBACK;
}

const spelled = new Map<Language, RecipientTexts>();

/** The texts in a language, spelled as the browser's variant of it; one object, whoever asks. */
export function textsOf(language: Language): RecipientTexts {
  const known = spelled.get(language);
  if (known) return known;
  const texts = TEXTS[language] ?? TEXTS[FALLBACK]!;
  const facts = FACTS[language];
  const own = facts === undefined ? texts : spellFor(facts, localeOf(language), texts);
  spelled.set(language, own);
  return own;
}

const LanguageContext = createContext<Language>(FALLBACK);
export const LanguageProvider = LanguageContext.Provider;

/** The texts of the page, and its language. */
export function useTexts(): { t: RecipientTexts; language: Language } {
  const language = use(LanguageContext);
  return { t: textsOf(language), language };
}

/** What went wrong, in words of the recipient. */
export function errorText(t: RecipientTexts, { code, minutes }: DoorError): string {
  if (code === 'share.code_wrong') return t.error_code;
  if (code === 'auth.rate_limited') return t.error_limit(minutes);
  return code === 'share.too_many_requests' ? t.error_busy : t.error_offline;
}

/** The type of a document: `Laboratory report`. */
export const typeOf = (t: RecipientTexts, { doc_type }: SharedDocument): string =>
  doc_type === null ? t.document : t.types[doc_type];

/** The browser's variant of a language, such as `de-CH`. */
const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
  FACTS[language]?.locale ??
  FALLBACK;

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A civil date in words: `12 Nov 2026`. */
export const dateText = (language: Language, date: string): string =>
  dateFormat(localeOf(language), { ...DAY, timeZone: 'UTC' }).format(Date.parse(date));

/** A time of day here, of a timestamp in UTC. */
export const timeText = (language: Language, timestamp: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short' }).format(new Date(`${timestamp}Z`));

/** A day here, of a timestamp in UTC. */
export const dayText = (language: Language, timestamp: string): string =>
  dateFormat(localeOf(language), DAY).format(Date.parse(`${timestamp}Z`));

/** The name of a language: `German`; its code if the browser has no name for it. */
export const languageName = (language: Language, code: string): string => {
  try {
    return new Intl.DisplayNames([localeOf(language)], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** A share (0–1) as a percentage: `150 %`. */
export const percentText = (language: Language, share: number): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 0 }).format(share);

/**
 * The languages in which the core itself writes: answers, mails, the file beside exported studies, the summary behind a
 * link. The compiler then names what has no words in a new one. The languages of the window are `src-renderer/locales`.
 */
export const CORE_LANGUAGES = ['en', 'de'] as const;
export type CoreLanguage = (typeof CORE_LANGUAGES)[number];

/** The first one for people whose language the core does not write. */
export const coreLanguage = (language: unknown): CoreLanguage =>
  CORE_LANGUAGES.find((known) => known === language) ?? CORE_LANGUAGES[0];

/** The languages of translations and of canonical names, by their codes. */
export const LANGUAGES = {
  en: 'English',
  it: 'Italian',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  ru: 'Russian',
} as const;
export type LanguageCode = keyof typeof LANGUAGES;
/** The English name. */
export type LanguageName = (typeof LANGUAGES)[LanguageCode];

const codes = Object.keys(LANGUAGES) as LanguageCode[];

/** The code of a language that is named by its code or its English name; undefined for any other. */
export const languageCode = (text: string): LanguageCode | undefined =>
  codes.find((code) => code === text.toLowerCase() || LANGUAGES[code].toLowerCase() === text.toLowerCase());

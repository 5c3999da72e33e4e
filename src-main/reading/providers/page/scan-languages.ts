import type { Language } from '../../../../src-shared/medical/page.ts';

/** Codes of our languages, as ISO 639-1 and both kinds of 639-2 write them. */
const CODES = new Map<string, Language>(
  Object.entries({
    en: 'en',
    eng: 'en',
    de: 'de',
    deu: 'de',
    ger: 'de',
    fr: 'fr',
    fra: 'fr',
    fre: 'fr',
    it: 'it',
    ita: 'it',
  }),
);

/** Languages of a setting like `de+en` or `deu,eng`; null for `auto`, and where none of them can be read. */
export function scanLanguages(setting: string): Language[] | null {
  const languages = [
    ...new Set(
      setting
        .split(/[+,]\s*/)
        .map((code) => CODES.get(code.trim()))
        .filter((code) => code !== undefined),
    ),
  ];
  return languages.length > 0 ? languages : null;
}

import type { Language } from '../../../../src-shared/medical/page.ts';

/** Codes of the supported languages in ISO 639-1 and both variants of ISO 639-2. */
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

/** Languages of a setting such as `de+en` or `deu,eng`; null for `auto`, or if none of them is supported. */
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

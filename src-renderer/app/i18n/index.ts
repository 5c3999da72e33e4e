import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, firstLanguage } from '../../client/language.ts';
import { MESSAGES } from '../../locales/index.ts';
import './catalogues.ts';

/** Initializes i18next; `app` is the namespace of the frame and its pages. */
export function startI18n(): void {
  const language = firstLanguage();
  document.documentElement.lang = language;
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: FALLBACK_LANGUAGE,
    defaultNS: 'app',
    ns: Object.keys(MESSAGES[FALLBACK_LANGUAGE] ?? {}),
    resources: MESSAGES,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

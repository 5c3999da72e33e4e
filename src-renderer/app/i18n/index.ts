import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { askShell, isInShell } from '../../client/shell-bridge.ts';
import { FALLBACK_LANGUAGE, firstLanguage } from '../../client/language.ts';
import { MESSAGES } from '../../locales/index.ts';
import './catalogues.ts';

/** Initializes i18next; `app` is the namespace of the frame and its pages. */
export function startI18n(): void {
  const language = firstLanguage();
  document.documentElement.lang = language;
  i18next.on('languageChanged', labelMenu);
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

/** Labels the menu of the desktop window in the language of the page; if that fails, the menu stays as it is. */
function labelMenu(language: string): void {
  const labels = MESSAGES[language]?.app.menu;
  if (labels && isInShell()) void askShell('setMenuLabels', labels).catch(() => {});
}

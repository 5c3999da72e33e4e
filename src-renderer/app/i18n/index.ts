import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { MenuLabels } from '../../../src-shared/contract/menu-labels.ts';
import { askShell, isInShell } from '../../client/shell-bridge.ts';
import { firstLanguage } from '../../client/language.ts';
import { loadMessages } from '../../locales/index.ts';
import './catalogues.ts';

/** Initializes i18next with the messages of one language; `app` is the namespace of the frame and its pages. */
export async function startI18n(): Promise<void> {
  const language = firstLanguage();
  document.documentElement.lang = language;
  const messages = await loadMessages(language);
  i18next.on('languageChanged', labelMenu);
  await i18next.use(initReactI18next).init({
    lng: language,
    // Every language has all messages: its type demands it.
    fallbackLng: false,
    defaultNS: 'app',
    ns: Object.keys(messages),
    resources: { [language]: messages },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

/** Labels the menu of the desktop window in the language of the page; if that fails, the menu stays as it is. */
function labelMenu(language: string): void {
  const labels = i18next.getResource(language, 'app', 'menu') as MenuLabels | undefined;
  if (labels && isInShell()) void askShell('setMenuLabels', labels).catch(() => {});
}

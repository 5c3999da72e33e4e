import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isInShell } from '../../client/shell-bridge.ts';
import { firstLanguage, localeOf, messagesOf } from '../../client/language.ts';
import './catalogues.ts';

/** Writes the numbers in messages as the locale does: "1,234 documents", "1.234 Dokumente". */
const NUMBERS: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _, language) =>
    typeof value === 'number' && language ? numberFormatOf(language).format(value) : (value as string),
};
const numberFormats = new Map<string, Intl.NumberFormat>();
function numberFormatOf(language: string): Intl.NumberFormat {
  const known = numberFormats.get(language);
  if (known) return known;
  const format = new Intl.NumberFormat(localeOf(language));
  numberFormats.set(language, format);
  return format;
}

/** Initializes i18next with the messages of one language; `app` is the namespace of the frame and its pages. */
export async function startI18n(): Promise<void> {
  const language = firstLanguage();
  document.documentElement.lang = language;
  const messages = await messagesOf(language);
  // Only the desktop window has a menu, so no browser waits for its words.
  if (isInShell())
    i18next.on('languageChanged', (shown) => void import('./label-menu.ts').then(({ labelMenu }) => labelMenu(shown)));
  await i18next
    .use(initReactI18next)
    .use(NUMBERS)
    .init({
      lng: language,
      // Every language has all messages: its type demands it.
      fallbackLng: false,
      defaultNS: 'app',
      ns: Object.keys(messages),
      resources: { [language]: messages },
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    });
}

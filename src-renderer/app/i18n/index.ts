import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { COMMANDS, PAGES } from '../../../src-shared/contract/commands.ts';
import type { MenuLabels, ShellTexts } from '../../../src-shared/contract/menu-labels.ts';
import { askShell, isInShell } from '../../client/shell-bridge.ts';
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
  i18next.on('languageChanged', labelMenu);
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

const pageNames = PAGES.map(({ name }) => name);
const commandNames = COMMANDS.map(({ name }) => name);

/** Labels the menu of the desktop window in the language of the page; if that fails, the menu stays as it is. */
function labelMenu(language: string): void {
  const shell = i18next.getResource(language, 'app', 'menu') as ShellTexts | undefined;
  if (!shell || !isInShell()) return;
  const textsBelow = <K extends string>(key: string, names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, String(i18next.t(`${key}.${name}` as never))])) as Record<K, string>;
  const labels: MenuLabels = {
    shell,
    pages: textsBelow('nav', pageNames),
    commands: textsBelow('command', commandNames),
  };
  void askShell('setMenuLabels', labels).catch(() => {});
}

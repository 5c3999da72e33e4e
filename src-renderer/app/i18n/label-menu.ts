import i18next from 'i18next';
import { COMMANDS, PAGES } from '../../../src-shared/contract/commands.ts';
import type { MenuLabels, ShellTexts } from '../../../src-shared/contract/menu-labels.ts';
import { askShell } from '../../client/shell-bridge.ts';

const pageNames = PAGES.map(({ name }) => name);
const commandNames = COMMANDS.map(({ name }) => name);

/** Labels the menu of the desktop window in the language of the page; if that fails, the menu stays as it is. */
export function labelMenu(language: string): void {
  const shell = i18next.getResource(language, 'app', 'menu') as ShellTexts | undefined;
  if (!shell) return;
  const textsBelow = <K extends string>(key: string, names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, String(i18next.t(`${key}.${name}` as never))])) as Record<K, string>;
  const labels: MenuLabels = {
    shell,
    pages: textsBelow('nav', pageNames),
    commands: textsBelow('command', commandNames),
  };
  void askShell('setMenuLabels', labels).catch(() => {});
}

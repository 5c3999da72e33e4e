import type { MenuItemConstructorOptions } from 'electron';
import { COMMANDS, PAGES, type CommandName } from '../../../src-shared/contract/commands.ts';
import type { MenuLabels, ShellTexts } from '../../../src-shared/contract/menu-labels.ts';

/** What the menu knows to say: pages and commands have no words before the page has sent them. */
export type KnownLabels = Pick<MenuLabels, 'shell'> & Partial<MenuLabels>;

export interface MenuActions {
  showVault(): void;
  showLogs(): void;
  goHome(): void;
  goTo(path: string): void;
  run(command: CommandName): void;
  /** Starts the program again, in safe mode or not. */
  restart(): void;
}

type Items = MenuItemConstructorOptions[];
const SEPARATOR = { type: 'separator' } as const;
const EDIT: Items = [
  { role: 'undo' },
  { role: 'redo' },
  SEPARATOR,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
];

/**
 * The native menu: pages and commands of the table that palette and shortcuts use as well, with their accelerators. The
 * system translates the roles itself.
 */
export function menuTemplate(
  labels: KnownLabels,
  actions: MenuActions,
  { isMac, isSafeMode }: { isMac: boolean; isSafeMode: boolean },
): Items {
  const { shell, pages } = labels;
  return [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    { label: shell.file, submenu: fileItems(labels, actions, isMac) },
    { label: shell.edit, submenu: EDIT },
    { label: shell.view, submenu: viewItems(labels, actions) },
    ...(pages ? [{ label: shell.go, submenu: pageItems(pages, actions) }] : []),
    { label: shell.window, role: 'windowMenu' },
    { label: shell.help, role: 'help', submenu: helpItems(labels, actions, isSafeMode) },
  ];
}

function commandItems({ commands }: KnownLabels, { run }: MenuActions, names: readonly CommandName[]): Items {
  if (!commands) return [];
  return COMMANDS.filter(({ name }) => names.includes(name)).map(({ name, accelerator }) => ({
    id: name,
    label: commands[name],
    click: () => run(name),
    ...(accelerator !== null && { accelerator }),
  }));
}

const pageItems = (pages: MenuLabels['pages'], { goTo }: MenuActions): Items =>
  PAGES.map(({ name, to, accelerator }) => ({ id: name, label: pages[name], accelerator, click: () => goTo(to) }));

const fileItems = (labels: KnownLabels, actions: MenuActions, isMac: boolean): Items => [
  ...commandItems(labels, actions, ['upload']),
  { label: labels.shell.vault, click: actions.showVault },
  SEPARATOR,
  ...commandItems(labels, actions, ['lock', 'signout']),
  isMac ? { role: 'close' } : { role: 'quit' },
];

const viewItems = (labels: KnownLabels, actions: MenuActions): Items => [
  ...commandItems(labels, actions, ['palette', 'theme']),
  { label: labels.shell.home, click: actions.goHome },
  { role: 'reload' },
  SEPARATOR,
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  SEPARATOR,
  { role: 'togglefullscreen' },
];

const helpItems = (labels: KnownLabels, actions: MenuActions, isSafeMode: boolean): Items => [
  ...commandItems(labels, actions, ['keys']),
  { label: labels.shell.logs, click: actions.showLogs },
  { label: restartLabel(labels.shell, isSafeMode), click: actions.restart },
];

const restartLabel = (shell: ShellTexts, isSafeMode: boolean): string =>
  isSafeMode ? shell.normal_mode : shell.safe_mode;

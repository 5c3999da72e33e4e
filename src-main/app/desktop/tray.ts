import type { MenuItemConstructorOptions } from 'electron';
import type { MenuLabels } from '../../../src-shared/contract/menu-labels.ts';
import type { Activity } from '../shell-api.ts';
import type { KnownLabels } from './menu.ts';
import { fillText } from './fill-text.ts';

export interface TrayActions {
  open(): void;
  add(): void;
  quit(): void;
}

/** The line of the tray that tells what is read; nothing of the records to somebody who is not signed in. */
export function stateLine(shell: MenuLabels['shell'], activity: Activity | null): string {
  if (activity === null) return shell.state_signed_out;
  const count = activity.waiting + (activity.isReading ? 1 : 0);
  if (activity.isStopped) return fillText(shell.state_stopped, { count });
  return count === 0 ? shell.state_idle : fillText(shell.state_reading, { count });
}

/** The menu of the tray: state, quick upload, window, end. Only a signed-in user can add files. */
export function trayTemplate(
  { shell, commands }: KnownLabels,
  activity: Activity | null,
  { open, add, quit }: TrayActions,
): MenuItemConstructorOptions[] {
  return [
    { id: 'state', label: stateLine(shell, activity), enabled: false },
    { type: 'separator' },
    ...(commands && activity ? [{ id: 'add', label: commands.upload, click: add }] : []),
    { id: 'open', label: shell.open, click: open },
    { id: 'quit', label: shell.quit, click: quit },
  ];
}

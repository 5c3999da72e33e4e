import type { MenuItemConstructorOptions } from 'electron';
import type { MenuLabels } from '../../../src-shared/contract/menu-labels.ts';

/**
 * The native menu; the system translates the roles itself. `showVault` opens the vault folder, `goHome` returns to
 * Hearth's first page.
 */
export function menuTemplate(
  labels: MenuLabels,
  { showVault, goHome }: { showVault: () => void; goHome: () => void },
): MenuItemConstructorOptions[] {
  return [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: labels.file,
      submenu: [
        { label: labels.vault, click: showVault },
        { type: 'separator' },
        process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: labels.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: labels.view,
      submenu: [
        { label: labels.home, click: goHome },
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { label: labels.window, role: 'windowMenu' },
  ];
}

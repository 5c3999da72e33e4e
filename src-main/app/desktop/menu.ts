import type { MenuItemConstructorOptions } from 'electron';

const LABELS = {
  en: { file: 'File', vault: 'Show Vault Folder', home: 'Start Page', edit: 'Edit', view: 'View', window: 'Window' },
  de: {
    file: 'Ablage',
    vault: 'Tresorordner zeigen',
    home: 'Startseite',
    edit: 'Bearbeiten',
    view: 'Ansicht',
    window: 'Fenster',
  },
};

/**
 * The native menu; the system translates the roles itself. `showVault` opens the folder of files, `goHome` returns to
 * Hearth's first page.
 */
export function menuTemplate(
  locale: string,
  { showVault, goHome }: { showVault: () => void; goHome: () => void },
): MenuItemConstructorOptions[] {
  const labels = locale.startsWith('de') ? LABELS.de : LABELS.en;
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

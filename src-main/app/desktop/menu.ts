import type { MenuItemConstructorOptions } from 'electron';

const WORDS = {
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
  const words = locale.startsWith('de') ? WORDS.de : WORDS.en;
  return [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: words.file,
      submenu: [
        { label: words.vault, click: showVault },
        { type: 'separator' },
        process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: words.edit,
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
      label: words.view,
      submenu: [
        { label: words.home, click: goHome },
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { label: words.window, role: 'windowMenu' },
  ];
}

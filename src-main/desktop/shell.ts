import { app, BrowserWindow, Menu, session, shell } from 'electron';
import { menuTemplate } from './menu.ts';

/** Opens the window and keeps it to our own address: no other page, no new window, no permission that nobody needs. */
export function openShell(url: string, vaultFolder: string): void {
  const origin = new URL(url).origin;
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(app.getLocale(), { showVault: () => void shell.openPath(vaultFolder), goHome: () => void window.loadURL(url) })));
  let window = open();
  app.on('second-instance', () => { if (window.isMinimized()) window.restore(); window.focus(); });
  app.on('activate', () => { if (BrowserWindow.getAllWindows().length === 0) window = open(); });
  app.on('window-all-closed', () => { if (process.platform !== 'darwin') app.quit(); });

  function open(): BrowserWindow {
    const made = new BrowserWindow({
      width: 1320, height: 880, minWidth: 390, minHeight: 480, show: false, title: 'Hearth',
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
    });
    made.once('ready-to-show', () => made.show());
    made.webContents.setWindowOpenHandler(({ url: wanted }) => {
      if (isWeb(wanted) && new URL(wanted).origin !== origin) void shell.openExternal(wanted);
      return { action: 'deny' };
    });
    made.webContents.on('will-navigate', (event, wanted) => {
      // Only our own server can have sent the window away, to a sign-in service: there it may walk on, and come back.
      const isAway = isWeb(made.webContents.getURL()) && new URL(made.webContents.getURL()).origin !== origin;
      if (!isWeb(wanted) || (new URL(wanted).origin !== origin && !isAway)) event.preventDefault();
    });
    made.webContents.on('will-attach-webview', (event) => event.preventDefault());
    void made.loadURL(url);
    return made;
  }
}

const isWeb = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, powerMonitor, session, shell } from 'electron';
import { BRIDGE_CHANNELS, ORIGIN_ARGUMENT } from '../../../src-shared/contract/bridge-names.ts';
import { randomId } from '../../platform/kernel/ids.ts';
import type { RunningCore } from '../supervisor.ts';
import { connectBridge, createBridge } from './bridge.ts';
import { menuTemplate } from './menu.ts';
import { guardPermissions } from './permissions.ts';
import { createPhoneFolders } from './phone-folders.ts';
import { watchPower } from './power.ts';

/** Built from `preload.ts` by scripts/build-desktop.ts, because the sandbox loads a single CommonJS file. */
const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));

/**
 * Opens the window, confines it to our own address (no other page, no new window, only listed permissions), and
 * connects the bridge.
 */
export function openShell({
  url,
  vaultFolder,
  phones,
  log,
}: Pick<RunningCore, 'url' | 'vaultFolder' | 'phones' | 'log'>): void {
  const origin = new URL(url).origin;
  guardPermissions(session.defaultSession, { origin, backups: phones.baseDirectory });
  const folders = createPhoneFolders({
    phones,
    ids: randomId,
    reveal: (path) => shell.showItemInFolder(path),
    async chooseFolder(start) {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openDirectory', 'showHiddenFiles', 'dontAddToRecent'],
        ...(start !== '' && { defaultPath: start }),
      });
      return canceled ? null : (filePaths[0] ?? null);
    },
  });
  const bridge = createBridge({
    origin,
    ...folders,
    mayUse: async () => phones.mayUse(await cookiesOf(url)),
    log: log.child('shell'),
  });
  connectBridge(bridge, ipcMain);
  watchPower(powerMonitor, {
    lockAll: () => phones.lockAll(),
    forget: bridge.forget,
    tell: (signal) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(BRIDGE_CHANNELS.signal, signal);
    },
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate(app.getLocale(), {
        showVault: () => void shell.openPath(vaultFolder),
        goHome: () => void window.loadURL(url),
      }),
    ),
  );
  let window = open();
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) window = open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  function open(): BrowserWindow {
    const made = new BrowserWindow({
      width: 1320,
      height: 880,
      minWidth: 390,
      minHeight: 480,
      show: false,
      title: 'Hearth',
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        preload: PRELOAD,
        additionalArguments: [`${ORIGIN_ARGUMENT}${origin}`],
      },
    });
    made.once('ready-to-show', () => made.show());
    made.webContents.setWindowOpenHandler(({ url: wanted }) => {
      if (isWeb(wanted) && new URL(wanted).origin !== origin) void shell.openExternal(wanted);
      return { action: 'deny' };
    });
    made.webContents.on('will-navigate', (event, wanted) => {
      // Only our own server can have sent the window to a sign-in service; there it may navigate and come back.
      const isAway = isWeb(made.webContents.getURL()) && new URL(made.webContents.getURL()).origin !== origin;
      if (!isWeb(wanted) || (new URL(wanted).origin !== origin && !isAway)) event.preventDefault();
    });
    made.webContents.on('will-attach-webview', (event) => event.preventDefault());
    void made.loadURL(url);
    return made;
  }
}

/** The cookies that the window would send to the core. */
const cookiesOf = async (url: string): Promise<string> =>
  (await session.defaultSession.cookies.get({ url })).map(({ name, value }) => `${name}=${value}`).join('; ');

const isWeb = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

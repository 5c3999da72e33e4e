import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, powerMonitor, session, shell } from 'electron';
import { BRIDGE_CHANNELS, ORIGIN_ARGUMENT } from '../../../src-shared/contract/bridge-names.ts';
import { MENU_TEXTS, type MenuLabels } from '../../../src-shared/contract/menu-labels.ts';
import { randomId } from '../../platform/kernel/ids.ts';
import type { RunningCore } from '../supervisor.ts';
import { connectBridge, createBridge } from './bridge.ts';
import { menuTemplate } from './menu.ts';
import { guardPermissions } from './permissions.ts';
import { createPhoneFolders } from './phone-folders.ts';
import { watchPower } from './power.ts';

/** Built from `preload.ts` by scripts/build-desktop.ts, because the sandbox loads a single CommonJS file. */
const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));

type ShellDeps = Pick<RunningCore, 'url' | 'vaultFolder' | 'phones' | 'log'>;

/** The window that menu and dialogs refer to; replaced when the user opens another one. */
interface Shell extends ShellDeps {
  origin: string;
  window: BrowserWindow | null;
}

/**
 * Opens the window, confines it to our own address (no other page, no new window, only listed permissions), and
 * connects the bridge.
 */
export function openShell(deps: ShellDeps): void {
  const origin = new URL(deps.url).origin;
  const state: Shell = { ...deps, origin, window: null };
  guardPermissions(session.defaultSession, { origin, backups: deps.phones.baseDirectory });
  connectPage(state);
  setMenu(state, MENU_TEXTS);
  state.window = openWindow(deps.url, origin);
  followApp(state);
}

/** The native menu; the page sends its labels in the language of the user. */
function setMenu(state: Shell, labels: MenuLabels): void {
  const template = menuTemplate(labels, {
    showVault: () => void shell.openPath(state.vaultFolder()),
    goHome: () => void state.window?.loadURL(state.url),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Connects the bridge for the page, and locks phone backups when the computer sleeps or is locked. */
function connectPage(state: Shell): void {
  const { url, origin, phones, log } = state;
  const folders = createPhoneFolders({
    phones,
    ids: randomId,
    reveal: (path) => shell.showItemInFolder(path),
    chooseFolder: (start) => chooseFolder(state, start),
  });
  const bridge = createBridge({
    origin,
    filesOf: folders.filesOf,
    handlers: {
      ...folders.handlers,
      setMenuLabels(labels) {
        setMenu(state, labels);
        return {};
      },
    },
    mayUse: async () => phones.mayUse(await cookiesOf(url)),
    log: log.child('shell'),
  });
  connectBridge(bridge, ipcMain);
  watchPower(powerMonitor, {
    lockAll: () => phones.lockAll(),
    forget: bridge.forget,
    sendSignal: (signal) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(BRIDGE_CHANNELS.signal, signal);
    },
  });
}

async function chooseFolder({ window }: Shell, start: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window as BrowserWindow, {
    properties: ['openDirectory', 'showHiddenFiles', 'dontAddToRecent'],
    ...(start !== '' && { defaultPath: start }),
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Focuses, opens and quits as each platform expects. */
function followApp(state: Shell): void {
  app.on('second-instance', () => {
    if (state.window?.isMinimized()) state.window.restore();
    state.window?.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) state.window = openWindow(state.url, state.origin);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

function openWindow(url: string, origin: string): BrowserWindow {
  const window = new BrowserWindow({
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
  window.once('ready-to-show', () => window.show());
  confineWindow(window, origin);
  void window.loadURL(url);
  return window;
}

/** Opens other origins in the browser, and denies new windows, navigation to other sites and webviews. */
function confineWindow({ webContents }: BrowserWindow, origin: string): void {
  webContents.setWindowOpenHandler(({ url }) => {
    if (isWeb(url) && new URL(url).origin !== origin) void shell.openExternal(url);
    return { action: 'deny' };
  });
  webContents.on('will-navigate', (event, url) => {
    // Only Hearth's own server can have sent the window to a sign-in provider; from there it may navigate and return.
    const current = webContents.getURL();
    const isAway = isWeb(current) && new URL(current).origin !== origin;
    if (!isWeb(url) || (new URL(url).origin !== origin && !isAway)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/** The cookies that the window would send to the core. */
const cookiesOf = async (url: string): Promise<string> =>
  (await session.defaultSession.cookies.get({ url })).map(({ name, value }) => `${name}=${value}`).join('; ');

const isWeb = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

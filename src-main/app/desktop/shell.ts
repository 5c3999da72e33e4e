import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  session,
  shell,
  Tray,
  type MessageBoxOptions,
} from 'electron';
import { BRIDGE_CHANNELS, ORIGIN_ARGUMENT } from '../../../src-shared/contract/bridge-names.ts';
import type { BridgeSignal } from '../../../src-shared/contract/bridge.ts';
import type { CommandName } from '../../../src-shared/contract/commands.ts';
import { MENU_TEXTS } from '../../../src-shared/contract/menu-labels.ts';
import { replacePrivate } from '../../platform/config/private-file.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { randomId } from '../../platform/kernel/ids.ts';
import type { Activity } from '../shell-api.ts';
import type { RunningCore } from '../running-core.ts';
import { connectBridge, createBridge, type BridgeHandlers } from './bridge.ts';
import { confineWindow, isWeb, prepareSession } from './confine.ts';
import { createShellApiHandlers } from './shell-api-handlers.ts';
import { openExternal } from './external-links.ts';
import { menuTemplate, type KnownLabels } from './menu.ts';
import { createNotifier, type Note, type Notifier } from './notifications.ts';
import { createOfferedFiles, OPENED_EXTENSIONS, type OfferedFiles } from './offered-files.ts';
import { guardPermissions } from './permissions.ts';
import { createPhoneFolders } from './phone-folders.ts';
import { createAwakeGuard, followBattery, watchPower } from './power.ts';
import { openPreferences, type Preferences } from './preferences.ts';
import { followCrashes } from './recovery.ts';
import { pickSerialPorts, type SerialPicker } from './serial-ports.ts';
import { trayTemplate } from './tray.ts';
import { placeWindow, rememberPlace } from './window-state.ts';

/** Built from `preload.ts` by scripts/build-desktop.ts, because the sandbox loads a single CommonJS file. */
const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));
const TRAY_ICON = fileURLToPath(new URL('../../../resources/desktop/tray.png', import.meta.url));
/** Recipients may open shares in another process, which does not announce it. */
const LOOK_MS = 20_000;
/** Changes come in bursts. */
const SETTLE_MS = 200;

export interface ShellDeps extends Pick<
  RunningCore,
  'url' | 'vaultFolder' | 'phones' | 'shellApi' | 'onActivity' | 'log'
> {
  /** What each request to the core has to carry; null if it asks for nothing. */
  windowKey: string | null;
  /** Folder of the configuration, the log and what this shell remembers. */
  folder: string;
  isSafeMode: boolean;
  /** Starts the program again, in safe mode or not. */
  restart(isSafeMode: boolean): void;
}

/** What the shell has opened; the window is replaced when the user opens another one. */
interface Shell extends ShellDeps {
  origin: string;
  window: BrowserWindow | null;
  labels: KnownLabels;
  preferences: Preferences;
  offered: OfferedFiles;
  serial: SerialPicker;
  notifier: Notifier;
  tray: Tray | null;
  activity: Activity | null;
  /** Notifications have to be kept, otherwise their click is lost. */
  notes: Notification[];
}

/** What is done from outside after the shell was opened. */
export interface OpenedShell {
  /** Shows the window, with files to add and a page to go to. */
  show(opened: { files: readonly string[]; path: string | null }, folder?: string): Promise<void>;
  preferences: Preferences;
  /** Tells in a notification. */
  tell(text: string): void;
  labels(): KnownLabels['shell'];
}

/**
 * Opens the window, confines it to our own address (no other page, no new window, only listed permissions), and
 * connects the bridge, the menu, the tray and the power events.
 */
export function openShell(deps: ShellDeps, path: string | null = null): OpenedShell {
  const origin = new URL(deps.url).origin;
  const file = join(deps.folder, 'desktop.json');
  const labels: KnownLabels = { shell: MENU_TEXTS };
  const preferences = openPreferences(file, (text) => replacePrivate(file, text));
  const ses = session.defaultSession;
  const state: Shell = {
    ...deps,
    origin,
    window: null,
    labels,
    preferences,
    offered: createOfferedFiles(randomId),
    serial: pickSerialPorts(ses, { origin, preferences, sendSignal: (signal) => sendSignal(signal) }),
    notifier: createNotifier(() => state.labels.shell),
    tray: null,
    activity: null,
    notes: [],
  };
  guardPermissions(ses, { origin, backups: deps.phones.baseDirectory });
  prepareSession(ses, origin, deps.windowKey);
  connectPage(state);
  setMenu(state);
  state.window = openWindow(state, path);
  followApp(state);
  followActivity(state);
  return {
    preferences,
    tell: (text) => tell(state, { text, path: '/settings' }),
    labels: () => state.labels.shell,
    show: (opened, folder) => show(state, opened, folder),
  };
}

const sendSignal = (signal: BridgeSignal): void => {
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(BRIDGE_CHANNELS.signal, signal);
};

/** The native menu and the tray; the page sends their words in the language of the user. */
function setMenu(state: Shell): void {
  const actions = {
    showVault: () => void shell.openPath(state.vaultFolder()),
    showLogs: () => void shell.openPath(state.folder),
    goHome: () => void state.window?.loadURL(state.url),
    goTo: (path: string) => goTo(state, path),
    run: (command: CommandName) => run(state, command),
    restart: () => state.restart(!state.isSafeMode),
  };
  const looks = { isMac: process.platform === 'darwin', isSafeMode: state.isSafeMode };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(state.labels, actions, looks)));
  setTray(state);
}

function setTray(state: Shell): void {
  const template = trayTemplate(state.labels, state.activity, {
    open: () => void show(state, { files: [], path: null }),
    add: () => void addDocuments(state),
    quit: () => app.quit(),
  });
  state.tray ??= new Tray(nativeImage.createFromPath(TRAY_ICON));
  state.tray.setToolTip('Hearth');
  state.tray.setContextMenu(Menu.buildFromTemplate(template));
}

/** Runs a command of the menu; only the shell may open its own dialog for files without a click in the page. */
function run(state: Shell, command: CommandName): void {
  if (command === 'upload') void addDocuments(state);
  else sendSignal({ kind: 'command', name: command });
}

/** Goes to a page without loading it anew, or opens a window with it. */
function goTo(state: Shell, path: string): void {
  const { window, origin, url } = state;
  if (!window) state.window = openWindow(state, path);
  else if (isOwnPage(window.webContents.getURL(), origin)) sendSignal({ kind: 'go', path } as BridgeSignal);
  else void window.loadURL(`${url}${path}`);
}

async function addDocuments(state: Shell): Promise<void> {
  const { add_title: title, add_files: name } = state.labels.shell;
  const { canceled, filePaths } = await showDialog(state, {
    title,
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name, extensions: [...OPENED_EXTENSIONS] },
      { name: '*', extensions: ['*'] },
    ],
  });
  if (!canceled) await show(state, { files: filePaths, path: null });
}

const showDialog = ({ window }: Shell, options: Electron.OpenDialogOptions) =>
  window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options);

const ask = ({ window }: Shell, options: MessageBoxOptions) =>
  window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);

async function show(
  state: Shell,
  { files, path }: { files: readonly string[]; path: string | null },
  folder?: string,
): Promise<void> {
  const waiting = await state.offered.offer(files, folder);
  if (!state.window) state.window = openWindow(state, path);
  else if (path !== null) goTo(state, path);
  if (state.window.isMinimized()) state.window.restore();
  state.window.show();
  state.window.focus();
  if (waiting > 0) sendSignal({ kind: 'files' });
}

/** Connects the bridge for the page, and locks phone backups when the computer sleeps or is locked. */
function connectPage(state: Shell): void {
  const { url, origin, phones, log, shellApi } = state;
  const folders = createPhoneFolders({
    phones,
    ids: randomId,
    reveal: (path) => shell.showItemInFolder(path),
    chooseFolder: (start) => chooseFolder(state, start),
  });
  const handlers: BridgeHandlers = {
    ...folders.handlers,
    ...state.offered.handlers,
    ...createShellApiHandlers({ ...state, isPackaged: app.isPackaged, cookies: () => cookiesOf(url), reveal: shell }),
    setMenuLabels(labels) {
      state.labels = labels;
      setMenu(state);
      return {};
    },
  };
  const bridge = createBridge({
    origin,
    handlers,
    filesOf: folders.filesOf,
    may: async (access) => {
      const cookies = await cookiesOf(url);
      return access === 'admin' ? shellApi.isAdministrator(cookies) : shellApi.isSignedIn(cookies);
    },
    log: log.child('shell'),
  });
  connectBridge(bridge, ipcMain);
  watchPower(powerMonitor, { sendSignal, lockAll: () => phones.lockAll(), forget: bridge.forget });
}

async function chooseFolder(state: Shell, start: string): Promise<string | null> {
  const { canceled, filePaths } = await showDialog(state, {
    properties: ['openDirectory', 'showHiddenFiles', 'dontAddToRecent'],
    ...(start !== '' && { defaultPath: start }),
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Opens and quits as each platform expects. */
function followApp(state: Shell): void {
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) state.window = openWindow(state);
  });
  // Pages and helpers start again by themselves; the graphics process does in Chromium.
  app.on('child-process-gone', (_event, { type, reason }) =>
    state.log.warn({ type, reason }, 'a process of the window ended'),
  );
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** Keeps tray, notifications and power in step with what happens in the core. */
function followActivity(state: Shell): void {
  const { shellApi, preferences } = state;
  const keepAwake = createAwakeGuard(powerSaveBlocker, () => shellApi.hasLiveShares());
  const isBatterySaving = (): boolean => preferences.get().pause_on_battery;
  preferences.onChange(followBattery(powerMonitor, isBatterySaving, shellApi));
  const look = async (): Promise<void> => {
    state.activity = shellApi.activity(await cookiesOf(state.url));
    const notes = state.notifier.follow(state.activity);
    if (preferences.get().notifications) for (const note of notes) tell(state, note);
    setTray(state);
    keepAwake();
  };
  const lookSafely = (): void =>
    void look().catch((err: unknown) => state.log.error({ err }, 'the tray could not be updated'));
  let timer: NodeJS.Timeout | null = null;
  state.onActivity(() => {
    timer ??= setTimeout(() => {
      timer = null;
      lookSafely();
    }, SETTLE_MS).unref();
  });
  setInterval(lookSafely, LOOK_MS).unref();
  lookSafely();
}

/** Shows a notification; a click opens its page. */
function tell(state: Shell, { text, path }: Note): void {
  if (!Notification.isSupported()) return;
  const note = new Notification({ title: 'Hearth', body: text, silent: true });
  state.notes = [...state.notes.slice(-9), note];
  note.on('click', () => void show(state, { files: [], path }));
  note.show();
}

function openWindow(state: Shell, path: string | null = null): BrowserWindow {
  const { url, origin } = state;
  const file = join(state.folder, 'window.json');
  const { bounds, isMaximized, isFullScreen } = placeWindow(file, screen);
  const window = new BrowserWindow({
    ...bounds,
    fullscreen: isFullScreen,
    show: false,
    title: 'Hearth',
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
      preload: PRELOAD,
      additionalArguments: [`${ORIGIN_ARGUMENT}${origin}`],
    },
  });
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('closed', () => {
    if (state.window === window) state.window = null;
  });
  rememberPlace(window, (text) => replacePrivate(file, text));
  confineWindow(window, origin, (address) => void openLink(state, address));
  followCrashes(window, {
    ...{ now: systemClock.now, log: state.log.child('shell'), texts: () => state.labels.shell },
    reload: () => void window.loadURL(url),
    ask: (options) => ask(state, options),
    quit: () => app.quit(),
  });
  void window.loadURL(path === null ? url : `${url}${path}`);
  return window;
}

const openLink = (state: Shell, address: string): Promise<boolean> =>
  openExternal(
    {
      allowed: () => [new URL(state.shellApi.shareAddress()).origin],
      texts: () => state.labels.shell,
      ask: (options) => ask(state, options),
      open: (url) => shell.openExternal(url),
    },
    address,
  );

/** The cookies that the window would send to the core. */
const cookiesOf = async (url: string): Promise<string> =>
  (await session.defaultSession.cookies.get({ url })).map(({ name, value }) => `${name}=${value}`).join('; ');

const isOwnPage = (address: string, origin: string): boolean => isWeb(address) && new URL(address).origin === origin;

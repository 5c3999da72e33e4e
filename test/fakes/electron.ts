import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as Electron from 'electron';
import type {
  App,
  BrowserWindowConstructorOptions,
  Cookie,
  IpcMain,
  MenuItemConstructorOptions,
  NotificationConstructorOptions,
  Rectangle,
  SafeStorage,
  Session,
  Shell,
  WindowOpenHandlerResponse,
} from 'electron';

/**
 * The part of Electron that the shell uses, typed as a subset of `typeof import('electron')` (see the end); records its
 * calls. A handler that the shell registers is called as Electron would call it.
 */
type WindowOpenHandler = (details: { url: string }) => WindowOpenHandlerResponse;

class WebContents extends EventEmitter {
  openHandler: WindowOpenHandler | null = null;
  url = '';
  sent: unknown[] = [];
  crashes = 0;
  getURL(): string {
    return this.url;
  }
  send(...message: unknown[]): void {
    this.sent.push(message);
    this.emit('sent', ...message);
  }
  setWindowOpenHandler(handler: (details: Electron.HandlerDetails) => WindowOpenHandlerResponse): void {
    this.openHandler = handler as WindowOpenHandler;
  }
  /** Ends the process of the page; Electron then reports that it is gone. */
  forcefullyCrashRenderer(): void {
    this.crashes += 1;
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }
}

export class BrowserWindow extends EventEmitter {
  static opened: BrowserWindow[] = [];
  static getAllWindows = (): BrowserWindow[] => BrowserWindow.opened;

  readonly webContents = new WebContents();
  readonly options: BrowserWindowConstructorOptions;
  loaded: string | null = null;
  loads = 0;
  shown = false;
  minimized = false;
  focused = false;
  maximized = false;
  bounds: Rectangle;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    BrowserWindow.opened.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.loaded = this.webContents.url = url;
    this.loads += 1;
    return Promise.resolve();
  }
  show(): void {
    this.shown = true;
  }
  focus(): void {
    this.focused = true;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  isFullScreen(): boolean {
    return this.options.fullscreen ?? false;
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
  }
  /** The user closes the window. */
  close(): void {
    this.emit('close');
    BrowserWindow.opened = BrowserWindow.opened.filter((window) => window !== this);
    this.emit('closed');
  }
}

export const appCalls = { quits: 0, relaunches: [] as unknown[], exits: [] as unknown[], schemes: [] as string[] };
type AppPart = Pick<
  App,
  | 'disableHardwareAcceleration'
  | 'enableSandbox'
  | 'exit'
  | 'isPackaged'
  | 'quit'
  | 'relaunch'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'whenReady'
>;
export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  enableSandbox: () => undefined,
  disableHardwareAcceleration: () => undefined,
  whenReady: () => Promise.resolve(),
  requestSingleInstanceLock: () => true,
  relaunch: (options) => {
    appCalls.relaunches.push(options);
  },
  setAsDefaultProtocolClient: (scheme) => appCalls.schemes.push(scheme) > 0,
  quit: () => {
    appCalls.quits += 1;
  },
  exit: (code?: number) => process.exit(code),
} satisfies AppPart);

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0];
type DeviceHandler = Parameters<Session['setDevicePermissionHandler']>[0];
type HeaderListener = (
  details: { url: string; requestHeaders: Record<string, string> },
  answer: (response: { requestHeaders?: Record<string, string | string[]> }) => void,
) => void;
const defaultSession = Object.assign(new EventEmitter(), {
  request: null as RequestHandler,
  check: null as CheckHandler,
  device: null as DeviceHandler,
  spellChecker: true,
  headers: null as { urls: string[]; listener: HeaderListener } | null,
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.request = handler;
  },
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.check = handler;
  },
  setDevicePermissionHandler(handler: DeviceHandler): void {
    this.device = handler;
  },
  setSpellCheckerEnabled(isEnabled: boolean): void {
    this.spellChecker = isEnabled;
  },
  webRequest: {
    onBeforeSendHeaders({ urls }: { urls: string[] }, listener: HeaderListener): void {
      defaultSession.headers = { urls, listener };
    },
  },
  cookies: {
    get: ({ url }: { url?: string }): Promise<Pick<Cookie, 'name' | 'value'>[]> =>
      Promise.resolve(systemCalls.cookies.get(url ?? '') ?? []),
  },
});
export const session = { defaultSession };

/** The headers with which the window would send a request. */
export function headersFor(url: string): Record<string, string> {
  let sent: Record<string, string> = {};
  const { urls, listener } = defaultSession.headers ?? { urls: [], listener: null };
  if (!urls.some((pattern) => url.startsWith(pattern.replace(/\*$/, '')))) return sent;
  listener?.({ url, requestHeaders: {} }, ({ requestHeaders }) => {
    sent = requestHeaders as Record<string, string>;
  });
  return sent;
}

export const systemCalls = {
  external: [] as string[],
  folders: [] as string[],
  shownPaths: [] as string[],
  dialogs: [] as unknown[],
  chosenFolder: null as string | null,
  chosenFiles: [] as string[],
  questions: [] as Electron.MessageBoxOptions[],
  /** The button that the user presses in a question. */
  response: 0,
  /** Whether nobody presses one: a question ends when the program takes it back. */
  isNobodyThere: false,
  errors: [] as string[],
  cookies: new Map<string, { name: string; value: string }[]>(),
};
export const shell = {
  openExternal: (url) => {
    systemCalls.external.push(url);
    return Promise.resolve();
  },
  openPath: (path) => {
    systemCalls.folders.push(path);
    return Promise.resolve('');
  },
  showItemInFolder: (path) => {
    systemCalls.shownPaths.push(path);
  },
} satisfies Pick<Shell, 'openExternal' | 'openPath' | 'showItemInFolder'>;

type DialogOptions = Electron.OpenDialogOptions;
export const dialog = {
  showErrorBox: (title: string, text: string): void => {
    systemCalls.errors.push(text);
    process.stderr.write(`${title}: ${text}\n`);
  },
  showOpenDialog(...parameters: [unknown, DialogOptions] | [DialogOptions]) {
    const options = parameters.at(-1) as DialogOptions;
    systemCalls.dialogs.push(options);
    const isFolder = options.properties?.includes('openDirectory');
    const folder = systemCalls.chosenFolder === null ? [] : [systemCalls.chosenFolder];
    const filePaths = isFolder ? folder : systemCalls.chosenFiles;
    return Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  },
  showMessageBox(...parameters: [unknown, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]) {
    const options = parameters.at(-1) as Electron.MessageBoxOptions;
    systemCalls.questions.push(options);
    const { signal, cancelId: response = 0 } = options;
    if (systemCalls.isNobodyThere && signal)
      return once(signal, 'abort').then(() => ({ response, checkboxChecked: false }));
    return Promise.resolve({ response: systemCalls.response, checkboxChecked: false });
  },
};

export const powerMonitor = Object.assign(new EventEmitter(), {
  onBattery: false,
  isOnBatteryPower(): boolean {
    return this.onBattery;
  },
});

export const powerSaveBlocker = {
  running: new Map<number, string>(),
  last: 0,
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    this.last += 1;
    this.running.set(this.last, type);
    return this.last;
  },
  stop(id: number): boolean {
    return this.running.delete(id);
  },
};

export const screen = {
  displays: [{ x: 0, y: 0, width: 1920, height: 1080 }],
  getAllDisplays: () => screen.displays.map((workArea) => ({ workArea })) as Electron.Display[],
};

export const nativeImage = { createFromPath: (path: string) => ({ path }) };

export class Tray {
  static opened: Tray[] = [];
  readonly image: unknown;
  toolTip = '';
  template: MenuItemConstructorOptions[] = [];
  constructor(image: unknown) {
    this.image = image;
    Tray.opened.push(this);
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: { template: MenuItemConstructorOptions[] }): void {
    this.template = menu.template;
  }
}

export class Notification extends EventEmitter {
  static shown: Notification[] = [];
  static isSupported = (): boolean => true;
  readonly options: NotificationConstructorOptions;
  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show(): void {
    Notification.shown.push(this);
  }
}

/** A real process with the port of a utility process. */
export const utilityProcess = {
  fork(modulePath: string, args: string[] = [], { env }: Electron.ForkOptions = {}) {
    const child = fork(fileURLToPath(new URL('./utility-process.mjs', import.meta.url)), [modulePath, ...args], {
      ...{ serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] },
      ...(env && { env: env as NodeJS.ProcessEnv }),
    });
    return Object.assign(new EventEmitter(), {
      on: child.on.bind(child),
      once: child.once.bind(child),
      pid: child.pid,
      postMessage: (message: object) => void child.send(message, () => undefined),
      kill: () => child.kill('SIGKILL'),
    });
  },
};

type Handler = Parameters<IpcMain['handle']>[1];
export const ipcMain = Object.assign(new EventEmitter(), {
  handlers: new Map<string, Handler>(),
  handle(channel: string, handler: Handler): void {
    this.handlers.set(channel, handler);
  },
});

/**
 * Both ends of a channel: the page's, and main's with the events of `MessagePortMain`. Messages are cloned as Electron
 * clones them.
 */
export function messageChannel() {
  const { port1: page, port2 } = new MessageChannel();
  const main = Object.assign(new EventEmitter(), {
    isClosed: false,
    start: () => port2.start(),
    close: () => {
      main.isClosed = true;
      port2.close();
    },
    postMessage: (message: unknown) => port2.postMessage(message),
  });
  port2.on('message', (data: unknown) => main.emit('message', { data }));
  port2.on('close', () => main.emit('close'));
  return { page: page as MessagePort, main };
}

export const Menu = {
  template: [] as MenuItemConstructorOptions[],
  buildFromTemplate(template: MenuItemConstructorOptions[]) {
    return { template };
  },
  setApplicationMenu(menu: { template: MenuItemConstructorOptions[] }): void {
    Menu.template = menu.template;
  },
};

/** A keychain that turns letters round; `available` and `backend` are the test's to choose. */
export const keychain = {
  available: true,
  backend: 'gnome_libsecret' as ReturnType<SafeStorage['getSelectedStorageBackend']>,
};
const turned = (text: string): string => [...text].reverse().join('');
export const safeStorage = {
  isEncryptionAvailable: () => keychain.available,
  getSelectedStorageBackend: () => keychain.backend,
  encryptString: (text) => Buffer.from(turned(text)),
  decryptString: (wrapped) => turned(wrapped.toString()),
} satisfies Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>;

/** Forgets what the tests before have done. */
export function resetElectron(): void {
  BrowserWindow.opened = [];
  Tray.opened = [];
  Notification.shown = [];
  Menu.template = [];
  ipcMain.handlers.clear();
  powerMonitor.onBattery = false;
  powerSaveBlocker.running.clear();
  for (const each of [app, powerMonitor, ipcMain, defaultSession]) each.removeAllListeners();
  Object.assign(defaultSession, { request: null, check: null, device: null, headers: null, spellChecker: true });
  Object.assign(appCalls, { quits: 0, relaunches: [], exits: [], schemes: [] });
  Object.assign(systemCalls, {
    ...{ external: [], folders: [], shownPaths: [], dialogs: [], questions: [], errors: [], chosenFiles: [] },
    ...{ chosenFolder: null, response: 0, isNobodyThere: false, cookies: new Map() },
  });
}

/** Names that the double shares with Electron but that Electron has otherwise; those of `EventEmitter` have no types. */
type Deviations<Double, Real, Nested = never> = {
  [K in Exclude<keyof Double & keyof Real, keyof EventEmitter | Nested>]: Double[K] extends Real[K] ? never : K;
}[Exclude<keyof Double & keyof Real, keyof EventEmitter | Nested>];
type None<T extends never> = T;
/** Does not compile while the double deviates from `typeof import('electron')`. */
export type IsSubset = [
  None<Deviations<BrowserWindow, Electron.BrowserWindow, 'webContents'>>,
  None<Deviations<WebContents, Electron.WebContents>>,
  None<Deviations<typeof app, App>>,
  None<Deviations<typeof defaultSession, Session, 'cookies' | 'webRequest'>>,
  None<Deviations<typeof powerMonitor, Electron.PowerMonitor>>,
  None<Deviations<typeof powerSaveBlocker, Electron.PowerSaveBlocker>>,
  None<Deviations<typeof screen, Electron.Screen>>,
  None<Deviations<Notification, Electron.Notification>>,
  None<Exclude<keyof typeof import('./electron.ts'), keyof typeof Electron | DoubleOnly>>,
];
/** What only tests use. */
type DoubleOnly = 'appCalls' | 'headersFor' | 'keychain' | 'messageChannel' | 'resetElectron' | 'systemCalls';

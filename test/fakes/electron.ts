import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type {
  App,
  BrowserWindowConstructorOptions,
  Cookie,
  Dialog,
  IpcMain,
  MenuItemConstructorOptions,
  SafeStorage,
  Session,
  Shell,
  WindowOpenHandlerResponse,
} from 'electron';

/** The part of Electron that the shell uses, with the signatures of its types; records its calls. */
type WindowOpenHandler = (details: { url: string }) => WindowOpenHandlerResponse;

export class BrowserWindow extends EventEmitter {
  static opened: BrowserWindow[] = [];
  static getAllWindows = (): BrowserWindow[] => BrowserWindow.opened;

  readonly webContents = Object.assign(new EventEmitter(), {
    openHandler: null as WindowOpenHandler | null,
    url: '',
    getURL(): string {
      return this.url;
    },
    sent: [] as unknown[],
    send(...message: unknown[]): void {
      this.sent.push(message);
      (this as unknown as EventEmitter).emit('sent', ...message);
    },
    setWindowOpenHandler(handler: WindowOpenHandler): void {
      this.openHandler = handler;
    },
  });
  readonly options: BrowserWindowConstructorOptions;
  loaded: string | null = null;
  shown = false;
  minimized = false;
  focused = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    BrowserWindow.opened.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.loaded = this.webContents.url = url;
    return Promise.resolve();
  }
  show(): void {
    this.shown = true;
  }
  focus(): void {
    this.focused = true;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
  }
}

type AppPart = Pick<App, 'enableSandbox' | 'exit' | 'isPackaged' | 'quit' | 'requestSingleInstanceLock' | 'whenReady'>;
export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  enableSandbox: () => undefined,
  whenReady: () => Promise.resolve(),
  requestSingleInstanceLock: () => true,
  quit: () => undefined,
  exit: (code?: number) => process.exit(code),
} satisfies AppPart);

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0];
const defaultSession = Object.assign(new EventEmitter(), {
  request: null as RequestHandler,
  check: null as CheckHandler,
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.request = handler;
  },
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.check = handler;
  },
  cookies: {
    get: ({ url }: { url?: string }): Promise<Pick<Cookie, 'name' | 'value'>[]> =>
      Promise.resolve(systemCalls.cookies.get(url ?? '') ?? []),
  },
});
export const session = { defaultSession };

export const systemCalls = {
  external: [] as string[],
  folders: [] as string[],
  shownPaths: [] as string[],
  dialogs: [] as unknown[],
  chosenFolder: null as string | null,
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

export const dialog = {
  showErrorBox: (title, text) => {
    process.stderr.write(`${title}: ${text}\n`);
  },
  showOpenDialog: (_window: unknown, options: unknown) => {
    systemCalls.dialogs.push(options);
    return Promise.resolve({
      canceled: systemCalls.chosenFolder === null,
      filePaths: systemCalls.chosenFolder === null ? [] : [systemCalls.chosenFolder],
    });
  },
} satisfies {
  showErrorBox: Dialog['showErrorBox'];
  showOpenDialog: (window: never, options: never) => ReturnType<Dialog['showOpenDialog']>;
};

export const powerMonitor = new EventEmitter();

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

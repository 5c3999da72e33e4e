import { EventEmitter } from 'node:events';
import type { App, BrowserWindowConstructorOptions, MenuItemConstructorOptions, SafeStorage, Session, Shell, WindowOpenHandlerResponse } from 'electron';

/** What the shell does with Electron, with the signatures of its types; remembers what it was asked for. */
type WindowOpenHandler = (details: { url: string }) => WindowOpenHandlerResponse;

export class BrowserWindow extends EventEmitter {
  static opened: BrowserWindow[] = [];
  static getAllWindows = (): BrowserWindow[] => BrowserWindow.opened;

  readonly webContents = Object.assign(new EventEmitter(), {
    openHandler: null as WindowOpenHandler | null,
    url: '',
    getURL(): string { return this.url; },
    setWindowOpenHandler(handler: WindowOpenHandler): void { this.openHandler = handler; },
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
  loadURL(url: string): Promise<void> { this.loaded = this.webContents.url = url; return Promise.resolve(); }
  show(): void { this.shown = true; }
  focus(): void { this.focused = true; }
  isMinimized(): boolean { return this.minimized; }
  restore(): void { this.minimized = false; }
}

type AppPart = Pick<App, 'getLocale' | 'quit'>;
export const app = Object.assign(new EventEmitter(), { getLocale: () => 'de-DE', quit: () => undefined } satisfies AppPart);

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0];
const defaultSession = {
  request: null as RequestHandler,
  check: null as CheckHandler,
  setPermissionRequestHandler(handler: RequestHandler): void { this.request = handler; },
  setPermissionCheckHandler(handler: CheckHandler): void { this.check = handler; },
};
export const session = { defaultSession };

export const asked = { external: [] as string[], folders: [] as string[] };
export const shell = {
  openExternal: (url) => { asked.external.push(url); return Promise.resolve(); },
  openPath: (path) => { asked.folders.push(path); return Promise.resolve(''); },
} satisfies Pick<Shell, 'openExternal' | 'openPath'>;

export const Menu = {
  template: [] as MenuItemConstructorOptions[],
  buildFromTemplate(template: MenuItemConstructorOptions[]) { return { template }; },
  setApplicationMenu(menu: { template: MenuItemConstructorOptions[] }): void { Menu.template = menu.template; },
};

/** A keychain that turns letters round; `available` and `backend` are the test's to choose. */
export const keychain = { available: true, backend: 'gnome_libsecret' as ReturnType<SafeStorage['getSelectedStorageBackend']> };
const turned = (text: string): string => [...text].reverse().join('');
export const safeStorage = {
  isEncryptionAvailable: () => keychain.available,
  getSelectedStorageBackend: () => keychain.backend,
  encryptString: (text) => Buffer.from(turned(text)),
  decryptString: (wrapped) => turned(wrapped.toString()),
} satisfies Pick<SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'>;

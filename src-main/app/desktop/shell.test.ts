import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  app,
  systemCalls,
  BrowserWindow,
  ipcMain,
  Menu,
  messageChannel,
  powerMonitor,
  session,
} from '../../../test/fakes/electron.ts';
import { CLOSED_MESSAGE_ID } from '../../../src-shared/contract/bridge.ts';
import { MENU_TEXTS } from '../../../src-shared/contract/menu-labels.ts';
import { createLog } from '../../platform/kernel/log.ts';
import { openShell } from './shell.ts';

vi.mock('electron', () => import('../../../test/fakes/electron.ts'));

const URL_OF_CORE = 'http://127.0.0.1:8070';

const locked: string[] = [];
const ADMIN = 'vault_session=signed; other=1';
const phones = {
  baseDirectory: () => '/home/ada/Backup',
  lockAll: async () => {
    locked.push('service');
  },
  mayUse: (cookie: string) => cookie === ADMIN,
  folders: async () => [
    {
      id: 'phone',
      path: '/home/ada/Backup/phone',
      files: { list: async () => [], size: async () => 7, readRange: async () => new Uint8Array() },
    },
  ],
  foldersIn: async (folder: string) => [
    {
      id: 'old',
      path: `${folder}/old`,
      files: { list: async () => [], size: async () => 9, readRange: async () => new Uint8Array() },
    },
  ],
};

function openWindow(): BrowserWindow {
  openShell({ url: URL_OF_CORE, vaultFolder: () => '/home/ada/vault', phones, log: createLog('silent') });
  const window = BrowserWindow.opened[0];
  if (!window) throw new Error('No window was opened.');
  return window;
}

function isStopped(window: BrowserWindow, event: string, ...details: unknown[]): boolean {
  let stopped = false;
  window.webContents.emit(
    event,
    {
      preventDefault: () => {
        stopped = true;
      },
    },
    ...details,
  );
  return stopped;
}

beforeEach(() => {
  BrowserWindow.opened = [];
  for (const each of [app, powerMonitor, ipcMain, session.defaultSession]) each.removeAllListeners();
  Object.assign(systemCalls, {
    external: [],
    folders: [],
    shownPaths: [],
    dialogs: [],
    chosenFolder: null,
    cookies: new Map(),
  });
  locked.length = 0;
});

describe('the window', () => {
  it('shows the core, without Node in the page, once it has rendered', () => {
    const window = openWindow();
    expect(window.loaded).toBe(URL_OF_CORE);
    expect(window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
    expect(window.shown).toBe(false);
    window.emit('ready-to-show');
    expect(window.shown).toBe(true);
  });

  it.each([
    [`${URL_OF_CORE}/documents`, false],
    ['http://127.0.0.1:8071/', true],
    ['https://example.org/', true],
    ['file:///etc/passwd', true],
    ['javascript:alert(1)', true],
  ])('goes to %s: stopped %s', (url, stopped) => {
    expect(isStopped(openWindow(), 'will-navigate', url)).toBe(stopped);
  });

  it('navigates within a sign-in service that the server opened and back, but never to files', () => {
    const window = openWindow();
    window.webContents.url = 'https://id.example.org/login';
    expect(isStopped(window, 'will-navigate', 'https://id.example.org/consent')).toBe(false);
    expect(isStopped(window, 'will-navigate', `${URL_OF_CORE}/api/auth/oidc/callback`)).toBe(false);
    expect(isStopped(window, 'will-navigate', 'file:///etc/passwd')).toBe(true);
    Menu.template
      .flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
      .find(({ label }) => label === MENU_TEXTS.home)
      ?.click?.({} as never, undefined, {} as never);
    expect(window.loaded).toBe(URL_OF_CORE);
    expect(isStopped(window, 'will-navigate', 'https://id.example.org/')).toBe(true);
  });

  it('opens no other window, and opens only web pages in the browser', () => {
    const { webContents } = openWindow();
    for (const url of ['https://example.org/', `${URL_OF_CORE}/x`, 'file:///etc/passwd', 'smb://host/share'])
      expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(systemCalls.external).toEqual(['https://example.org/']);
  });

  it('embeds no other page', () => {
    expect(isStopped(openWindow(), 'will-attach-webview')).toBe(true);
  });

  it('comes to the front when Hearth is started a second time', () => {
    const window = openWindow();
    window.minimized = true;
    app.emit('second-instance');
    expect([window.minimized, window.focused]).toEqual([false, true]);
  });
});

describe('the bridge of the window', () => {
  const frame = { origin: URL_OF_CORE, parent: null };
  const ask = (name: string, args: unknown, senderFrame: unknown = frame): unknown =>
    ipcMain.handlers.get('hearth:call')?.({ senderFrame } as never, name, args);
  const signIn = (): void => {
    systemCalls.cookies.set(URL_OF_CORE, [
      { name: 'vault_session', value: 'signed' },
      { name: 'other', value: '1' },
    ]);
  };

  it('is exposed by a single-file preload that knows the origin', () => {
    const { webPreferences } = openWindow().options;
    expect(webPreferences?.preload).toMatch(/[\\/]desktop[\\/]preload\.cjs$/);
    expect(webPreferences?.additionalArguments).toEqual([`--hearth-origin=${URL_OF_CORE}`]);
  });

  it("is available only to administrators, by the window's cookies", async () => {
    openWindow();
    expect(await ask('phoneFolders', {})).toEqual({ error: 'forbidden' });
    signIn();
    expect(await ask('phoneFolders', {})).toEqual({ value: { folders: [{ key: expect.any(String), id: 'phone' }] } });
    systemCalls.cookies.set(URL_OF_CORE, [{ name: 'vault_session', value: 'of somebody else' }]);
    expect(await ask('phoneFolders', {})).toEqual({ error: 'forbidden' });
  });

  it('opens the system dialog in the folder of phone backups, and then in the last folder', async () => {
    signIn();
    openWindow();
    expect(await ask('choosePhoneFolder', {})).toEqual({ value: { folders: null } });
    systemCalls.chosenFolder = '/media/disk/phones';
    expect(await ask('choosePhoneFolder', {})).toEqual({
      value: { folders: [{ key: expect.any(String), id: 'old' }] },
    });
    await ask('choosePhoneFolder', {});
    expect(systemCalls.dialogs.map((options) => (options as { defaultPath: string }).defaultPath)).toEqual([
      '/home/ada/Backup',
      '/home/ada/Backup',
      '/media/disk',
    ]);
    expect(systemCalls.dialogs).toEqual(
      systemCalls.dialogs.map(() => expect.objectContaining({ properties: expect.arrayContaining(['openDirectory']) })),
    );
  });

  it('shows a backup in the file manager', async () => {
    signIn();
    openWindow();
    const { value } = (await ask('phoneFolders', {})) as { value: { folders: { key: string }[] } };
    expect(await ask('revealPhoneFolder', { key: value.folders[0]?.key })).toEqual({ value: {} });
    expect(systemCalls.shownPaths).toEqual(['/home/ada/Backup/phone']);
  });

  it.each(['suspend', 'lock-screen', 'user-did-resign-active'])(
    'locks the service, closes its ports and tells the page when the computer says %s',
    async (event) => {
      signIn();
      const window = openWindow();
      const { value } = (await ask('phoneFolders', {})) as { value: { folders: { key: string }[] } };
      const { page, main } = messageChannel();
      ipcMain.emit('hearth:files', { senderFrame: frame, ports: [main] }, value.folders[0]?.key);
      page.postMessage({ id: 1, call: 'size', args: ['Manifest.db'] });
      expect(
        await new Promise((resolve) => {
          page.once('message', resolve);
        }),
      ).toEqual({ id: 1, value: 7 });
      const farewell = new Promise((resolve) => {
        page.once('message', resolve);
      });
      powerMonitor.emit(event);
      expect([await farewell, main.isClosed]).toEqual([{ id: CLOSED_MESSAGE_ID, error: 'forbidden' }, true]);
      expect(locked).toEqual(['service']);
      expect(window.webContents.sent).toEqual([
        ['hearth:signal', { kind: 'forget-keys', reason: event === 'suspend' ? 'suspend' : 'lock-screen' }],
      ]);
    },
  );
});

describe('the menu', () => {
  const GERMAN = {
    file: 'Ablage',
    vault: 'Tresorordner anzeigen',
    home: 'Zu „Heute“',
    edit: 'Bearbeiten',
    view: 'Darstellung',
    window: 'Fenster',
  };
  const send = (labels: unknown, origin = URL_OF_CORE): unknown =>
    ipcMain.handlers.get('hearth:call')?.({ senderFrame: { origin, parent: null } } as never, 'setMenuLabels', labels);
  const items = () => Menu.template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));

  it('shows the vault folder, in English until the page sends another language', async () => {
    openWindow();
    for (const labels of [MENU_TEXTS, GERMAN]) {
      const item = items().find(({ label }) => label === labels.vault);
      item?.click?.({} as never, undefined, {} as never);
      expect(await send(GERMAN)).toEqual({ value: {} });
    }
    expect(systemCalls.folders).toEqual(['/home/ada/vault', '/home/ada/vault']);
    expect(Menu.template.map(({ label }) => label)).toEqual(expect.arrayContaining(['Ablage', 'Fenster']));
  });

  it('takes labels from our page only, and only complete ones', async () => {
    openWindow();
    expect(await send(GERMAN, 'https://id.example.org')).toEqual({ error: 'forbidden' });
    for (const labels of [{ ...GERMAN, vault: '' }, { ...GERMAN, other: 'x' }, { file: 'Ablage' }])
      expect(await send(labels)).toEqual({ error: 'malformed' });
    expect(items().map(({ label }) => label)).toContain(MENU_TEXTS.vault);
  });
});

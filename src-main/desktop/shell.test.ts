import { beforeEach, describe, expect, it, vi } from 'vitest';
import { app, asked, BrowserWindow, Menu, session } from '../../test/fakes/electron.ts';
import { openShell } from './shell.ts';

vi.mock('electron', () => import('../../test/fakes/electron.ts'));

const URL_OF_CORE = 'http://127.0.0.1:8070';

function openWindow(): BrowserWindow {
  openShell(URL_OF_CORE, '/home/ada/vault');
  const window = BrowserWindow.opened[0];
  if (!window) throw new Error('No window was opened.');
  return window;
}

function isStopped(window: BrowserWindow, event: string, ...details: unknown[]): boolean {
  let stopped = false;
  window.webContents.emit(event, { preventDefault: () => { stopped = true; } }, ...details);
  return stopped;
}

beforeEach(() => {
  BrowserWindow.opened = [];
  app.removeAllListeners();
  asked.external.length = 0;
  asked.folders.length = 0;
});

describe('the window', () => {
  it('shows the core, without Node in the page, once there is something to see', () => {
    const window = openWindow();
    expect(window.loaded).toBe(URL_OF_CORE);
    expect(window.options.webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false });
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

  it('walks on and comes back where a sign-in service was opened by the server, and never to files', () => {
    const window = openWindow();
    window.webContents.url = 'https://id.example.org/login';
    expect(isStopped(window, 'will-navigate', 'https://id.example.org/consent')).toBe(false);
    expect(isStopped(window, 'will-navigate', `${URL_OF_CORE}/api/auth/oidc/callback`)).toBe(false);
    expect(isStopped(window, 'will-navigate', 'file:///etc/passwd')).toBe(true);
    Menu.template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : [])).find(({ label }) => label === 'Startseite')?.click?.({} as never, undefined, {} as never);
    expect(window.loaded).toBe(URL_OF_CORE);
    expect(isStopped(window, 'will-navigate', 'https://id.example.org/')).toBe(true);
  });

  it('opens no other window; a page of the web goes to the browser, and nothing else does', () => {
    const { webContents } = openWindow();
    for (const url of ['https://example.org/', `${URL_OF_CORE}/x`, 'file:///etc/passwd', 'smb://host/share']) expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(asked.external).toEqual(['https://example.org/']);
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

it('refuses every permission', () => {
  openWindow();
  const answers: boolean[] = [];
  session.defaultSession.request?.({} as never, 'media', (granted) => answers.push(granted), {} as never);
  expect(answers).toEqual([false]);
  expect(session.defaultSession.check?.({} as never, 'geolocation', URL_OF_CORE, {} as never)).toBe(false);
});

it('shows the folder of the vault from its menu, in German', () => {
  openWindow();
  const items = Menu.template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const item = items.find(({ label }) => label === 'Tresorordner zeigen');
  item?.click?.({} as never, undefined, {} as never);
  expect(asked.folders).toEqual(['/home/ada/vault']);
});

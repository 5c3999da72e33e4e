import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  app,
  appCalls,
  BrowserWindow,
  headersFor,
  ipcMain,
  messageChannel,
  powerMonitor,
  screen,
  session,
  systemCalls,
} from '../../../test/fakes/electron.ts';
import {
  ask,
  click,
  frame,
  items,
  open,
  openWindow,
  removeShell,
  resetShell,
  signals,
  signIn,
  URL_OF_CORE,
  world,
} from '../../../test/support/fake-shell.ts';
import { CLOSED_MESSAGE_ID } from '../../../src-shared/contract/bridge.ts';
import { MENU_TEXTS } from '../../../src-shared/contract/menu-labels.ts';

vi.mock('electron', () => import('../../../test/fakes/electron.ts'));

beforeEach(resetShell);
afterEach(removeShell);

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
    click(items().find(({ label }) => label === MENU_TEXTS.home));
    expect(window.loaded).toBe(URL_OF_CORE);
    expect(isStopped(window, 'will-navigate', 'https://id.example.org/')).toBe(true);
  });

  it('opens no other window, and in the browser only the address of shares, after asking', async () => {
    const { webContents } = openWindow();
    const foreign = ['https://example.org/', `${URL_OF_CORE}/x`, 'file:///etc/passwd', 'smb://host/share'];
    const ours = 'https://shares.example.org/share/token';
    for (const url of [...foreign, ours, 'https://shares.example.org.evil.test/', 'https://u:p@shares.example.org/'])
      expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    await expect.poll(() => systemCalls.external).toEqual([ours]);
    expect(systemCalls.questions).toEqual([expect.objectContaining({ message: MENU_TEXTS.external, detail: ours })]);
    systemCalls.response = 1;
    webContents.openHandler?.({ url: ours });
    await expect.poll(() => systemCalls.questions.length).toBe(2);
    await Promise.resolve();
    expect(systemCalls.external).toEqual([ours]);
  });

  it('embeds no other page', () => {
    expect(isStopped(openWindow(), 'will-attach-webview')).toBe(true);
  });

  it('comes to the front when Hearth is started a second time', async () => {
    const shell = open();
    const [window] = BrowserWindow.opened;
    window!.minimized = true;
    await shell.show({ files: [], path: null });
    expect([window!.minimized, window!.focused, window!.shown]).toEqual([false, true, true]);
  });

  it('opens again where it was closed, on a screen that is still there', () => {
    const window = openWindow();
    window.bounds = { x: 200, y: 100, width: 900, height: 700 };
    window.maximized = true;
    window.close();
    app.emit('activate');
    const [again] = BrowserWindow.opened;
    expect(again?.options).toMatchObject({ x: 200, y: 100, width: 900, height: 700 });
    expect(again?.maximized).toBe(true);
    screen.displays = [{ x: 0, y: 0, width: 150, height: 120 }];
    again!.close();
    app.emit('activate');
    expect(BrowserWindow.opened[0]?.options).not.toHaveProperty('x');
    screen.displays = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  });

  it('starts in the default place if what was stored is damaged', () => {
    writeFileSync(join(world.folder, 'window.json'), '{"bounds":{"x":"left"}}');
    expect(openWindow().options).toMatchObject({ width: 1320, height: 880 });
  });

  it('is loaded again after its page crashed, and asks after several crashes in a row', async () => {
    const window = openWindow();
    const crash = (): boolean =>
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 });
    for (const loads of [2, 3, 4]) {
      crash();
      expect(window.loads).toBe(loads);
    }
    systemCalls.response = 1;
    crash();
    await expect.poll(() => appCalls.quits).toBe(1);
    expect(window.loads).toBe(4);
    expect(systemCalls.questions).toEqual([expect.objectContaining({ message: MENU_TEXTS.crashed })]);
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
    expect(systemCalls.questions).toHaveLength(1);
  });

  it('offers to load a page again that hangs', async () => {
    const window = openWindow();
    window.webContents.emit('unresponsive');
    window.webContents.emit('unresponsive');
    await expect.poll(() => systemCalls.questions.length).toBe(1);
    await Promise.resolve();
    expect(window.webContents.crashes).toBe(0);
    systemCalls.response = 1;
    window.webContents.emit('unresponsive');
    await expect.poll(() => window.webContents.crashes).toBe(1);
    expect(window.loads).toBe(2);
  });

  it('takes the question back when the page works again, and asks anew when it hangs again', async () => {
    const window = openWindow();
    systemCalls.isNobodyThere = true;
    window.webContents.emit('unresponsive');
    await expect.poll(() => systemCalls.questions.length).toBe(1);
    // Nobody asked, as when the page answers late.
    window.webContents.emit('responsive');
    expect(systemCalls.questions[0]?.signal?.aborted).toBe(true);
    await Promise.resolve();
    [systemCalls.isNobodyThere, systemCalls.response] = [false, 1];
    await expect
      .poll(() => {
        window.webContents.emit('unresponsive');
        return systemCalls.questions.length;
      })
      .toBe(2);
    await expect.poll(() => window.webContents.crashes).toBe(1);
    window.webContents.emit('responsive');
    expect(window.loads).toBe(2);
  });

  it('ends the program when it is closed, but not on macOS, and helpers that end are left to Chromium', () => {
    openWindow().close();
    app.emit('window-all-closed');
    expect(appCalls.quits).toBe(process.platform === 'darwin' ? 0 : 1);
    app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 5 });
    expect([world.warnings, systemCalls.questions, appCalls.exits]).toEqual([
      [{ type: 'GPU', reason: 'crashed' }],
      [],
      [],
    ]);
  });

  it('sends its key to the core and to nobody else, and checks no spelling', () => {
    openWindow();
    expect(headersFor(`${URL_OF_CORE}/api/documents`)).toEqual({ 'x-hearth-window': 'key of the window' });
    expect(headersFor('http://127.0.0.1:80701/api/documents')).toEqual({});
    expect(headersFor('https://id.example.org/login')).toEqual({});
    expect(session.defaultSession.spellChecker).toBe(false);
  });

  it('shows the page of a link, at the start and later', async () => {
    const shell = open('/documents/12');
    const [window] = BrowserWindow.opened;
    expect(window?.loaded).toBe(`${URL_OF_CORE}/documents/12`);
    await shell.show({ files: [], path: '/labs' });
    expect(signals(window!)).toEqual([{ kind: 'go', path: '/labs' }]);
    window!.webContents.url = 'https://id.example.org/login';
    await shell.show({ files: [], path: '/review' });
    expect(window!.loaded).toBe(`${URL_OF_CORE}/review`);
  });
});

describe('the bridge of the window', () => {
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
      expect(world.locked).toEqual(['service']);
      expect(window.webContents.sent).toEqual([
        ['hearth:signal', { kind: 'forget-keys', reason: event === 'suspend' ? 'suspend' : 'lock-screen' }],
      ]);
    },
  );
});

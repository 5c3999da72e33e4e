/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { startCore, type Core } from '../../src-main/app/core.ts';
import { openShell } from '../../src-main/app/desktop/shell.ts';
import { MAX_RANGE_BYTES, type PhoneFolder } from '../../src-shared/contract/bridge.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { BrowserWindow, Menu, powerMonitor, resetElectron, session, systemCalls } from '../fakes/electron.ts';
import { runPreload } from '../fakes/preload.ts';
import { openBrowser } from '../support/browser.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { ENCRYPTED, BACKUP_PASSWORD, PLAIN, phoneClient, phoneFolders, TOKEN } from '../support/phones.ts';

vi.mock('electron', () => import('../fakes/electron.ts'));

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASSETS = join(ROOT, 'dist', 'renderer', 'assets');
const BIG = Buffer.from(
  Array.from({ length: MAX_RANGE_BYTES + 300_001 }, (_, index) => (index * 31 + (index >> 12)) % 256),
);
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const built = mkdtempSync(join(tmpdir(), 'hearth-shell-'));

let folders: Awaited<ReturnType<typeof phoneFolders>>;
let core: Core, person: Client, browser: Browser, context: BrowserContext, page: Page;
beforeAll(async () => {
  // Secrets of a core in this process go where no person keeps any.
  vi.stubEnv('XDG_CONFIG_HOME', join(built, 'config'));
  resetElectron();
  execFileSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'scripts', 'build-desktop.ts'),
    '--out',
    join(built, 'app'),
  ]);
  folders = await phoneFolders(26, [
    { domain: 'HomeDomain', path: 'odd/big.bin', content: BIG },
    { domain: 'HomeDomain', path: 'odd/empty', content: '' },
    { domain: 'HomeDomain', path: 'odd/gone', content: 'x', missing: true },
    { domain: 'HomeDomain', path: '../../hostile', content: 'not a way out' },
    { domain: 'HomeDomain', path: 'odd/link', flags: 4, target: '/etc/passwd' },
  ]);
  core = await startCore({
    config: loadConfig({
      'vault.path': join(built, 'vault'),
      'http.port': 0,
      'phone_backups.port': 0,
      'phone_backups.base_path': folders.base,
      'phone_backups.temp_path': folders.temp,
      'security.api_token': TOKEN,
      'log.level': 'error',
    }),
  });
  person = new Client(core.url);
  await person.setup();
  browser = await openBrowser();
  context = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  await signIn(person);
  session.defaultSession.cookies.get = ({ url = '' }) => context.cookies(url);
  const running = { ...core, vaultFolder: () => core.vaultFolder, onActivity: () => undefined };
  const alone = { windowKey: null, folder: built, isSafeMode: false, restart: () => undefined };
  openShell({ ...running, ...alone, phones: { ...core.phones, baseDirectory: () => core.phones.baseDirectory } });
  const { tell } = await runPreload(
    context,
    readFileSync(join(built, 'app', 'dist', 'core', 'preload.cjs'), 'utf8'),
    core.url,
  );
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  BrowserWindow.opened[0]?.webContents.on(
    'sent',
    (channel: string, message: unknown) => void tell(page, channel, message),
  );
});
afterAll(async () => {
  await browser?.close();
  await core?.stop();
  folders?.remove();
  rmSync(built, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

async function signIn({ cookie }: Client): Promise<void> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: core.url }]);
}
const card = (id: string) =>
  page
    .getByRole('region', { name: 'On this computer' })
    .getByRole('article')
    .filter({ has: page.getByTitle(id) });
const rail = () => page.getByRole('navigation', { name: 'Contents of the backup' });
async function unlockHere(): Promise<void> {
  await page.getByLabel('Backup password').fill(BACKUP_PASSWORD);
  await page.keyboard.press('Enter');
  await rail().waitFor();
}
const openHere = async (): Promise<void> => {
  await page.goto(`${core.url}/phones`);
  await card(ENCRYPTED)
    .getByRole('button', { name: /only in this window/ })
    .click();
  await unlockHere();
};

/** A worker of the page on a folder that the shell reads; `ask` answers bytes as their hash. */
async function startWorker(id: string): Promise<<T>(call: string, ...args: unknown[]) => Promise<T>> {
  const script = readdirSync(ASSETS).find((name) => /^worker-ios-backup-.*\.js$/.test(name));
  const {
    value: { folders: told },
  } = (await call('phoneFolders')) as { value: { folders: PhoneFolder[] } };
  await page.evaluate(
    async ([path, wanted, key]) => {
      const { port1, port2 } = new MessageChannel();
      window.postMessage({ kind: 'hearth:files', key }, location.origin, [port2]);
      const worker = new Worker(path, { type: 'module' });
      const waiting = new Map<number, (answer: { value?: unknown; error?: { code: string } }) => void>();
      worker.onmessage = ({ data }) => waiting.get(data.id)?.(data);
      let last = 0;
      const post = (call: string, args: unknown[], transfer: Transferable[] = []) =>
        new Promise<{ value?: unknown; error?: { code: string } }>((resolve) => {
          waiting.set((last += 1), resolve);
          worker.postMessage({ id: last, call, args }, transfer);
        });
      await post('discover', [{ kind: 'shell', folders: [{ name: wanted, port: port1 }] }], [port1]);
      Object.assign(window, {
        ask: async (call: string, args: unknown[]) => {
          const { value, error } = await post(call, args);
          if (error) return { error: error.code };
          if (!(value instanceof Uint8Array)) return { value };
          const digest = await crypto.subtle.digest('SHA-256', value as Uint8Array<ArrayBuffer>);
          return { value: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
        },
      });
    },
    [`/assets/${script}`, id, told.find((folder) => folder.id === id)?.key] as const,
  );
  return async <T>(call: string, ...args: unknown[]): Promise<T> => {
    const { value, error } = await page.evaluate(
      ([name, values]) =>
        (
          window as unknown as { ask: (name: unknown, values: unknown) => Promise<{ value?: unknown; error?: string }> }
        ).ask(name, values),
      [call, args] as const,
    );
    if (error !== undefined) throw new Error(error);
    return value as T;
  };
}

/** What preload puts into the page; the renderer's declarations are not those of the tests. */
const call = (name: string): Promise<unknown> =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { hearth: Record<string, (args: object) => Promise<unknown>> }).hearth[wanted]?.({}),
    name,
  );

describeWith({ browser: true }, 'the page in the desktop shell', () => {
  it('reads a backup through the bridge with the entries and bytes of the service', async () => {
    await page.goto(`${core.url}/phones`);
    const ask = await startWorker(ENCRYPTED);
    await ask('unlock', ENCRYPTED, BACKUP_PASSWORD);
    const { items } = await ask<{ items: { file_id: string }[] }>('query', 'files', { query: { limit: '1000' } });
    const client = phoneClient(core.backupsUrl ?? '');
    await client.post('/backups/refresh');
    const token = await client.unlock(ENCRYPTED);
    const { body } = await client.get(`/backups/${ENCRYPTED}/files?limit=1000`, token);
    expect(items).toEqual(body.items);
    const hashes: string[] = [],
      expected: string[] = [];
    for (const { file_id: id } of items) {
      hashes.push(await ask<string>('bytes', id, 0, 1e9).catch(() => 'refused'));
      const { status, bytes } = await client.get(`/backups/${ENCRYPTED}/file/${id}`, token);
      expected.push(status === 200 ? hash(bytes) : 'refused');
    }
    expect(hashes).toEqual(expected);
    expect(hashes).toContain(hash(BIG));
    expect(new Set(hashes).size).toBeGreaterThan(20);

    // Sleep: the service's session is over, and the worker's port closed.
    powerMonitor.emit('suspend');
    await expect.poll(() => client.get(`/backups/${ENCRYPTED}/files`, token).then(({ status }) => status)).toBe(401);
    // And its keys gone, although this page heard no signal.
    await expect
      .poll(() =>
        ask('query', 'domains', {}).then(
          () => 'open',
          (error: Error) => error.message,
        ),
      )
      .toBe('locked');
    await expect
      .poll(() =>
        ask('bytes', fileIdOf('HomeDomain', 'odd/big.bin'), 0, 10).then(
          () => 'read',
          (error: Error) => error.message,
        ),
      )
      .toBe('locked');
  });

  it('labels the menu of the window in the language of the page', async () => {
    const labels = (): unknown[] => Menu.template.map(({ label }) => label);
    const select = (language: string): Promise<void> =>
      page.evaluate((code) => localStorage.setItem('hearth.language', code), language);
    await page.goto(`${core.url}/phones`);
    await select('de');
    await page.reload();
    await expect.poll(labels).toContain('Ablage');
    await select('en');
    await page.reload();
    await expect.poll(labels).toContain('File');
  });

  it('offers it beside the service, opens it without the service, and shows its folder', async () => {
    await page.goto(`${core.url}/phones`);
    const phone = card(ENCRYPTED);
    await phone.getByRole('button', { name: 'Unlock Test phone only in this window' }).waitFor();
    await phone.getByRole('button', { name: 'Show the folder of Test phone' }).click();
    await expect.poll(() => systemCalls.shownPaths).toEqual([join(folders.base, ENCRYPTED)]);
    await phone.getByRole('button', { name: /only in this window/ }).click();
    await unlockHere();
    await page
      .getByRole('option', { name: /Familie|Frisch/ })
      .first()
      .waitFor();
    const { body } = await person.get('/api/phone/backups');
    expect(body.backups.map(({ decryption_status: status }: { decryption_status: string }) => status)).toEqual([
      'PENDING',
      'PENDING',
    ]);
    // The list tells that it is open, and leads back to it.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Phone backups' }).click();
    await card(ENCRYPTED).getByRole('button', { name: 'Browse Test phone' }).click();
    await rail().waitFor();
  });

  it.each(['suspend', 'lock-screen'])(
    'erases keys and pages at %s, and continues after the password is entered',
    async (event) => {
      await openHere();
      await page.getByRole('option').first().waitFor();
      const workers = page.workers().length;
      powerMonitor.emit(event);
      await page.getByText('The backup was locked because the computer went to sleep').waitFor();
      await expect.poll(() => page.workers().length).toBeLessThan(workers);
      expect(await page.locator('body').innerText()).not.toMatch(/Frisch|Familie/);
      await unlockHere();
    },
  );

  it('cancels an unlock when the computer goes to sleep', async () => {
    await page.goto(`${core.url}/phones`);
    await card(ENCRYPTED)
      .getByRole('button', { name: /only in this window/ })
      .click();
    await page.getByLabel('Backup password').fill(BACKUP_PASSWORD);
    await page.evaluate(() => {
      window.shellFake.hear('hearth:signal', { kind: 'nothing we know' });
    });
    await page.keyboard.press('Enter');
    powerMonitor.emit('suspend');
    await page.getByText('The backup is locked. Unlock it again.').waitFor();
    expect(await rail().count()).toBe(0);
  });

  it('locks when the browser freezes the page, and when the user leaves it', async () => {
    await openHere();
    // A page of a headless browser is always visible, and only hidden ones are frozen: the event stands for it.
    await page.evaluate(() => {
      document.dispatchEvent(new Event('freeze'));
    });
    await page.getByText('The backup was locked because you left the page').waitFor();
    await page.goto(`${core.url}/phones`);
    await card(ENCRYPTED).getByRole('button', { name: 'Unlock Test phone', exact: true }).click();
    await unlockHere();
    const isOpen = async (): Promise<boolean> =>
      (await person.get('/api/phone/backups')).body.backups.some(
        ({ decryption_status: status }: { decryption_status: string }) => status === 'DECRYPTED',
      );
    expect(await isOpen()).toBe(true);
    await page.goto('about:blank');
    await expect.poll(isOpen).toBe(false);
  });

  it('locks after 15 minutes of inactivity', async () => {
    await page.clock.install();
    await openHere();
    await page.clock.runFor(10 * 60_000);
    await page.keyboard.press('Shift');
    await page.clock.runFor(10 * 60_000);
    expect(await rail().count()).toBe(1);
    await page.clock.runFor(5 * 60_000 + 30_000);
    await page.getByText('after 15 minutes of inactivity').waitFor();
    // Nothing ticked for minutes: the computer slept, though nobody said so.
    await unlockHere();
    await page.clock.fastForward(3 * 60_000);
    await page.getByText('The backup was locked because the computer was asleep').waitFor();
    await page.clock.resume();
  });

  it('erases everything when the session of the user ends', async () => {
    await openHere();
    await page.getByRole('option').first().waitFor();
    await context.clearCookies();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documents' }).click();
    await page.getByText('Your session has ended').waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
    await signIn(person);
    await page.goBack();
    await expect.poll(() => rail().count()).toBe(0);
  });

  it('opens a folder from anywhere with the dialog of the system', async () => {
    await page.goto(`${core.url}/phones`);
    await page.getByRole('button', { name: 'Choose folder…' }).first().click();
    await expect.poll(() => systemCalls.dialogs.length).toBe(1);
    const chosen = page.getByRole('region', { name: 'In the chosen folder' });
    expect(await chosen.count()).toBe(0);
    systemCalls.chosenFolder = join(folders.base, 'Familie');
    await page.getByRole('button', { name: 'Choose folder…' }).first().click();
    await chosen.getByRole('article').waitFor();
    await chosen.getByRole('button').click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await rail()
      .getByRole('link', { name: /^Files/ })
      .click();
    await page.getByRole('button', { name: /notiz\.txt/ }).waitFor();
    expect(page.url()).toContain(PLAIN);
    systemCalls.chosenFolder = join(folders.base, 'was here');
    await page.goto(`${core.url}/phones`);
    await page.getByRole('button', { name: 'Choose folder…' }).first().click();
    await page.getByText('The folder can no longer be read').waitFor();
  });

  it('has no bridge on other pages, and rejects calls from there and from frames', async () => {
    const invoke = () =>
      (window as unknown as { ipcInvoke: (channel: string, args: unknown[]) => Promise<unknown> }).ipcInvoke(
        'hearth:call',
        ['phoneFolders', {}],
      );
    const foreign = await context.newPage();
    await foreign.goto(`${core.backupsUrl}/healthz`);
    expect(await foreign.evaluate(() => 'hearth' in window)).toBe(false);
    expect(await foreign.evaluate(invoke)).toEqual({ error: 'forbidden' });
    await foreign.close();
    await page.goto(`${core.url}/phones`);
    await page.evaluate(() => {
      document.body.append(document.createElement('iframe'));
    });
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(await frame?.evaluate(invoke)).toEqual({ error: 'forbidden' });
    expect(await page.evaluate(invoke)).toMatchObject({ value: { folders: expect.any(Array) } });
  });

  it('offers the bridge to administrators only; others select folders as in a browser', async () => {
    const made = await person.post('/api/settings/users', {
      username: 'ben',
      password: 'another long password',
      display_name: 'Ben',
      role: 'editor',
    });
    expect(made.status).toBe(201);
    const ben = new Client(core.url);
    await ben.post('/api/auth/login', { username: 'ben', password: 'another long password' });
    await signIn(ben);
    await page.addInitScript(() => {
      Object.assign(window, {
        showDirectoryPicker: () => {
          document.title = 'asked the browser';
          return Promise.reject(new DOMException('', 'AbortError'));
        },
      });
    });
    const dialogs = systemCalls.dialogs.length;
    await page.goto(`${core.url}/phones`);
    await page.getByRole('button', { name: 'Choose folder…' }).first().click();
    await expect.poll(() => page.title()).toBe('asked the browser');
    expect(systemCalls.dialogs.length).toBe(dialogs);
    expect(await page.getByRole('button', { name: /only in this window/ }).count()).toBe(0);
    expect(await call('phoneFolders')).toEqual({ error: 'forbidden' });
    await signIn(person);
  });
});

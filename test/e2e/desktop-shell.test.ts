/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openShell, type OpenedShell } from '../../src-main/app/desktop/shell.ts';
import type { RunningCore } from '../../src-main/app/running-core.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { BrowserWindow, Menu, resetElectron, session, systemCalls, Tray } from '../fakes/electron.ts';
import { runPreload } from '../fakes/preload.ts';
import { openBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';

vi.mock('electron', () => import('../fakes/electron.ts'));

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'hearth-desktop-'));
const BOARD = { portId: 'p1', portName: 'ttyUSB0', vendorId: '6790', productId: '29987', serialNumber: '7' };

let core: RunningCore, shell: OpenedShell, person: Client, browser: Browser, context: BrowserContext, page: Page;
beforeAll(async () => {
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
  resetElectron();
  const script = join(ROOT, 'scripts', 'build-desktop.ts');
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, '--out', join(home, 'app')]);
  const ports = { 'http.port': 0, 'phone_backups.port': 0, 'share.port': 0, 'log.level': 'silent' };
  core = await runCore({ config: loadConfig({ ...ports, 'vault.path': join(home, 'vault') }) }, (error) => {
    throw error;
  });
  person = new Client(core.url);
  await person.setup();
  browser = await openBrowser();
  context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 820 }, locale: 'en-GB', reducedMotion: 'reduce' },
  });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: core.url }]);
  session.defaultSession.cookies.get = ({ url = '' }) => context.cookies(url);
  shell = openShell({ ...core, windowKey: null, folder: home, isSafeMode: false, restart: () => undefined });
  const preload = readFileSync(join(home, 'app', 'dist', 'core', 'preload.cjs'), 'utf8');
  const { tell } = await runPreload(context, preload, core.url);
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  BrowserWindow.opened[0]?.webContents.on(
    'sent',
    (channel: string, message: unknown) => void tell(page, channel, message),
  );
  await page.goto(core.url);
  await page.getByRole('navigation').first().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await core?.stop();
  rmSync(home, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const item = (id: string) =>
  Menu.template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : [])).find((each) => each.id === id);
const click = (id: string): void => item(id)?.click?.({} as never, undefined, {} as never);

describeWith({ browser: true }, 'the page in the desktop window', () => {
  it('follows the menu: pages, palette, shortcuts and theme, in the words of the page', async () => {
    await expect.poll(() => item('labs')?.label).toBe('Labs');
    click('labs');
    await page.waitForURL('**/labs*');
    click('palette');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    click('keys');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    const theme = () => page.locator('html').getAttribute('data-theme');
    const before = await theme();
    click('theme');
    await expect.poll(theme).not.toBe(before);
    click('theme');
  });

  it('adds files that were opened with Hearth, and the tray tells when they were read', async () => {
    const path = join(home, 'report.pdf');
    writeFileSync(path, await labReport({ seed: 3 }));
    await shell.show({ files: [path], path: null });
    await expect
      .poll(async () =>
        (await person.get('/api/documents')).body.items.map((each: { doc_type: string }) => each.doc_type),
      )
      .toEqual(['lab_test']);
    await expect.poll(() => Tray.opened[0]?.template[0]?.label).toBe('Nothing is waiting');
  });

  it('shows a document in its folder', async () => {
    await shell.show({ files: [], path: '/documents/1' });
    await page.waitForURL('**/documents/1*');
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show in folder' }).click();
    await expect.poll(() => systemCalls.shownPaths).toEqual([expect.stringContaining(join(home, 'vault', 'patients'))]);
  });

  it('lets the user select a port that appears while the picker is open', async () => {
    const answers: string[] = [];
    const contents = { getURL: () => `${core.url}/tickers` };
    session.defaultSession.emit('select-serial-port', { preventDefault: () => undefined }, [], contents, (id: string) =>
      answers.push(id),
    );
    const picker = page.getByRole('dialog', { name: 'Connect a device' });
    await picker.getByRole('status').waitFor();
    session.defaultSession.emit('serial-port-added', {}, BOARD);
    await picker.getByRole('button', { name: 'Connect WCH CH340' }).click();
    await expect.poll(() => answers).toEqual(['p1']);
    await picker.waitFor({ state: 'hidden' });
    session.defaultSession.emit(
      'select-serial-port',
      { preventDefault: () => undefined },
      [BOARD],
      contents,
      (id: string) => answers.push(id),
    );
    await picker.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => answers).toEqual(['p1', '']);
  });

  it('has settings for this computer, which are kept in a file of this computer', async () => {
    await page.goto(`${core.url}/settings`);
    const box = page.getByRole('checkbox', { name: 'Wait with reading while on battery' });
    await box.click();
    await expect.poll(() => shell.preferences.get().pause_on_battery).toBe(true);
    await expect.poll(() => box.isChecked()).toBe(true);
    expect(JSON.parse(readFileSync(join(home, 'desktop.json'), 'utf8'))).toMatchObject({
      preferences: { pause_on_battery: true },
    });
    // A copy from a clone can't be updated.
    expect(await page.getByText('Look for new versions').count()).toBe(0);
    await page.getByText('1 device connects without being selected again').waitFor();
    await page.getByRole('button', { name: 'Forget them' }).click();
    await page.getByText('0 devices connect').waitFor();
  });
});

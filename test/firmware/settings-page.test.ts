import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Device, startDevice } from '../fakes/device.ts';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, openPage, recordPageErrors } from '../support/browser.ts';
import { buildFirmware, SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';

describeWith({ ...SIMULATOR, browser: true, gate: 'firmware' }, 'the settings page of a ticker', () => {
  let device: Device, browser: Browser, page: Page;
  const pageErrors: string[] = [];

  beforeAll(async () => {
    device = await startDevice(join(buildFirmware('ticker-sim'), 'sim/ticker-sim'), [
      ...['--chip', 'esp32', '--wifi', 'home,behind the wall', '--wifi', 'guests,,-82'],
    ]);
    browser = await openBrowser();
    page = await openPage(browser);
    recordPageErrors(page, pageErrors);
    await page.goto(device.web);
  });
  afterAll(async () => {
    await browser.close();
    await device.stop();
  });

  const openAll = () => page.evaluate(() => document.querySelectorAll('details').forEach((card) => (card.open = true)));

  it('leads through the first start in three steps', async () => {
    await page.getByRole('heading', { name: 'Step 1 of 3' }).waitFor();
    await page.getByLabel('Wi-Fi name').waitFor();
    expect(await findViolations(page)).toEqual([]);
    // The empty row that the page has added changes nothing.
    expect(await page.evaluate('isChanged()')).toBe(false);
    await page.getByRole('button', { name: 'Scan' }).click();
    const near = page.getByRole('group', { name: 'Networks nearby' });
    await near.getByRole('button', { name: 'guests' }).waitFor();
    expect(await near.getByRole('button').allTextContents()).toEqual(['home', 'guests']);
    expect(await findViolations(page)).toEqual([]);
    await near.getByRole('button', { name: 'home' }).click();
    expect(await page.getByLabel('Wi-Fi name').inputValue()).toBe('home');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
    await page.locator('#save.changed').waitFor();
    await near.getByRole('button', { name: 'guests' }).click();
    expect(await page.getByLabel('Wi-Fi name').count()).toBe(2);
    await page.getByRole('button', { name: 'Remove' }).last().click();
    await page.getByRole('button', { name: 'Remove' }).last().click();
    expect(await page.getByLabel('Wi-Fi name').inputValue()).toBe('');
    expect(await page.evaluate('isChanged()')).toBe(false);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Add symbol' }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Time zone').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Step 2 of 3' }).waitFor();
    await page.getByRole('button', { name: 'All settings' }).click();
  });

  it('shows a card for each part of the settings, in English and German', async () => {
    await page.getByText('State', { exact: true }).waitFor();
    expect(await page.locator('summary').allTextContents()).toEqual([
      'State',
      'Symbols',
      'What is shown',
      'Screen',
      'Clock and night mode',
      'Network',
      'Password protection',
      'Update and backup',
    ]);
    await openAll();
    expect(await findViolations(page)).toEqual([]);
    await page.locator('#lang').selectOption('de');
    await page.getByText('Uhr und Nachtmodus', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.locator('#lang').selectOption('en');
  });

  it('keeps cards open and saves what was changed', async () => {
    await openAll();
    await page.getByLabel('Brightness', { exact: true }).fill('35');
    await page.getByLabel('Time zone').selectOption('Europe/Zurich');
    await page.getByRole('button', { name: 'Add symbol' }).click();
    expect(await page.locator('details[open]').count()).toBe(8);
    await page.getByLabel('Symbol', { exact: true }).last().fill('NESN.SW');
    await page.getByRole('button', { name: '90°' }).click();
    await page.locator('#save.changed').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('status')
      .getByText(/^Saved\./)
      .waitFor();
    const saved = (await (await fetch(`${device.web}/api/config`)).json()) as {
      brightness: number;
      clock: { tz: string; tzPosix: string };
      ticker: { symbols: { symbol: string }[] };
    };
    expect(saved).toMatchObject({
      brightness: 35,
      rotation: 1,
      clock: { tz: 'Europe/Zurich', tzPosix: 'CET-1CEST,M3.5.0,M10.5.0/3' },
    });
    await page.locator('#save:not(.changed)').waitFor();
    expect(saved.ticker.symbols.map(({ symbol }) => symbol)).toContain('NESN.SW');
  });

  it('moves a symbol up by a button, and saves that order', async () => {
    await openAll();
    const rows = page.getByLabel('Symbol', { exact: true });
    const order = (): Promise<string[]> =>
      rows.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    while ((await rows.count()) < 3) await page.getByRole('button', { name: 'Add symbol' }).click();
    for (const [at, symbol] of ['ONE', 'TWO', 'THREE'].entries()) await rows.nth(at).fill(symbol);
    await page.getByRole('button', { name: 'Up', exact: true }).nth(2).click();
    await expect.poll(order).toEqual(['ONE', 'THREE', 'TWO']);
    await page.locator('#save.changed').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#save:not(.changed)').waitFor();
    const saved = (await (await fetch(`${device.web}/api/config`)).json()) as {
      ticker: { symbols: { symbol: string }[] };
    };
    expect(saved.ticker.symbols.map(({ symbol }) => symbol)).toEqual(['ONE', 'THREE', 'TWO']);
  });

  it('shows why the device refuses a value', async () => {
    await page.getByLabel('Device name').fill('no spaces allowed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('hostname').waitFor();
    expect(pageErrors.filter((line) => !line.includes('400'))).toEqual([]);
  });

  it('says that it waits while the device looks for an update', async () => {
    await openAll();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      void page.route('**/api/checkupdate', async (route) => {
        resolve();
        await new Promise<void>((goOn) => (answer = goOn));
        await route.continue();
      });
    });
    await page.getByRole('button', { name: 'Look for an update' }).click();
    await asked;
    await page.getByRole('status').getByText('One moment …').waitFor();
    answer();
    await page.getByRole('status').getByText('There is no network.').waitFor();
    await page.unroute('**/api/checkupdate');
  });

  it('loads nothing from elsewhere', () => {
    const text = readFileSync(new URL('../../firmware/web/page.html', import.meta.url), 'utf8');
    expect(text.match(/(src|href)="[^"]*\/\//g)).toBeNull();
  });
});

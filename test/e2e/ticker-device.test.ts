/** @module-tag long */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { messages as german } from '../../src-renderer/locales/de.ts';
import { messages as english } from '../../src-renderer/locales/en.ts';
import { SETTING_FIELDS } from '../../src-shared/ticker/settings/fields.ts';
import { type Device, startDevice } from '../fakes/device.ts';
import { createBoard } from '../fakes/esp/board.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { LONG } from '../support/long.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { simulatorProgram } from '../support/simulated-device.ts';
import { createMergedImage, SMALL_BOARD } from '../support/ticker-images.ts';
import { plugIn } from '../support/web-serial-page.ts';

const BRIDGE = fileURLToPath(new URL('../fakes/esp/device-bridge.ts', import.meta.url));

let owner: Client, browser: Browser, program: string, webhook: Server;
const errors: string[] = [];
const it = test;
it.beforeAll(async ({ household, browser: chromium }) => {
  [owner, browser] = [household.as('owner'), chromium];
  program = simulatorProgram();
  webhook = createServer((request, response) => {
    const symbol = new URL(request.url!, 'http://hub').searchParams.get('symbol');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ price: symbol === 'HOUSE' ? 123.45 : 67.8, change: -1.2, currency: 'CHF ' }));
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
});
it.afterAll(() => {
  webhook.close();
  expect(errors).toEqual([]);
});

async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((value) => void (document.documentElement.dataset['theme'] = value), theme);
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `tickers-${name}-${theme}.png`), fullPage: true });
  }
}

const startSimulator = (): Promise<Device> =>
  startDevice(program, [
    ...['--chip', 'esp8266', '--speed', '10', '--wifi', 'home,behind the wall', '--wifi', 'guests,,-82'],
    ...['--route', `hub.home=127.0.0.1:${(webhook.address() as AddressInfo).port}`],
  ]);

/** How many pixels of the preview differ from what the device sends to its panel. */
async function countDifferent(page: Page, device: Device): Promise<number> {
  const shown = await page.getByRole('img', { name: /^(Preview|Vorschau)/ }).evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, 240, 240);
    return Array.from({ length: 240 * 240 }, (_, at) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
      return ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3);
    });
  });
  const sent = Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer());
  return shown.filter((pixel, at) => pixel !== sent.readUInt16LE(at * 2)).length;
}

const saysEqual = (page: Page, device: Device): Promise<void> =>
  expect.poll(() => countDifferent(page, device), { timeout: 60_000 }).toBe(0);

const LANGUAGES = [
  { locale: 'en-GB', texts: english.tickers, errorTexts: english.errors },
  { locale: 'de-DE', texts: german.tickers, errorTexts: german.errors },
] as const;
/** What a row of symbols holds (firmware/core/settings). */
const ROW_KEYS = ['symbol', 'source', 'name', 'qty', 'cost', 'range', 'pollSec', 'above', 'below'] as const;
const of1 = (text: string): string => text.replace('{{at}}', '1');
/** The first sentence of a message about a network. */
const sentenceOf = (text: string, name: string): string => `${text.split('. ')[0]!.replace('{{name}}', name)}.`;

/** Settings of the channel that nobody could change on the page. Lists are looked at by their rows. */
async function settingsWithoutControl(page: Page, texts: (typeof LANGUAGES)[number]['texts']): Promise<string[]> {
  const names: Readonly<Record<string, string>> = texts.setting;
  const missing: string[] = [];
  for (const path of Object.keys(SETTING_FIELDS)) {
    const label = names[path.replaceAll('.', '_')] ?? path;
    if ((await page.locator('.ticker-editor').getByLabel(label, { exact: true }).count()) === 0) missing.push(path);
  }
  return missing;
}

describeWith({ ...SIMULATOR, browser: true }, 'a ticker from the empty board to its prices', () => {
  const title = 'is backed up, flashed, joined to the Wi-Fi and configured, with a preview equal to its panel: $locale';
  it.for(LANGUAGES)(title, { ...LONG, timeout: 300_000 }, async ({ locale, texts, errorTexts }) => {
    const device = await startSimulator();
    const application = [process.execPath, BRIDGE, device.pty] as const;
    const board = createBoard({ chip: 'esp8266', flashMegabytes: 1, application });
    const page = await openPage(browser, { as: owner, locale });
    recordPageErrors(page, errors);
    await plugIn(page, board);
    await page.goto(`${owner.url}/tickers`);
    await page.getByRole('button', { name: texts.connect }).click();
    await page.getByRole('button', { name: texts.continue, exact: true }).click();
    await page.getByRole('button', { name: texts.backup_start, exact: true }).click();
    await page.getByText(texts.backup_done).waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: texts.continue, exact: true }).click();
    await page.locator('main input[type=file][accept*=json]').setInputFiles({
      name: 'ticker.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(createMergedImage(SMALL_BOARD)),
    });
    await page.getByRole('button', { name: texts.write, exact: true }).click();
    const toWifi = page.getByRole('button', { name: texts.wifi_setup });
    await toWifi.waitFor({ timeout: 60_000 });
    await page.evaluate(() => window.boardLost());
    await toWifi.click();

    await page.getByRole('radio', { name: /^home/ }).check({ timeout: 60_000 });
    await page.getByLabel(texts.wifi_password, { exact: true }).fill('not behind it');
    await page.getByRole('button', { name: texts.wifi_join, exact: true }).click();
    await page.getByText(sentenceOf(errorTexts['ticker.wifi_refused'], 'home')).waitFor({ timeout: 60_000 });
    await look(page, `wifi-${locale}`);
    await page.getByLabel(texts.wifi_password, { exact: true }).fill('behind the wall');
    await page.getByRole('button', { name: texts.wifi_join, exact: true }).click();
    await page.getByText(sentenceOf(texts.wifi_joined, 'home')).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: texts.continue, exact: true }).click();

    await page.getByLabel(texts.setting.brightness).waitFor();
    expect(await settingsWithoutControl(page, texts)).toEqual([]);
    await page.getByLabel(texts.setting.brightness).fill('101');
    await page.getByText(texts.rule.whole.replace('{{low}}', '0').replace('{{high}}', '100')).waitFor();
    expect(await page.getByRole('button', { name: texts.settings_write }).isDisabled()).toBe(true);
    await page.getByLabel(texts.setting.brightness).fill('100');
    await page.getByRole('button', { name: texts.symbol_add, exact: true }).click();
    for (const key of ROW_KEYS) await page.getByLabel(of1(texts[`symbol_${key}`]), { exact: true }).waitFor();
    await page.getByLabel(of1(texts.symbol_symbol), { exact: true }).fill('HOUSE');
    await page.getByLabel(of1(texts.symbol_above), { exact: true }).fill('100');
    await page.getByLabel(of1(texts.symbol_range), { exact: true }).selectOption('5d');
    await page.getByLabel(of1(texts.symbol_pollSec), { exact: true }).fill('60');
    await page.getByLabel(of1(texts.symbol_source)).selectOption('webhook');
    await page.getByLabel(of1(texts.symbol_name)).fill('Our house');
    await page.getByLabel(texts.setting.ticker_webhookUrl).fill('http://hub.home/quote');
    await page.getByLabel(texts.setting.ticker_showChart).uncheck();
    await page.getByText('90 → 100').waitFor();
    await page.getByRole('button', { name: texts.settings_write }).click();
    await page.getByText(texts.changes_none).waitFor({ timeout: 30_000 });
    await expect.poll(async () => (await device.tickers())[0]?.price, { timeout: 60_000 }).toBe(123.45);
    expect(await (await fetch(`${device.web}/api/config`)).json()).toMatchObject({
      ticker: { symbols: [{ symbol: 'HOUSE', range: '5d', pollSec: 60, above: 100 }] },
    });
    await saysEqual(page, device);
    await page.setViewportSize({ width: 1440, height: 2300 });
    await look(page, `device-${locale}`);

    await page.getByLabel(of1(texts.symbol_symbol), { exact: true }).fill('GARDEN');
    await page.getByLabel(of1(texts.symbol_name)).fill('Our garden');
    await page.getByRole('button', { name: texts.settings_write }).click();
    await expect.poll(async () => (await device.tickers())[0]?.price, { timeout: 60_000 }).toBe(67.8);
    await saysEqual(page, device);
    expect(board.violations).toEqual([]);
    await page.context().close();
    board.stop();
    await device.stop();
  });

  it('is configured in German on a phone, and keeps its settings when the cable is pulled', async () => {
    const device = await startSimulator();
    const application = [process.execPath, BRIDGE, device.pty] as const;
    const board = createBoard({
      chip: 'esp8266',
      flashMegabytes: 1,
      application,
      content: createMergedImage(SMALL_BOARD),
    });
    const page = await openPage(browser, { as: owner, viewport: { width: 390, height: 844 }, locale: 'de-DE' });
    recordPageErrors(page, errors);
    await plugIn(page, board);
    await page.goto(`${owner.url}/tickers`);
    await page.getByRole('button', { name: 'Board mit Hearths Firmware einstellen' }).click();
    await page.getByLabel('Helligkeit, 0 bis 100').fill('55', { timeout: 60_000 });
    await page.getByText('90 → 55').waitFor();
    // What was changed can be written without scrolling past the rest of the form.
    const isInSight = () =>
      page.getByRole('button', { name: 'Auf das Gerät schreiben' }).evaluate((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
    await page.getByLabel('Helligkeit, 0 bis 100').scrollIntoViewIfNeeded();
    await expect.poll(isInSight).toBe(true);
    await page.screenshot({ path: join(SCREENSHOTS, 'tickers-device-phone-write.png') });
    await page
      .getByRole('img', { name: 'Jetzt auf seinem Bildschirm' })
      .and(page.locator('[aria-busy=false]'))
      .waitFor();
    await page.setViewportSize({ width: 390, height: 3000 });
    await look(page, 'device-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);

    await page.getByRole('button', { name: 'Symbol hinzufügen' }).click();
    await page.getByLabel('Symbol 1', { exact: true }).fill('3886335-4-1');
    await page.getByLabel('Quelle von Symbol 1').selectOption('cash');
    await page.getByLabel('Nachts abdunkeln').check();
    await page.getByText('Im Nachtmodus kann diesem Board der Speicher').waitFor();
    await page.getByRole('button', { name: 'Auf GitHub umstellen' }).click();
    await expect.poll(() => page.getByLabel('Quelle von Symbol 1').inputValue()).toBe('github');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Neue Datei sichern' }).click();
    const saved = readFileSync(await (await downloading).path(), 'utf8');
    expect(JSON.parse(saved)).toMatchObject({ symbols: [{ key: '3886335-4-1' }] });

    await page.evaluate(() => window.boardLost());
    await page.getByRole('button', { name: 'Auf das Gerät schreiben' }).click();
    await page.getByText('Das Board wurde abgezogen.').first().waitFor();
    const { brightness } = (await (await fetch(`${device.web}/api/config`)).json()) as { brightness: number };
    expect(brightness).toBe(90);
    // The changes wait for the cable; others that the device got meanwhile stay.
    await fetch(`${device.web}/api/config`, {
      method: 'POST',
      headers: { 'X-Hearth': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ carouselSec: 44 }),
    });
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('90 → 55').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Auf das Gerät schreiben' }).click();
    await page.getByText('Das Gerät hat diese Einstellungen.').waitFor({ timeout: 30_000 });
    expect(await (await fetch(`${device.web}/api/config`)).json()).toMatchObject({
      ...{ brightness: 55, carouselSec: 44 },
      ticker: { symbols: [{ symbol: '3886335-4-1', source: 'github' }] },
    });
    await page.context().close();
    board.stop();
    await device.stop();
  }, 120_000);
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { UDEV_RULE } from '../../src-shared/ticker/usb-names.ts';
import { type Board, createBoard } from '../fakes/esp/board.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { createMergedImage, createParts, IMAGE_BOARDS, SMALL_BOARD } from '../support/ticker-images.ts';
import { plugIn } from '../support/web-serial-page.ts';
import { LONG } from '../support/long.ts';

let owner: Client, browser: Browser;
const errors: string[] = [];
/** Where the program looks for firmware that comes with it: empty, until a test puts some there. */
const bundled = mkdtempSync(join(tmpdir(), 'bundled-firmware-'));
const it = test.override('serveOptions', { env: { VAULT_TICKER_FIRMWARE_FOLDER: bundled } });
it.beforeAll(({ household, browser: chromium }) => {
  [owner, browser] = [household.as('owner'), chromium];
});
it.afterAll(() => {
  rmSync(bundled, { recursive: true });
  expect(errors).toEqual([]);
});

/** Looks at the page in both themes. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((value) => void (document.documentElement.dataset['theme'] = value), theme);
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `tickers-${name}-${theme}.png`) });
  }
}

async function openBench(board: Board, options: Parameters<typeof openPage>[1] = {}): Promise<Page> {
  const page = await openPage(browser, { as: owner, ...options });
  recordPageErrors(page, errors);
  await plugIn(page, board);
  await page.goto(`${owner.url}/tickers`);
  return page;
}

const fileOf = (name: string, bytes: Uint8Array): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

describeWith({ browser: true }, 'the page that sets up a ticker', () => {
  it('recognizes a board, backs it up, refuses what does not fit, and goes on after a pulled cable', LONG, async () => {
    const old = randomBytes(200_000);
    const board = createBoard({ chip: 'esp8266', flashMegabytes: 1, content: old });
    const page = await openBench(board, { acceptDownloads: true });
    await page.getByRole('heading', { name: 'Connect the board' }).waitFor();
    await look(page, 'connect');
    await page.getByRole('button', { name: 'Select port' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This is an ESP8266' }).waitFor();
    await page.getByText('24:0a:c4:12:34:56').waitFor();
    await page.getByText('CH340, USB 1a86:7523').waitFor();
    await look(page, 'board');

    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Back up' }).click();
    await expect
      .poll(() => page.getByRole('progressbar').getAttribute('aria-valuenow').then(Number))
      .toBeGreaterThan(2);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped. The board is ready for the next try.').waitFor();
    await look(page, 'backup');
    await page.getByRole('button', { name: /^Continue at/ }).click();
    await page.getByText('The backup is complete').waitFor({ timeout: 90_000 });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the file' }).click();
    const saved = await downloading;
    expect(saved.suggestedFilename()).toBe('ticker-esp8266-240ac4123456.bin');
    expect(Buffer.compare(readFileSync(await saved.path()), board.flash.bytes)).toBe(0);
    expect(Buffer.compare(board.flash.bytes.subarray(0, old.length), old)).toBe(0);

    await page.getByRole('button', { name: 'Continue' }).click();
    const input = page.locator('main input[type=file][accept*=json]');
    await input.setInputFiles(fileOf('other.bin', createMergedImage(IMAGE_BOARDS[4])));
    await page.getByText('other.bin is for ESP32-C3, this board has ESP8266.').waitFor();
    expect(await page.getByRole('button', { name: 'Write firmware' }).isDisabled()).toBe(true);
    const parts = createParts(SMALL_BOARD);
    const manifest = {
      builds: [{ chipFamily: 'ESP8266', parts: parts.map(({ name, address }) => ({ path: name, offset: address })) }],
    };
    await input.setInputFiles([
      fileOf('manifest.json', Buffer.from(JSON.stringify(manifest))),
      ...parts.map(({ name, bytes }) => fileOf(name, bytes)),
    ]);
    await page.getByText('Made for the board smalltv-esp8266').waitFor();
    await look(page, 'firmware');
    expect(board.flash.erasedSectors).toBe(0);

    board.faults.hangUpAtBlock = 2;
    await page.getByRole('button', { name: 'Write firmware' }).click();
    await page.getByText('The board was unplugged. Plug it in again and start once more.').waitFor();
    await look(page, 'unplugged');
    await page.getByRole('button', { name: 'Try again' }).click();
    await input.setInputFiles(fileOf('ticker.bin', createMergedImage(SMALL_BOARD)));
    await page.getByText('All passed, nothing has been erased yet').waitFor();
    await page.getByRole('button', { name: 'Write firmware' }).click();
    await page.getByRole('heading', { name: 'The firmware is on the board' }).waitFor({ timeout: 60_000 });
    await look(page, 'done');
    const image = createMergedImage(SMALL_BOARD);
    expect(Buffer.compare(board.flash.bytes.subarray(0, image.length), image)).toBe(0);
    expect(board.events.slice(-2)).toEqual(['reset flash', 'application']);
    expect(board.violations).toEqual([]);
    await page.context().close();
  });

  it('offers the firmware that comes with Hearth for this chip, and says when none does', LONG, async () => {
    const board = createBoard({ chip: 'esp8266', flashMegabytes: 1 });
    const page = await openBench(board);
    const goToFirmware = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Select port' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Skip the backup' }).click();
    };
    await goToFirmware();
    await page.getByText('No firmware comes with this copy of Hearth.').waitFor();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();

    const image = createMergedImage(SMALL_BOARD);
    for (const [tag, chipFamily] of [
      ['smalltv-esp8266', 'ESP8266'],
      ['nm-tv-154', 'ESP32'],
    ]) {
      const builds = [{ chipFamily, parts: [{ path: `${tag}.bin`, offset: 0 }] }];
      const manifest = { name: `Ticker ${tag}`, version: '1.2.3', builds };
      writeFileSync(join(bundled, `manifest-${tag}.json`), JSON.stringify(manifest));
      writeFileSync(join(bundled, `${tag}.bin`), image);
    }
    const sum = createHash('sha256').update(image).digest('hex');
    writeFileSync(join(bundled, 'SHA256SUMS'), `${sum}  smalltv-esp8266.bin\n`);
    await page.reload();
    await goToFirmware();
    await page.getByText('Ticker smalltv-esp8266').waitFor();
    expect(await page.getByText('Ticker nm-tv-154').count()).toBe(0);
    await page.getByRole('button', { name: 'Use smalltv-esp8266' }).click();
    await page.getByText('Made for the board smalltv-esp8266').waitFor();
    await look(page, 'bundled');
    await page.getByRole('button', { name: 'Write firmware' }).click();
    await page.getByRole('heading', { name: 'The firmware is on the board' }).waitFor({ timeout: 60_000 });
    expect(Buffer.compare(board.flash.bytes.subarray(0, image.length), image)).toBe(0);
    await page.context().close();
  });

  it('says on a phone, in German, which button to hold when a board does not answer', LONG, async () => {
    const board = createBoard({ chip: 'esp32c3', faults: { hasNoResetLines: true } });
    const page = await openBench(board, { viewport: { width: 390, height: 844 }, locale: 'de-DE' });
    await page.getByRole('button', { name: 'Anschluss wählen' }).click();
    await page.getByText('Das Board antwortet nicht.').waitFor();
    await page.getByRole('img', { name: /BOOT und RESET/ }).waitFor();
    await look(page, 'no-answer-phone');
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isTooWide).toBe(false);
    await page.context().close();
  });

  it('says why a board is not reached, and what to do about it', LONG, async () => {
    const board = createBoard({ chip: 'esp32c3' });
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await plugIn(page, board);
    // As Chromium says that another program has the port, or that the system does not give it.
    await page.addInitScript(() => {
      const serial = navigator.serial!;
      const requestPort = serial.requestPort.bind(serial);
      serial.requestPort = async () => {
        const port = await requestPort();
        const { open } = port;
        port.open = (wish) =>
          localStorage['busy']
            ? Promise.reject(new DOMException('Failed to open serial port.', 'NetworkError'))
            : open(wish);
        return port;
      };
    });
    await page.goto(`${owner.url}/tickers`);
    await page.evaluate(() => localStorage.setItem('busy', 'yes'));
    await page.getByRole('button', { name: 'Select port' }).click();
    await page.getByText('The port does not open. Close other programs that use it').waitFor();
    if (await page.evaluate(() => navigator.userAgent.includes('Linux'))) {
      await page.getByText('save this rule as /etc/udev/rules.d/70-ticker.rules').waitFor();
      const rule = page.getByLabel('Copy rule').and(page.locator('pre'));
      expect(await rule.textContent()).toBe(UDEV_RULE);
      await page.getByRole('button', { name: 'Copy rule' }).click();
      await page.getByText('The rule was copied').waitFor();
    }
    await look(page, 'port-busy');
    await page.evaluate(() => localStorage.removeItem('busy'));

    // The same board, one fault after the other, and in the end it works.
    board.faults.crashedLoaders = 99;
    await page.getByRole('button', { name: 'Select port' }).click();
    await page.getByText('The helper program did not start on the board. Unplug the board for ten seconds').waitFor();
    board.faults.crashedLoaders = 0;
    board.faults.hasNoResetLines = true;
    await page.getByRole('button', { name: 'Select port' }).click();
    await page.getByText('The board does not answer.').waitFor();
    await page.getByRole('img', { name: /BOOT and RESET/ }).waitFor();
    board.faults.hasNoResetLines = false;
    await page.getByRole('button', { name: 'Select port' }).click();
    await page.getByRole('heading', { name: 'This is an ESP32-C3' }).waitFor();

    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Skip the backup' }).click();
    const input = page.locator('main input[type=file][accept*=json]');
    await input.setInputFiles(fileOf('new.bin', createMergedImage(IMAGE_BOARDS[4])));
    board.faults.wrongDigests = 99;
    await page.getByRole('button', { name: 'Write firmware' }).click();
    await page.getByText(/What is stored at 0x\w+ differs from the image\. Write again/).waitFor();
    await page.context().close();
  });

  it('keeps a list of devices on the network, and calls only addresses of the home network', async () => {
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/tickers/network`);
    await page.getByText('No device yet').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the address of a device in the home network').waitFor();
    await page.reload();
    await page.getByText('Enter the address of a device in the home network').waitFor();
    await look(page, 'network');
    await page.getByRole('button', { name: 'Remove example.com from the list' }).click();
    await page.getByText('No device yet').waitFor();
    await page.context().close();
  });
});

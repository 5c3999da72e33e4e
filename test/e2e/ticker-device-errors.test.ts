/**
 * Failures of a running ticker as people meet them in Chromium: on the cable, and on the network.
 * @module-tag long
 */
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { messages as english } from '../../src-renderer/locales/en.ts';
import type { TickerErrorCode } from '../../src-shared/ticker/flash/ticker-error.ts';
import { type Device, startDevice } from '../fakes/device.ts';
import { createBoard } from '../fakes/esp/board.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { simulatorProgram } from '../support/simulated-device.ts';
import { createMergedImage, SMALL_BOARD } from '../support/ticker-images.ts';
import { plugIn } from '../support/web-serial-page.ts';

const BRIDGE = fileURLToPath(new URL('../fakes/esp/device-bridge.ts', import.meta.url));
const words = english.tickers;

let owner: Client, browser: Browser, device: Device;
const errors: string[] = [];
const it = test;
it.beforeAll(({ household, browser: chromium }) => {
  [owner, browser] = [household.as('owner'), chromium];
  simulatorProgram();
});
it.beforeEach(async () => {
  device = await startDevice(simulatorProgram(), ['--chip', 'esp8266', '--speed', '10', '--wifi', 'home,a password']);
});
it.afterEach(async () => void (await device.stop()));
it.afterAll(() => expect(errors).toEqual([]));

const says = (page: Page, code: TickerErrorCode): Promise<void> =>
  page.getByText(english.errors[code], { exact: true }).first().waitFor({ timeout: 90_000 });

/** Begins an upload to the device, which keeps its one buffer busy. */
function beginUpload(): Socket {
  const socket = connect(Number(new URL(device.web).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /update HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hearth: 1\r\nContent-Length: 90000\r\n\r\nHEARTHUP');
  const more = setInterval(() => socket.write('\0'), 100);
  socket.on('close', () => clearInterval(more));
  return socket;
}

interface Case {
  code: TickerErrorCode;
  why: string;
  /** Whether the page gives the line up, and offers to open it again. */
  isLineLost: boolean;
  fault: () => Promise<void>;
  undo: () => Promise<void>;
}
const CASES: readonly Case[] = [
  {
    ...{ code: 'ticker.not_saved', why: 'its memory is full', isLineLost: false },
    fault: () => device.fault('store-full=1'),
    undo: () => device.fault('store-full=0'),
  },
  {
    ...{ code: 'ticker.device_silent', why: 'the line is dead', isLineLost: true },
    fault: () => device.fault('serial-unplugged=1'),
    undo: () => device.fault('serial-unplugged=0'),
  },
];

describeWith({ ...SIMULATOR, browser: true }, 'failures of a running ticker', () => {
  it.for(CASES)('$code on the cable: $why, and later the same settings are written', async (one) => {
    const board = createBoard({
      ...{ chip: 'esp8266', flashMegabytes: 1, content: createMergedImage(SMALL_BOARD) },
      application: [process.execPath, BRIDGE, device.pty],
    });
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await plugIn(page, board);
    await page.goto(`${owner.url}/tickers`);
    await page.getByRole('button', { name: words.configure }).click();
    await page.getByLabel(words.setting.brightness).fill('41', { timeout: 60_000 });
    await one.fault();
    await page.getByRole('button', { name: words.settings_write }).click();
    await says(page, one.code);
    expect(await (await fetch(`${device.web}/api/config`)).json()).toMatchObject({ brightness: 90 });
    const again = page.getByRole('button', { name: words.retry, exact: true });
    if (one.isLineLost) await again.waitFor({ timeout: 60_000 });
    await one.undo();
    if (one.isLineLost) {
      await again.click();
      await page.getByLabel(words.setting.brightness).fill('41', { timeout: 60_000 });
    }
    await page.getByRole('button', { name: words.settings_write }).click();
    await page.getByText(words.changes_none).waitFor({ timeout: 30_000 });
    expect(await (await fetch(`${device.web}/api/config`)).json()).toMatchObject({ brightness: 41 });
    await page.context().close();
    board.stop();
  });

  it('the list asks for user and password, and a file of settings that is none leaves the form as it was', async () => {
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    const asked: string[] = [];
    // The core reaches the home network alone, and this device is on this computer: its answers come by the test.
    await page.route('**/api/tickers/device', async (route) => {
      const { user, password } = route.request().postDataJSON() as { user: string; password: string };
      asked.push(`${user}: ${password}`);
      if (user !== 'Łucja' || password !== 'behind the page')
        return route.fulfill({ status: 409, json: { code: 'ticker.password_wrong', params: {} } });
      const [status, settings] = await Promise.all(
        ['status', 'config'].map(async (name) => (await fetch(`${device.web}/api/${name}`)).json()),
      );
      return route.fulfill({ json: { status, settings } });
    });
    await page.goto(`${owner.url}/tickers/network`);
    await page.getByLabel(words.network_address, { exact: true }).fill('192.168.1.20');
    await page.keyboard.press('Enter');
    await says(page, 'ticker.password_wrong');
    const password = page.getByLabel(words.network_its_password, { exact: true });
    await password.fill('a guess');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.includes('admin: a guess')).toBe(true);
    await password.fill('behind the page');
    await page.getByLabel(words.setting.auth_user, { exact: true }).fill('Łucja');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: words.network_open }).click();

    const brightness = page.getByLabel(words.setting.brightness);
    await brightness.fill('41');
    const input = page.getByLabel(words.settings_import).and(page.locator('input'));
    for (const text of ['{"ticker":{"symbols":"AAPL"}}', '{"wifi":[null]}', 'PK\u0003\u0004']) {
      await input.setInputFiles({ name: 'odd.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await page.getByText(english.errors['ticker.settings_unreadable'].replace('{{name}}', 'odd.json')).waitFor();
      expect(await brightness.inputValue()).toBe('41');
    }
    await input.setInputFiles({
      ...{ name: 'odd.json', mimeType: 'application/json' },
      buffer: Buffer.from('{"brightness":1e308,"ticker":{"symbols":[{"symbol":"A","qty":-1}]}}'),
    });
    await page.getByText(words.rule.amount).waitFor();
    expect(await page.getByRole('button', { name: words.settings_write }).isDisabled()).toBe(true);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('behind the page');
    await page.context().close();
  });

  it('a device that takes an update says that it is busy, and the settings wait', async () => {
    const board = createBoard({
      ...{ chip: 'esp8266', flashMegabytes: 1, content: createMergedImage(SMALL_BOARD) },
      application: [process.execPath, BRIDGE, device.pty],
    });
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await plugIn(page, board);
    await page.goto(`${owner.url}/tickers`);
    await page.getByRole('button', { name: words.configure }).click();
    await page.getByLabel(words.setting.brightness).fill('41', { timeout: 60_000 });
    const upload = beginUpload();
    await page.getByRole('button', { name: words.settings_write }).click();
    await says(page, 'ticker.device_busy');
    upload.destroy();
    // It answers the next client once it has seen that this one left.
    await fetch(`${device.web}/api/status`);
    await page.getByRole('button', { name: words.settings_write }).click();
    await page.getByText(words.changes_none).waitFor({ timeout: 30_000 });
    await page.context().close();
    board.stop();
  });
});

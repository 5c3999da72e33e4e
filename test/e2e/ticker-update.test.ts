/**
 * A firmware update over the network, from the file on this computer to the board that starts with it.
 * @module-tag long
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { messages as english } from '../../src-renderer/locales/en.ts';
import { type Device, startDevice, until } from '../fakes/device.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { type DeviceWay, findHomeAddress, openDeviceWay } from '../support/device-way.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { simulatorProgram } from '../support/simulated-device.ts';
import { createKeys, createUpdate, keyOf } from '../support/ticker-updates.ts';

const HOME = findHomeAddress();
if (HOME === undefined)
  process.stderr.write('skipped: an update over the network needs an address of a home network\n');

const words = english.tickers;
const [ours, others] = [createKeys(), createKeys()];
let owner: Client, browser: Browser, page: Page, device: Device, way: DeviceWay, state: string;
const errors: string[] = [];
const it = test;
it.beforeAll(async ({ household, browser: chromium }) => {
  if (HOME === undefined) return;
  [owner, browser] = [household.as('owner'), chromium];
  state = mkdtempSync(join(tmpdir(), 'ticker-update-'));
  const board = ['--chip', 'esp32', '--speed', '10', '--wifi', 'home,a password', '--version', '1.1.0'];
  device = await startDevice(simulatorProgram(), [...board, '--update-key', keyOf(ours)], state);
  way = await openDeviceWay(device.web, HOME);
  await device.configure({ brightness: 20, ticker: { symbols: [{ symbol: 'AAPL' }] } });
  page = await openPage(browser, { as: owner });
  recordPageErrors(page, errors);
  await page.goto(`${owner.url}/tickers/network`);
  await page.getByLabel(words.network_address, { exact: true }).fill(way.address);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: words.network_open }).click();
  await page.getByLabel(words.update_keys, { exact: true }).fill(`our shop: ${keyOf(ours)}`);
});
it.afterAll(async () => {
  if (HOME === undefined) return;
  way.close();
  await device.stop();
  rmSync(state, { recursive: true });
  expect(errors).toEqual([]);
});

const choose = (bytes: Buffer, name = 'new.update'): Promise<void> =>
  page
    .getByLabel(words.update_choose)
    .and(page.locator('input'))
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
const install = () => page.getByRole('button', { name: words.update_install, exact: true });
const firmware = (): Buffer | null => {
  const file = join(state, 'firmware.bin');
  return existsSync(file) ? readFileSync(file) : null;
};
const SIGNED_HEAD_BYTES = 192;

describeWith({ ...SIMULATOR, browser: true }, 'an update over the network', () => {
  it.skipIf(HOME === undefined)(
    'that does not fit is refused before it is sent, and what the device refuses in words',
    async () => {
      await choose(createUpdate({ version: '1.2.0', board: 'smalltv-c2', key: ours.privateKey }));
      await page.getByText(words.update_other_board.replace('{{board}}', 'smalltv-c2')).waitFor();
      expect(await install().count()).toBe(0);
      await choose(createUpdate({ version: '1.2.0', chipId: 5, key: ours.privateKey }));
      await page.getByText(words.update_other_chip).waitFor();
      expect(await install().count()).toBe(0);
      await choose(createUpdate({ version: '1.2.0' }).subarray(0, 3000), 'cut.update');
      await page.getByText(/cut\.update/).waitFor();
      expect(await install().count()).toBe(0);

      await choose(createUpdate({ version: '1.2.0', key: others.privateKey }));
      await page.getByText(words.update_unknown).waitFor();
      await install().click();
      await page.getByText(english.errors['ticker.update_not_signed'], { exact: true }).waitFor();
      expect(firmware()).toBeNull();
      expect(await (await fetch(`${device.web}/api/status`)).json()).toMatchObject({ version: '1.1.0' });
    },
  );

  it.skipIf(HOME === undefined)('is installed when it is signed, and the device keeps its settings', async () => {
    const update = createUpdate({ version: '1.2.0', key: ours.privateKey });
    await choose(update);
    await page.getByText(/^Signed with your key/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await install().click();
    await page.getByText(/^Version .* runs$/).waitFor();
    expect(firmware()?.equals(update.subarray(SIGNED_HEAD_BYTES))).toBe(true);
    expect((await device.status()).reset).toBe('restart');
    const kept = await (await fetch(`${device.web}/api/config`)).json();
    expect(kept).toMatchObject({ brightness: 20, ticker: { symbols: [{ symbol: 'AAPL' }] } });
  });

  it.skipIf(HOME === undefined)('that is older wants the code that the device shows', async () => {
    const older = createUpdate({ version: '1.0.0', key: ours.privateKey });
    await choose(older);
    await page.getByText(words.update_older).waitFor();
    expect(await install().isDisabled()).toBe(true);
    await page.getByRole('button', { name: words.update_show_code }).click();
    await until(async () => (await device.state()).code !== '', 'the code');
    const { code } = await device.state();
    const field = page.getByLabel(words.update_code, { exact: true });
    await field.fill(code === '000000' ? '000001' : '000000');
    await install().click();
    await page.getByText(english.errors['ticker.presence_needed'], { exact: true }).waitFor();
    expect(firmware()?.equals(older.subarray(SIGNED_HEAD_BYTES))).toBe(false);
    await field.fill(code);
    await install().click();
    await page.getByText(/^Version .* runs$/).waitFor();
    expect(firmware()?.equals(older.subarray(SIGNED_HEAD_BYTES))).toBe(true);
  });

  it.skipIf(HOME === undefined)('leaves a device whose settings are changed, also behind a password', async () => {
    const config = async () => (await fetch(`${device.web}/api/config`)).json() as Promise<Record<string, unknown>>;
    await page.getByLabel(words.setting.brightness).fill('41');
    await page.getByRole('button', { name: words.settings_write }).click();
    await page.getByText(words.changes_none).waitFor();
    expect(await config()).toMatchObject({ brightness: 41 });

    await device.configure({ auth: { enabled: true, user: 'admin', pass: 'behind the page' } });
    await page.reload();
    await page.getByLabel(words.network_its_password, { exact: true }).fill('behind the page');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: words.network_open }).click();
    const update = createUpdate({ version: '1.3.0', key: ours.privateKey });
    await choose(update);
    await install().click();
    await page.getByText(/^Version .* runs$/).waitFor();
    expect(firmware()?.equals(update.subarray(SIGNED_HEAD_BYTES))).toBe(true);
  });
});

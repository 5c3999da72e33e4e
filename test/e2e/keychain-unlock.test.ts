/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { RunningCore } from '../../src-main/app/running-core.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { lockAllVaults } from '../../src-main/platform/vault/unlock-vault.ts';
import { testKeychain } from '../fakes/keychain.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

const PASSWORD = 'correct horse battery';
const folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
let core: RunningCore | null = null;

beforeAll(async () => {
  for (const name of ['XDG_CONFIG_HOME', 'APPDATA', 'HOME']) vi.stubEnv(name, join(folder, 'config'));
  mkdirSync(join(folder, 'vault'));
  writeFileSync(join(folder, 'vault/vault-key.json'), JSON.stringify((await createKeyFile(PASSWORD)).file));
  writeFileSync(join(folder, 'password'), PASSWORD);
});
afterAll(async () => {
  await core?.stop();
  lockAllVaults();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program of an account anew, without anything in its memory. */
async function start(account: string): Promise<string> {
  await core?.stop();
  lockAllVaults();
  const config = loadConfig({
    ...{ 'vault.path': join(folder, 'vault'), 'http.port': 0, 'phone_backups.port': 0, 'log.level': 'silent' },
  });
  core = await runCore({ config, keychain: testKeychain(account) }, (error) => {
    throw error;
  });
  return core.url;
}

describeWith({ browser: true }, 'the keychain of the computer', () => {
  test('opens the vault once the password was typed in the settings, and the page says when it refused', async ({
    browser,
  }) => {
    vi.stubEnv('HEARTH_VAULT_PASSWORD_FILE', join(folder, 'password'));
    const ann = new Client(await start('ann'));
    vi.stubEnv('HEARTH_VAULT_PASSWORD_FILE', '');
    await ann.setup();
    let page = await openPage(browser, { as: ann, viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(`${ann.url}/settings/encryption`);
    const panel = page.getByRole('region', { name: 'Open without the password on this computer' });
    await panel.getByLabel('Password of the vault, or recovery key').fill('wrong horse battery');
    await page.keyboard.press('Enter');
    await panel.getByText('neither the password of the vault nor its recovery key').waitFor();
    await panel.getByLabel('Password of the vault, or recovery key').fill(PASSWORD);
    await panel.getByRole('button', { name: 'Open without the password' }).click();
    await panel.getByText('This computer opens the vault without its password.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-keychain-phone-dark.png'), fullPage: true });
    await page.context().close();

    page = await openPage(browser);
    await page.goto(await start('ann'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();

    page = await openPage(browser, { locale: 'de-CH' });
    await page.goto(await start('ben'));
    await page.getByText('Der Schlüsselbund dieses Computers hat den Tresor nicht geöffnet.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-keychain-german-light.png') });
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.context().close();

    const again = new Client(await start('ann'));
    again.cookie = ann.cookie;
    page = await openPage(browser, { as: again });
    await page.goto(`${again.url}/settings/encryption`);
    await page.getByRole('button', { name: 'Ask for the password again' }).click();
    await page.getByRole('button', { name: 'Open without the password' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-keychain-light.png'), fullPage: true });
    await page.context().close();
  });
});

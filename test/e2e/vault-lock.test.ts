/** @module-tag long */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { unfinishedSealOf } from '../../src-main/platform/vault/vault-files.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { serve, type Served } from '../support/serve.ts';

const PASSWORD = 'correct horse battery';
let vault: string, locked: Served;

test.beforeAll(async () => {
  vault = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  const passwordFile = `${vault}.password`;
  writeFileSync(passwordFile, PASSWORD);
  writeFileSync(join(vault, 'vault-key.json'), JSON.stringify((await createKeyFile(PASSWORD)).file));
  const first = await serve({ vault, env: { HEARTH_VAULT_PASSWORD_FILE: passwordFile } });
  await new Client(first.url).setup();
  await first.stop();
  rmSync(passwordFile);
  locked = await serve({ vault });
});
afterAll(async () => {
  await locked?.remove();
});

describeWith({ browser: true }, 'the lock of an encrypted vault', () => {
  test('is shown first, refuses a wrong password in words, and leads to the page that was asked for', async ({
    browser,
  }) => {
    const errors: string[] = [];
    const page = await openPage(browser, { viewport: { width: 390, height: 844 } });
    recordPageErrors(page, errors);
    await page.goto(`${locked.url}/labs`);
    await page.getByRole('heading', { name: 'Unlock the vault' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toContain('/labs');
    expect(await findViolations(page)).toEqual([]);
    // The field has the focus, so the keyboard is enough.
    await page.keyboard.type('another horse');
    await page.keyboard.press('Enter');
    await page.getByText('neither the password of the vault nor its recovery key').waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-light.png') });
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toContain('/labs');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('is closed again from the palette, and only after a question', async ({ browser }) => {
    await expect
      .poll(() => fetch(`${locked.url}/health`).then((reply) => reply.json()))
      .toMatchObject({ status: 'ok' });
    const admin = new Client(locked.url);
    await admin.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    const page = await openPage(browser, { as: admin });
    await page.goto(`${locked.url}/settings/encryption`);
    await page.getByRole('heading', { name: 'Encryption of the vault' }).waitFor();
    await page.getByText('Names, sizes and dates of files and folders').waitFor();
    await page.getByLabel('Lock after minutes').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-light.png'), fullPage: true });
    // Typing says that somebody is here, which keeps an idle vault open.
    const presence = page.waitForResponse((reply) => reply.url().endsWith('/api/vault-encryption/presence'));
    await page.keyboard.press('Control+k');
    expect((await presence).status()).toBe(204);
    await page.keyboard.type('lock the');
    await page.getByRole('option', { name: 'Lock the vault', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Lock the vault?' });
    await question.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Lock now' }).click();
    await page.getByRole('heading', { name: 'Unlock the vault' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toContain('/settings/encryption');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Lock now' }).waitFor();
    await page.context().close();
  });

  test('is made in the settings: a password, the recovery key typed back, and the vault opens encrypted', async ({
    browser,
  }) => {
    const plain = await serve();
    const admin = new Client(plain.url);
    await admin.setup();
    const page = await openPage(browser, { as: admin, viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(`${plain.url}/settings/encryption`);
    await page.getByLabel('New password of the vault').fill(PASSWORD);
    await page.getByLabel('The same password again').fill('correct cow');
    await page.getByText('The two passwords differ.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-off-phone-dark.png'), fullPage: true });
    await page.getByLabel('The same password again').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const given = await page.getByTestId('recovery-key').innerText();
    // Begun anew, with the focus where one goes on.
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByRole('textbox', { name: 'New password of the vault' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('x'.repeat(257));
    await page.getByText('This password is longer than 256 characters.').waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await page.getByLabel('New password of the vault').fill(PASSWORD);
    await page.getByLabel('The same password again').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const key = page.getByTestId('recovery-key');
    await expect.poll(() => key.innerText()).not.toBe(given);
    const shown = await key.innerText();
    // The field has the focus, so the keyboard is enough.
    await page.keyboard.type('AAAAA-BBBBB');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the recovery key that was shown.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-key-phone-dark.png'), fullPage: true });
    await page.getByLabel('Type the recovery key').fill(shown.toLowerCase());
    // A small vault can be done between two looks, of which none sees the lock.
    await page.route('**/health', async (route) => {
      const reply = await route.fetch().catch(() => null);
      if (reply === null || (await reply.text()).includes('locked')) return route.abort();
      return route.fulfill({ response: reply });
    });
    await page.getByRole('button', { name: 'Encrypt the vault' }).click();
    await page.getByRole('button', { name: 'Decrypt the vault' }).waitFor();
    await page.unroute('**/health');
    expect(new URL(page.url()).pathname).toBe('/settings/encryption');
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'settings-encryption-on-dark.png'), fullPage: true });
    await page.getByLabel('Password of the vault', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Show a new recovery key' }).click();
    const next = await page.getByTestId('recovery-key').innerText();
    expect(next).not.toBe(shown);
    await page.getByLabel('Type the recovery key').fill(next);
    await page.keyboard.press('Enter');
    await page.getByText('The recovery key was replaced').waitFor();
    await page.context().close();
    await plain.remove();
  });

  test('asks for the password again after a switch that failed', async ({ browser }) => {
    const plain = await serve();
    await new Client(plain.url).setup();
    await plain.stop();
    const { file } = await createKeyFile(PASSWORD);
    writeFileSync(join(plain.vault, 'vault-key.json'), JSON.stringify({ ...file, state: 'encrypting' }));
    const paper = join(plain.vault, 'inbox', 'paper.txt');
    writeFileSync(paper, 'a paper');
    // In the way of its new form.
    mkdirSync(unfinishedSealOf(paper));
    const interrupted = await serve({ vault: plain.vault });
    const page = await openPage(browser);
    await page.goto(interrupted.url);
    await page.getByText('Encrypting this vault was interrupted.').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The encryption could not be switched.').waitFor();
    rmSync(unfinishedSealOf(paper), { recursive: true });
    await page.getByLabel('Password of the vault, or recovery key').fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
    await interrupted.remove();
  });

  test('undoes a switch that was interrupted, and one that is being made, after the password', async ({ browser }) => {
    const plain = await serve();
    await new Client(plain.url).setup();
    await plain.stop();
    const { file } = await createKeyFile(PASSWORD);
    writeFileSync(join(plain.vault, 'vault-key.json'), JSON.stringify({ ...file, state: 'encrypting' }));
    const interrupted = await serve({ vault: plain.vault });
    const page = await openPage(browser, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(interrupted.url);
    const undo = page.getByRole('button', { name: 'Undo what was done' });
    await undo.waitFor();
    expect(await undo.isDisabled()).toBe(true);
    await page.keyboard.type('another horse');
    await undo.press('Enter');
    await page.getByText('neither the password of the vault nor its recovery key').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-undo-phone-dark.png') });
    // As it is shown while a large vault is encrypted.
    const switching = { direction: 'encrypt', percent: 40, is_undo: false };
    const json = { is_open: false, switching, unfinished: null, failed: null, can_go_back: false };
    await page.route('**/api/vault-lock', (route) => route.fulfill({ json }));
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByText('the vault becomes as it was before').waitFor();
    await page.getByRole('button', { name: 'Don’t cancel' }).press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    // The field has the focus, so the keyboard is enough.
    await page.keyboard.type('another horse');
    await page.keyboard.press('Enter');
    await page.getByText('neither the password of the vault nor its recovery key').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-cancel-phone-dark.png') });
    await page.keyboard.press('Control+a');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancelling' }).waitFor();
    Object.assign(switching, { direction: 'decrypt', is_undo: true });
    await page.getByRole('progressbar', { name: 'Undoing the encryption' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.unroute('**/api/vault-lock');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(existsSync(join(plain.vault, 'vault-key.json'))).toBe(false);
    await page.context().close();
    await interrupted.remove();
  });

  test('speaks German, and goes on in a window that waited while another one unlocked', async ({ browser }) => {
    await locked.stop();
    locked = await serve({ vault });
    const page = await openPage(browser, { locale: 'de-CH', colorScheme: 'dark' });
    await page.goto(locked.url);
    await page.getByRole('heading', { name: 'Tresor entsperren' }).waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-german-dark.png') });
    expect(await findViolations(page)).toEqual([]);
    // As another window begins to encrypt it, and ends.
    const switching = { direction: 'encrypt', percent: 40, is_undo: false };
    const json = { is_open: false, switching, unfinished: null, failed: null, can_go_back: false };
    await page.route('**/api/vault-lock', (route) => route.fulfill({ json }));
    await page.getByRole('progressbar', { name: 'Der Tresor wird verschlüsselt' }).waitFor();
    await expect.poll(() => page.title()).toBe('Der Tresor wird verschlüsselt · Hearth');
    await page.unroute('**/api/vault-lock');
    await page.getByRole('heading', { name: 'Tresor entsperren' }).waitFor();
    const reply = await fetch(`${locked.url}/api/vault-lock/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: PASSWORD }),
    });
    expect(reply.status).toBe(200);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.context().close();
  });

  test('leads back to the vault that was open before', async ({ browser }) => {
    await locked.stop();
    const config = mkdtempSync(join(tmpdir(), 'hearth-test-'));
    const env = { XDG_CONFIG_HOME: config, APPDATA: config, HOME: config };
    const plain = await serve({ env });
    const admin = new Client(plain.url);
    await admin.setup();
    const page = await openPage(browser, { as: admin, viewport: { width: 390, height: 844 }, locale: 'de-CH' });
    await page.goto(`${plain.url}/settings/vaults`);
    expect((await admin.post('/api/vaults/open', { path: vault })).status).toBe(202);
    await page.getByRole('heading', { name: 'Tresor entsperren' }).waitFor();
    const back = page.getByRole('button', { name: 'Zurück zum vorigen Tresor' });
    await back.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, 'vault-lock-back-phone-german.png') });
    const isRead = Promise.withResolvers<void>();
    await page.route('**/api/vault-lock', (route) => isRead.promise.then(() => route.continue()));
    await back.press('Enter');
    await page.getByText('Der vorige Tresor öffnet sich gleich.').waitFor();
    expect(await back.isDisabled()).toBe(true);
    isRead.resolve();
    await page.waitForURL('**/settings/vaults');
    await page.getByText(plain.vault).first().waitFor();
    await page.context().close();
    await plain.remove();
    rmSync(config, { recursive: true });
  });
});

/** @module-tag long */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

const PASSWORD = 'correct horse battery';
let url: string, byNumber: string, context: BrowserContext, page: Page, devTools: CDPSession, authenticatorId: string;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served }) => {
  byNumber = served.url;
  // Browsers make passkeys for names only.
  url = served.url.replace('127.0.0.1', 'localhost');
  await new Client(served.url).setup();
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  page = await context.newPage();
  recordPageErrors(page, pageErrors);
  // Chromium's authenticator of the WebAuthn domain answers as a device whose owner unlocks it at once.
  devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  ({ authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
});
afterAll(async () => {
  await context?.close();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const panel = () => page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) });
const setVerified = (isUserVerified: boolean) =>
  devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
const signInButton = () => page.getByRole('button', { name: 'Sign in with a passkey' });

async function openSettings(origin = url): Promise<void> {
  await page.goto(`${origin}/settings`);
  await page.waitForURL(/login|settings$/);
  await page.locator('.gate-card, .settings-section .panel').first().waitFor();
  if (!page.url().includes('/login')) return;
  await page.getByLabel('User name').fill('ann');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await panel().waitFor();
}
/** The sign-in page of a browser that was never here. */
async function openLogin(): Promise<void> {
  await context.clearCookies();
  await page.goto(`${url}/login?next=${encodeURIComponent('/settings')}`);
  await page.getByLabel('User name').waitFor();
}

describeWith({ browser: true }, 'passkeys', () => {
  it('are not offered on the sign-in page while nobody has one', async () => {
    const answered = page.waitForResponse(/passkeys\/available$/);
    await openLogin();
    expect(await (await answered).json()).toEqual({ available: false });
    expect(await signInButton().count()).toBe(0);
  });

  it('are added with the password, and accessible on a phone in the dark', async () => {
    await openSettings();
    await panel().getByLabel('Name of the passkey').fill('Laptop');
    await panel().getByLabel('Current password').fill('wrong horse battery');
    await panel().getByRole('button', { name: 'Add passkey' }).click();
    await panel().getByRole('alert').filter({ hasText: 'current password is wrong' }).waitFor();
    await panel().getByLabel('Current password').fill(PASSWORD);
    await panel().getByRole('button', { name: 'Add passkey' }).click();
    await panel().getByText('Not used yet').waitFor();
    expect(await panel().getByLabel('Current password').inputValue()).toBe('');
    expect(await findViolations(page)).toEqual([]);
    await panel().screenshot({ path: `${SCREENSHOTS}passkeys-light.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findViolations(page)).toEqual([]);
    await panel().screenshot({ path: `${SCREENSHOTS}passkeys-phone.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('are not added twice on one device', async () => {
    await panel().getByLabel('Current password').fill(PASSWORD);
    await panel().getByRole('button', { name: 'Add passkey' }).click();
    await panel().getByRole('alert').filter({ hasText: 'already in use' }).waitFor();
  });

  it('sign in and open the page that was asked for', async () => {
    await openLogin();
    await signInButton().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}passkeys-sign-in.png` });
    await signInButton().click();
    await page.waitForURL(`${url}/settings`);
    await panel().getByText('Last used').waitFor();
  });

  it('do not sign in without fingerprint, face or PIN, and the page says so', async () => {
    await openLogin();
    await setVerified(false);
    await signInButton().click();
    await page.getByRole('alert').filter({ hasText: 'closed or took too long' }).waitFor();
    await setVerified(true);
    await signInButton().click();
    await page.waitForURL(`${url}/settings`);
  });

  it('are renamed in place, which can be undone', async () => {
    await panel().getByRole('button', { name: 'Rename the passkey Laptop' }).click();
    const name = panel().locator('li').getByLabel('Name of the passkey');
    await name.fill('Tablet');
    await name.press('Enter');
    await panel().getByRole('button', { name: 'Rename the passkey Tablet' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await panel().getByRole('button', { name: 'Rename the passkey Laptop' }).waitFor();
  });

  it('no longer sign in once they are removed', async () => {
    await openLogin();
    await signInButton().waitFor();
    const admin = new Client(url);
    await admin.post('/api/auth/login', { username: 'ann', password: PASSWORD });
    const [{ id }] = (await admin.get('/api/auth/passkeys')).body.items;
    await admin.call('DELETE', `/api/auth/passkeys/${id}`);
    await signInButton().click();
    await page.getByRole('alert').filter({ hasText: 'This passkey was not accepted' }).waitFor();
  });

  it('are removed after a question', async () => {
    await devTools.send('WebAuthn.clearCredentials', { authenticatorId });
    await openSettings();
    await panel().getByLabel('Name of the passkey').fill('Phone');
    await panel().getByLabel('Current password').fill(PASSWORD);
    await panel().getByRole('button', { name: 'Add passkey' }).click();
    await panel().getByRole('button', { name: 'Remove the passkey Phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The passkey Phone was removed').first().waitFor();
    await expect.poll(() => panel().getByRole('button', { name: 'Remove the passkey Phone' }).count()).toBe(0);
  });

  it('are explained at an IP address, with the address that works', async () => {
    await openSettings(byNumber);
    const link = panel().getByRole('link', { name: `${url}/settings` });
    expect(await link.getAttribute('href')).toBe(`${url}/settings`);
    expect(await panel().getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});

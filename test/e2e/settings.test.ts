import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const SECTIONS = 'general people reading assistants sign-in sessions audit log about'.split(' ');

let served: Served, browser: Browser, page: Page, admin: Client;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser: chromium, served: core }) => {
  browser = chromium;
  served = core;
  admin = new Client(served.url);
  await admin.setup();
  await admin.post('/api/patients', { display_name: 'Jonas Keller', date_of_birth: '2012-04-01' });
  await admin.post('/api/settings/users', {
    username: 'ben',
    password: 'heather on the north slope',
    display_name: 'Ben Keller',
  });
  page = await openPage(chromium, { as: admin });
  recordPageErrors(page, pageErrors);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const open = async (section: string, wait: string = '.settings-section .panel'): Promise<void> => {
  await page.goto(`${served.url}/settings${section === 'general' ? '' : `/${section}`}`);
  await page.locator(wait).first().waitFor();
  await expect.poll(() => page.locator('.settings-section .skeleton').count()).toBe(0);
};
const violations = (): Promise<string[]> => findViolations(page);
const settings = async () => (await admin.get('/api/settings')).body;

describeWith({ browser: true }, 'the settings', () => {
  it.each(SECTIONS)('%s is accessible in the dark, on a phone and in German', LONG, async (section) => {
    await open(section);
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}settings-${section}-light.png` });
    try {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations()).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}settings-${section}-dark.png` });
      await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
      await page.setViewportSize({ width: 390, height: 844 });
      await open(section);
      expect(await violations()).toEqual([]);
      expect(
        await page.evaluate(() => {
          const content = document.getElementById('content');
          return [
            document.documentElement.scrollWidth - innerWidth,
            (content?.scrollWidth ?? 0) - (content?.clientWidth ?? 0),
          ];
        }),
      ).toEqual([0, 0]);
      await page
        .getByRole('navigation', { name: 'Bereiche der Einstellungen' })
        .locator('[aria-current="page"]')
        .waitFor();
    } finally {
      await page.evaluate(() => localStorage.clear());
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  it('the sections are one straight row on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    try {
      await open('trash', '.settings-section');
      const tops = await page
        .locator('.settings-nav a')
        .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
      expect(tops.length).toBeGreaterThan(5);
      expect(new Set(tops).size).toBe(1);
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  it('an owner lets assistants read one person by the keyboard, copies the entry and ends it', async () => {
    await open('assistants');
    const box = page.getByRole('checkbox', { name: 'Jonas Keller' });
    const allowed = async () =>
      (await admin.get('/api/assistants')).body.people.find(
        (one: { display_name: string }) => one.display_name === 'Jonas Keller',
      ).is_allowed;
    await box.press('Space');
    await page.getByText('Can be read. Allowed by').waitFor();
    const entry = await page.getByLabel('Entry for the configuration').textContent();
    const { program } = (await admin.get('/api/assistants')).body;
    expect(JSON.parse(entry ?? '')).toEqual({
      mcpServers: { hearth: { command: program.command, args: program.args } },
    });
    await page.getByRole('button', { name: 'Copy entry' }).click();
    await page.getByText('Entry copied').waitFor();
    await box.click();
    await page.getByRole('listitem').filter({ has: box }).getByText('Can’t be read').waitFor();
    expect(await allowed()).toBe(false);
  });

  it('open from their list, and show the breadcrumbs in the top bar', async () => {
    await open('general');
    const list = page.getByRole('navigation', { name: 'Settings sections' });
    const place = page.getByRole('navigation', { name: 'Breadcrumbs' });
    for (const name of ['People and access', 'Audit log', 'About']) {
      await list.getByRole('link', { name }).click();
      await place.getByText(name).waitFor();
    }
    await page.goBack();
    await place.getByText('Audit log').waitFor();
    await page.getByRole('link', { name: /^Today/ }).click();
    await expect.poll(() => place.textContent()).toBe('Today');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('sess');
    await page.getByRole('option', { name: 'Sign-in › Sessions' }).waitFor();
    await page.getByRole('option', { name: 'Sessions', exact: true }).click();
    await place.getByText('Sessions').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('licen');
    await page.getByRole('option', { name: 'About › Licences' }).click();
    await place.getByText('About').waitFor();
  });

  it('saves a setting, shows errors in place, and resets it', async () => {
    await open('reading');
    const field = page.getByLabel('Check interval (seconds)');
    await field.fill('0');
    await field.press('Enter');
    await page.getByText('Enter a number from 0.2 to 3,600.').waitFor();
    expect(await violations()).toEqual([]);
    await field.fill('2,5');
    await field.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('Saved', { exact: true }).waitFor();
    expect((await settings()).pipeline_poll_interval).toBe(2.5);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await settings()).pipeline_poll_interval).toBe(5);
    await expect.poll(() => field.inputValue()).toBe('5');
  });

  it('never shows a secret', async () => {
    await open('sign-in');
    await page.getByLabel('Address of the service (issuer)').fill('http://id.example.org');
    await page.getByLabel('Client secret').fill('not to be shown');
    await page.getByLabel('Client secret').press('Enter');
    await page.getByText('Enter an address that begins with https:// (http:// only for this computer).').waitFor();
    await page.getByLabel('Address of the service (issuer)').fill('http://127.0.0.1:9');
    await page.getByLabel('Client ID').fill('hearth');
    await page.getByLabel('Client ID').press('Enter');
    await page.getByPlaceholder('Saved; type to replace it').waitFor();
    expect(await page.content()).not.toContain('not to be shown');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('can’t be reached at this address').waitFor();
  });

  it('says which documents go with a person before they are deleted, and shows who is left', LONG, async () => {
    await open('people');
    const column = page.getByRole('columnheader', { name: 'Lukas Steiner' });
    await page.getByRole('button', { name: 'Add a patient' }).click();
    await page.getByLabel('Full name').fill('Lukas Steiner');
    await page.getByRole('button', { name: 'Save' }).click();
    await column.waitFor();
    const { body: patients } = await admin.get('/api/patients');
    const { id } = patients.find((one: { display_name: string }) => one.display_name === 'Lukas Steiner');
    await admin.upload(await letter([[{ text: 'A letter', y: 100 }]]), 'letter.pdf', id);
    await page.getByRole('button', { name: 'More about Lukas Steiner' }).click();
    await page.getByRole('menuitem', { name: 'Move to the trash…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move Lukas Steiner to the trash' });
    await dialog.getByText('Move Lukas Steiner and one document to the trash?').waitFor();
    await dialog.getByText('They stay there for 30 days').waitFor();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}settings-delete-person.png` });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await column.waitFor();
    await admin.idle();
    await page.getByRole('button', { name: 'More about Lukas Steiner' }).click();
    await page.getByRole('menuitem', { name: 'Move to the trash…' }).click();
    await dialog.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByText('Lukas Steiner was moved to the trash with all documents').waitFor();
    await column.waitFor({ state: 'hidden' });
  });

  it('grants and revokes access in a matrix', async () => {
    await open('people');
    const cell = page.getByLabel('Access of Ben Keller to Jonas Keller');
    await cell.selectOption('Owner');
    await page.getByText('Ben Keller is now an owner of Jonas Keller’s record').waitFor();
    const grants = async (): Promise<unknown> => (await admin.get('/api/settings/users/2/access')).body;
    await expect.poll(grants).toMatchObject([{ slug: 'jonas-keller', role: 'owner' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(grants).toEqual([]);
    await expect.poll(() => cell.inputValue()).toBe('none');
  });

  it('warns about records without an owner', async () => {
    await page.getByLabel('Access of ann to Jonas Keller').selectOption('No access');
    await page.getByText('have no owner, so they can’t be changed: Jonas Keller').waitFor();
    await page.getByLabel('Access of ann to Jonas Keller').selectOption('Owner');
    await expect.poll(() => page.getByText('have no owner').count()).toBe(0);
  });

  it('adds, changes and removes a user', async () => {
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel('User name').fill('ben');
    await page.getByLabel('Password').fill('bracken by the water');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This user name is already taken').waitFor();
    await page.getByLabel('User name').fill('clara');
    await page.getByLabel('Display name').fill('Clara Rossi');
    await page.getByLabel('Role').selectOption('Viewer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Clara Rossi was added').waitFor();
    await page.getByRole('button', { name: 'Edit Clara Rossi' }).click();
    await page.getByLabel('Display name').fill('Clara');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove Clara', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Clara was removed').waitFor();
    await expect.poll(async () => (await admin.get('/api/settings/users')).body.length).toBe(2);
  });

  it('ends the session of another user', async () => {
    const ben = new Client(served.url);
    await ben.call(
      'POST',
      '/api/auth/login',
      { username: 'ben', password: 'heather on the north slope' },
      { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' },
    );
    await open('sessions');
    await page.getByRole('button', { name: 'End the session of Ben Keller (Firefox · Windows)' }).click();
    await page.getByText('The session of Ben Keller was ended').waitFor();
    expect((await ben.get('/api/auth/me')).status).toBe(401);
    await page.getByLabel('Show ended sessions').check();
    await page.locator('.session-row[data-over]').filter({ hasText: 'Ben Keller' }).waitFor();
  });

  it('filters the audit log, and the address keeps the filter', async () => {
    await open('audit');
    await page.getByLabel('Action').selectOption('Ended a session');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('action')).toBe('session.revoke');
    await page.reload();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('From').fill('01/01/2099');
    await page.getByText('No matching entries.').waitFor();
  });

  it('shows users who are not administrators only their own settings', LONG, async () => {
    const ben = new Client(served.url);
    await ben.post('/api/auth/login', { username: 'ben', password: 'heather on the north slope' });
    const other = await browser.newContext({ locale: 'en-GB' });
    await other.addCookies([
      { name: 'vault_session', value: ben.cookie.slice('vault_session='.length), url: served.url },
    ]);
    const his = await other.newPage();
    await his.goto(`${served.url}/settings/people`);
    await his.getByRole('heading', { name: 'Patients' }).waitFor();
    expect(
      await his.getByRole('navigation', { name: 'Settings sections' }).getByRole('link').allTextContents(),
    ).toEqual(['General', 'People and access', 'Reading', 'Assistants', 'Trash', 'About']);
    expect(await his.getByRole('heading', { name: 'Users' }).count()).toBe(0);
    await his.goto(`${served.url}/settings/audit`);
    await his.getByText('Administrators only').waitFor();
    await his.goto(`${served.url}/settings`);
    await his.getByLabel('New password').fill('bracken by the water');
    await his.getByLabel('Current password').fill('wrong');
    await his.getByRole('button', { name: 'Save' }).click();
    await his.getByText('The current password is wrong. Enter it again.').waitFor();
    await his.getByLabel('Current password').fill('heather on the north slope');
    await his.getByRole('button', { name: 'Save' }).click();
    await his.getByText('The password was changed').waitFor();
    await other.close();
  });

  it('reports when Hearth does not respond, and continues when it does', LONG, async () => {
    await page.route('**/api/settings/sessions**', (route) => route.abort());
    await page.goto(`${served.url}/settings/sessions`);
    await page.getByText('Hearth can’t be reached').waitFor();
    expect(await violations()).toEqual([]);
    await page.unroute('**/api/settings/sessions**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.session-row').first().waitFor();
  });

  it('does not tell a new visitor that a session has ended', async () => {
    const visitor = await openPage(browser);
    await visitor.goto(`${served.url}/documents`);
    await visitor.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await visitor.title()).toBe('Sign in · Hearth');
    expect(await visitor.getByText('Your session has ended').count()).toBe(0);
    expect(new URL(visitor.url()).searchParams.get('next')).toBe('/documents');
    await visitor.context().close();
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

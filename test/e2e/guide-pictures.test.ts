/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { SAMPLE } from '../../src-main/app/demo/credentials.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { test as base } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

/** The pictures of docs/: the sample household in a vault of its own. */
const place = mkdtempSync(join(tmpdir(), 'hearth-guide-'));
const env = { XDG_CONFIG_HOME: join(place, 'config'), VAULT_PIPELINE_WATCH: 'false' };
const test = base.override('serveOptions', { vault: join(place, 'Family'), env });
afterAll(() => rmSync(place, { recursive: true, force: true }));

let page: Page, person: Client, url: string;
test.beforeAll(async ({ browser }) => {
  mkdirSync(env.XDG_CONFIG_HOME);
  await hearth(['restore', 'resources/demo/household.zip', '--vault', join(place, 'Family')], env);
  page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
});
test.beforeAll(async ({ served }) => {
  ({ url } = served);
  person = new Client(url);
  await person.post('/api/auth/login', { username: SAMPLE.username, password: SAMPLE.password });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url }]);
});

const take = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}guide-${name}-light.png` });
async function open(path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
}
/** The page in the dark on a phone, where nothing is cut off. */
async function lookOnPhone(name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.screenshot({ path: `${SCREENSHOTS}${name}-phone-dark.png`, fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}

describeWith({ browser: true }, 'the pictures of the guide', () => {
  it('show the pages of the sample household', async () => {
    await open('/');
    await take('today');
    await open('/documents');
    await take('documents');
    const { items } = (await person.get('/api/documents?type=lab_test&status=done')).body;
    await open(`/documents/${items[0].id}`);
    await take('document');
    await open('/labs');
    await take('labs');
    await open('/phones');
    await take('phone-backups');
    await person.post('/api/shares', {
      patient_id: items[0].patient_id,
      document_ids: [items[0].id],
      recipient_label: 'Dr. Ferrari',
      recipient_contact: 'by telephone',
    });
    await open('/shares');
    await take('shares');
    await open('/review');
    await take('review');
    await open('/tickers');
    await take('tickers');
    await open('/settings/backups');
    await take('backups');
    expect(await findViolations(page)).toEqual([]);
  });

  it('show a question with its answer', async () => {
    await open('/ask');
    await page.getByRole('button', { name: 'Claire' }).click();
    await page.getByRole('textbox', { name: 'Ask about Claire' }).fill('What was the last TSH?');
    await page.keyboard.press('Enter');
    await page.getByText('1.90 mU/L on 12 May 2026').waitFor();
    await take('ask');
  });

  it('show an import that was previewed, run and undone', async () => {
    const papers = join(place, 'Old papers', 'Laboratory');
    mkdirSync(papers, { recursive: true });
    for (const name of ['2019-03 blood', '2020-11 blood', '2021-06 thyroid'])
      writeFileSync(join(papers, `${name}.pdf`), await letter([[{ text: name, y: 60 }]]));
    writeFileSync(join(place, 'Old papers', 'damaged.pdf'), '%PDF-1.4');
    await open('/settings/import');
    await page.getByLabel('Folder or file').fill(join(place, 'Old papers'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('3 new · 1 not readable').waitFor();
    await page.getByText('Items that can’t be imported').click();
    await page.getByText('damaged.pdf').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await take('import');
    await lookOnPhone('settings-import');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 imported · 1 not readable').waitFor();
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('1 not readable · 3 undone').waitFor();
  });

  it('show the vaults, one of which is opened and left again', async () => {
    await open('/settings/vaults');
    await page.getByLabel('Open a vault').fill(join(place, 'Parents'));
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('No vault was found at this path').waitFor();
    await page.getByRole('button', { name: 'Make a new vault there' }).click();
    await page.waitForURL(/\/setup/);
    const other = new Client(url);
    await other.setup('Rosa Keller');
    await other.post('/api/vaults/open', { path: join(place, 'Family') });
    await expect.poll(async () => (await person.get('/api/vaults').catch(() => null))?.status).toBe(200);
    const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
    await page.context().addCookies([{ name, value, url }]);
    await open('/settings/vaults');
    await page.getByText(join(place, 'Parents')).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await take('vaults');
    await lookOnPhone('settings-vaults');
  });
});

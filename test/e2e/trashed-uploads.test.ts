/** @module-tag long */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

let served: Served, page: Page, person: Client;
const pageErrors: string[] = [];
const reports = new Map<string, Buffer>();

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  for (const [index, name] of ['first.pdf', 'second.pdf', 'third.pdf'].entries()) {
    const bytes = Buffer.from(await labReport({ seed: index + 1 }));
    reports.set(name, bytes);
    const { document_id: id } = (await person.upload(bytes, name)).body;
    await person.idle();
    await person.call('PATCH', `/api/documents/${id}`, { notes: `About ${name}` });
    await person.call('DELETE', `/api/documents/${id}`);
  }
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

const add = (...names: string[]): Promise<void> =>
  page
    .getByTestId('picker')
    .setInputFiles(
      names.map((name) => ({ name, mimeType: 'application/pdf', buffer: reports.get(name) ?? Buffer.alloc(0) })),
    );
const question = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) });
async function notes(): Promise<(string | null)[]> {
  const { body } = await person.get('/api/documents?limit=50');
  const rows = await Promise.all(body.items.map(({ id }: { id: number }) => person.get(`/api/documents/${id}`)));
  return rows.map((row) => row.body.notes).sort();
}

describeWith({ browser: true }, 'a file whose document is in the trash', () => {
  it('has a page that leads to the trash and to the documents', async () => {
    await page.goto(`${served.url}/documents/1`);
    const gone = page.getByRole('alert').filter({ hasText: 'This document does not exist' });
    await gone.waitFor();
    expect(await gone.getByRole('link').allTextContents()).toEqual(['Trash', 'Documents']);
    expect(await gone.getByRole('button').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await gone.getByRole('link', { name: 'Trash' }).click();
    await page.waitForURL(/\/settings\/trash/);
    await page.getByText('first.pdf').first().waitFor();
  });

  it('is restored with its changes, by the keyboard alone', async () => {
    await page.goto(served.url);
    await add('first.pdf');
    await question('first.pdf')
      .getByText(/^In the trash since/)
      .waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await page.getByRole('button', { name: `Use the ${theme === 'light' ? 'dark' : 'light'} theme` }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}upload-in-trash-${theme}.png` });
      if (theme === 'light') await page.getByRole('button', { name: 'Use the dark theme' }).click();
    }
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await page.keyboard.press('q');
    await page.keyboard.press('1');
    await page.getByText('Restored', { exact: true }).waitFor();
    expect(await notes()).toEqual(['About first.pdf']);
  });

  it('stays in the trash, or is added as a new document', async () => {
    await add('second.pdf', 'third.pdf');
    await question('second.pdf')
      .getByRole('button', { name: /Keep in trash/ })
      .click();
    await page.getByText('Left in the trash', { exact: true }).waitFor();
    await question('third.pdf')
      .getByRole('button', { name: /Add as new/ })
      .click();
    await expect.poll(async () => (await notes()).length).toBe(2);
    expect(await notes()).toEqual(['About first.pdf', null]);
    expect((await person.get('/api/trash')).body.items).toHaveLength(2);
    await expect.poll(() => page.locator('.upload-question').count()).toBe(0);
  });

  it('is asked about in German on a phone', async () => {
    await page.goto(`${served.url}/settings`);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await add('second.pdf');
    await question('second.pdf')
      .getByRole('button', { name: /Im Papierkorb lassen/ })
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.screenshot({ path: `${SCREENSHOTS}upload-in-trash-german-phone.png` });
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

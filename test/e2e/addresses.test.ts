/** @module-tag long */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isDrawn, openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';

let person: Client, page: Page;
const pageErrors: string[] = [];
const it = test.override('serveOptions', WITHOUT_INBOX);
it.beforeAll(async ({ served, browser }) => {
  person = new Client(served.url);
  await person.setup();
  await person.upload(await labReport(), 'lab.pdf');
  await person.idle();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

describeWith({ browser: true }, 'an address with words that mean nothing', () => {
  it.for([
    '/?patient=zzz',
    '/review?patient=-1',
    '/documents?patient=zzz&date_from=zzz&date_to=2024-02-31&sort=foo&order=up',
    '/timeline?event=zzz&from=zzz&to=1',
    '/imaging?report_status=zzz&sort=foo&date_from=zzz',
    '/names?entry=zzz',
    '/settings/audit?user_id=zzz&date_from=zzz&offset=-1',
    '/settings/log?level=zzz',
  ])('%s shows its page as if they were absent', async (address) => {
    await page.goto(`${person.url}${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => isDrawn(page)).toBe(true);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  it.for(['/documents/zzz', '/documents/-1', '/imaging/zzz'])('%s leads nowhere, within the frame', async (address) => {
    await page.goto(`${person.url}${address}`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Documents/ })
      .first()
      .waitFor();
  });

  it.for([
    ['/documents/99', 'This document does not exist', 'Documents'],
    ['/imaging/99', 'This imaging study does not exist', 'Imaging'],
  ])('%s leads from what does not exist to the trash and to the list', async ([address, text, list]) => {
    await page.goto(`${person.url}${address}`);
    const gone = page.getByRole('alert');
    await gone.getByRole('heading', { level: 1, name: text }).waitFor();
    expect(await gone.getByRole('link').allTextContents()).toEqual(['Trash', list]);
    await gone.getByRole('link', { name: list, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
  });

  it('a list by a good word beside a bad one keeps the good one', async () => {
    await page.goto(`${person.url}/documents?patient=zzz&q=ferritin&sort=foo`);
    await page.getByRole('link', { name: 'Lab report · Synlabor Mittelland' }).waitFor();
    await page.goto(`${person.url}/documents?patient=zzz&q=elephant&sort=foo`);
    await page.getByText('No document matches “elephant”').waitFor();
  });
});

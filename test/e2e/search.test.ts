import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';

const LAB_REPORT = 'Lab report · Synlabor Mittelland';

let person: Client, page: Page;
const pageErrors: string[] = [];
const it = test.override('serveOptions', WITHOUT_INBOX);
it.beforeAll(async ({ served, browser }) => {
  person = new Client(served.url);
  await person.setup();
  // A person without documents.
  await person.post('/api/patients', { display_name: 'Paul Keller', date_of_birth: '2017-01-17' });
  await person.upload(await labReport(), 'lab.pdf');
  await person.idle();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

/** Types into the palette. */
async function ask(text: string): Promise<void> {
  await page.getByRole('button', { name: /^Search documents/ }).click();
  await page.getByRole('dialog').getByRole('combobox').fill(text);
}

describeWith({ browser: true }, 'a search', () => {
  it('names tests in the language of the reader, however the paper spells them', async () => {
    await page.goto(`${person.url}/documents?patient=1`);
    await ask('hämoglobin');
    await page.getByRole('option', { name: /^Haemoglobin .*13\.1 g\/dL/ }).waitFor();
    expect(await page.getByRole('option', { name: /^Hämoglobin/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('proposes a word that only papers of other people have, and shows these', async () => {
    await page.goto(`${person.url}/documents?patient=2&q=ferritni`);
    await page.getByRole('button', { name: 'Ferritin, all people (1)' }).click();
    await page.getByRole('link', { name: LAB_REPORT }).waitFor();
    expect(new URL(page.url()).searchParams.get('patient')).toBeNull();
    await page.goto(`${person.url}/documents?patient=2`);
    await ask('ferritni');
    await page.getByRole('option', { name: 'Did you mean: Ferritin, all people (1)' }).click();
    await page.getByRole('link', { name: LAB_REPORT }).waitFor();
    expect(new URL(page.url()).searchParams.get('patient')).toBeNull();
  });

  it('proposes a word of another language than that of the papers', async () => {
    await page.goto(`${person.url}/documents?q=soduim`);
    await page.getByRole('button', { name: 'Sodium (1)', exact: true }).click();
    await page.getByRole('link', { name: LAB_REPORT }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});

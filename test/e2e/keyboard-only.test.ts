/** @module-tag long */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PAGES } from '../../src-shared/contract/commands.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';

let person: Client, page: Page, folder: string;
const pageErrors: string[] = [];
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, browser }) => {
  folder = served.vault;
  person = new Client(served.url);
  await person.setup();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
  // Choosers are caught from now on: the browser learns of a listener only some time after a key is pressed.
  page.on('filechooser', () => {});
  await page.goto(served.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
});

/** Resolves when what has the focus matches the selector and has this text. */
const expectFocus = (selector: string, text: string | RegExp): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const { activeElement } = document;
        return `${activeElement?.tagName.toLowerCase()}: ${activeElement?.textContent?.trim().slice(0, 80)}`;
      }),
    )
    .toMatch(
      typeof text === 'string' ? `${selector}: ${text}` : new RegExp(`^${selector}: ${text.source}`, text.flags),
    );
const expectHeading = (text: string | RegExp): Promise<void> => expectFocus('h1', text);

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until a control has the focus, as a person does who uses no mouse. */
async function tabTo(name: string | RegExp, role: 'button' | 'link' | 'textbox'): Promise<void> {
  const control = page.getByRole(role, { name });
  for (let presses = 0; presses < 100; presses += 1) {
    if (await control.evaluateAll((all) => all.some((one) => one === document.activeElement))) return;
    await press('Tab');
  }
  throw new Error(`No Tab leads to ${name}`);
}

describeWith({ browser: true }, 'without a mouse', () => {
  it('the heading of each page that a shortcut opens has the focus', async () => {
    const headings: Partial<Record<string, RegExp>> = {
      today: /\w+day \d/,
      phones: /Phone/,
      tickers: /Set up/,
      vault: /Vault/,
    };
    for (const { to, name, key } of [...PAGES.slice(1), PAGES[0]]) {
      await press('g', key);
      await page.waitForURL((url) => url.pathname === to);
      await expectHeading(headings[name] ?? new RegExp(name, 'i'));
    }
    await press('g', 'r');
    await expectHeading('Review');
    // The shortcuts go on working there.
    await press('g', 'd');
    await expectHeading('Documents');
  });

  it('so does that of a page and of a section which a link opens', async () => {
    await tabTo(/^Settings/, 'link');
    await press('Enter');
    await expectHeading('Settings');
    await tabTo('People and access', 'link');
    await press('Enter');
    await expectFocus('h2', 'Patients');
  });

  it('the palette opens the page that is named, and gives the focus back if it is closed', async () => {
    await press('Control+k');
    await page.keyboard.type('backups');
    await page.getByRole('option', { name: 'Search in documents: “backups”' }).waitFor();
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toBe('Phone backups');
    await press('Enter');
    await page.waitForURL(/\/phones/);
    await expectHeading('Phone backups');
    await tabTo(/^Search documents/, 'button');
    for (const key of ['Enter', 'Control+k', '?']) {
      await press(key);
      await page.getByRole('dialog').waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus('button', /Search documents/);
    }
  });

  it('a document is added, found, and shared, and the new share has the focus', async () => {
    const file = join(folder, 'lab.pdf');
    writeFileSync(file, await labReport());
    await press('g', 'd');
    await expectHeading('Documents');
    const chooser = page.waitForEvent('filechooser');
    await press('u');
    await (await chooser).setFiles(file);
    const title = page.getByRole('link', { name: 'Lab report · Synlabor Mittelland' });
    await title.waitFor();
    await person.idle();
    await press('j');
    await expectFocus('a', 'Lab report · Synlabor Mittelland');
    await press('Enter');
    await expectHeading('Lab report · Synlabor Mittelland');
    await press('g', 'd');
    await expectHeading('Documents');
    await press('j', 'x');
    await page.getByRole('toolbar').getByRole('button', { name: 'Share' }).waitFor();
    await press('s');
    await page.getByRole('heading', { name: 'New share' }).waitFor();
    // The page puts the focus into its first field.
    await expect
      .poll(() => page.getByLabel('Name on every page').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('Dr. med. Regula Aebischer');
    await tabTo('Create share and copy link', 'button');
    await press('Enter');
    await page.waitForURL(/\/shares\?.*share=/);
    await expectHeading('Dr. med. Regula Aebischer');
    expect((await person.get('/api/shares?patient_id=1')).body).toMatchObject([{ document_count: 1 }]);
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

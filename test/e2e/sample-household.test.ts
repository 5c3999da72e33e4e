/** @module-tag long */
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import type { Served } from '../support/serve.ts';

let served: Served, page: Page;

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  page = await openPage(browser);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page?.screenshot({ path: 'test-results/sample-household.png' });
});

/** A paper that was added for Daniel asks about Claire too, because it names her. */
async function lookAtTodayOfClaire(): Promise<void> {
  await page.goto(new URL('/?patient=1', page.url()).href);
  await page.getByText('Claire Morandi, born 3 June 1984').waitFor();
  await page.getByText('Added for Daniel Morandi').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Today 1' }).waitFor();
}

const violations = (): Promise<string[]> => findViolations(page);

/** A question, its answer, the cited page with the mark, and the way to the document. */
async function askAboutClaire(): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Claire' }).click();
  await page.getByRole('textbox', { name: 'Ask about Claire' }).fill('What was the last TSH?');
  await page.keyboard.press('Enter');
  await page.getByText('1.90 mU/L on 12 May 2026').waitFor();
  await page.getByRole('button', { name: /^Source 1: Lab report/ }).click();
  await page.getByText('TSH 1,90 mU/L').last().waitFor();
  expect(await violations()).toEqual([]);
  await page.getByRole('link', { name: 'Open' }).click();
  await page.waitForURL(/\/documents\/\d+.*value=lab/);
  await page.goBack();
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByText('Cleared the questions').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('1.90 mU/L on 12 May 2026').waitFor();
}

/** The list on a phone shows whole titles, of which two of a day may begin alike. */
async function lookAtTitlesOnPhone(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(new URL('/documents', page.url()).href);
  const titles = page.locator('.doc-table .title-link');
  await titles.first().waitFor();
  const cut = await titles.evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1),
  );
  expect(await titles.count()).toBeGreaterThan(10);
  expect(cut).toHaveLength(0);
  expect(await violations()).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
}

describeWith({ browser: true }, 'the first start', () => {
  it('offers a sample household, whose phone the page reads, and which is left for one’s own', async () => {
    await page.goto(served.url);
    await page.getByRole('button', { name: 'Try with a sample household' }).click();
    const banner = page.getByRole('region', { name: 'Sample household: nothing here is kept' });
    await banner.waitFor();
    await page.getByText('4 people').waitFor();
    expect(await violations()).toEqual([]);
    await askAboutClaire();
    await lookAtTitlesOnPhone();
    await lookAtTodayOfClaire();
    await page.goto(new URL('/settings/vaults', page.url()).href);
    await page.getByText('is deleted when you leave it').waitFor();
    await page.getByRole('link', { name: 'Phone backups' }).click();
    await page.getByText('opens with the passphrase “sunflower lake”').waitFor();
    // The page itself reads the folder that it names.
    const folder = /choose the folder (.+)/.exec(await page.getByText('To read it in the page').innerText())?.[1] ?? '';
    await page.getByTestId('backup-folder').setInputFiles(folder);
    await page
      .getByRole('region', { name: 'In the chosen folder' })
      .getByRole('button', { name: 'Unlock iPhone de Claire' })
      .click();
    await page.getByLabel('Backup password').fill('sunflower lake');
    await page.keyboard.press('Enter');
    await page.getByText('Klinik Sonnrain').first().waitFor();
    await banner.getByRole('button', { name: 'Leave the sample' }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Leave and delete' }).click();
    await page.getByRole('heading', { name: 'Where your data is stored' }).waitFor();
  });
});

/** @module-tag long */
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { at } from '../support/names.ts';
import { describeWith } from '../support/requirements.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

const DOCTORS = [
  'Dr. med. Regula Aebischer',
  'R. Aebischer',
  'Prof. Dr. med. Hans-Peter Zimmerli',
  'Dr. Anna Meier',
  'PD Dr. med. Jana Weidmann',
  'Dott.ssa Lucia Bianchi',
];
const TESTS = [
  'Ferritin',
  'S-Ferritin',
  'Hämoglobin',
  'Natrium',
  'Kreatinin',
  'CRP',
  'TSH',
  'Cholesterin',
  'HbA1c',
  'Sonderwert XY',
  'Sonderwert X-Y',
];

let served: Served, house: Household, owner: Client, page: Page;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core, household }) => {
  served = core;
  house = household;
  owner = house.as('owner');
  for (const doctor_name of DOCTORS)
    await owner.call('PATCH', `/api/documents/${house.make.document()}`, { doctor_name });
  for (const test_name_original of TESTS)
    await owner.post('/api/lab-results', { document_id: house.make.document(), test_name_original, value: 4 });
  await owner.post(at('doctors', `${idOf('Prof. Dr. med. Hans-Peter Zimmerli')}/aliases`), { alias: 'H.-P. Zimmerli' });
  house.db
    .prepare("UPDATE name_aliases SET auto_mapped = 1 WHERE alias IN ('R. Aebischer', 'H.-P. Zimmerli', 'Kreatinin')")
    .run();
  page = await openPage(browser, { as: owner });
  recordPageErrors(page, pageErrors);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const open = async (query = ''): Promise<void> => {
  await page.goto(`${served.url}/names${query}`);
  await page.locator('.names-table').waitFor();
};
const rows = (): Promise<string[]> => page.locator('.names-name .names-open').allInnerTexts();
const idOf = (display: string): number =>
  house.db.prepare('SELECT id FROM doctors WHERE canonical_display = ?').pluck().get(display) as number;
const violations = (): Promise<string[]> => findViolations(page);

describeWith({ browser: true }, 'the names', () => {
  it('are accessible on a phone, in the dark and in German', async () => {
    await open();
    await page.locator('.proposal').waitFor();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}names.png` });
    await open(`?type=doctors&entry=${idOf('Dr. Anna Meier')}`);
    await page.locator('.names-form').waitFor();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}names-entry.png` });
    await page.evaluate(() => {
      localStorage.setItem('hearth.theme', 'dark');
      localStorage.setItem('hearth.language', 'de');
    });
    try {
      await open('?type=doctors');
      await page.locator('.proposal').waitFor();
      expect(await violations()).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}names-dark.png` });
      await page.setViewportSize({ width: 390, height: 844 });
      await open('?type=doctors');
      expect(await violations()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Namen');
      await page.screenshot({ path: `${SCREENSHOTS}names-phone.png` });
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.evaluate(() => {
        localStorage.removeItem('hearth.theme');
        localStorage.setItem('hearth.language', 'en');
      });
    }
  });

  it('open with g n, and are renamed, selected, merged and undone by keyboard', async () => {
    await page.goto(served.url);
    await page.locator('.page-head, .empty, .panel').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL(/\/names/);
    await open('?type=doctors');
    expect(await rows()).toEqual([
      'Dott.ssa Lucia Bianchi',
      'Dr. Anna Meier',
      'Dr. med. Regula Aebischer',
      'PD Dr. med. Jana Weidmann',
      'Prof. Dr. med. Hans-Peter Zimmerli',
      'R. Aebischer',
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByLabel('New name for Dr. Anna Meier').fill('Dr. Anna Maria Meier');
    await page.keyboard.press('Enter');
    await page.getByText('“Dr. Anna Maria Meier” was changed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rows).toContain('Dr. Anna Meier');

    await page.getByLabel('Select Dr. Anna Meier').check();
    await page.getByLabel('Select PD Dr. med. Jana Weidmann').check();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByText('PD Dr. med. Jana Weidmann').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('“Dr. Anna Meier” is now “PD Dr. med. Jana Weidmann”').waitFor();
    expect(
      house.db
        .prepare('SELECT count(*) FROM documents WHERE doctor_id = ?')
        .pluck()
        .get(idOf('PD Dr. med. Jana Weidmann')),
    ).toBe(2);
    await page.getByRole('button', { name: 'Merges' }).click();
    await page.locator('.merge-history').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rows).toContain('Dr. Anna Meier');
  });

  it('are proposed for merging with a reason, and merged with a key', async () => {
    await open('?type=doctors');
    const proposal = page.locator('.proposal');
    await proposal.waitFor();
    expect(await proposal.innerText()).toMatch(
      /R\. Aebischer[\s\S]*Dr\. med\. Regula Aebischer[\s\S]*One abbreviates the first name[\s\S]*similarity[\s\S]*check first/,
    );
    await page.keyboard.press('a');
    await expect.poll(rows).not.toContain('R. Aebischer');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rows).toContain('R. Aebischer');
    await proposal.waitFor();
    await page.keyboard.press('d');
    await expect.poll(() => page.locator('.proposal').count()).toBe(0);
    await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
    await proposal.waitFor();
  });

  it('offer a merge when a code or name exists, and to move an alias', async () => {
    await open(`?type=doctors&entry=${idOf('Dr. Anna Meier')}`);
    await page.getByLabel('Code', { exact: true }).fill('jana-weidmann');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“PD Dr. med. Jana Weidmann” already has this code. Merge the two entries?').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Dott.ssa Lucia Bianchi');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Keep both' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Add a spelling').fill('Weidmann Jana');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('The spelling and 0 records were moved here').waitFor();
    await expect.poll(() => page.locator('.alias-list').innerText()).toContain('Weidmann Jana');
    await page.locator('.names-documents').getByRole('link').first().click();
    await page.waitForURL(/\/documents\/\d+/);
  });

  it('are filtered, confirmed and deleted with undo', async () => {
    // The only spelling of R. Aebischer is the name itself.
    await open('?type=doctors&filter=unreviewed');
    expect(await rows()).toEqual(['Prof. Dr. med. Hans-Peter Zimmerli']);
    await page.keyboard.press('c');
    await page.getByText('1 spelling was confirmed').waitFor();
    await page.getByText('No matching entries').waitFor();
    await open('?type=doctors&q=zimmerli');
    await page.getByLabel('Select Prof.').check();
    await page.keyboard.press('Delete');
    await page.getByText('“Prof. Dr. med. Hans-Peter Zimmerli” was moved to the trash').waitFor();
    await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rows).toEqual(['Prof. Dr. med. Hans-Peter Zimmerli']);
  });

  it('report a failed load, and are read-only for a viewer', async () => {
    await page.route('**/api/normalization/lab_tests?*', (route) => route.abort());
    await page.goto(`${served.url}/names`);
    await page.getByText('Hearth can’t be reached').first().waitFor();
    await page.unroute('**/api/normalization/lab_tests?*');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.locator('.names-table').waitFor();
    const reader = house.as('reader');
    await page
      .context()
      .addCookies([{ name: 'vault_session', value: reader.cookie.slice('vault_session='.length), url: served.url }]);
    await open('?type=doctors');
    expect([await page.getByRole('checkbox').count(), await page.locator('.proposal').count()]).toEqual([0, 0]);
    await page.getByRole('button', { name: 'Open Dr. Anna Meier' }).click();
    await page.getByRole('heading', { name: /Documents/ }).waitFor();
    expect([
      await page.locator('.names-form').count(),
      await page.locator('.names-facts').innerText(),
      await violations(),
    ]).toEqual([0, expect.stringContaining('anna-meier'), []]);
    expect(pageErrors).toEqual([]);
  });
});

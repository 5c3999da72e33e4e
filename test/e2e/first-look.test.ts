import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { openPage } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { describeWith } from '../support/requirements.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

let household: Household, keeper: Client, browser: Browser, page: Page;

const first = test.override('serveOptions', WITHOUT_INBOX);

first.beforeAll(async ({ browser: chromium, household: records }) => {
  browser = chromium;
  household = records;
  keeper = household.as('keeper');
  page = await openPage(browser, { as: keeper });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page?.screenshot({ path: 'test-results/first-look.png' });
});

/** Ids of documents with these titles, the newest first. */
function addDocuments(titles: readonly string[]): number[] {
  return titles.map((title, index) => {
    const id = household.make.document();
    household.db
      .prepare('UPDATE documents SET title = ?, event_date = ? WHERE id = ?')
      .run(title, `2025-11-${String(28 - index).padStart(2, '0')}`, id);
    return id;
  });
}

/** Titles that are narrower than their words, by any part of a pixel: the browser then cuts the last word. */
const cutTitles = (): Promise<string[]> =>
  page.locator('.doc-table .title-link').evaluateAll((all) =>
    all
      .filter((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return words.getBoundingClientRect().width > one.getBoundingClientRect().width;
      })
      .map((one) => one.textContent ?? ''),
  );

describeWith({ browser: true }, 'who looks at Hearth for the first time', () => {
  it('sees that it is loading until the first page is drawn', async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/setup/status', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(keeper.url);
    const sign = page.getByRole('status', { name: 'Hearth' });
    await sign.waitFor();
    answer();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await sign.waitFor({ state: 'hidden' });
    await page.unroute('**/api/setup/status');
  });

  it('finds nothing to search or filter in an empty vault', async () => {
    await page.goto(`${keeper.url}/documents`);
    await page.getByText('No documents yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    const main = page.getByRole('main');
    const buttons = () => main.getByRole('button').allTextContents();
    expect(await buttons()).toEqual(['Add documents']);
    await page.goto(`${keeper.url}/timeline?patient=${household.patient}`);
    await page.getByText('Nothing with a date yet').waitFor();
    expect(await buttons()).toEqual(['New event']);
    await page.goto(`${keeper.url}/names`);
    await page.getByText('No names yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await buttons()).toEqual(['Merges']);
  });

  it('reads whole titles where their captions leave room', async () => {
    addDocuments(['Specialist report · Klinik Sonnrain', 'Lab report · Laboratorio Castelrivo', 'Prescription · Olmo']);
    await page.goto(`${keeper.url}/documents`);
    await page.getByRole('link', { name: /Castelrivo$/ }).waitFor();
    expect(await page.locator('.doc-table .title-line > .cap:not(:empty)').count()).toBeGreaterThan(0);
    expect(await cutTitles()).toEqual([]);
  });

  it('reads a list and a document on a phone without gaps between lines and with all tools in one line', async () => {
    const desktop = page;
    page = await openPage(browser, { ...PHONE, as: keeper });
    await page.goto(`${keeper.url}/documents`);
    const title = page.getByRole('link', { name: 'Specialist report · Klinik Sonnrain' });
    await title.waitFor();
    // Two lines of text, which together are as high as a finger needs.
    expect((await title.boundingBox())?.height).toBe(44);
    await title.click();
    const tools = page.getByRole('toolbar', { name: 'Viewer tools' });
    await tools.waitFor();
    const tops = await tools
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThan(4);
    expect(new Set(tops).size).toBe(1);
    await page.context().close();
    page = desktop;
  });

  it('keeps a document with long words and many tags within a phone', async () => {
    const [id] = addDocuments([`Bericht ${'Donaudampfschifffahrts'.repeat(6)}`]);
    const tags = ['a'.repeat(50), 'before the operation', 'for the insurance', 'to be paid'];
    await keeper.call('PATCH', `/api/documents/${id}`, { tags: tags.join(',') });
    const desktop = page;
    page = await openPage(browser, { ...PHONE, as: keeper });
    await page.goto(`${keeper.url}/documents/${id}`);
    await page.getByText('to be paid').waitFor();
    const content = page.locator('#content');
    expect(await content.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const search = await page.locator('.search-button').boundingBox();
    const state = await page.getByTestId('pipeline').boundingBox();
    expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThanOrEqual(state?.x ?? 0);
    await page.context().close();
    page = desktop;
  });

  it('lists everything behind an address to which another program added parameters of its own', async () => {
    await page.goto(`${keeper.url}/documents?utm_source=letter&tracking=1`);
    await page.getByRole('link', { name: /Castelrivo$/ }).waitFor();
    await page.goto(`${keeper.url}/imaging?utm_source=letter&tracking=1`);
    await page.getByText('No imaging yet').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('reads the whole title of an event on the timeline where its lane has room', async () => {
    const titles = [
      'Community-acquired pneumonia with pleural effusion',
      'Rehabilitation after the replacement of the right hip',
    ];
    const days = ['2019-03-01', '2025-10-01'];
    for (const [index, title] of titles.entries()) {
      const event = { patient_id: household.patient, title, event_type: 'diagnosis', date_start: days[index] };
      expect((await keeper.post('/api/events', event)).status).toBe(201);
    }
    await page.goto(`${keeper.url}/timeline?patient=${household.patient}`);
    for (const title of titles) await page.locator('.tl-title', { hasText: title }).waitFor();
    const cut = await page
      .locator('.tl-title')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(cut).toEqual([]);
  });

  it('adds a person once by a double click', async () => {
    await page.goto(`${keeper.url}/settings/people`);
    await page.getByRole('button', { name: 'Add a patient' }).click();
    await page.getByLabel('Full name').fill('Double Click');
    await page.getByRole('button', { name: 'Save' }).dblclick();
    await page.getByText('Double Click').first().waitFor();
    const names = (await keeper.get('/api/patients')).body.map((one: { display_name: string }) => one.display_name);
    expect(names.filter((name: string) => name === 'Double Click')).toHaveLength(1);
  });

  it('sees that a page is on its way, and keeps the frame where Hearth does not answer', async () => {
    await page.goto(`${keeper.url}/documents`);
    await page.getByRole('link', { name: /Castelrivo$/ }).waitFor();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/assets\/.*\.(?:js|css)$/, async (route) => {
      await held;
      await route.abort();
    });
    await page.route('**/health', (route) => route.abort());
    const labs = page.getByRole('link', { name: 'Labs', exact: true });
    await labs.click();
    await page.getByRole('main').getByText('Loading').waitFor();
    answer();
    await page.getByText('Hearth can’t be reached').waitFor();
    await labs.waitFor();
    await page.unroute(/assets\/.*\.(?:js|css)$/);
    await page.unroute('**/health');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Labs', level: 1 }).waitFor();
  });

  it('enters a time as the language of the page writes it, also where the browser speaks another one', async () => {
    await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
    await page.goto(`${keeper.url}/settings/backups`);
    const time = page.getByLabel('Uhrzeit');
    await expect.poll(() => time.inputValue()).toBe('03:30');
    await time.fill('25 Uhr');
    await page.getByText('Geben Sie eine Uhrzeit ein').waitFor();
    expect(await page.getByRole('button', { name: 'Speichern' }).isDisabled()).toBe(true);
    await time.fill('22.15 Uhr');
    await time.blur();
    expect(await time.inputValue()).toBe('22:15');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Der Zeitplan wurde gespeichert').waitFor();
    await page.reload();
    await expect.poll(() => time.inputValue()).toBe('22:15');
    await page.evaluate(() => localStorage.removeItem('hearth.language'));
  });
});

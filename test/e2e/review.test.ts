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
import { LONG } from '../support/long.ts';

let served: Served, page: Page, person: Client;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup('Elena Keller', '1979-05-09');
  await person.post('/api/patients', { display_name: 'Marco Keller', date_of_birth: '2010-02-03', sex: 'M' });
  const reports = [
    { seed: 1 },
    { seed: 2, patient: 'Margaret Osei', born: '03.08.1949' },
    { seed: 3, patient: 'Margaret Osei', born: '03.08.1949', collected: '02.10.2025' },
    { seed: 4, patient: 'Marco Keller', born: '03.02.2010' },
    { seed: 5, patient: 'Lukas Steiner', born: '01.01.1990' },
    { seed: 6, patient: 'Lukas Steiner', born: '01.01.1990', collected: '03.10.2025' },
  ];
  for (const [index, report] of reports.entries()) await person.upload(await labReport(report), `report-${index}.pdf`);
  await person.idle();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
const openItem = () => page.locator('.review-item[aria-current="true"]');
/** Documents of a person, decided. */
async function documentsOf(name: string): Promise<number> {
  const { body } = await person.get('/api/documents?limit=50');
  const isTheirs = (row: { patient_name: string | null; patient_undecided: boolean }) =>
    row.patient_name === name && !row.patient_undecided;
  return body.items.filter(isTheirs).length;
}
/** Whose results count. */
async function resultsOf(patient: number): Promise<number> {
  return (await person.get(`/api/lab-results?patient_id=${patient}`)).body.total;
}
const violations = (): Promise<string[]> => findViolations(page, { bestPractice: true });
async function inBothThemes(check: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
  await check('light');
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await check('dark');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
}

describeWith({ browser: true }, 'documents of other people, uploaded for one person', () => {
  it('are questions on Today, and give no results', async () => {
    expect(await resultsOf(1)).toBe(4);
    await page.goto(served.url);
    const panel = page.getByRole('region', { name: 'To review' });
    await panel.getByText('Margaret Osei, born 3 August 1949 · 2 documents').waitFor();
    await panel.getByText('Marco Keller, born 3 February 2010 · 1 document').waitFor();
    await inBothThemes(async (theme) => {
      expect(await violations()).toEqual([]);
      await shot(`today-questions-${theme}`);
    });
    await page.getByRole('link', { name: /^Documents/ }).click();
    const states = page.locator('td:last-child .tag > .truncate');
    await expect.poll(() => states.count()).toBe(5);
    expect(await states.evaluateAll((all) => all.filter((tag) => tag.scrollWidth > tag.clientWidth).length)).toBe(0);
    await shot('documents-questions');
    await page.goBack();
    await panel.getByRole('link', { name: 'Review all' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
  });

  it('are shown with the place on the page and their answers', async () => {
    await openItem()
      .getByRole('button', { name: /Add Margaret Osei and file 2/ })
      .waitFor();
    await openItem()
      .getByRole('img', { name: /Page 1 of/ })
      .waitFor();
    await inBothThemes(async (theme) => {
      await openItem()
        .getByRole('img', { name: /Page 1 of/ })
        .waitFor();
      expect(await violations()).toEqual([]);
      await shot(`review-${theme}`);
    });
  });

  it('are filed under a new person with one key, undone, and filed again', async () => {
    await page.keyboard.press('1');
    await page.getByText('Margaret Osei added with 2 documents').waitFor();
    await openItem()
      .getByText(/^Marco Keller/)
      .waitFor();
    await expect.poll(() => documentsOf('Margaret Osei')).toBe(2);
    await page.keyboard.press('Control+z');
    await page.getByText(/^Margaret Osei, born/).waitFor();
    await expect.poll(() => documentsOf('Margaret Osei')).toBe(0);
    expect((await person.get('/api/patients')).body).toHaveLength(2);
    await page.getByText(/^Margaret Osei, born/).click();
    await page.keyboard.press('1');
    await expect.poll(() => documentsOf('Margaret Osei')).toBe(2);
  });

  it('go first to the person whom they name', async () => {
    await openItem()
      .getByRole('button', { name: /File under Marco Keller/ })
      .waitFor();
    await page.keyboard.press('1');
    await expect.poll(() => documentsOf('Marco Keller')).toBe(1);
    await expect.poll(() => resultsOf(2)).toBe(4);
  });

  it('can be decided each, and belong to the chosen person', async () => {
    await openItem()
      .getByRole('button', { name: /Decide each/ })
      .waitFor();
    await page.keyboard.press('3');
    await expect.poll(() => page.locator('.review-item').count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await openItem()
      .getByRole('button', { name: /It belongs to Elena Keller/ })
      .click();
    await expect.poll(() => documentsOf('Elena Keller')).toBe(2);
    await openItem()
      .getByRole('button', { name: /File under Margaret Osei/ })
      .click();
    await page.getByText('All caught up').waitFor();
    await expect.poll(() => documentsOf('Margaret Osei')).toBe(3);
    await page.getByText(/document filed under Margaret Osei/).waitFor();
    expect(await violations()).toEqual([]);
  });

  it('say where their person came from', async () => {
    const { body } = await person.get('/api/documents?limit=50');
    const decided = body.items.find((row: { patient_name: string }) => row.patient_name === 'Marco Keller');
    await page.goto(`${served.url}/documents/${decided.id}`);
    await page.getByText('entered by you').first().waitFor();
    const own = body.items.find((row: { original_filename: string }) => row.original_filename === 'report-0.pdf');
    await page.goto(`${served.url}/documents/${own.id}`);
    await page.getByText('Patient · p. 1').first().waitFor();
  });

  it('are asked about in German on a phone', LONG, async () => {
    await person.upload(await labReport({ seed: 7, patient: 'Ruth Amstutz', born: '05.06.1950' }), 'report-7.pdf');
    await person.idle();
    await page.goto(`${served.url}/settings`);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${served.url}/review`);
    await openItem()
      .getByRole('button', { name: /Ruth Amstutz hinzufügen und ablegen/ })
      .waitFor();
    await openItem()
      .getByRole('img', { name: /Seite 1 von/ })
      .waitFor();
    expect(await violations()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await shot('review-german-phone');
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

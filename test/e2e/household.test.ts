import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport, letter, scanned } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

let served: Served, page: Page;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  page = await openPage(browser);
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/401|Failed to load resource/.test(message.text()))
      pageErrors.push(message.text());
  });
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  process.stderr.write(`${pageErrors.join('\n')}\n`);
  await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
const setTheme = async (theme: 'light' | 'dark'): Promise<void> => {
  if ((await page.evaluate(() => document.documentElement.dataset['theme'])) !== theme)
    await page.getByRole('button', { name: theme === 'dark' ? 'Use the dark theme' : 'Use the light theme' }).click();
};

const violations = (): Promise<string[]> => findViolations(page);

/** Files dropped on the window, as a person drags them from a folder. */
async function drop(files: { name: string; type: string; bytes: Uint8Array }[]): Promise<void> {
  const data = await page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of list)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
      return transfer;
    },
    files.map(({ name, type, bytes }) => ({ name, type, base64: Buffer.from(bytes).toString('base64') })),
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await page.getByText('Drop to add to Elena Keller, unless the page names someone else').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

describeWith({ browser: true }, 'a household after the first start', () => {
  it('is set up in four steps', async () => {
    await page.goto(served.url);
    await page.getByRole('heading', { name: 'Where your data is stored' }).waitFor();
    expect(await violations()).toEqual([]);
    await shot('setup-light');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Your name').fill('Elena Keller');
    await page.getByLabel('User name').fill('elena');
    await page.getByLabel('Password', { exact: true }).fill('plum tree behind the barn');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'This is me' }).click();
    await page.getByLabel('Birth date').fill('09.05.1979');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Nothing leaves the computer').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Drop letters, scans and photos here').waitFor();
    expect(await violations()).toEqual([]);
  });

  it('reads three dropped files with visible progress, and files them', async () => {
    await drop([
      { name: 'labor.pdf', type: 'application/pdf', bytes: await labReport({ seed: 4 }) },
      {
        name: 'scan.png',
        type: 'image/png',
        bytes: await scanned([
          'Praxis am Stadtpark',
          'Dr. med. Beat Zimmerli',
          'Rezept',
          'Patient: Elena Keller',
          'Datum: 14.11.2024',
          'Rp.',
          'Metformin 500 mg Tabletten 1-0-1-0',
          'Pantoprazol 40 mg Tabletten 1-0-0-0',
        ]),
      },
      {
        name: 'brief.pdf',
        type: 'application/pdf',
        bytes: await letter([
          [
            { text: 'Kantonsspital Rheinau', y: 60, size: 14 },
            { text: 'Austrittsbericht', y: 110, size: 18 },
            { text: 'Patient: Elena Keller', y: 150 },
            { text: 'Eintritt: 11.10.2023', y: 166 },
            { text: 'Austritt: 15.10.2023', y: 182 },
            { text: 'Diagnosen', y: 220, size: 13 },
            { text: '1. Vorhofflimmern (I48.9)', y: 244 },
            { text: 'Dr. med. Jana Weidmann', y: 420 },
          ],
        ]),
      },
    ]);
    await page.getByText('3 of 3 added').waitFor();
    await page
      .getByTestId('pipeline')
      .filter({ hasText: /Reading|Idle/ })
      .waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    await page.getByText('Metformin 500 mg, Pantoprazol 40 mg').waitFor({ timeout: 60_000 });
    await page.getByTestId('pipeline').filter({ hasText: 'Idle' }).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Lab report · Synlabor Mittelland', exact: true }).waitFor();
    await page.getByText('1 out of range').waitFor();
    await page.getByRole('link', { name: 'Discharge summary · Kantonsspital Rheinau' }).waitFor();
    await page.getByRole('button', { name: 'Hide the list' }).click();
    expect(await violations()).toEqual([]);
    await shot('documents-light');
    await setTheme('dark');
    expect(await violations()).toEqual([]);
    await shot('documents-dark');
    await setTheme('light');
  });

  it('filters the list while one types, in other languages too, and proposes similar words', async () => {
    const box = page.getByRole('searchbox', { name: 'Search in documents' });
    const rows = page.locator('tbody tr');
    const all = await rows.count();
    for (const text of ['vorhoff', 'atrial fibrillation']) {
      await box.fill(text);
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole('cell', { name: 'Discharge' }).waitFor();
    }
    await box.fill('vorhoflimern');
    await page.getByText('No document matches “vorhoflimern”').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Vorhofflimmern (1)' }).click();
    await page.getByRole('cell', { name: 'Discharge' }).waitFor();
    expect(await box.inputValue()).toBe('Vorhofflimmern');
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('vorhoflimern');
    await box.fill('');
    await expect.poll(() => rows.count()).toBe(all);
  });

  it('lists what needs review', async () => {
    await page.getByRole('link', { name: /^Today/ }).click();
    await page.getByText('Out of range in the last report').waitFor();
    await page.getByText('Ferritin').first().waitFor();
    expect(await violations()).toEqual([]);
    await shot('today-light');
    await setTheme('dark');
    expect(await violations()).toEqual([]);
    await shot('today-dark');
    await setTheme('light');
  });

  it('finds a word, opens its document there, and highlights where a value was read', async () => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search documents, tests, doctors').last().fill('ferrit');
    await page.getByRole('option', { name: /Lab report/ }).click();
    await page.getByRole('heading', { name: 'Fields' }).or(page.getByLabel('Fields')).waitFor();
    await page.locator('.vw mark, .vw [data-kind="hit"], .vw .vw-mark').first().waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Ferritin', exact: true }).hover();
    await page.locator('tr.row-highlighted').waitFor();
    await page.locator('.vw img').first().waitFor();
    expect(await violations()).toEqual([]);
    await shot('document-light');
    await setTheme('dark');
    expect(await violations()).toEqual([]);
    await shot('document-dark');
    await setTheme('light');
  });

  it('edits a field in place, with undo', async () => {
    const date = page.getByRole('button', { name: 'Edit Date' });
    const shown = async (): Promise<string | undefined> => (await date.textContent())?.replace('Edit Date: ', '');
    await date.click();
    await page.getByLabel('Date', { exact: true }).fill('01.02.2020');
    await page.keyboard.press('Enter');
    await page.getByText('Date was changed').waitFor();
    await expect.poll(shown).toBe('1 February 2020');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(shown).toBe('12 November 2025');
  });

  it('has a title that can be corrected in place, is found, and can be undone', async () => {
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByRole('button', { name: 'Lab report · Synlabor Mittelland' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Iron before the infusion');
    await page.keyboard.press('Enter');
    await page.getByText('Title was changed').waitFor();
    await heading.getByText('Iron before the infusion').waitFor();
    await page.getByText('labor.pdf', { exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search documents, tests, doctors').last().fill('infusion');
    await page.getByRole('option', { name: /Iron before the infusion/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await heading.getByText('Lab report · Synlabor Mittelland').waitFor();
  });

  it('moves a document to the trash and back', async () => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: /^Move to the trash(?!,)/ }).click();
    await page.getByText('was moved to the trash').waitFor();
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByText('labor.pdf', { exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await shot('settings-light');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty.').waitFor();
  });

  it('works in German, fits a phone, and asks to log in again', async () => {
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: /^Heute/ }).click();
    await page.getByRole('heading', { name: 'Zu prüfen' }).waitFor();
    await shot('today-german');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Navigation öffnen' }).click();
    await page.getByRole('link', { name: /^Dokumente/ }).click();
    await page.getByRole('heading', { name: 'Dokumente', level: 1 }).waitFor();
    expect(await violations()).toEqual([]);
    await shot('documents-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: /^Einstellungen/ }).click();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByLabel('Benutzername').fill('elena');
    await page.getByLabel('Passwort').fill('not this one');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Benutzername oder Passwort ist falsch. Versuchen Sie es erneut.').waitFor();
    await page.getByLabel('Passwort').fill('plum tree behind the barn');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('link', { name: /^Dokumente/ }).waitFor();
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport, letter, scanned } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

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
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('elena');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('plum tree behind the barn');
    await page.getByRole('button', { name: 'Show what you typed' }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide what you typed' }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('password');
    expect(await page.title()).toBe('Set up Hearth · Hearth');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'This is me' }).click();
    await page.getByLabel('Birth date').fill('9.5.79');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByLabel('Birth date').inputValue()).toBe('09 May 1979');
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
    const end = page.getByText(/ read, /).first();
    await end.waitFor({ timeout: 60_000 });
    expect(await page.locator('.upload-list').count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    await page.getByText('Metformin 500 mg, Pantoprazol 40 mg').waitFor({ timeout: 60_000 });
    await page.getByTestId('pipeline').filter({ hasText: 'Up to date' }).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Lab report · Synlabor Mittelland', exact: true }).waitFor();
    await page.getByText('1 out of range').waitFor();
    await page.getByRole('link', { name: 'Discharge summary · Kantonsspital Rheinau' }).waitFor();
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
      await page.getByRole('link', { name: /^Discharge summary/ }).waitFor();
    }
    await box.fill('vorhoflimern');
    await page.getByText('No document matches “vorhoflimern”').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Vorhofflimmern (1)' }).click();
    await page.getByRole('link', { name: /^Discharge summary/ }).waitFor();
    expect(await box.inputValue()).toBe('Vorhofflimmern');
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('vorhoflimern');
    await box.fill('');
    await expect.poll(() => rows.count()).toBe(all);
  });

  it('shows a document beside the list on a click, without covering the list', async () => {
    const pane = page.getByRole('complementary');
    const right = async (): Promise<number> => {
      const box = await page.getByRole('button', { name: 'Add documents' }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    const before = await right();
    await page.locator('tbody tr').first().locator('td').nth(1).click();
    await pane.getByText('1 of 3').waitFor();
    const first = await pane.getByRole('heading').textContent();
    expect(await right()).toBeLessThanOrEqual((await pane.boundingBox())?.x ?? 0);
    const table = page.locator('.doc-table');
    await expect.poll(() => table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0))).toBe(0);
    expect(await violations()).toEqual([]);
    await shot('documents-preview');
    await page.keyboard.press('j');
    await pane.getByText('2 of 3').waitFor();
    expect(await pane.getByRole('heading').textContent()).not.toBe(first);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.locator('tbody tr').first().getByRole('checkbox').click();
    await page.getByText('1 selected').waitFor();
    await pane.getByText('2 of 3').waitFor();
    await page.locator('tbody tr').first().getByRole('checkbox').click();
    await pane.getByRole('button', { name: 'Close' }).click();
    await expect.poll(right).toBe(before);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('tbody tr').first().locator('td').nth(1).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('1 of 3').waitFor();
    expect((await sheet.boundingBox())?.width).toBe(390);
    expect(await violations()).toEqual([]);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('tbody tr').first().locator('td').nth(1).dblclick();
    await page.getByRole('region', { name: 'Fields' }).first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'hidden' });
  });

  it('hides columns without content unless they are chosen', async () => {
    const headings = (): Promise<string[]> => page.getByRole('columnheader').allTextContents();
    await expect.poll(headings).not.toContain('Event');
    const event = page.getByRole('checkbox', { name: 'Event' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect.poll(() => event.isChecked()).toBe(false);
    await event.click();
    await expect.poll(headings).toContain('Event');
    await event.click();
    await expect.poll(headings).not.toContain('Event');
    await page.keyboard.press('Escape');
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
    await page.locator('.vw mark, .vw [data-kind="hit"], .vw .vw-mark').first().waitFor();
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
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(shown).toBe('12 November 2025');
  });

  it('undoes the last change by Ctrl+Z outside of text fields, and every change from the history', async () => {
    const date = page.getByRole('button', { name: 'Edit Date' });
    const shown = async (): Promise<string | undefined> => (await date.textContent())?.replace('Edit Date: ', '');
    const history = page.getByRole('dialog', { name: 'Recent changes' });
    for (const [text, expected] of Object.entries({ '01.02.2020': '1 February 2020', '03.04.2021': '3 April 2021' })) {
      await date.click();
      await page.getByLabel('Date', { exact: true }).fill(text);
      const saving = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.keyboard.press('Enter');
      expect((await saving).status()).toBe(200);
      await expect.poll(shown).toBe(expected);
    }
    await date.click();
    await page.getByLabel('Date', { exact: true }).press('Control+z');
    await page.keyboard.press('Escape');
    await expect.poll(shown).toBe('3 April 2021');
    await page.keyboard.press('Control+z');
    await page.getByText('Undoing: Date was changed').first().waitFor();
    await expect.poll(shown).toBe('1 February 2020');
    await page.getByRole('button', { name: 'Recent changes' }).click();
    expect(await violations()).toEqual([]);
    await shot('undo-history');
    await history.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(shown).toBe('12 November 2025');
    await history.getByText('Changes that you make appear here').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.getByText('There is nothing to undo').waitFor();
  });

  it('shows the stored preview of a page until the sharp one has come', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/pages\/1\/image/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    const preview = page.locator('.vw-page img[data-preview]');
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const box = await page.locator('.vw-page').first().boundingBox();
    release();
    await preview.waitFor({ state: 'detached' });
    await page.locator('.vw-page img:not(.vw-image-coming)').waitFor();
    const after = await page.locator('.vw-page').first().boundingBox();
    expect(after?.height).toBeCloseTo(box?.height ?? 0, -1);
    await page.unroute(/\/pages\/1\/image/);
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
    await page.keyboard.press('Control+z');
    await heading.getByText('Lab report · Synlabor Mittelland').waitFor();
  });

  it('names the open document in the title of the window, and keeps focus and place from one to the next', async () => {
    await page.getByRole('link', { name: /^Documents \d/ }).click();
    await expect.poll(() => page.title()).toBe('Documents · Hearth');
    const first = page.locator('tbody tr').first().getByRole('link');
    const name = await first.textContent();
    await first.click();
    const place = page.getByRole('navigation', { name: 'Place in the list' });
    await place.getByText('1 of 3').waitFor();
    await expect.poll(() => page.title()).toBe(`${name} · Documents · Hearth`);
    await page.getByRole('button', { name: 'Edit Date' }).focus();
    await page.keyboard.press('j');
    await place.getByText('2 of 3').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page
      .getByRole('status')
      .filter({ hasText: /^2 of 3$/ })
      .waitFor({ state: 'attached' });
    const next = place.getByRole('button', { name: 'Next document' });
    await next.click();
    await place.getByText('3 of 3').waitFor();
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await place.getByText('1 of 3').waitFor();
  });

  it('can be read beside its fields at 200 % zoom', async () => {
    await page.setViewportSize({ width: 720, height: 450 });
    await page.getByRole('region', { name: 'Fields' }).first().waitFor();
    const viewer = await page.locator('.document-viewer').boundingBox();
    const sheet = await page.locator('.sheet').boundingBox();
    expect([(viewer?.width ?? 0) > 300, (viewer?.height ?? 0) > 350]).toEqual([true, true]);
    expect(sheet?.x).toBeGreaterThanOrEqual(viewer?.width ?? 720);
    await shot('document-zoomed');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('moves a document to the trash and back', async () => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: /^Move to the trash(?!,)/ }).click();
    await page.getByText('was moved to the trash').waitFor();
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('labor.pdf', { exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await shot('settings-light');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty.').waitFor();
  });

  it('works in German, fits a phone, and asks to log in again', LONG, async () => {
    await page.getByRole('link', { name: 'General' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: /^Heute/ }).click();
    await page.getByRole('heading', { name: 'Neu', exact: true }).waitFor();
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

import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
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
import { findSmallTargets } from '../support/touch-and-keys.ts';

const DAY_MS = 86_400_000;
const COUNT = 22;

let served: Served, page: Page, person: Client, report: number;
const pageErrors: string[] = [];
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  const { document_id } = (await person.upload(await labReport(), 'report.pdf')).body;
  report = document_id;
  await person.idle();
  for (let index = 1; index <= COUNT; index += 1)
    await person.post('/api/encounters', {
      document_id,
      follow_up_date: day(index * 30),
      follow_up_instructions: `Check ${index}`,
    });
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

const panel = () => page.getByRole('region', { name: 'Coming up' });
const row = (title: string) => panel().getByRole('listitem').filter({ hasText: title });

describeWith({ browser: true }, 'follow-ups on Today', () => {
  it('are shown nearest first, in both themes', async () => {
    await page.goto(served.url);
    await panel().getByText('Check 1', { exact: true }).waitFor();
    for (const [theme, other] of [
      ['light', 'dark'],
      ['dark', 'light'],
    ] as const) {
      expect(await findViolations(page, { bestPractice: true })).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}follow-ups-${theme}.png`, fullPage: true });
      await page.getByRole('button', { name: `Use the ${other} theme` }).click();
    }
  });

  it('can be done, which can be undone', async () => {
    await row('Check 1').first().getByRole('button', { name: /done/i }).click();
    await expect.poll(() => panel().getByText('Check 1', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await panel().getByText('Check 1', { exact: true }).waitFor();
  });

  it('undo a change by Ctrl+Z before the server has answered it, and leave the one before', async () => {
    await row('Check 2').first().getByRole('button', { name: /done/i }).click();
    await expect.poll(() => panel().getByText('Check 2', { exact: true }).count()).toBe(0);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      /\/api\/encounters\//,
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    await row('Check 3').first().getByRole('button', { name: /done/i }).click();
    await page.keyboard.press('Control+z');
    await page.getByText('The last change is undone as soon as it is saved').waitFor();
    const answers: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') answers.push(response.status());
    });
    release();
    await page.getByText('Undoing: The follow-up was marked as done').waitFor();
    await expect.poll(() => answers).toEqual([200, 200]);
    const open = async (): Promise<string[]> =>
      (await person.get('/api/today?follow_ups=5000')).body.follow_ups.map(
        (item: { follow_up_instructions: string }) => item.follow_up_instructions,
      );
    expect(await open()).toContain('Check 3');
    expect(await open()).not.toContain('Check 2');
    await page.keyboard.press('Control+z');
    await panel().getByText('Check 2', { exact: true }).waitFor();
  });

  it('tell of a change in the language to which the page is switched meanwhile', async () => {
    const toast = page.getByRole('status').filter({ hasText: 'The follow-up was marked as done' });
    await row('Check 4').first().getByRole('button', { name: /done/i }).click();
    await toast.last().hover();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Deutsch');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Die Kontrolle ist als erledigt markiert' }).first().waitFor();
    await page.getByRole('button', { name: 'Letzte Änderungen' }).click();
    const history = page.getByRole('dialog', { name: 'Letzte Änderungen' });
    await history.getByText('Die Kontrolle ist als erledigt markiert').first().waitFor();
    expect(await history.getByText('was marked').count()).toBe(0);
    await history.getByRole('button', { name: 'Rückgängig' }).first().click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('English');
    await page.keyboard.press('Enter');
    await panel().getByText('Check 4', { exact: true }).waitFor();
  });

  it('can be moved to another day', async () => {
    const moves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') moves.push(String(request.postData()));
    });
    await row('Check 2').first().getByRole('button', { name: /Move/ }).click();
    const field = row('Check 2').first().getByRole('textbox');
    const typed = new Intl.DateTimeFormat('en-GB').format(new Date(`${day(2)}T12:00:00Z`));
    // A year of two digits is a date as well.
    await field.fill(typed.slice(0, -2));
    await field.press('Escape');
    await row('Check 2').first().getByRole('button', { name: /Move/ }).click();
    await field.fill(typed.slice(0, -2));
    await field.pressSequentially(typed.slice(-2));
    await field.press('Enter');
    const first = async () => (await person.get('/api/today')).body.follow_ups[0].follow_up_instructions;
    await expect.poll(first).toBe('Check 2');
    expect(moves).toEqual([JSON.stringify({ follow_up_date: day(2) })]);
  });

  it('all go to the calendar file, also those that are not shown', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel()
        .getByRole('button', { name: /calendar/i })
        .click(),
    ]);
    const calendar = readFileSync(await download.path(), 'utf8');
    expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(COUNT);
    expect(calendar).toContain(`DTSTART;VALUE=DATE:${day(2).replaceAll('-', '')}`);
  });

  it('stand out above everything else once their day has passed', LONG, async () => {
    const late = { document_id: report, follow_up_date: day(-3), follow_up_instructions: 'Late check' };
    await person.post('/api/encounters', late);
    await page.goto(served.url);
    const overdue = page.getByRole('region', { name: 'Overdue' });
    await overdue.getByText('Late check', { exact: true }).waitFor();
    expect(await panel().getByText('Late check', { exact: true }).count()).toBe(0);
    expect(await page.locator('.today-grid > section').first().getByRole('heading').textContent()).toBe('Overdue');
    for (const theme of ['light', 'dark'] as const) {
      expect(await findViolations(page)).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}follow-ups-overdue-${theme}.png` });
      if (theme === 'light') await page.getByRole('button', { name: 'Use the dark theme' }).click();
    }
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await overdue.getByRole('button', { name: /done/i }).click();
    await overdue.waitFor({ state: 'detached' });
  });

  test('are lines close to each other on a phone, of which all is in reach of a finger', async ({ browser }) => {
    const phone = await openPage(browser, { as: person, viewport: { width: 390, height: 844 }, hasTouch: true });
    await phone.goto(served.url);
    const first = phone.getByRole('region', { name: 'Coming up' }).getByRole('listitem').first();
    const boxOf = async (part: Locator): Promise<{ y: number; height: number }> =>
      (await part.boundingBox()) ?? { y: 0, height: 0 };
    const title = await boxOf(first.getByRole('link'));
    const source = await boxOf(first.getByText(/^from the letter/));
    // A title of one line and a gap.
    expect(title.height).toBeGreaterThan(0);
    expect(source.y - title.y).toBeLessThan(36);
    expect(await findSmallTargets(phone)).toEqual([]);
    await phone.context().close();
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

describeWith({ browser: true }, 'the review', () => {
  it('opens by g r, and the frame says where it is', async () => {
    await page.goto(served.url);
    await panel().getByText('Check 1', { exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await crumbs.getByText('Review').waitFor();
    expect(await page.locator('.rail .nav[aria-current="page"]').allInnerTexts()).toEqual(['Today']);
  });
});

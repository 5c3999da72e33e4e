/** @module-tag long */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { messages as german } from '../../src-renderer/locales/de.ts';
import { messages as english } from '../../src-renderer/locales/en.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

let admin: Client, owner: Client, browser: Browser;
const errors: string[] = [];
const it = test;
it.beforeAll(({ household, browser: chromium }) => {
  [admin, owner, browser] = [household.as('admin'), household.as('owner'), chromium];
});
it.afterAll(() => {
  expect(errors).toEqual([]);
});

async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((value) => void (document.documentElement.dataset['theme'] = value), theme);
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `ticker-source-${name}-${theme}.png`), fullPage: true });
  }
}

const LANGUAGES = [
  { locale: 'en-GB', texts: english.tickers, undo: english.app.action.undo, viewport: { width: 1280, height: 900 } },
  { locale: 'de-DE', texts: german.tickers, undo: german.app.action.undo, viewport: { width: 390, height: 844 } },
] as const;

describeWith({ browser: true }, 'the page with prices for tickers', () => {
  it.for(LANGUAGES)('lets a device fetch a price, and takes it back: $locale', async (language) => {
    const { texts, undo, locale, viewport } = language;
    await admin.call('PUT', '/api/tickers/source/state', { is_on: false });
    const page = await openPage(browser, { as: admin, locale, viewport });
    recordPageErrors(page, errors);
    await page.goto(`${admin.url}/tickers/prices`);
    const isOn = page.getByRole('checkbox', { name: texts.source_on });
    await isOn.waitFor();
    expect(await isOn.isChecked()).toBe(false);
    await isOn.focus();
    await page.keyboard.press('Space');
    await page.getByText(texts.source_reached.split('{{')[0]!).waitFor();
    await page.getByRole('button', { name: undo, exact: true }).first().click();
    await expect.poll(() => isOn.isChecked()).toBe(false);
    await isOn.click();
    await page.getByText(texts.source_reached.split('{{')[0]!).waitFor();

    await page.getByLabel(texts.source_device_name).fill(`kitchen ${locale}`);
    await page.keyboard.press('Enter');
    await page.getByText(texts.source_address_once.replace('{{name}}', `kitchen ${locale}`)).waitFor();
    const address = (await page.locator('.ticker-address code').textContent())!;

    const symbol = `HOUSE-${locale}`;
    await page.getByRole('button', { name: texts.source_add }).click();
    await page.getByLabel(texts.source_symbol).fill(symbol);
    const save = page.getByRole('button', { name: texts.source_save });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel(texts.source_price, { exact: true }).fill('12.5');
    await page.getByLabel(texts.source_currency).fill('CHF ');
    await page.getByRole('button', { name: texts.source_try }).click();
    await page.getByText(/CHF 12[.,]5/).waitFor();
    await look(page, `form-${locale}`);
    await save.click();
    const edit = page.getByRole('button', { name: texts.source_edit.replace('{{symbol}}', symbol) });
    await edit.waitFor();
    const priceOf = async (): Promise<unknown> => {
      const reply = await fetch(`${address}&symbol=${symbol}&range=1d&points=10`);
      return reply.ok ? ((await reply.json()) as { price: number }).price : reply.status;
    };
    expect(await priceOf()).toBe(12.5);

    await edit.click();
    await page.getByLabel(texts.source_price, { exact: true }).fill('13');
    await save.click();
    await expect.poll(priceOf).toBe(13);
    await page.getByRole('button', { name: texts.source_remove.replace('{{symbol}}', symbol) }).click();
    await page.getByText(texts.source_removed.replace('{{symbol}}', symbol)).waitFor();
    expect(await priceOf()).toBe(404);
    await page.keyboard.press('Control+z');
    await expect.poll(priceOf).toBe(13);
    const remove = page.getByRole('button', {
      name: texts.source_device_remove.replace('{{name}}', `kitchen ${locale}`),
      exact: true,
    });
    await remove.click();
    await page.getByText(texts.source_device_removed.replace('{{name}}', `kitchen ${locale}`)).waitFor();
    expect(await priceOf()).toBe(401);
    await page.keyboard.press('Control+z');
    await expect.poll(priceOf).toBe(13);

    await page.reload();
    await remove.waitFor();
    expect(await page.locator('.ticker-address').count()).toBe(0);
    await look(page, `list-${locale}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
    await isOn.click();
    await expect.poll(() => priceOf().catch(() => 'closed')).toBe('closed');
    await page.context().close();
  });

  it('edits charts, files and sums, and shows nothing of the list to others than administrators', async () => {
    const { texts } = LANGUAGES[0];
    const page = await openPage(browser, { as: admin });
    recordPageErrors(page, errors);
    await page.goto(`${admin.url}/tickers/prices`);
    await admin.call('PUT', '/api/tickers/source/symbols', {
      ...{ symbol: 'OIL', entry: { kind: 'fixed', price: 2, currency: 'CHF' } },
    });
    await page.reload();
    await page.getByRole('button', { name: texts.source_add }).click();
    const form = page.getByRole('form', { name: texts.source_form });
    await form.getByLabel(texts.source_symbol).fill('ALL');
    await form.getByLabel(texts.source_kind, { exact: true }).selectOption('chart');
    await form.getByText(texts.source_chart_leaves).waitFor();
    await form.getByLabel(texts.source_kind, { exact: true }).selectOption('file');
    await form.getByLabel(texts.source_file, { exact: true }).waitFor();
    await form.getByLabel(texts.source_kind, { exact: true }).selectOption('portfolio');
    await form.getByLabel(texts.source_part.replace('{{at}}', '1'), { exact: true }).selectOption('OIL');
    await form.getByLabel(texts.source_quantity.replace('{{at}}', '1')).fill('3');
    await form.getByRole('button', { name: texts.source_try }).click();
    await form.getByText('CHF 6').waitFor();
    await form.getByRole('button', { name: texts.source_save }).click();
    await page.getByRole('button', { name: 'Edit ALL' }).waitFor();
    await page.context().close();

    const other = await openPage(browser, { as: owner });
    await other.goto(`${owner.url}/tickers/prices`);
    await other.getByText(texts.source_admins).waitFor();
    expect(await other.getByText('ALL', { exact: true }).count()).toBe(0);
    await other.context().close();
  });
});

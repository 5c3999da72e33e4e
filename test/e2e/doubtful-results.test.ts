/** @module-tag long */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { startModelService } from '../fakes/model-service.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

let served: Served, page: Page, person: Client;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  await person.upload(await labReport({ seed: 2 }), 'report.pdf');
  await person.idle();
  misread();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});

/** Three results as a bad scan leaves them. */
function misread(): void {
  const db = openDatabase(join(served.vault, 'vault.db'));
  const set = (name: string, columns: string, ...values: unknown[]): unknown =>
    db.prepare(`UPDATE lab_results SET ${columns} WHERE test_name_original = ?`).run(...values, name);
  set(
    'Hämoglobin',
    `value = 132, value_text = '132', is_abnormal = 1, doubt = ?`,
    '["far_from_range","decimals_differ"]',
  );
  set(
    'Ferritin',
    `value = 29, value_text = '29', doubt = ?, evidence = json_set(evidence, '$.second_reading', '22')`,
    '["readings_differ"]',
  );
  set('Natrium', 'unit = NULL, doubt = ?', '["unit_missing"]');
  db.close();
}

const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
const openItem = () => page.locator('.review-item[aria-current="true"]');
async function inBothThemes(check: (theme: 'light' | 'dark') => Promise<unknown>): Promise<void> {
  await check('light');
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await check('dark');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
}
async function valueOf(name: string): Promise<[string | null, string | null, number]> {
  const { body } = await person.get('/api/documents/1');
  const row = body.lab_results.find((one: { test_name_original: string }) => one.test_name_original === name);
  return [row.value_text, row.unit, row.doubt.length];
}

describeWith({ browser: true }, 'doubtful results in the review', () => {
  it('are asked with the row of the page and the candidates', async () => {
    await page.goto(`${served.url}/review`);
    await openItem()
      .getByText(/^Ha?emoglobin: which value is right|^Hämoglobin: which/)
      .waitFor();
    await openItem()
      .getByRole('img', { name: /Page 1 of/ })
      .waitFor();
    await openItem()
      .getByRole('button', { name: /13\.2\s*g\/dL/ })
      .waitFor();
    await inBothThemes(async (theme) => {
      await openItem()
        .getByRole('img', { name: /Page 1 of/ })
        .waitFor();
      expect(await findViolations(page, { bestPractice: true })).toEqual([]);
      await shot(`review-values-${theme}`);
    });
  });

  it('take the candidate of a key, open the next one at once, and come back by undo', async () => {
    await page.keyboard.press('2');
    await openItem().getByText('Ferritin: which value is right?').waitFor();
    await expect.poll(() => valueOf('Hämoglobin')).toEqual(['13.2', 'g/dL', 0]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => valueOf('Hämoglobin')).toEqual(['132', 'g/dL', 2]);
    await page.getByText(/moglobin: which value/).click();
    await page.keyboard.press('2');
    await expect.poll(() => valueOf('Hämoglobin')).toEqual(['13.2', 'g/dL', 0]);
  });

  it('take another value with its unit', async () => {
    await openItem().getByText('Ferritin: which value is right?').waitFor();
    await openItem()
      .getByRole('button', { name: /^2\s*22/ })
      .waitFor();
    await page.keyboard.press('3');
    await expect.poll(() => page.getByLabel('Value').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('23');
    await shot('review-value-entry');
    await page.keyboard.press('Enter');
    await expect.poll(() => valueOf('Ferritin')).toEqual(['23', 'µg/L', 0]);
  });

  it('can be left without a value', async () => {
    await openItem()
      .getByRole('button', { name: /Unreadable/ })
      .click();
    await expect.poll(() => valueOf('Natrium')).toEqual([null, null, 0]);
    await page.getByText('All caught up').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => valueOf('Natrium')).toEqual(['138', null, 1]);
  });
});

describeWith({ browser: true }, 'the mark of a doubtful result', () => {
  it('is shown in labs and in the document, in both themes', async () => {
    await page.goto(`${served.url}/labs?patient=1`);
    await page.getByText('Not sure').first().waitFor();
    await inBothThemes((theme) => shot(`labs-not-sure-${theme}`));
    const mark = page.locator('.lab-row').getByText('Not sure').first();
    expect(await mark.evaluate((tag) => tag.scrollWidth <= tag.clientWidth)).toBe(true);
    await page.getByRole('link', { name: /C-reactive protein/ }).click();
    await page.getByRole('heading', { name: 'C-reactive protein' }).waitFor();
    await shot('labs-bound');
    await page.goto(`${served.url}/documents/1`);
    await page.getByText('Not sure').first().waitFor();
    await inBothThemes(async (theme) => {
      expect(await findViolations(page)).toEqual([]);
      await shot(`document-not-sure-${theme}`);
    });
  });

  it('goes when the result is confirmed', async () => {
    await page.getByRole('button', { name: /^It is right: / }).click();
    await expect.poll(() => valueOf('Natrium')).toEqual(['138', null, 0]);
    await expect.poll(() => page.getByText('Not sure').count()).toBe(0);
  });

  it('leaves a document that is reviewed again when “It is right” is undone', async () => {
    const reasons = JSON.stringify([{ code: 'low_ocr_confidence' }]);
    const db = openDatabase(join(served.vault, 'vault.db'));
    db.prepare("UPDATE documents SET status = 'needs_review', review_reasons = ?").run(reasons);
    db.prepare(
      "UPDATE document_extractions SET raw_extraction = json_set(raw_extraction, '$.review_reasons', json(?))",
    ).run(reasons);
    db.close();
    await page.goto(`${served.url}/review`);
    await openItem()
      .getByRole('button', { name: /It is right/ })
      .waitFor();
    await page.keyboard.press('1');
    await page.getByText('All caught up').waitFor();
    await page.keyboard.press('Control+z');
    await openItem()
      .getByText(/^The scan is hard to read/)
      .waitFor();
  });

  it('is counted on Today, also if its document is done', async () => {
    const db = openDatabase(join(served.vault, 'vault.db'));
    db.prepare("UPDATE documents SET status = 'done', review_reasons = '[]'").run();
    db.prepare(
      "UPDATE lab_results SET doubt = '[\"curve_differs\"]', edited_fields = NULL WHERE test_name_original = 'CRP'",
    ).run();
    db.close();
    await page.goto(served.url);
    const panel = page.getByRole('region', { name: 'To review' });
    const row = panel.getByRole('listitem').filter({ hasText: '1 value to check' });
    await row.getByRole('link', { name: 'Decide' }).click();
    await openItem().getByText('C-reactive protein: which value is right?').waitFor();
  });

  it('is shown on Today with its comparator, and without a side if it is in words', async () => {
    const db = openDatabase(join(served.vault, 'vault.db'));
    const set = (name: string, ...values: unknown[]): unknown =>
      db
        .prepare('UPDATE lab_results SET value = ?, value_text = ?, is_abnormal = 1 WHERE test_name_original = ?')
        .run(...values, name);
    set('CRP', 200, '> 200');
    set('Natrium', null, 'hämolytisch');
    db.close();
    await page.goto(served.url);
    const panel = page.getByRole('region', { name: 'Out of range in the last report' });
    await panel.getByText('>\u202f200\u202fmg/L ▲').waitFor();
    await panel.getByText(/^hämolytisch\S* !/).waitFor();
  });
});

describeWith({ browser: true }, 'a page that took too long to read', () => {
  it('is named in the document, which is read again on request', async () => {
    const db = openDatabase(join(served.vault, 'vault.db'));
    const reasons = JSON.stringify([{ code: 'unread_pages', params: { pages: '2' } }]);
    db.prepare("UPDATE documents SET status = 'needs_review', review_reasons = ?").run(reasons);
    db.close();
    await page.goto(`${served.url}/documents/1`);
    const banner = page.locator('.banner').filter({ hasText: 'These pages took too long to read: 2.' });
    await banner.getByRole('button', { name: /^Read again/ }).click();
    await expect.poll(() => banner.count()).toBe(0);
    await person.idle();
    expect(JSON.stringify((await person.get('/api/documents/1')).body.review_reasons)).not.toContain('unread_pages');
  });
});

describeWith({ browser: true }, 'a detail that is wrong', () => {
  it('is changed in plain words: a model proposes, and the person applies what is right', async () => {
    const proposed = Object.entries({ title: 'Letter of the knee', event_date: '2025-11-14' });
    const changes = proposed.map(([field, value]) => ({ field, value }));
    const text = JSON.stringify({ changes, missing: null });
    const service = await startModelService(() => ({ does: 'answer', text }));
    try {
      const id = (await person.upload(await letter([[{ text: 'Bern, 14.11.2025', y: 100 }]]), 'knee.pdf')).body
        .document_id;
      await person.idle();
      const model = { id: 'laptop', type: 'ollama', name: 'Laptop', model: 'gemma3', base_url: service.url };
      expect((await person.call('PUT', '/api/settings/llm-providers', [model])).status).toBe(200);
      await person.call('PATCH', `/api/documents/${id}`, { event_date: '2025-01-01' });
      await page.goto(`${served.url}/documents/${id}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Change in plain words…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change in plain words' });
      await dialog.getByLabel('What should change').fill('Use the printed date');
      await dialog.getByRole('button', { name: 'Propose changes' }).click();
      await dialog.getByText('not in the paper').waitFor();
      await dialog.getByText('page 1').waitFor();
      expect(await findViolations(page)).toEqual([]);
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: `${SCREENSHOTS}change-in-words-${width}.png` });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await dialog.getByRole('checkbox', { name: 'Title' }).uncheck();
      const document = async () => (await person.get(`/api/documents/${id}`)).body;
      expect((await document()).event_date).toBe('2025-01-01');
      await dialog.getByRole('button', { name: 'Apply selected' }).click();
      await expect.poll(document).toMatchObject({ title: null, event_date: '2025-11-14' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(document).toMatchObject({ event_date: '2025-01-01' });
    } finally {
      await person.call('PUT', '/api/settings/llm-providers', [{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
      await service.close();
    }
  });

  it('may have links and an event that a model suggests, and a person takes each', async () => {
    const said = { reason: 'The same knee', confidence: 0.95 };
    const fresh = { title: 'Knee operation', event_type: 'surgery', description: null };
    const answers = [
      { links: [{ ...said, link_type: 'related', number: 1 }] },
      { ...said, event_number: 0, new_event: fresh },
    ];
    const service = await startModelService(() => ({ does: 'answer', text: JSON.stringify(answers.shift()) }));
    try {
      const id = (await person.upload(await letter([[{ text: 'Bern, 15.11.2025', y: 100 }]]), 'stay.pdf')).body
        .document_id;
      await person.idle();
      const { patient_id } = (await person.get('/api/documents/1')).body;
      await person.call('PATCH', `/api/documents/${id}`, { patient_id, event_date: '2025-11-15' });
      const model = { id: 'laptop', type: 'ollama', name: 'Laptop', model: 'gemma3', base_url: service.url };
      await person.call('PUT', '/api/settings/llm-providers', [model]);
      await page.goto(`${served.url}/documents/${id}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Suggest links and event…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Suggested links and event' });
      const document = async () => (await person.get(`/api/documents/${id}`)).body;
      await dialog.getByText('The same knee').first().waitFor();
      expect(await findViolations(page)).toEqual([]);
      await shot('suggestions');
      expect(await document()).toMatchObject({ links: [], event_links: [] });
      await dialog.getByRole('button', { name: /^Link to/ }).click();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect.poll(document).toMatchObject({ links: [{}], event_links: [{}] });
      await expect.poll(() => dialog.getByRole('button', { name: /Done|Link to/, disabled: true }).count()).toBe(2);
      const { event_links: events } = await document();
      expect((await person.get(`/api/events/${events[0].event_id}`)).body).toMatchObject({
        ...{ title: 'Knee operation', date_start: '2025-11-15', patient_id },
      });
    } finally {
      await person.call('PUT', '/api/settings/llm-providers', [{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
      await service.close();
    }
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { startModelService, type Behavior, type ModelService } from '../fakes/model-service.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { CLASSIFIED, isClassification, report, row } from '../support/model-papers.ts';
import { describeWith } from '../support/requirements.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

let served: Served, page: Page, admin: Client, service: ModelService;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  service = await startModelService(() => ({ does: 'stall' }));
  admin = new Client(served.url);
  await admin.setup();
  page = await openPage(browser, { as: admin });
  recordPageErrors(page, pageErrors);
});
test.afterAll(() => service.close());
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const answer = (value: object): Behavior => ({ does: 'answer', text: JSON.stringify(value) });
/** Files a report about Kalium, once for all tests, without a model. */
async function fileReport(): Promise<void> {
  await admin.call('PUT', '/api/settings/llm-providers', []);
  await admin.upload(await report('4.1'), 'report.pdf');
  await admin.idle();
}
const useLaptop = () =>
  admin.call('PUT', '/api/settings/llm-providers', [
    { type: 'ollama', name: 'Laptop', model: 'gemma3', base_url: service.url },
  ]);
const screenshot = (name: string) => page.screenshot({ path: `${SCREENSHOTS}models-${name}.png`, fullPage: true });

describeWith({ browser: true }, 'models in the page', () => {
  it('Ask says that a record has no papers yet, and how to begin', async () => {
    await page.goto(`${served.url}/ask`);
    await page.getByText(/^No papers of .* yet$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await screenshot('no-papers');
  });

  it('a model for vectors is chosen in the settings, which say how far it is', LONG, async () => {
    await admin.upload(await report('4.4'), 'vectors.pdf');
    await admin.idle();
    service.behave = ({ body }) => ({ does: 'embed', vectors: body.input.map((text: string) => [text.length, 1]) });
    await page.goto(`${served.url}/settings/reading`);
    const panel = page.getByRole('region', { name: 'Search by meaning', exact: true });
    await panel.getByLabel('Kind').selectOption('ollama');
    await panel.getByLabel('Model', { exact: true }).fill('nomic-embed-text');
    await panel.getByLabel('Address').fill(service.url);
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('All documents have vectors.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await screenshot('meaning');
    service.behave = () => ({ does: 'fail', status: 401 });
    await panel.getByLabel('Model', { exact: true }).fill('another');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/“another” refuses the key/).waitFor();
    await panel.getByLabel('Kind').selectOption('');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/refuses the key/).waitFor({ state: 'detached' });
  });

  it('a model is tried on a document in the settings, beside what is stored', LONG, async () => {
    await fileReport();
    service.behave = (request) =>
      answer(isClassification(request) ? CLASSIFIED : { lab_results: [row('Kalium', '4.1'), row('Natrium', '999')] });
    await useLaptop();
    await page.goto(`${served.url}/settings/reading`);
    const panel = page.getByRole('region', { name: 'Try a model on documents', exact: true });
    await panel.getByRole('checkbox').first().check();
    await panel.getByRole('button', { name: 'Try', exact: true }).click();
    await panel.getByRole('cell', { name: 'Result: Kalium' }).waitFor();
    await panel.getByText(/values as stored/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await screenshot('trial');
    // The sums of the month have it.
    await page.reload();
    const use = page.getByRole('region', { name: 'Use of models', exact: true }).first();
    await use.getByRole('cell', { name: 'Laptop' }).first().waitFor();
  });

  it(
    'an answer grows while the model writes it, each sentence once the record supports it, and shows its use',
    LONG,
    async () => {
      await fileReport();
      await useLaptop();
      let goOn = (): void => undefined;
      const pause = new Promise<void>((resolve) => (goOn = resolve));
      const call = { tool: 'results', names: ['Kalium'], from: null, to: null, pick: 'last', shape: null };
      const first = 'Kalium was 4.1 mmol/L on 12 November 2025 [1].';
      const second = 'That is the last value of Kalium in the papers of this record [1].';
      service.behave = ({ body }) =>
        body.format
          ? answer({ calls: [{ ...call, document_type: null }] })
          : { does: 'answer', text: `${first} ${second}`, pause };
      await page.goto(`${served.url}/ask`);
      await page.getByRole('textbox').fill('What was the last Kalium?');
      await page.keyboard.press('Enter');
      const growing = page.locator('.ask-so-far');
      await growing.getByText('Kalium was 4.1 mmol/L', { exact: false }).waitFor();
      expect(await growing.textContent()).not.toContain('last value');
      await screenshot('growing');
      goOn();
      await page.getByText('That is the last value of Kalium', { exact: false }).waitFor();
      await expect.poll(() => growing.count()).toBe(0);
      await page.getByText('Laptop: 22 tokens read, 14 written').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await screenshot('answer');
      expect(pageErrors).toEqual([]);
    },
  );

  it('a citation shows the passage marked on its page, and opens the document at the value', LONG, async () => {
    await fileReport();
    await page.goto(`${served.url}/ask`);
    await page.getByRole('textbox').fill('How high was the Kalium?');
    await page.keyboard.press('Enter');
    const asked = page.getByText('How high was the Kalium?').last();
    await asked.waitFor();
    await page.locator('.ask-answer').last().locator('.ask-cite').first().click();
    const drawn = page.locator('.ask-page img');
    await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const [sheet, mark] = await Promise.all([drawn.boundingBox(), page.locator('.ask-mark').boundingBox()]);
    // The row of Kalium is printed 272 points below the top of a page of 842.
    const row = 272 / 842;
    const [top, bottom] = [mark!.y, mark!.y + mark!.height].map((y) => (y - sheet!.y) / sheet!.height);
    expect([top! < row, bottom! > row - 0.01, bottom! - top! < 0.05]).toEqual([true, true, true]);
    await page.locator('.ask-quote').getByText('Kalium', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.waitForURL(/\/documents\/\d+\?.*value=lab/);
    const shown = page.locator('.vw-mark-place').first();
    await shown.waitFor({ state: 'attached' });
    expect(pageErrors).toEqual([]);
  });

  it('a model translates a document and a part of a page beside what is printed', LONG, async () => {
    const translator = await startModelService(() => ({ does: 'answer', text: 'The patient is well.' }));
    const reply = async (body: object[], list: string) => admin.call('PUT', `/api/settings/${list}`, body);
    try {
      const limits = { max_retries: 0, retry_backoff_seconds: [0] };
      const laptop = { id: 'cred-laptop', type: 'ollama', name: 'Laptop', base_url: translator.url, ...limits };
      expect((await reply([laptop], 'credentials')).status).toBe(200);
      const pages = await letter([
        [{ text: 'Der Patient ist beschwerdefrei.', y: 100, size: 20 }],
        [{ text: 'Kontrolle in drei Monaten.', y: 100, size: 20 }],
      ]);
      const id = (await admin.upload(pages, 'brief.pdf')).body.document_id;
      await admin.idle();
      const model = { type: 'ollama', name: 'Laptop', model: 'gemma3', credential_id: 'cred-laptop' };
      expect((await reply([{ id: 'laptop', ...model }], 'llm-providers')).status).toBe(200);
      await page.goto(`${served.url}/documents/${id}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Translate into English' }).click();
      const section = page.getByRole('region', { name: 'Translations' });
      await section.getByText('English text of page 1').waitFor();
      await section.getByText('The patient is well.').waitFor();
      await page.getByRole('button', { name: 'Copy area' }).click();
      const layer = page.locator('.vw-region-layer').first();
      const box = await layer.boundingBox();
      if (!box) throw new Error('the page is not shown');
      await page.mouse.move(box.x + box.width * 0.05, box.y + box.height * 0.05);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.2, { steps: 4 });
      await page.mouse.up();
      await page.getByRole('dialog').getByRole('button', { name: 'Translate' }).click();
      const part = section.getByRole('listitem');
      await part.getByText('The patient is well.').waitFor();
      await part.getByRole('img', { name: 'The translated part of page 1' }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await part.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${SCREENSHOTS}document-translations.png` });
      await part.getByRole('button', { name: 'Delete the translation of the part of page 1' }).click();
      await expect.poll(() => part.count()).toBe(0);
      await page.keyboard.press('Control+z');
      await part.getByText('The patient is well.').waitFor();
      expect(pageErrors).toEqual([]);
    } finally {
      await reply([{ id: 'builtin', type: 'builtin', name: 'Hearth' }], 'llm-providers');
      await translator.close();
    }
  });
});

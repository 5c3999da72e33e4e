/** @module-tag long */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startModelService } from '../fakes/model-service.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';

let served: Served, page: Page, admin: Client;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser: chromium, served: core }) => {
  served = core;
  admin = new Client(served.url);
  await admin.setup();
  page = await openPage(chromium, { as: admin });
  recordPageErrors(page, pageErrors);
});

const open = async (section: string): Promise<void> => {
  await page.goto(`${served.url}/settings/${section}`);
  await page.locator('.settings-section .panel').first().waitFor();
  await expect.poll(() => page.locator('.settings-section .skeleton').count()).toBe(0);
};
const violations = (): Promise<string[]> => findViolations(page);

describeWith({ browser: true }, 'the settings of models', () => {
  it('a model is added, tested, moved by keys and by drag, switched off and removed', async () => {
    const service = await startModelService(() => ({ does: 'answer', text: '{"number": 4821}' }));
    const names = async (): Promise<string[]> =>
      (await admin.get('/api/settings/llm-providers')).body.map(({ name }: { name: string }) => name);
    try {
      await open('reading');
      const panel = page.getByRole('region', { name: 'Readers of text' });
      await panel.getByRole('button', { name: 'Add' }).click();
      await panel.getByLabel('Model', { exact: true }).fill('gemma3:4b');
      await panel.getByLabel('Address').fill(service.url);
      await panel.getByRole('button', { name: 'Test', exact: true }).click();
      await panel.getByText(/It read the test in/).waitFor();
      expect(await violations()).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}settings-provider-form.png`, fullPage: true });
      await panel.getByRole('button', { name: 'Save' }).click();
      await expect.poll(names).toEqual(['Ollama', 'Hearth']);
      await panel.getByRole('button', { name: 'Move Ollama down' }).focus();
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(names).toEqual(['Hearth', 'Ollama']);
      await page.getByText('Ollama is now 2 of 2').waitFor({ state: 'attached' });
      await panel.getByRole('listitem').nth(1).dragTo(panel.getByRole('listitem').nth(0));
      await expect.poll(names).toEqual(['Ollama', 'Hearth']);
      await panel.getByRole('checkbox', { name: 'Use Ollama' }).uncheck();
      await expect.poll(async () => (await admin.get('/api/settings/llm-providers')).body[0].enabled).toBe(false);
      await panel.getByRole('button', { name: 'Remove Ollama' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect.poll(names).toEqual(['Hearth']);
    } finally {
      await service.close();
    }
  });

  it('a switch holds against an answer that was asked for before it', async () => {
    const service = await startModelService(() => ({ does: 'answer', text: '{"number": 4821}' }));
    const path = '/api/settings/llm-providers';
    const before = (await admin.get(path)).body;
    const ollama = { type: 'ollama', name: 'Ollama', base_url: service.url, model: 'gemma3:4b', enabled: true };
    const [earlyAnswer, laterSave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen = { GET: 0, PUT: 0 };
    try {
      expect((await admin.call('PUT', path, [ollama, ...before])).status).toBe(200);
      await open('reading');
      const panel = page.getByRole('region', { name: 'Readers of text' });
      await page.route(`**${path}`, async (route) => {
        const isAnswer = route.request().method() === 'GET';
        const count = (seen[isAnswer ? 'GET' : 'PUT'] += 1);
        if (isAnswer && count === 1) {
          const response = await route.fetch();
          await earlyAnswer.promise;
          // The page may have stopped waiting for it.
          return route.fulfill({ response }).catch(() => undefined);
        }
        if (!isAnswer && count === 2) await laterSave.promise;
        return route.continue();
      });
      const isEnded = new Promise<void>((resolve) => {
        const onEnd = (request: { method(): string; url(): string }): void => {
          if (request.method() === 'GET' && request.url().endsWith(path)) resolve();
        };
        page.on('requestfinished', onEnd).on('requestfailed', onEnd);
      });
      await panel.getByRole('button', { name: 'Move Ollama down' }).click();
      await expect.poll(() => seen.GET).toBe(1);
      const use = panel.getByRole('checkbox', { name: 'Use Ollama' });
      await use.uncheck();
      earlyAnswer.resolve();
      await isEnded;
      expect(await use.isChecked()).toBe(false);
      laterSave.resolve();
      await expect.poll(() => seen.GET).toBe(2);
      await expect.poll(async () => (await admin.get(path)).body[1].enabled).toBe(false);
      expect(await use.isChecked()).toBe(false);
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await admin.call('PUT', path, before);
      await service.close();
    }
  });

  it('a question is stopped by Escape and by the button, which ends the request to the model', async () => {
    const service = await startModelService(() => ({ does: 'stall' }));
    const providers = (list: object[]) => admin.call('PUT', '/api/settings/llm-providers', list);
    // Without any paper, the model is not asked.
    const paper = ['Klinik Hirslanden', 'Patient: Elena Keller', 'Geburtsdatum: 09.05.1979', 'Groesse 170 cm'];
    await admin.upload(await letter([paper.map((text, index) => ({ text, y: 100 + 30 * index }))]), 'paper.pdf');
    await admin.idle();
    try {
      await providers([{ id: 'slow', type: 'ollama', name: 'Slow', model: 'gemma3', base_url: service.url }]);
      await page.goto(`${served.url}/ask?patient=1`);
      const box = page.getByRole('textbox', { name: /^Ask about/ });
      const stop = page.getByRole('button', { name: 'Stop answering' });
      await box.fill('How tall am I?');
      for (const end of [() => page.keyboard.press('Escape'), () => stop.click()]) {
        await box.press('Enter');
        await stop.waitFor();
        await expect.poll(() => service.open()).toBe(1);
        await end();
        await service.quiet();
        await stop.waitFor({ state: 'detached' });
        expect(await box.inputValue()).toBe('How tall am I?');
      }
      expect((await admin.get('/api/chat/history?patient_id=1')).body.messages).toEqual([]);
    } finally {
      await providers([{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
      await service.close();
    }
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

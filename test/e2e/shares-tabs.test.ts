/** @module-tag long */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import type { OpenShare } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';

/** A recipient with several tabs, which all send the cookies of the one that was let in last. */

let household: Household, owner: Client, door: string, browser: Browser, between: Server;
const errors: string[] = [];
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, household: records, browser: chromium }) => {
  [household, browser, owner] = [records, chromium, records.as('owner')];
  const { port } = new URL(served.shareUrl ?? '');
  between = createServer((incoming, reply) => {
    const { method, url, headers } = incoming;
    const passed = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(reply).on('finish', () => url === '/api/share/logout' && between.emit('left'));
    });
    incoming.pipe(passed.on('error', () => reply.destroy()));
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  door = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
});
it.afterAll(() => {
  between.closeAllConnections();
  between.close();
  expect(errors).toEqual([]);
});

/** Opens a share in a tab, with a new code. */
async function open(page: Page, { id, token }: OpenShare): Promise<void> {
  recordPageErrors(page, errors);
  await page.goto(`${door}/share/${token}`);
  await page.getByRole('button', { name: 'Request the code' }).click();
  const live = async (): Promise<unknown> => (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
  await expect.poll(live).toBeDefined();
  await page.getByLabel('Code of six digits').fill(String(await live()));
  await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
}
const seats = async ({ id }: OpenShare): Promise<{ rowid: number }[]> =>
  (await owner.get(`/api/shares/${id}/sessions`)).body.active;
/** Leaves the page in a tab; resolves when the service has answered its last request, which no tab sees any more. */
async function leave(tab: Page): Promise<void> {
  const answered = once(between, 'left');
  await tab.goto('about:blank');
  await answered;
}

describeWith({ browser: true }, 'closing a tab', () => {
  it('ends neither the share that another tab has opened meanwhile, nor the same one with a newer code', async () => {
    for (const sameLink of [false, true]) {
      const first = household.make.share();
      const second = sameLink ? first : household.make.share();
      const old = await openPage(browser, {});
      await open(old, first);
      const tab = await old.context().newPage();
      await open(tab, second);
      const [seat] = await seats(second);
      await leave(old);
      expect(await seats(second)).toMatchObject([{ rowid: seat?.rowid }]);
      await tab.getByRole('button', { name: /^Laboratory report/ }).click();
      await tab.getByRole('img', { name: 'Page 1 of “Laboratory report”' }).waitFor();
      await leave(tab);
      await expect.poll(() => seats(second)).toEqual([]);
    }
  });
});

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
import { enter, Recipient, type OpenShare } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';

/** A recipient with several tabs, which all send the cookies of the one that was let in last. */

let household: Household, owner: Client, door: string, browser: Browser, between: Server;
/** Whether nobody learns yet that a seat is free. */
let areClaimsHeld = false;
const errors: string[] = [];
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always', VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1' },
});
it.beforeAll(async ({ served, household: records, browser: chromium }) => {
  [household, browser, owner] = [records, chromium, records.as('owner')];
  const { port } = new URL(served.shareUrl ?? '');
  between = createServer((incoming, reply) => {
    const { method, url, headers } = incoming;
    if (areClaimsHeld && url === '/api/share/claim') return void reply.writeHead(503).end();
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

/** Enters a new code for a share in a tab; shows the documents, or the place in the queue. */
async function open(page: Page, { id, token }: OpenShare, heading = 'For Dr. Frisch'): Promise<void> {
  recordPageErrors(page, errors);
  await page.goto(`${door}/share/${token}`);
  await page.getByRole('button', { name: 'Request the code' }).click();
  const live = async (): Promise<unknown> => (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
  await expect.poll(live).toBeDefined();
  await page.getByLabel('Code of six digits').fill(String(await live()));
  await page.getByRole('heading', { name: heading }).waitFor();
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

describeWith({ browser: true }, 'two tabs that wait for different shares of one recipient', () => {
  const NEXT = 'You are next';
  let visits = 0;
  /** Two shares that other devices have open, and a tab in the queue of each. */
  async function wait(): Promise<{ shares: OpenShare[]; holders: Recipient[]; tabs: [Page, Page] }> {
    const shares = [household.make.share(), household.make.share()];
    const holders = shares.map(() => new Recipient(door, `198.51.100.${visits}`));
    for (const [index, share] of shares.entries()) await enter(owner, holders[index] as Recipient, share);
    areClaimsHeld = true;
    const first = await openPage(browser, {});
    await first.context().setExtraHTTPHeaders({ 'X-Forwarded-For': `203.0.113.${(visits += 1)}` });
    await open(first, shares[0] as OpenShare, NEXT);
    const second = await first.context().newPage();
    await open(second, shares[1] as OpenShare, NEXT);
    return { shares, holders, tabs: [first, second] };
  }

  /** As a person does; the browser tells the page that it is not left. */
  const reload = (tab: Page): Promise<unknown> =>
    Promise.all([tab.waitForEvent('load'), tab.evaluate(() => location.reload())]);

  it('don’t take each other’s place: each shows its own share or none', async () => {
    const { shares, holders, tabs } = await wait();
    for (const holder of holders) await holder.post('/api/share/logout');
    areClaimsHeld = false;
    const [first, second] = tabs;
    await second.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await first.getByRole('button', { name: 'Request the code' }).waitFor();
    expect([await seats(shares[0] as OpenShare), await seats(shares[1] as OpenShare)]).toMatchObject([[], [{}]]);
    await first.context().close();
  });

  it('nor does a tab that is loaded again', async () => {
    const { tabs } = await wait();
    const [first, second] = tabs;
    areClaimsHeld = false;
    await reload(first);
    await first.getByRole('button', { name: 'Request the code' }).waitFor();
    await reload(second);
    await second.getByRole('heading', { name: NEXT }).waitFor();
    await first.context().close();
  });

  it('and one that is closed leaves the other its place', async () => {
    const { shares, tabs } = await wait();
    const [first, second] = tabs;
    await leave(first);
    await second.getByRole('heading', { name: NEXT }).waitFor();
    const { queued } = (await owner.get(`/api/shares/${shares[1]?.id}/sessions`)).body;
    expect(queued).toHaveLength(1);
    await first.context().close();
  });
});

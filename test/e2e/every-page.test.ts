/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { SAMPLE } from '../../src-main/app/demo/credentials.ts';
import { openPage } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { onEveryPage } from '../support/every-page.ts';
import { test } from '../support/fixtures.ts';
import { findCovered, findCutWords } from '../support/layout-faults.ts';
import { describeWith } from '../support/requirements.ts';
import { findOutOfReach } from '../support/touch-and-keys.ts';

const PHONE = '00008120-000D3E0A35A2C01E';
/** Every route within the frame, with the records of the sample household. */
const PAGES = [
  '/',
  '/?patient=1',
  '/review',
  '/documents',
  '/documents?q=ferritin',
  '/documents?layout=grid',
  '/documents/40',
  '/timeline',
  '/timeline?patient=1',
  '/labs',
  '/labs?patient=1',
  '/imaging',
  '/imaging/1',
  '/ask?patient=1',
  '/shares',
  '/shares/new?of=2&documents=61',
  '/shares/slip',
  '/names',
  '/names?type=doctors',
  '/vault',
  '/phones',
  `/phones/${PHONE}`,
  '/tickers',
  '/tickers/network',
  '/tickers/prices',
  '/settings',
  '/settings/people',
  '/settings/reading',
  '/settings/sign-in',
  '/settings/sharing',
  '/settings/assistants',
  '/settings/sessions',
  '/settings/backups',
  '/settings/encryption',
  '/settings/vaults',
  '/settings/import',
  '/settings/audit',
  '/settings/log',
  '/settings/trash',
  '/settings/about',
  '/nowhere',
];
/** Routes outside of the frame, which other tests open. */
const ELSEWHERE = ['/setup', '/login', '/unlock', '/leave-sample'];

/** The sample household in a vault of its own. */
const place = mkdtempSync(join(tmpdir(), 'hearth-every-page-'));
const env = { XDG_CONFIG_HOME: join(place, 'config'), VAULT_PIPELINE_WATCH: 'false' };
const it = test.override('serveOptions', {
  vault: join(place, 'Family'),
  args: ['--phone-backups', 'resources/demo/phones'],
  env,
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

let person: Client;
it.beforeAll(async ({ browser: _browser }) => {
  mkdirSync(env.XDG_CONFIG_HOME);
  await hearth(['restore', 'resources/demo/household.zip', '--vault', join(place, 'Family')], env);
});
it.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.post('/api/auth/login', { username: SAMPLE.username, password: SAMPLE.password });
});

/** What a person could not read or reach on a page. */
const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await findOutOfReach(page)),
  ...(await findCutWords(page)),
  ...(await findCovered(page)),
];

/** The routes that the program has, as the router publishes them. */
const routesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Object.keys((self as unknown as { __TSR_ROUTER__: { routesByPath: object } }).__TSR_ROUTER__.routesByPath),
  );

describeWith({ browser: true }, 'every page', () => {
  it.for([
    ['on a small laptop', { viewport: { width: 1280, height: 720 }, locale: 'en-GB', colorScheme: 'light' }],
    [
      'at 200 % zoom',
      { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, locale: 'de-DE', colorScheme: 'dark' },
    ],
  ] as const)('fits %s: no word is cut, no control covered or out of reach', async ([, look], { browser }) => {
    const page = await openPage(browser, { ...look, as: person });
    await page.goto(person.url);
    expect(await onEveryPage(page, PAGES, faultsOf)).toEqual({});
    await page.context().close();
  });

  it('is among those that are looked at here', async ({ browser }) => {
    const page = await openPage(browser, { as: person });
    await page.goto(person.url);
    const patterns = (await routesOf(page))
      .map((route) => route.replace(/(?<=.)\/$/, ''))
      .filter((route) => !ELSEWHERE.includes(route) && !route.endsWith('$'));
    const isVisited = (route: string): boolean => {
      const pattern = new RegExp(`^${route.replace(/\$\w+/g, '[^/?]+')}(\\?|$)`);
      return PAGES.some((address) => pattern.test(address));
    };
    expect(patterns.length).toBeGreaterThan(30);
    expect(patterns.filter((route) => !isVisited(route))).toEqual([]);
    await page.context().close();
  });
});

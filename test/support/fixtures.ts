import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { openBrowser } from './browser.ts';
import { openHousehold, type Household } from './household.ts';
import { serve, type ServeOptions, type Served } from './serve.ts';

/**
 * `test` with what browser and API tests share. Each fixture is made once a file, when the first hook or test asks for
 * it by name, and ended with the file:
 * - `browser`: a headless Chromium;
 * - `serveOptions`: how `served` is started; `test.override('serveOptions', …)` sets them for a file;
 * - `served`: the program on a new vault;
 * - `household`: accounts, patients and records in that vault.
 */
export const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('serveOptions', { scope: 'file' }, (): ServeOptions => ({}))
  .extend('served', { scope: 'file' }, async ({ serveOptions }, { onCleanup }): Promise<Served> => {
    const served = await serve(serveOptions);
    onCleanup(() => served.remove());
    return served;
  })
  .extend('household', { scope: 'file' }, async ({ served }, { onCleanup }): Promise<Household> => {
    const household = await openHousehold(served.url, served.vault);
    onCleanup(() => household.close());
    return household;
  });

/** Options of a program that leaves its inbox alone, where no test puts a file into it. */
export const WITHOUT_INBOX: ServeOptions = { env: { VAULT_PIPELINE_WATCH: 'false' } };

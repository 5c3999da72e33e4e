import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { openBrowser } from './browser.ts';
import { openHousehold, type Household } from './household.ts';
import { serve, type Served } from './serve.ts';

/**
 * `test` with what browser and API tests share. Each fixture is made once a file, when the first hook or test asks for
 * it by name, and ended with the file:
 * - `browser`: a headless Chromium;
 * - `served`: the program on a new vault;
 * - `household`: accounts, patients and records in that vault.
 */
export const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('served', { scope: 'file' }, async ({}, { onCleanup }): Promise<Served> => {
    const served = await serve();
    onCleanup(() => served.remove());
    return served;
  })
  .extend('household', { scope: 'file' }, async ({ served }, { onCleanup }): Promise<Household> => {
    const household = await openHousehold(served.url, served.vault);
    onCleanup(() => household.close());
    return household;
  });

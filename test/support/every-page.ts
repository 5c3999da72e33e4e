import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { isDrawn } from './browser.ts';

/** Faults that are still there after a while; the timeline is drawn anew when the size of its place is known. */
async function lastingFaults(check: () => Promise<string[]>): Promise<string[]> {
  let faults = await check();
  if (faults.length === 0) return faults;
  await vi.waitUntil(async () => (faults = await check()).length === 0, { timeout: 5000 }).catch(() => undefined);
  return faults;
}

/** Calls `check` on each of the addresses, which are opened without loading the page anew; returns what it found. */
export async function onEveryPage(
  page: Page,
  addresses: readonly string[],
  check: (page: Page) => Promise<string[]>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const address of addresses) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
    await page.locator('#content :is(h1, .panel):visible').first().waitFor();
    await expect.poll(() => isDrawn(page)).toBe(true);
    // What depends on the size of an element is drawn a frame after the size is known.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const faults = await lastingFaults(() => check(page));
    if (faults.length > 0) found[address] = faults;
  }
  return found;
}

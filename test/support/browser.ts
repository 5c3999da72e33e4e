import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import type { Client } from './client.ts';

/** Names on the PATH, the quickest first, then the places where the installers of macOS and Windows put Chrome. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium, or null; CHROMIUM names another one. */
export function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const candidates = [process.env['CHROMIUM'], ...onPath, ...INSTALLED];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? null;
}

/** A new headless browser; the test that asks for one requires `browser: true`. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser() ?? 'chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Steps of a test wait for frames, which are drawn at once rather than 60 times a second.
      '--disable-frame-rate-limit',
      '--disable-gpu-vsync',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export interface PageOptions extends Pick<
  BrowserContextOptions,
  'acceptDownloads' | 'viewport' | 'hasTouch' | 'isMobile' | 'locale' | 'colorScheme' | 'deviceScaleFactor'
> {
  /** Signs the page in with the session of this client. */
  as?: Client;
}

/** Opens a page in a context of its own: 1440 × 900, British English, Zurich, without motion. */
export async function openPage(browser: Browser, { as, ...options }: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
    ...options,
  });
  if (as) {
    const [name = '', value = ''] = as.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: as.url }]);
  }
  const page = await context.newPage();
  // A bound for a busy machine; nothing waits so long on another.
  page.setDefaultTimeout(60_000);
  return page;
}

/** Adds uncaught exceptions and console errors of a page to `errors`, except for resources that fail to load. */
export function recordPageErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) errors.push(message.text());
  });
}

/** A file that a page saved. */
export interface SavedFile {
  name: string;
  bytes: Buffer;
}

/** Opens the menu of a button, selects an item of it and returns the file that the page then saves. */
export async function saveWithMenu(page: Page, button: Locator, item: RegExp): Promise<SavedFile> {
  const download = page.waitForEvent('download');
  await button.click();
  await page.getByRole('menuitem', { name: item }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The part of TanStack's router, as it publishes itself, that says which address is drawn. */
interface RouterState {
  state: { location: { href: string }; resolvedLocation?: { href: string } };
}

/** Whether the page of the address is drawn with its data: until it is loaded, the router draws the one before. */
export const isDrawn = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { state } = (self as unknown as { __TSR_ROUTER__: RouterState }).__TSR_ROUTER__;
    const isAtAddress = state.resolvedLocation?.href === state.location.href;
    return isAtAddress && document.querySelector('.skeleton, [aria-busy="true"]') === null;
  });

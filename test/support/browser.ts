import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Names on the PATH, then the places where the installers of macOS and Windows put Chrome. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
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
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium, or null where there is none; with HEARTH_REQUIRE_BROWSER that is a failure. */
export function findBrowser(): string | null {
  const found = PLACES.find((path) => path !== undefined && existsSync(path)) ?? null;
  if (found === null) {
    if (process.env['HEARTH_REQUIRE_BROWSER']) throw new Error('No Chromium was found, and this run requires it.');
    process.stderr.write(
      'Browser tests are skipped: install Chromium (apt install chromium), or name one in CHROMIUM.\n',
    );
  }
  return found;
}

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
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

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, recordPageErrors } from '../support/browser.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const HOME = 'patients/elena-keller';

let served: Served, browser: Browser, page: Page, admin: Client, place: string, disk: string;
const pageErrors: string[] = [];

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'hearth-e2e-'));
  disk = join(place, 'disk');
  for (const folder of ['disk', 'config', 'vault']) mkdirSync(join(place, folder));
  served = await serve({ vault: join(place, 'vault'), env: { XDG_CONFIG_HOME: join(place, 'config') } });
  admin = new Client(served.url);
  await admin.setup();
  for (const [seed, year] of [
    [1, 2023],
    [2, 2024],
    [3, 2024],
    [4, 2025],
  ] as const)
    await admin.upload(await labReport({ seed, collected: `12.0${seed}.${year}` }), `labor ${seed}.pdf`);
  await admin.idle();
  put(`${HOME}/2024/notes.txt`, 'belongs to nobody');
  browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
  });
  await context.addCookies([
    { name: 'vault_session', value: admin.cookie.slice('vault_session='.length), url: served.url },
  ]);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  recordPageErrors(page, pageErrors);
});
afterAll(async () => {
  await browser?.close();
  await served?.stop('SIGKILL');
  if (place) rmSync(place, { recursive: true, force: true });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

function put(path: string, content: string): void {
  mkdirSync(dirname(join(served.vault, path)), { recursive: true });
  writeFileSync(join(served.vault, path), content);
}
const isThere = (path: string): boolean => existsSync(join(served.vault, path));
const violations = (): Promise<string[]> => findViolations(page);
const row = (text: string) => page.locator('.vault-tree tbody tr', { hasText: text }).first();
const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '');

/** The same page in the light, in the dark, and on a phone in German. */
async function inEveryLook(name: string, path: string, ready: string): Promise<void> {
  const open = async (): Promise<void> => {
    await page.goto(served.url + path);
    await page.locator(ready).first().waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  };
  try {
    await open();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await violations(), theme).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}${name}${theme === 'dark' ? '-dark' : ''}.png` });
    }
    await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
    await page.setViewportSize({ width: 390, height: 844 });
    await open();
    expect(await violations(), 'phone').toEqual([]);
    expect(
      await page.evaluate(() => {
        const content = document.getElementById('content');
        return [
          document.documentElement.scrollWidth - innerWidth,
          (content?.scrollWidth ?? 0) - (content?.clientWidth ?? 0),
        ];
      }),
    ).toEqual([0, 0]);
    await page.screenshot({ path: `${SCREENSHOTS}${name}-phone.png` });
  } finally {
    await page.evaluate(() => localStorage.clear());
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}

describeWith({ browser: true }, 'the files of the vault', () => {
  it('open with g f and are navigated by keyboard', async () => {
    await page.goto(served.url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await row('Patients').focus();
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await row('2024').waitFor();
    for (let tries = 0; tries < 6 && !(await focused()).startsWith('2024'); tries += 1) await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await row('notes.txt').waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => row('notes.txt').count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focused()).toContain('elena-keller');
  });

  it('are checked on demand, and findings can be shown in the tree', async () => {
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.locator('.vault-faults').getByText('The file belongs to no document').waitFor();
    await page.getByRole('link', { name: 'Show', exact: true }).click();
    await row('notes.txt').waitFor();
    await page.getByRole('button', { name: /^Without a document/ }).click();
    await expect
      .poll(() => page.locator('.vault-tree tbody tr').allTextContents())
      .toEqual([expect.stringContaining(`${HOME}/2024/notes.txt`)]);
    await page.getByRole('button', { name: 'All', exact: true }).click();
  });

  it('are moved by keyboard into a new folder and back', async () => {
    await row('notes.txt').focus();
    await page.keyboard.press('m');
    await page.getByLabel('New subfolder').fill('Hausarzt');
    expect(await violations()).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('Merkblatt.txt');
    await page.keyboard.press('Enter');
    await page.getByText('Merkblatt.txt was moved to').waitFor();
    expect([isThere(`${HOME}/2024/Hausarzt/Merkblatt.txt`), isThere(`${HOME}/2024/notes.txt`)]).toEqual([true, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('notes.txt was moved back').waitFor();
    expect(isThere(`${HOME}/2024/notes.txt`)).toBe(true);
  });

  it('are moved by dragging a folder onto another', async () => {
    await page.goto(`${served.url}/vault?path=${HOME}/2023`);
    await row('2023').dragTo(row('2025'));
    await page.getByText('2023 was moved to').waitFor();
    expect(isThere(`${HOME}/2025/2023`)).toBe(true);
    const { items } = (await admin.get('/api/documents')).body as { items: { file_path: string }[] };
    expect(items.every(({ file_path }) => isThere(file_path))).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => isThere(`${HOME}/2023`)).toBe(true);
  });

  it('can be deleted and restored', async () => {
    await page.goto(`${served.url}/vault?path=${HOME}/2024/notes.txt`);
    await row('notes.txt').focus();
    await page.keyboard.press('Delete');
    await page.getByText('notes.txt was deleted').waitFor();
    expect(isThere(`${HOME}/2024/notes.txt`)).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => isThere(`${HOME}/2024/notes.txt`)).toBe(true);
  });

  it('are accessible in the dark, on a phone and in German', LONG, async () => {
    await inEveryLook('vault', `/vault?path=${HOME}/2024/notes.txt`, '.vault-tree tbody tr');
  });

  it('report a failed load, and try again', LONG, async () => {
    await page.route('**/api/vault/tree*', (route) => route.abort());
    await page.goto(`${served.url}/vault`);
    await page.locator('.table-panel .error-state').waitFor({ timeout: 60_000 });
    await page.unroute('**/api/vault/tree*');
    await page.locator('.table-panel').getByRole('button', { name: 'Try again' }).click();
    await row('Patients').waitFor();
  });
});

describeWith({ browser: true }, 'backups', () => {
  const menu = async (item: RegExp): Promise<void> => {
    await page
      .getByRole('button', { name: /^Actions for the backup/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  it('are asked for on Today, in a folder that is found and created in the page', async () => {
    await page.goto(served.url);
    const card = page.getByRole('region', { name: 'Backup' });
    await card.getByText('4 documents, no backup yet.').waitFor();
    expect(await violations()).toEqual([]);
    await card.getByRole('link', { name: 'Set up a backup' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    await page.getByRole('button', { name: 'Choose…' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a folder for backups' });
    await picker
      .getByRole('list', { name: 'Disks' })
      .getByRole('button', { name: /^Home folder/ })
      .waitFor();
    const path = picker.locator('.picker-path');
    const up = picker.getByRole('button', { name: 'Folder above' });
    while (!(await up.isDisabled())) {
      const before = await path.textContent();
      await up.click();
      await expect.poll(() => path.textContent()).not.toBe(before);
    }
    const real = realpathSync(place);
    for (const name of real.split(sep).filter(Boolean))
      await picker.getByRole('list', { name: 'Folders here' }).getByRole('button', { name, exact: true }).click();
    await expect.poll(() => path.textContent()).toBe(real);
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}backup-folder-picker.png` });
    await picker.getByLabel('New folder').fill('second-disk');
    await picker.getByRole('button', { name: 'Create folder' }).click();
    await expect.poll(() => path.textContent()).toBe(join(real, 'second-disk'));
    await picker.getByRole('button', { name: 'Use this folder' }).click();
    const folder = page.getByLabel('Folder', { exact: true });
    expect(await folder.inputValue()).toBe(join(real, 'second-disk'));
    await folder.fill(join(place, 'third', 'disk'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There is no folder').waitFor();
    await page.getByRole('button', { name: 'Create it' }).click();
    await page.getByText('The schedule was saved').waitFor();
    expect(existsSync(join(place, 'third', 'disk', 'snapshots'))).toBe(true);
    await page.getByRole('link', { name: /^Today/ }).click();
    await page.getByRole('heading', { name: 'New', exact: true }).waitFor();
    await card.waitFor({ state: 'hidden' });
  });

  it('start with a folder, and show when the last one was verified', async () => {
    await page.goto(`${served.url}/settings/backups`);
    await page.getByText('No backup has been verified yet.').waitFor();
    const folder = page.getByLabel('Folder', { exact: true });
    await folder.fill('somewhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter the full path of the folder').waitFor();
    await folder.fill(disk);
    await page.getByLabel('days').fill('0');
    await page.getByText('Enter a whole number from 1 to 366.').waitFor();
    await page.getByLabel('days').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The schedule was saved').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('The latest verified backup is from').waitFor();
    expect(readdirSync(join(disk, 'snapshots'))).toHaveLength(1);
  });

  it('are verified and test-restored from their menu', async () => {
    await menu(/^Verify now/);
    await page.locator('.tag-ok').first().waitFor();
    await expect.poll(() => page.locator('.backup-progress').count()).toBe(0);
    await menu(/^Test a restore/);
    await page.getByText(/all 4 documents are intact/).waitFor();
  });

  it('report a missing disk', async () => {
    renameSync(disk, `${disk}-away`);
    await page.reload();
    await page.getByText('The backup folder can’t be found').waitFor();
    expect(await page.getByRole('button', { name: 'Back up now' }).isDisabled()).toBe(true);
    await page.getByText('Not available').waitFor();
    renameSync(`${disk}-away`, disk);
  });

  it('are accessible in the dark, on a phone and in German', LONG, async () => {
    await inEveryLook('settings-backups', '/settings/backups', '.backup-row');
  });

  it('export the database as a file', async () => {
    await page.goto(`${served.url}/settings/backups`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 15)
        .toString(),
    ).toBe('SQLite format 3');
  });

  it('are restored after a confirmation, and Hearth restarts', LONG, async () => {
    put(`${HOME}/2024/later.txt`, 'after the backup');
    await menu(/^Restore/);
    await page.getByRole('dialog').getByText('and never deleted').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    // The page may reload while Hearth begins anew, which would end a wait for one navigation.
    await expect.poll(() => page.url(), { timeout: 60_000 }).toMatch(/login/);
    expect([isThere(`${HOME}/2024/notes.txt`), isThere(`${HOME}/2024/later.txt`)]).toEqual([true, false]);
    const aside = readdirSync(place).find((name) => name.startsWith('vault.before-restore-'));
    expect(existsSync(join(place, aside ?? '', HOME, '2024/later.txt'))).toBe(true);
  });

  it('logged no errors in the browser', () => {
    expect(pageErrors).toEqual([]);
  });
});

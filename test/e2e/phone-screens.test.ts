/** @module-tag long */
import type { CoreLanguage } from '../../src-shared/contract/core-languages.ts';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messages as de } from '../../src-renderer/locales/de.ts';
import { messages as en } from '../../src-renderer/locales/en.ts';
import { VIEWS } from '../../src-renderer/features/phone-backups/views.ts';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser } from '../support/browser.ts';
import { inDepth } from '../support/depth.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { makeDemoPhone, BACKUP_PASSWORD } from '../support/demo-phone.ts';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';
import { serve, type Served } from '../support/serve.ts';

const WORDS = { en: en.phone_backups, de: de.phone_backups };
const ID = '00008110-000A1B2C3D4E5F60',
  DAMAGED = 'damaged';
const parent = mkdtempSync(join(tmpdir(), 'hearth-screens-')),
  base = join(parent, 'Backup');

let served: Served, person: Client, browser: Browser;
const pageErrors: string[] = [];
beforeAll(async () => {
  mkdirSync(base);
  await makeDemoPhone(base);
  rmSync(join(base, 'scratch'), { recursive: true });
  await generateBackup({
    folder: join(base, DAMAGED),
    status: { SnapshotState: 'uploading' },
    info: { 'Device Name': 'Damaged' },
    entries: Array.from({ length: 30 }, (_, n) => ({
      domain: 'HomeDomain',
      path: `file-${n}`,
      content: 'x'.repeat(100),
      missing: n % 3 === 0,
      ...(n === 1 && { size: 90_000 }),
    })),
  });
  served = await serve({ args: ['--phone-backups', base] });
  person = new Client(served.url);
  await person.setup();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.remove();
  rmSync(parent, { recursive: true, force: true });
});

interface Look {
  language: CoreLanguage;
  theme: 'light' | 'dark';
  width: 1440 | 390;
}
async function open({ language, theme, width }: Look): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
    hasTouch: width === 390,
  });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: served.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.goto(`${served.url}/phones`);
  await page.locator('.phone-card').first().waitFor();
  return { context, page };
}
const violations = (page: Page): Promise<string[]> => findViolations(page, { bestPractice: true });
/** The card of a backup that the page reads itself, or the service. */
const unlockOf = (page: Page, language: Look['language'], from: 'chosen_folder' | 'on_this_computer', name: string) =>
  page.getByRole('region', { name: WORDS[language][from] }).getByRole('button', { name: new RegExp(`${name}`) });
const fillPassword = async (page: Page, language: Look['language'], text: string): Promise<void> => {
  await page.getByLabel(WORDS[language].backup_password).fill(text);
  await page.keyboard.press('Enter');
};
const isRead = async (page: Page): Promise<void> => {
  await page.locator('.phone-rail').waitFor();
  await page.locator('.phone-rail a', { hasText: '1' }).first().waitFor();
  await page.locator('.phone-reading .meter').waitFor({ state: 'detached' });
};
/** Returns the sentences and words of a catalogue. */
const leaves = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
};
/** Titles of the fictional person's own things. */
const OWN = ['Geburtstag', 'Gesundheit', 'Physiotherapie'];
const OTHER = { de: leaves(en.phone_backups), en: leaves(de.phone_backups) };
const foreign = (shown: string, language: Look['language']): string[] => {
  const own = new Set(leaves(WORDS[language]));
  return OTHER[language].filter(
    (text) =>
      text.length > 5 &&
      !OWN.includes(text) &&
      !text.includes('{{') &&
      !own.has(text) &&
      shown.split('\n').some((line) => line.trim() === text),
  );
};

/** One look has the other language, theme and width than most tests; the deep tests look at more combinations. */
const LOOKS: Look[] = [
  { language: 'de', theme: 'dark', width: 390 },
  ...inDepth<Look[]>(
    [],
    [
      { language: 'de', theme: 'light', width: 1440 },
      { language: 'en', theme: 'dark', width: 390 },
      { language: 'en', theme: 'dark', width: 1440 },
    ],
  ),
];

describeWith({ browser: true }, 'the screens of phone backups', () => {
  it.each(LOOKS)('are accessible in $language in the $theme at $width px', async (look) => {
    const { context, page } = await open(look),
      { language, width } = look,
      words = WORDS[language];
    await page.getByTestId('backup-folder').setInputFiles(base);
    await unlockOf(page, language, 'chosen_folder', 'Elena').waitFor();
    expect(
      await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['theme']]),
    ).toEqual([language, look.theme]);
    expect([await violations(page), foreign(await page.locator('main').innerText(), language)]).toEqual([[], []]);
    await unlockOf(page, language, 'chosen_folder', 'Elena').click();
    await fillPassword(page, language, 'wrong');
    await page.getByText(words.failure.wrong_password).waitFor();
    expect(await violations(page)).toEqual([]);
    await fillPassword(page, language, BACKUP_PASSWORD);
    await isRead(page);
    for (const { name } of VIEWS) {
      await page.locator(`.phone-rail a[href*="view=${name}"]`).click();
      await page
        .locator('.phone-main')
        .getByRole('heading', { level: 2, name: new RegExp(`^${words.view[name]}`) })
        .first()
        .waitFor();
      await page.waitForFunction(
        () => document.querySelector('.phone-main .skeleton, .phone-main [role="status"]') === null,
      );
      if (name === 'about') {
        await page.getByRole('button', { name: words.check_now }).click();
        await page.locator('.phone-findings').getByText('Library/Missing/gone.bin').waitFor();
      }
      expect([
        name,
        await violations(page),
        foreign(await page.locator('main').innerText(), language),
        await page.evaluate(() => document.documentElement.scrollWidth),
      ]).toEqual([name, [], [], width]);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it('work with the keyboard alone', async () => {
    const { context, page } = await open({ language: 'en', theme: 'light', width: 1440 });
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      });
    const tabTo = async (name: RegExp, most = 60): Promise<void> => {
      for (let at = 0; at < most; at += 1) {
        if (name.test(await focused())) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} was not reached by Tab`);
    };
    await tabTo(/^Unlock iPhone von Elena/);
    await page.keyboard.press('Enter');
    await page.getByLabel(en.phone_backups.backup_password).waitFor();
    await page.keyboard.type(BACKUP_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: en.phone_backups.read_now }).waitFor();
    await tabTo(/^Index now/);
    await page.keyboard.press('Enter');
    await isRead(page);
    await page.locator('.phone-list').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.locator('.phone-thread').getByText('Bis Sonntag').waitFor();
    await page.locator('.phone-rail a[href*="view=files"]').focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /readme\.txt|Library\// })
      .first()
      .waitFor();
    await tabTo(/readme\.txt|Library\//);
    await page.keyboard.press('Enter');
    await page.locator('.side-sheet').waitFor();
    // The first press closes it, and the focus is back in the list.
    await page.keyboard.press('Escape');
    await page.locator('.side-sheet').waitFor({ state: 'detached' });
    expect(await focused()).toMatch(/\//);
    await context.close();
  });

  it('explain the damage of a backup, and save the list of it', async () => {
    const { context, page } = await open({ language: 'en', theme: 'light', width: 1440 });
    await unlockOf(page, 'en', 'on_this_computer', 'Damaged').click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('.phone-rail a[href*="view=about"]').click();
    await page.getByText(en.phone_backups.problem_help.not_finished).waitFor();
    await page.getByRole('button', { name: en.phone_backups.check_now }).click();
    await page.locator('.phone-integrity').getByText('11 of 30 files have a problem.').waitFor();
    await page.getByText(en.phone_backups.fault_help.missing).waitFor();
    await page.getByRole('button', { name: en.phone_backups.fault.wrong_size }).click();
    await page.locator('.phone-findings').getByText('file-1', { exact: true }).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: en.phone_backups.as_csv_list }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[1]).toMatch(/^wrong_size,HomeDomain,file-1,[0-9a-f]{40},90000,100$/);
    // Gone while it is open: said as such, and well again when it is back.
    renameSync(join(base, DAMAGED), join(parent, 'away'));
    await page.getByRole('button', { name: en.phone_backups.check_again }).click();
    await page.getByText(en.phone_backups.failure.gone).waitFor();
    await page.locator('.phone-rail a[href*="view=files"]').click();
    await page.getByRole('button', { name: 'file-2', exact: true }).click();
    await page.getByText('The folder of this backup can’t be found').waitFor();
    renameSync(join(parent, 'away'), join(base, DAMAGED));
    await context.close();
  });

  it('ask for the password when the session has ended, and continue where the user was', async () => {
    const { context, page } = await open({ language: 'en', theme: 'light', width: 1440 });
    await unlockOf(page, 'en', 'on_this_computer', 'Elena').click();
    await fillPassword(page, 'en', BACKUP_PASSWORD);
    await page.locator('.phone-rail a[href*="view=files"]').click();
    await page.getByRole('searchbox', { name: en.phone_backups.filter_path }).fill('DCIM');
    await page.getByRole('row', { name: /IMG_0009\.JPG/ }).waitFor();
    const stale = await person.post(`/api/phone/backups/${ID}/unlock`, { password: BACKUP_PASSWORD });
    expect(stale.status).toBe(200);
    // Every session of this backup ends, as after a restart; only its index is asked without one.
    await page.evaluate(async (id) => {
      const { fetch: real } = window;
      window.fetch = async (input, init) =>
        String(input).includes(`/backups/${id}/files`) && String(input).includes('IMG_001')
          ? new Response(JSON.stringify({ detail: 'over', code: 'phone.session_invalid' }), {
              status: 401,
              headers: { 'content-type': 'application/json' },
            })
          : real(input, init);
      Object.assign(window, {
        restore: () => {
          window.fetch = real;
        },
      });
    }, ID);
    await page.getByRole('searchbox', { name: en.phone_backups.filter_path }).fill('IMG_001');
    await page.getByText(en.phone_backups.locked_expired).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('IMG_0009');
    await page.evaluate(() => (window as unknown as { restore: () => void }).restore());
    await fillPassword(page, 'en', BACKUP_PASSWORD);
    await page.getByRole('row', { name: /IMG_0010\.JPG/ }).waitFor();
    expect(await page.getByRole('searchbox', { name: en.phone_backups.filter_path }).inputValue()).toBe('IMG_001');
    await context.close();
  });

  it('send health values to the trends when the page reads the backup', async () => {
    const { context, page } = await open({ language: 'en', theme: 'light', width: 1440 });
    await page.getByTestId('backup-folder').setInputFiles(base);
    await unlockOf(page, 'en', 'chosen_folder', 'Elena').click();
    await fillPassword(page, 'en', BACKUP_PASSWORD);
    await page.locator('.phone-rail a[href*="view=health"]').click();
    await page.getByRole('button', { name: en.phone_backups.send_health }).click();
    await page.getByRole('checkbox', { name: /Body mass/ }).check();
    await page.getByRole('button', { name: en.phone_backups.send_now, exact: true }).click();
    await page.getByText('240 values are now in the trends.').waitFor();
    const { body } = await person.get('/api/lab-results?patient_id=1&limit=300');
    const sent = body.items.filter(
      ({ panel_name: panel }: { panel_name: string }) => panel === 'Withings (iPhone von Elena)',
    );
    expect([sent.length, sent[0].unit, sent[0].test_name_original]).toEqual([240, 'kg', 'Body mass']);
    await context.close();
  });

  it('report when Hearth does not respond, and reconnect', async () => {
    const { context, page } = await open({ language: 'de', theme: 'light', width: 1440 });
    await context.setOffline(true);
    await page.getByRole('button', { name: de.phone_backups.refresh }).click();
    await page
      .getByRole('alert')
      .getByText(/nicht (zu )?erreich/)
      .waitFor();
    await context.setOffline(false);
    await page.getByRole('alert').getByRole('button', { name: de.phone_backups.retry }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await context.close();
  });
});

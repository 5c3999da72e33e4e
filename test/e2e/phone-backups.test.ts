import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, recordPageErrors, saveWithMenu, type SavedFile } from '../support/browser.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { makeDemoPhone, BACKUP_PASSWORD } from '../support/demo-phone.ts';
import { expectMediaToPlay, expectSpeechToPlay, openArtifact } from '../support/phone-page.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-phone-'));
let served: Served, person: Client, browser: Browser, context: BrowserContext, page: Page;
const pageErrors: string[] = [];
beforeAll(async () => {
  await makeDemoPhone(parent);
  served = await serve({ args: ['--phone-backups', parent] });
  person = new Client(served.url);
  await person.setup();
  browser = await openBrowser();
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
    acceptDownloads: true,
  });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: served.url }]);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  recordPageErrors(page, pageErrors);
});
afterAll(async () => {
  await browser?.close();
  await served?.remove();
  rmSync(parent, { recursive: true, force: true });
});

const violations = (): Promise<string[]> => findViolations(page, { bestPractice: true });
const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
const rail = () => page.getByRole('navigation', { name: 'Contents of the backup' });
const view = (name: string): Promise<void> => openArtifact(page, name);
const chooseFolder = (path: string): Promise<void> => page.getByTestId('backup-folder').setInputFiles(path);
async function unlock(password: string): Promise<void> {
  await page.getByLabel('Backup password').fill(password);
  await page.keyboard.press('Enter');
}
const saved = (item: RegExp, button = page.getByRole('button', { name: 'Export' }).last()): Promise<SavedFile> =>
  saveWithMenu(page, button, item);

describeWith({ browser: true }, 'a phone backup that the page reads by itself', () => {
  it('opens by shortcut, finds a backup in the selected folder, and rejects a wrong password', async () => {
    await page.goto(served.url);
    await page.getByRole('link', { name: 'Phone backups' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: 'Phone backups' }).waitFor();
    // The folder above it does as well.
    await chooseFolder(parent);
    const card = page
      .getByRole('region', { name: 'In the chosen folder' })
      .getByRole('button', { name: 'Unlock iPhone von Elena' });
    await card.waitFor();
    expect(await page.locator('.phone-card').first().innerText()).toMatch(
      /iPhone 15 · iOS.26\.1[\s\S]*12 Nov 2026[\s\S]*Encrypted/,
    );
    expect(await violations()).toEqual([]);
    await shot('phones-light');
    await card.click();
    await unlock('not this one');
    await page.getByText('Wrong password').waitFor();
    expect(await violations()).toEqual([]);
  });

  it('reads and counts every artifact', async () => {
    await unlock(BACKUP_PASSWORD);
    await rail().waitFor();
    await rail()
      .getByRole('link', { name: /Messages\s*60\d/ })
      .waitFor();
    await rail()
      .getByRole('link', { name: /Health\s*1,21\d/ })
      .waitFor();
    await rail()
      .getByRole('link', { name: /Photos\s*6[45]/ })
      .waitFor();
    await page.locator('.phone-reading .meter').waitFor({ state: 'detached' });
  });

  it('shows messages as conversations, from the end, with attachments, and saves them as a page', LONG, async () => {
    await page.getByRole('option', { name: /Peter Frisch/ }).click();
    await page.locator('.phone-thread').getByRole('button', { name: 'Befund.pdf' }).waitFor();
    await page.locator('.phone-thread img').first().waitFor();
    expect(await violations()).toEqual([]);
    await page.locator('h1').first().click();
    await shot('phone-messages-light');
    const html = await saved(/HTML/);
    expect(html.name).toBe('Peter Frisch.html');
    expect(html.bytes.toString().match(/<article /g)).toHaveLength(600);
    const csv = await saved(/CSV/);
    expect(csv.bytes.toString().trim().split('\r\n')).toHaveLength(601);
    const pdf = await saved(/^PDF$/);
    expect([pdf.name, pdf.bytes.subarray(0, 5).toString()]).toEqual(['Peter Frisch.pdf', '%PDF-']);
    const again = await saved(/^PDF$/);
    expect(again.bytes.equals(pdf.bytes)).toBe(true);
  });

  it('previews a PDF, an image, a property list, text and the tables of a database', LONG, async () => {
    await page.locator('.phone-thread').getByRole('button', { name: 'Befund.pdf' }).click();
    await page.locator('canvas[data-drawn="1"]').waitFor();
    expect(await page.locator('.phone-preview').innerText()).toMatch(/Page 1 of 2[\s\S]*PDF/);
    // A tooltip shows the name of the button that has the focus.
    await page.locator('.phone-preview').click({ position: { x: 4, y: 4 } });
    expect(await violations()).toEqual([]);
    await shot('phone-preview-light');
    await page.getByRole('button', { name: 'Close' }).click();
    await view('Files');
    const look = async (path: string): Promise<void> => {
      await page.getByRole('searchbox', { name: /Path/ }).fill(path);
      await page.getByRole('button', { name: new RegExp(path.replace(/\./g, '\\.')) }).click();
    };
    await look('com.apple.example.plist');
    await page.locator('.phone-plist').getByText('mmol/L').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await look('readme.txt');
    await page.getByText('A second line.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await look('sms.db');
    await page.getByLabel('Table').selectOption('handle');
    await page.getByRole('cell', { name: 'oma@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expectMediaToPlay(page, look);
    await look('gone.bin');
    await page.getByText('missing from the backup').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('saves selected files under their paths', async () => {
    await view('Files');
    await page.getByRole('searchbox', { name: /Path/ }).fill('readme.txt');
    const row = page.getByRole('row', { name: /readme\.txt/ });
    await row.getByRole('checkbox').check();
    const zip = await saved(/ZIP/);
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
    expect(zip.bytes.toString('latin1')).toContain('HomeDomain/Library/Notes/readme.txt');
    expect(zip.bytes.toString('latin1')).toContain('A second line.');
  });

  it('shows photos by day in rows that fill the width', async () => {
    await view('Photos');
    await page.locator('.phone-tile img').first().waitFor();
    const rows = await page.locator('.phone-grid-row').evaluateAll((all) =>
      all.map((row) => {
        const tiles = [...row.children].map((tile) => tile.getBoundingClientRect());
        return {
          right: Math.round(tiles.at(-1)?.right ?? 0),
          count: tiles.length,
          room: Math.round(row.getBoundingClientRect().right),
        };
      }),
    );
    expect(rows.some(({ right, room, count }) => count > 3 && Math.abs(right - room) <= 1)).toBe(true);
    expect(await violations()).toEqual([]);
    await page.waitForFunction(() => document.querySelectorAll('.phone-tile .skeleton').length === 0);
    await shot('phone-photos-light');
  });

  it('shows notes, contacts, calendar, calls, recordings and health, and saves cards and calendar', LONG, async () => {
    await view('Notes');
    await page.locator('.phone-note').getByRole('cell', { name: '2,4' }).waitFor();
    expect(await violations()).toEqual([]);
    await view('Contacts');
    const cards = await saved(/vCard/, page.locator('.phone-pane-list').getByRole('button', { name: 'Export' }));
    expect(cards.bytes.toString()).toContain('FN:Peter Frisch\r\n');
    expect(cards.bytes.toString()).toContain('PHOTO:data:image/png;base64,');
    await view('Calendar');
    const events = await saved(/ICS/);
    expect(events.bytes.toString()).toMatch(
      new RegExp(
        'BEGIN:VCALENDAR\r\n[^]*SUMMARY:Physiotherapie\r\n[^]*RRULE:FREQ=WEEKLY[^]*' +
          'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Physiotherapie\r\nTRIGGER:-PT15M\r\n',
      ),
    );
    await page
      .getByRole('row', { name: /Physiotherapie .*Familie · repeats/ })
      .getByRole('button')
      .click();
    await page.getByRole('dialog', { name: 'Physiotherapie' }).getByText('15 minutes before').waitFor();
    await page.getByRole('dialog', { name: 'Physiotherapie' }).getByText('Every week · Monday · 6 times').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await view('Calls');
    await page.getByText('Unknown number').waitFor();
    await view('Voicemail');
    await page.locator('.phone-main').getByRole('row', { name: /0:12/ }).getByRole('button').click();
    await expectSpeechToPlay(page);
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await view('Health');
    await page.getByRole('option', { name: /Body mass/ }).click();
    await page.locator('.phone-plot canvas').waitFor();
    expect(await violations()).toEqual([]);
    await shot('phone-health-light');
  });

  it('is searched as a whole, and a result opens its conversation at the message', async () => {
    await page.getByRole('searchbox', { name: 'Search everything' }).fill('termin nummer 300');
    await page.keyboard.press('Enter');
    const hit = page.getByRole('row', { name: /Termin.*Nummer.*300/ });
    await hit.waitFor();
    expect(await hit.locator('mark').allInnerTexts()).toContain('300');
    expect(await violations()).toEqual([]);
    await hit.getByRole('button').click();
    await page.locator('.phone-message[data-wanted]').getByText('Termin Nummer 300').waitFor();
  });

  it('sends a file to the vault with origin and date, and recognizes it the second time', async () => {
    const send = async (): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: 'Send to vault…' }).click();
      await page
        .getByRole('dialog', { name: /Send 1 file/ })
        .getByRole('button', { name: 'Send', exact: true })
        .click();
    };
    await view('Files');
    await page.getByRole('searchbox', { name: /Path/ }).fill('Befund.pdf');
    await page.getByRole('button', { name: /Befund\.pdf/ }).click();
    await send();
    await page.getByText('Sent', { exact: true }).waitFor();
    await page
      .getByRole('dialog', { name: /Send 1 file/ })
      .getByRole('button', { name: 'Close' })
      .click();
    const { body } = await person.get('/api/documents?limit=10');
    const { body: document } = await person.get(`/api/documents/${body.items[0].id}`);
    expect([document.original_filename, document.patient_id, document.event_date]).toEqual([
      'Befund.pdf',
      1,
      '2023-03-01',
    ]);
    expect(document.notes).toMatch(
      /File · iPhone von Elena, backup of 12 Nov 2026 · MediaDomain\/Library\/SMS\/Attachments\/ab\/11\/Befund\.pdf/,
    );
    await send();
    await page.getByText('Already in the vault').waitFor();
    await page
      .getByRole('dialog', { name: /Send 1 file/ })
      .getByRole('button', { name: 'Close' })
      .click();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('sends a note and a conversation as one PDF each, alike from both sources, and knows them', LONG, async () => {
    const send = async (items: RegExp | null): Promise<void> => {
      await page.getByRole('button', { name: 'Send to vault…' }).last().click();
      if (items) await page.getByRole('menuitem', { name: items }).click();
      const dialog = page.getByRole('dialog', { name: /Send 1 file/ });
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    };
    const close = (): Promise<void> =>
      page
        .getByRole('dialog', { name: /Send 1 file/ })
        .getByRole('button', { name: 'Close' })
        .click();
    await view('Notes');
    await page.locator('.phone-note').getByRole('cell', { name: '2,4' }).waitFor();
    await send(/As one PDF/);
    await page.getByText('Sent', { exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await close();
    await view('Messages');
    await page.getByRole('option', { name: /Peter Frisch/ }).click();
    await page.locator('.phone-thread').getByRole('button', { name: 'Befund.pdf' }).waitFor();
    await send(/As one PDF/);
    await page.getByText('Sent', { exact: true }).waitFor();
    await close();
    await send(/As one PDF/);
    await page.getByText('Already in the vault').waitFor();
    await close();
    const { body } = await person.get('/api/documents?limit=50');
    const documents = await Promise.all(
      body.items.map(async ({ id }: { id: number }) => (await person.get(`/api/documents/${id}`)).body),
    );
    expect(documents.map(({ original_filename: name, notes }) => `${name}: ${notes}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Peter Frisch\.pdf: Messages with Peter Frisch, .*, 600 messages · iPhone von Elena, backup of 12 Nov 2026$/,
        ),
        expect.stringMatching(/\.pdf: Note “.*” · iPhone von Elena, backup of 12 Nov 2026$/),
      ]),
    );
  });

  it('lists files that look medical, and sends only the selected ones', async () => {
    await view('Possibly medical');
    const row = page.getByRole('row', { name: /Befund/ }).first();
    await row.waitFor();
    // It was sent before, from the list of files.
    await page
      .getByRole('row', { name: /Befund\.pdf/ })
      .getByRole('link', { name: 'In the vault' })
      .waitFor();
    expect(await violations()).toEqual([]);
    expect(await page.getByRole('button', { name: 'Send to vault…' }).count()).toBe(0);
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send to vault…' }).click();
    await page
      .getByRole('dialog', { name: /Send 1 file/ })
      .getByRole('button', { name: 'Cancel' })
      .click();
  });

  it('is accessible in the dark, and fits a phone', LONG, async () => {
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await view('Photos');
    await page.locator('.phone-tile img').first().waitFor();
    expect(await violations()).toEqual([]);
    await shot('phone-photos-dark');
    await view('Messages');
    await page.getByRole('option', { name: /Peter Frisch/ }).click();
    await page.locator('.phone-thread').getByRole('button', { name: 'Befund.pdf' }).waitFor();
    expect(await violations()).toEqual([]);
    await shot('phone-messages-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations()).toEqual([]);
    await shot('phone-messages-phone');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('option', { name: /Familie/ }).waitFor();
    await view('Files');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows nothing more after it is locked with its button', async () => {
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByLabel('Backup password').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Befund');
    await page.goBack();
    await page.getByRole('heading', { name: /iPhone von Elena/ }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Befund');
    expect(pageErrors).toEqual([]);
  });

  it('looks the same when the service reads it, and sends chosen health values to the trends', LONG, async () => {
    await page.goto(`${served.url}/phones`);
    await page
      .getByRole('region', { name: 'On this computer' })
      .getByRole('button', { name: 'Unlock iPhone von Elena' })
      .click();
    await unlock(BACKUP_PASSWORD);
    // In the place of the list, which would say that the phone has no messages.
    await page.locator('.phone-main').getByRole('button', { name: 'Index now' }).click();
    await rail()
      .getByRole('link', { name: /Health\s*1,21\d/ })
      .waitFor();
    await page.locator('.phone-reading .meter').waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /Peter Frisch/ }).click();
    await page.locator('.phone-thread').getByRole('button', { name: 'Befund.pdf' }).waitFor();
    await page.locator('.phone-thread img').first().waitFor();
    await page.getByRole('button', { name: 'Send to vault…' }).click();
    await page.getByRole('menuitem', { name: /As one PDF/ }).click();
    await page
      .getByRole('dialog', { name: /Send 1 file/ })
      .getByRole('button', { name: 'Send', exact: true })
      .click();
    await page.getByText('Already in the vault').waitFor();
    await page
      .getByRole('dialog', { name: /Send 1 file/ })
      .getByRole('button', { name: 'Close' })
      .click();
    await view('Files');
    await page.getByRole('searchbox', { name: /Path/ }).fill('sms.db');
    await page.getByRole('button', { name: /sms\.db/ }).click();
    await page.getByLabel('Table').selectOption('handle');
    await page.getByRole('cell', { name: 'oma@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expectMediaToPlay(page, async (path) => {
      await page.getByRole('searchbox', { name: /Path/ }).fill(path);
      await page.getByRole('button', { name: new RegExp(path.replace(/\./g, '\\.')) }).click();
    });
    await view('Possibly medical');
    await page
      .getByRole('row', { name: /Befund\.pdf/ })
      .getByRole('link', { name: 'In the vault' })
      .waitFor();
    await view('Health');
    await page.getByRole('button', { name: 'Send to trends…' }).click();
    await page.getByRole('checkbox', { name: /Body mass/ }).check();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('values are now in the trends').waitFor();
    expect(pageErrors).toEqual([]);
  });
});

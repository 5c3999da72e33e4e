/** @module-tag long */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { create } from 'qrcode';
import sharp from 'sharp';
import { expect } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import type { OpenShare } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

/** What recipients see on a phone when something is in the way, in both themes, and the slip that leads them there. */

let household: Household, owner: Client, door: string, browser: Browser;
const errors: string[] = [];
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(({ served, household: records, browser: chromium }) => {
  [household, browser, door] = [records, chromium, served.shareUrl ?? ''];
  owner = household.as('owner');
});
it.afterAll(() => {
  expect(errors).toEqual([]);
});
// Limits count by address, and all devices of this file are on this computer.
it.beforeEach(() => void household.db.prepare('DELETE FROM share_attempts').run());

async function phone({ token }: { token: string }): Promise<Page> {
  const page = await openPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  recordPageErrors(page, errors);
  await page.goto(`${door}/share/${token}`);
  await page.getByRole('button', { name: 'Request the code' }).waitFor();
  return page;
}
async function codeOf({ id }: OpenShare): Promise<string> {
  const live = async (): Promise<unknown> => (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
  await expect.poll(live).toBeDefined();
  return String(await live());
}
async function open(page: Page, share: OpenShare): Promise<void> {
  await page.getByRole('button', { name: 'Request the code' }).click();
  await page.getByLabel('Code of six digits').waitFor();
  await page.getByLabel('Code of six digits').fill(await codeOf(share));
}
/** Waits for a sentence, finds nothing that bars anybody from the screen, and takes its picture. */
async function look(page: Page, name: string, sentence: string | RegExp): Promise<void> {
  await page.getByText(sentence).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    expect([name, theme, await findViolations(page)]).toEqual([name, theme, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.screenshot({ path: join(SCREENSHOTS, `recipient-${name}-${theme}.png`) });
  }
}

describeWith({ browser: true }, 'a recipient sees', () => {
  it('that the code comes by e-mail', async () => {
    const share = household.make.share({ otp_delivery: 'email', recipient_contact: 'frisch@example.org' });
    const page = await phone(share);
    await look(page, 'landing-mail', 'Request the code below. It is sent to you by e-mail.');
    await page.getByRole('button', { name: 'Request the code' }).click();
    await look(page, 'code-mail', /a code of six digits is on its way to you by e-mail/);
    await page.context().close();
  });

  it('that a code is over, that too many were wrong, and that there is no connection', async () => {
    const share = household.make.share();
    const page = await phone(share);
    await page.clock.install();
    await page.getByRole('button', { name: 'Request the code' }).click();
    const code = await codeOf(share);
    await page.clock.fastForward('10:01');
    await look(page, 'code-over', 'The code is no longer valid. Request a new one.');
    const field = page.getByLabel('Code of six digits');
    const wrong = (n: number): string => String((Number(code) + n) % 1_000_000).padStart(6, '0');
    for (let n = 1; n <= 5; n += 1) {
      const replied = page.waitForResponse((response) => response.url().endsWith('/verify-otp'));
      await field.fill(wrong(n));
      expect((await replied).status()).toBe(401);
    }
    await field.fill(wrong(6));
    await look(page, 'code-limit', 'Too many attempts. Try again in 24 hours.');
    await page.context().setOffline(true);
    await field.fill(wrong(7));
    await look(page, 'offline', 'There is no connection. Check it and try again.');
    await page.context().close();
  });

  it('that the place in the queue is gone', async () => {
    const share = household.make.share();
    household.make.recipient(share);
    const page = await phone(share);
    await open(page, share);
    await page.getByRole('heading', { name: 'You are next' }).waitFor();
    const { queued } = (await owner.get(`/api/shares/${share.id}/sessions`)).body;
    await owner.call('DELETE', `/api/shares/${share.id}/queue/${queued[0].rowid}`);
    await look(page, 'place-over', 'Your place in the queue has expired. Request a new code.');
    await page.context().close();
  });

  it('why a page is not shown, that nothing is left, and the end by their own wish', async () => {
    const { make, vault, db } = household;
    const share = make.share();
    const page = await phone(share);
    await open(page, share);
    const document = page.getByRole('button', { name: /^Laboratory report/ });
    const back = page.getByRole('button', { name: 'Back to the documents' });
    writeFileSync(join(vault, make.pathOf(share.document)), 'not a PDF');
    await document.click();
    await look(page, 'page-damaged', 'This page is damaged and can’t be shown.');
    await back.click();
    db.prepare("UPDATE documents SET mime_type = 'text/plain' WHERE id = ?").run(share.document);
    await document.click();
    await look(page, 'page-not-showable', 'This kind of file can’t be shown here.');
    await owner.call('DELETE', `/api/shares/${share.id}/documents/${share.document}`);
    await back.click();
    await document.click();
    await look(page, 'list-empty', 'There are no documents any more.');
    await page.getByRole('button', { name: 'Finish viewing' }).click();
    await look(page, 'ended', 'Thank you. You can close this page.');
    await page.context().close();
  });
});

/** The modules of a QR code as they are drawn, read in their middles; true where it is dark. */
async function drawnModules(code: Locator): Promise<boolean[]> {
  const { data, info } = await sharp(await code.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const side = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const at = (module: number): number => Math.floor(((module + 0.5) * info.width) / side);
  return Array.from(
    { length: side * side },
    (_, n) => (data[at(Math.floor(n / side)) * info.width + at(n % side)] ?? 0) < 128,
  );
}

describeWith({ browser: true }, 'the slip for a recipient', () => {
  it('has the link as a QR code, dark on white in both themes, with a white edge', async () => {
    const share = household.make.share();
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/shares?share=${share.id}`);
    await page.getByRole('link', { name: 'Print a slip with the QR code' }).click();
    const code = page.getByRole('img', { name: 'QR code of the link' });
    const { modules } = create(`${door}/share/${share.token}`, { errorCorrectionLevel: 'M' });
    const [size, edge] = [modules.size, 4];
    const expected = Array.from({ length: (size + 2 * edge) ** 2 }, (_, n) => {
      const [row, column] = [Math.floor(n / (size + 2 * edge)) - edge, (n % (size + 2 * edge)) - edge];
      const isInside = row >= 0 && row < size && column >= 0 && column < size;
      return isInside && modules.data[row * size + column] === 1;
    });
    for (const theme of ['light', 'dark'] as const) {
      await code.waitFor();
      await page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme);
      expect([theme, await drawnModules(code)]).toEqual([theme, expected]);
    }
    await page.context().close();
  });
});

describeWith({ browser: true }, 'the preview of a share', () => {
  it('has the lines of the recipient’s list, also that for images', async () => {
    const { make, db } = household;
    const share = make.share();
    make.addToShare(share, make.study().document);
    const onlyIssued = "UPDATE documents SET event_date = NULL, issued_date = '2024-05-06', language_source = 'it'";
    db.prepare(`${onlyIssued} WHERE id = ?`).run(share.document);
    const recipient = await phone(share);
    await open(recipient, share);
    const seen = recipient.locator('.rp-list li button');
    await recipient.getByRole('button', { name: /^Imaging .*3 images$/ }).waitFor();
    const wordsOf = async (lines: Locator): Promise<string[]> =>
      (await lines.allInnerTexts()).map((text) => text.replace(/\s*[\n·]+\s*/g, ' · '));
    const page = await openPage(browser, { as: owner });
    recordPageErrors(page, errors);
    await page.goto(`${owner.url}/shares?share=${share.id}`);
    await page.getByRole('button', { name: 'Preview as recipient' }).click();
    const lines = page.locator('.phone-screen li');
    await lines.first().waitFor();
    const [shown, expected] = [await wordsOf(lines), await wordsOf(seen)];
    expect([shown, shown.join()]).toEqual([expected, expect.stringMatching(/6 May 2024.*Italian.*Imaging.*3 images/)]);
    await Promise.all([page.context().close(), recipient.context().close()]);
  });
});

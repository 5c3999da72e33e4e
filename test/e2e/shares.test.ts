/** The page of recipients, on the screen of a phone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { findViolations } from '../support/accessibility.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import type { MadeShare } from '../support/household-shares.ts';
import type { OpenShare } from '../support/recipient.ts';
import { drag, offerTranslation, offerVoices } from '../support/recipient-page.ts';
import { describeWith } from '../support/requirements.ts';
import { letter } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import { LONG } from '../support/long.ts';

let household: Household, owner: Client, door: string, browser: Browser, twoPages: Uint8Array;
const errors: string[] = [];
const foreign = new Set<string>();
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, household: records, browser: chromium }) => {
  [household, browser, door] = [records, chromium, served.shareUrl ?? ''];
  owner = household.as('owner');
  twoPages = await letter([[{ text: 'The first page', y: 100 }], [{ text: 'The second page', y: 100 }]]);
});
it.afterAll(() => {
  expect(errors).toEqual([]);
  expect([...foreign]).toEqual([]);
});

async function phone(share: OpenShare, locale = 'en-GB'): Promise<Page> {
  const page = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale,
  });
  recordPageErrors(page, errors);
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(door) && !url.startsWith(`blob:${door}`)) foreign.add(url);
  });
  await page.goto(`${door}/share/${share.token}`);
  return page;
}
/** A share with a document of two pages. */
function share(): MadeShare {
  const made = household.make.share();
  writeFileSync(join(household.vault, household.make.pathOf(made.document)), twoPages);
  household.db.prepare('UPDATE documents SET page_count = 2 WHERE id = ?').run(made.document);
  return made;
}
async function codeOf({ id }: OpenShare): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      code = (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
      return code;
    })
    .toBeDefined();
  return code ?? '';
}
async function open(page: Page, opened: OpenShare): Promise<void> {
  await page.getByRole('button', { name: 'Request the code' }).click();
  await page.getByLabel('Code of six digits').waitFor();
  // The phone fills in the whole code at once.
  await page.getByLabel('Code of six digits').fill(await codeOf(opened));
}
/** Finds nothing that bars anybody from the screen, and takes its picture. */
async function look(
  page: Page,
  name: string,
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    expect([name, theme, await findViolations(page)]).toEqual([name, theme, []]);
    await page.screenshot({ path: join(SCREENSHOTS, `recipient-${name}-${theme}.png`) });
  }
}
const pageImage = (page: Page, number: number): Locator =>
  page.getByRole('img', { name: `Page ${number} of “Laboratory report”` });
/** Pixels of the lower half that are not white: the letters there are those of the stamp. */
const stampedPixels = (image: Locator): Promise<number> =>
  image.evaluate(async (picture: HTMLImageElement) => {
    await picture.decode();
    const [width, height] = [picture.naturalWidth, picture.naturalHeight];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context?.drawImage(picture, 0, 0);
    const { data } = context?.getImageData(0, height / 2, width, height / 2) ?? { data: [] };
    return Array.from(data).filter((value, index) => index % 4 === 0 && value < 240).length;
  });

/** The sum of the gray values of a picture. */
const brightness = (image: Locator): Promise<number> =>
  image.evaluate(async (picture: HTMLImageElement) => {
    await picture.decode();
    const [width, height] = [picture.naturalWidth, picture.naturalHeight];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context?.drawImage(picture, 0, 0);
    const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] };
    return Array.from(data).reduce((sum, value, index) => (index % 4 === 0 ? sum + value : sum), 0);
  });

describeWith({ browser: true }, 'the page of recipients', () => {
  it('opens a share with the code, looks at stamped pages and finishes', async () => {
    const shared = share();
    const page = await phone(shared);
    await page.getByRole('heading', { name: 'Someone wants to show you medical documents' }).waitFor();
    expect(await page.content()).not.toMatch(/Elena|Frisch/);
    await look(page, 'landing');
    await page.getByRole('button', { name: 'Request the code' }).click();
    await page.getByLabel('Code of six digits').pressSequentially('12');
    await look(page, 'code');
    const code = await codeOf(shared);
    await page.getByLabel('Code of six digits').fill(code === '000000' ? '111111' : '000000');
    await page.getByRole('alert').getByText('This code is not valid').waitFor();
    await look(page, 'code-wrong');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      `Your code: ${code.slice(0, 3)} ${code.slice(3)}`,
    );
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await look(page, 'documents');
    await page.getByRole('button', { name: /^Laboratory report/ }).click();
    expect(await stampedPixels(pageImage(page, 1))).toBeGreaterThan(1000);
    await look(page, 'viewer');
    // Nothing translates here.
    expect(await page.getByRole('button', { name: 'Translate' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Next page' }).click();
    expect(await stampedPixels(pageImage(page, 2))).toBeGreaterThan(1000);
    await page.getByRole('button', { name: 'Back to the documents' }).click();
    await page.getByRole('button', { name: 'Finish viewing' }).click();
    await page.getByRole('heading', { name: 'These documents are closed' }).waitFor();
    expect((await owner.get(`/api/shares/${shared.id}/sessions`)).body.active).toEqual([]);
    await page.context().close();
  });

  it('enlarges a page with two fingers and turns it with one', LONG, async () => {
    const shared = share();
    const page = await phone(shared);
    await open(page, shared);
    await page.getByRole('button', { name: /^Laboratory report/ }).click();
    await pageImage(page, 1).waitFor();
    const fingers = await page.context().newCDPSession(page);
    await drag(fingers, [{ from: [300, 400], to: [60, 400] }]);
    await pageImage(page, 2).waitFor();
    const width = (): Promise<number> => pageImage(page, 2).evaluate((one) => one.clientWidth);
    const before = await width();
    await drag(fingers, [
      { from: [180, 400], to: [100, 400] },
      { from: [220, 400], to: [300, 400] },
    ]);
    await expect.poll(width).toBeGreaterThan(before * 2);
    // An enlarged page moves under a finger, and is not turned.
    await drag(fingers, [{ from: [300, 400], to: [60, 400] }]);
    await pageImage(page, 2).waitFor();
    await page.context().close();
  });

  it('needs no more than a keyboard', async () => {
    const shared = share();
    const page = await phone(shared);
    await page.getByRole('heading', { name: 'Someone wants to show you medical documents' }).waitFor();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab', 'Enter');
    await page.getByLabel('Code of six digits').waitFor();
    await page.keyboard.type(await codeOf(shared));
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await press('Tab', 'Enter');
    await pageImage(page, 1).waitFor();
    await press('ArrowRight');
    await pageImage(page, 2).waitFor();
    await press('+');
    await page
      .getByRole('status')
      .getByText(/^150\s?%$/)
      .waitFor();
    await press('0', 'ArrowLeft');
    await pageImage(page, 1).waitFor();
    await press('Escape');
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await press('Tab', 'Tab', 'Enter');
    await page.getByRole('heading', { name: 'These documents are closed' }).waitFor();
    await page.context().close();
  });

  it('waits while another device has the share open, and goes on when that page is closed', LONG, async () => {
    const shared = share();
    const first = await phone(shared);
    await open(first, shared);
    await first.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    const second = await phone(shared);
    await open(second, shared);
    await second.getByRole('heading', { name: 'You are next' }).waitFor();
    await look(second, 'waiting');
    // A page that is loaded again keeps its place or seat; one that is left gives it back.
    await second.evaluate(() => location.reload());
    await second.getByRole('heading', { name: 'You are next' }).waitFor();
    await first.evaluate(() => location.reload());
    await first.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await first.goto('about:blank');
    await second.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await Promise.all([first.context().close(), second.context().close()]);
  });

  it('begins anew in another tab, and with another link', async () => {
    const [shared, other] = [share(), share()];
    const page = await phone(shared);
    await open(page, shared);
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    const tab = await page.context().newPage();
    for (const { token } of [shared, other]) {
      await tab.goto(`${door}/share/${token}`);
      await tab.getByRole('heading', { name: 'Someone wants to show you medical documents' }).waitFor();
    }
    await page.context().close();
  });

  it('sees in German, too, that the share has ended while it was open', async () => {
    const shared = share();
    const page = await phone(shared, 'de-CH');
    await page.getByRole('heading', { name: 'Jemand möchte Ihnen medizinische Unterlagen zeigen' }).waitFor();
    await look(page, 'landing-de', ['light']);
    await page.getByRole('button', { name: 'Code anfordern' }).click();
    await page.getByLabel('Code aus sechs Ziffern').waitFor();
    await look(page, 'code-de', ['light']);
    await page.getByLabel('Code aus sechs Ziffern').fill(await codeOf(shared));
    await page.getByRole('button', { name: /^Laborbefund/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await look(page, 'documents-de', ['light']);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await owner.call('DELETE', `/api/shares/${shared.id}`);
    await page.getByRole('button', { name: /^Laborbefund/ }).click();
    await page.getByRole('heading', { name: 'Diese Unterlagen sind geschlossen' }).waitFor();
    await look(page, 'ended-de');
    await page.context().close();
  });

  it('reads the text of a page, larger and aloud, and finds words in the document', LONG, async () => {
    const shared = share();
    const page = await phone(shared);
    await offerVoices(page);
    await open(page, shared);
    await page.getByRole('button', { name: /^Laboratory report/ }).click();
    await page.getByRole('button', { name: 'Show the text of the page' }).click();
    const text = (number: number): Locator =>
      page.getByRole('article', { name: `Text of page ${number} of “Laboratory report”` });
    await text(1).getByText('The first page').waitFor();
    await look(page, 'text');
    const size = (): Promise<string> => text(1).evaluate((one) => getComputedStyle(one).fontSize);
    expect(await size()).toBe('16px');
    await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(size).toBe('24px');
    const field = page.getByRole('searchbox', { name: 'Find in this document' });
    // What is typed is not a key of the viewer.
    await field.pressSequentially('0+');
    expect(await size()).toBe('24px');
    await field.fill('SECOND page');
    await field.press('Enter');
    await expect.poll(() => text(2).locator('mark').textContent()).toBe('second page');
    await page.getByRole('status').getByText('Found on page 2').waitFor();
    await look(page, 'text-found');
    await field.fill('zinc');
    await field.press('Enter');
    await page.getByText('No page has these words.').waitFor();
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await page.getByRole('button', { name: 'Stop reading' }).waitFor();
    // The voice of this device, not the one of a company.
    expect(await page.evaluate('spoken')).toEqual([['The second page', 'of this device']]);
    await page.getByRole('button', { name: 'Back to the documents' }).click();
    // Who reads text reads the next document as text.
    await page.getByRole('button', { name: /^Laboratory report/ }).click();
    await text(1).waitFor();
    const { audit } = (await owner.get(`/api/shares/${shared.id}/audit`)).body;
    const seen = audit.filter(({ action }: { action: string }) => action === 'view_text');
    expect(seen.length).toBeGreaterThan(2);
    expect(seen[0]).toMatchObject({ document_id: shared.document });
    await page.context().close();
  });

  it('translates a part of a page where a provider is set up', LONG, async () => {
    const shared = share();
    const page = await phone(shared);
    const asked: unknown[] = [];
    await offerTranslation(page, asked);
    await open(page, shared);
    await page.getByRole('button', { name: /^Laboratory report/ }).click();
    await pageImage(page, 1).waitFor();
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.getByText('Draw a box around the text.').waitFor();
    await look(page, 'translate-drawing', ['light']);
    const box = (await pageImage(page, 1).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 10, box.y + box.height / 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 5);
    await page.mouse.up();
    const sheet = page.getByRole('dialog', { name: 'Translate' });
    await sheet.getByText('The text in English').waitFor();
    const shown = [sheet.getByAltText('The marked part of the page'), sheet.getByText('19 of 20 left this hour')];
    await Promise.all(shown.map((one) => one.waitFor()));
    await look(page, 'translate');
    expect(asked[0]).toEqual({
      page: 1,
      bbox: {
        x: expect.closeTo(0.1, 2),
        y: expect.closeTo(0.1, 2),
        w: expect.closeTo(0.4, 2),
        h: expect.closeTo(0.1, 2),
      },
      target_language: 'English',
    });
    await sheet.getByLabel('Translate into').selectOption({ label: 'French' });
    await sheet.getByText('The text in French').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.keyboard.press('Enter');
    await sheet.getByText('The text in English').waitFor();
    expect(asked.at(-1)).toEqual({ page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 }, target_language: 'English' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  it('shows the images of a study with the stamp in them, and loads their viewer only then', LONG, async () => {
    const { document, folder } = household.make.study();
    const shape = { rows: 256, columns: 256, allocated: 16, stored: 12 } as const;
    for (const name of ['00001.dcm', '00002.dcm'])
      writeFileSync(
        join(household.vault, folder, 'series-001', name),
        writeDicom(imageObject({ ...shape, frames: 2 }, smoothPixels([0, 2000], { ...shape, frames: 2 }))),
      );
    const shared = household.make.share();
    household.make.addToShare(shared, document);
    const page = await phone(shared);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await open(page, shared);
    const button = page.getByRole('button', { name: /^Imaging .*3 images$/ });
    await button.waitFor();
    const isOfFrames = (url: string): boolean => url.includes('frames-screen');
    expect(scripts.filter(isOfFrames)).toEqual([]);
    await look(page, 'list-images', ['light']);
    await button.click();
    const image = (at: number): Locator =>
      page.locator('img[aria-busy="false"]').and(page.getByRole('img', { name: `axial, Image ${at} of 3` }));
    await image(2).waitFor();
    expect(scripts.filter(isOfFrames).length).toBeGreaterThan(0);
    await page.getByText(/Not for diagnosis$/).waitFor();
    await look(page, 'images');
    const size = await image(2).evaluate((picture: HTMLImageElement) => [picture.naturalWidth, picture.naturalHeight]);
    expect(size).toEqual([512, 512]);
    const plain = await brightness(image(2));
    await page.keyboard.press('ArrowDown');
    await image(3).waitFor();
    await page.getByRole('button', { name: 'Previous image' }).click();
    await image(2).waitFor();
    await page.getByLabel('Window').selectOption({ label: 'Bone' });
    await expect.poll(() => brightness(image(2))).not.toBe(plain);
    await page.setViewportSize({ width: 1440, height: 900 });
    await image(2).hover();
    await page.mouse.wheel(0, 100);
    await image(3).waitFor();
    await look(page, 'images-wide', ['dark']);
    await page.keyboard.press('Escape');
    await button.waitFor();
    await page.context().close();
  });

  it('loads less than 150 kB', async () => {
    const html = await (await fetch(`${door}/share/x`)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/share\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(1);
    let size = html.length;
    for (const path of files) {
      const response = await fetch(door + path);
      expect([path, response.headers.get('content-encoding')]).toEqual([path, expect.stringMatching(/gzip|br/)]);
      const text = await response.text();
      // Nothing of the household's pages is in it.
      expect(text).not.toMatch(/Hearth|\/api\/(?!share)/);
      size += gzipSync(text).length;
    }
    expect(size).toBeLessThan(150_000);
  });
});

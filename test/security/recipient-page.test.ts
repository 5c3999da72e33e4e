/**
 * What somebody gets out of the page of recipients who wrote words on it, or who comes after the recipient.
 *
 * @module-tag long
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { test } from '../support/fixtures.ts';
import type { MadeShare } from '../support/household-shares.ts';
import type { Household } from '../support/household.ts';
import { offerTranslation } from '../support/recipient-page.ts';
import { describeWith } from '../support/requirements.ts';

let household: Household, door: string, browser: Browser;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(({ served, household: records, browser: chromium }) => {
  [household, browser, door] = [records, chromium, served.shareUrl ?? ''];
});

const MARKUP = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>'`;
const CLOSED = 'These documents are closed';

async function visit(share: MadeShare, context?: BrowserContext): Promise<Page> {
  const page = context ? await context.newPage() : await openPage(browser, { locale: 'en-GB' });
  await page.goto(`${door}/share/${share.token}`);
  return page;
}

/** Enters the code as its owner reads it out. */
async function open(page: Page, { id }: MadeShare, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Request the code' }).click();
  let code: string | undefined;
  await expect
    .poll(async () => {
      code = (await household.as('owner').get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
      return code;
    })
    .toBeDefined();
  await page.getByLabel('Code of six digits').fill(code ?? '');
  await page.getByRole('heading', { name: `For ${label}` }).waitFor();
}

describeWith({ browser: true }, 'the page of recipients', () => {
  it('shows markup in names, titles and translations as text, and runs nothing of it', async () => {
    const share = household.make.share({ recipient_label: MARKUP });
    const page = await openPage(browser, { locale: 'en-GB' });
    await offerTranslation(page, []);
    await page.route('**/api/share/me', async (route) => {
      const me = await (await route.fetch()).json();
      for (const document of me.documents) document.facility_name = MARKUP;
      const languages = { default_translation_language: MARKUP, allowed_translation_languages: [MARKUP] };
      await route.fulfill({ json: { ...me, ...languages, patient_name: MARKUP } });
    });
    await page.route(/\/api\/share\/documents\/\d+$/, async (route) => {
      const response = await route.fetch();
      const row = { status: 'done', has_thumbnail: false, ocr_text: MARKUP, translated_text: MARKUP };
      const json = { ...(await response.json()), region_translations: [{ ...row, id: 1 }] };
      await route.fulfill({ response, json });
    });
    const policy = (await page.goto(`${door}/share/${share.token}`))?.headers()['content-security-policy'] ?? '';
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(policy).toMatch(/default-src 'none'/);
    await open(page, share, MARKUP);
    expect(await page.getByText(MARKUP).count()).toBe(3);
    await page.getByRole('button', { name: MARKUP }).click();
    await page.getByRole('img', { name: /^Page 1/ }).waitFor();
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('blockquote').getByText(MARKUP).waitFor();
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    // Nor would it run if it were markup.
    const refused = page.waitForEvent('console', (message) => message.text().includes('Content Security Policy'));
    await page.evaluate((html) => void document.body.insertAdjacentHTML('beforeend', html), MARKUP.slice(2));
    await refused;
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
    await page.context().close();
  });

  it('never shows one share in the tab of another, which has the same cookie', async () => {
    const [one, two] = [household.make.share(), household.make.share({ recipient_label: 'Dr. Oesch' })];
    const first = await visit(one);
    await open(first, one, 'Dr. Frisch');
    const second = await visit(two, first.context());
    await open(second, two, 'Dr. Oesch');
    await first.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    await first.getByRole('heading', { name: CLOSED }).waitFor();
    await first.evaluate(() => location.reload());
    await first.getByRole('heading', { name: 'Someone wants to show you medical documents' }).waitFor();
    // Its own tab still has it.
    await second.evaluate(() => location.reload());
    await second.getByRole('heading', { name: 'For Dr. Oesch' }).waitFor();
    await first.context().close();
  });

  it('is empty when the browser keeps it for whoever goes back', async () => {
    const share = household.make.share();
    const page = await visit(share);
    await open(page, share, 'Dr. Frisch');
    await page.getByText('Laboratory report').click();
    await page.getByRole('img', { name: /^Page 1/ }).waitFor();
    // What is on the page when the handlers of the event have run is what is kept.
    const kept = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      return { text: document.body.innerText, pictures: document.images.length };
    });
    expect(kept.text).toContain(CLOSED);
    expect(kept.text).not.toMatch(/Frisch|Laboratory/);
    expect(kept.pictures).toBe(0);
    await page.goto(`${door}/health`);
    await page.goBack();
    await page.getByText(/Someone wants to show you|These documents are closed/).waitFor();
    expect(await page.evaluate(() => document.body.innerText)).not.toMatch(/Frisch|Laboratory/);
    await page.context().close();
  });

  it('closes when its session is over, also without a connection', async () => {
    const share = household.make.share();
    const page = await visit(share);
    await open(page, share, 'Dr. Frisch');
    await page.context().setOffline(true);
    const look = (): Promise<void> => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    const failed = page.waitForEvent('requestfailed');
    await look();
    await failed;
    await page.getByRole('heading', { name: 'For Dr. Frisch' }).waitFor();
    await page.evaluate(() => {
      const later = Date.now() + 2 * 3_600_000;
      Date.now = () => later;
    });
    await look();
    await page.getByRole('heading', { name: CLOSED }).waitFor();
    await page.context().close();
  });

  it('leaves nothing on the device once somebody has finished', async () => {
    const share = household.make.share();
    const page = await visit(share);
    await open(page, share, 'Dr. Frisch');
    await page.getByRole('button', { name: 'Finish viewing' }).click();
    await page.getByRole('heading', { name: CLOSED }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const left = await page.evaluate(async () => ({
      local: Object.keys(localStorage),
      session: Object.keys(sessionStorage),
      databases: (await indexedDB.databases()).length,
      caches: typeof caches === 'undefined' ? [] : await caches.keys(),
      workers: (await navigator.serviceWorker?.getRegistrations())?.length ?? 0,
    }));
    expect(left).toEqual({ local: [], session: [], databases: 0, caches: [], workers: 0 });
    await page.context().close();
  });
});

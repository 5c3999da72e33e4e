/** The images of a shared study on the page of recipients, on a large screen. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { imageObject } from '../fixtures/dicom/image-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import type { OpenShare } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';
import { LONG } from '../support/long.ts';

let household: Household, owner: Client, door: string, browser: Browser;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, household: records, browser: chromium }) => {
  [household, browser, door] = [records, chromium, served.shareUrl ?? ''];
  owner = household.as('owner');
});

const SIDE = 512;
/** A frame of one gray, shown as black by its window: what is brighter is the stamp. */
const flat = (): Buffer =>
  writeDicom(
    imageObject(
      { rows: SIDE, columns: SIDE, allocated: 16, stored: 12 },
      new Uint16Array(SIDE * SIDE).fill(100),
      attribute(0x0028_1050, 'DS', '2000'),
      attribute(0x0028_1051, 'DS', '1000'),
    ),
  );

async function open(share: OpenShare): Promise<Page> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  await page.goto(`${door}/share/${share.token}`);
  await page.getByRole('button', { name: 'Request the code' }).click();
  await page.getByLabel('Code of six digits').waitFor();
  const codeOf = async (): Promise<string> =>
    (await owner.get(`/api/shares/${share.id}/active-otp`)).body.active_otp?.code ?? '';
  await expect.poll(codeOf).not.toBe('');
  await page.getByLabel('Code of six digits').fill(await codeOf());
  return page;
}

/** Pixels in each half, from the top, that are not of the gray of the corner. */
const strayPixels = (image: Locator): Promise<number[]> =>
  image.evaluate(async (picture: HTMLImageElement) => {
    await picture.decode();
    const [width, height] = [picture.naturalWidth, picture.naturalHeight];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const halves = [0, 0];
    for (let i = 0; i < data.length; i += 4)
      if (Math.abs(data[i]! - data[0]!) > 8) halves[i < data.length / 2 ? 0 : 1]! += 1;
    return halves;
  });

describeWith({ browser: true }, 'the images of a shared study', () => {
  it(
    'are opened, scrolled and windowed with the mouse as stamped pictures, and nothing else is sent',
    LONG,
    async () => {
      const { document, folder, study } = household.make.study();
      for (const name of ['00001.dcm', '00002.dcm'])
        writeFileSync(join(household.vault, folder, 'series-001', name), flat());
      household.db
        .prepare(
          `UPDATE imaging_instances SET frames = min(frames, 1), window_center = 2000, window_width = 1000
          WHERE series_id IN (SELECT id FROM imaging_series WHERE study_id = ?)`,
        )
        .run(study);
      household.db.prepare('UPDATE imaging_series SET num_images = 2 WHERE study_id = ?').run(study);
      household.db.prepare('UPDATE imaging_studies SET num_images = 2 WHERE id = ?').run(study);
      const shared = household.make.share();
      household.make.addToShare(shared, document);
      const page = await open(shared);
      const errors: string[] = [];
      recordPageErrors(page, errors);
      await page.getByRole('button', { name: /^Imaging .*2 images$/ }).waitFor();
      const sent: { path: string; type: string }[] = [];
      page.on('response', (response) => {
        const { pathname, search } = new URL(response.url());
        if (pathname.startsWith('/api/'))
          sent.push({ path: pathname + search, type: response.headers()['content-type']! });
      });
      await page.getByRole('button', { name: /^Imaging .*2 images$/ }).click();
      const image = (at: number): Locator =>
        page.locator('img[aria-busy="false"]').and(page.getByRole('img', { name: `axial, Image ${at} of 2` }));
      await image(1).waitFor();
      for (const half of await strayPixels(image(1))) expect(half).toBeGreaterThan(200);

      await image(1).hover();
      await page.mouse.wheel(0, 100);
      await image(2).waitFor();
      const box = (await image(2).boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y - 90, { steps: 3 });
      await page.mouse.up();
      await expect
        .poll(() => page.getByLabel('Window').locator('option:checked').textContent())
        .toMatch(/^\d+ \/ \d+$/);
      const chosen = (await page.getByLabel('Window').locator('option:checked').textContent())!;
      const [width, center] = chosen.split(' / ').map(Number);
      expect([width! > 1000, center! < 2000]).toEqual([true, true]);
      await image(2).waitFor();
      for (const half of await strayPixels(image(2))) expect(half).toBeGreaterThan(200);

      const frames = sent.filter(({ path }) => path.includes('/frame/'));
      expect(frames.map(({ type }) => type)).toEqual(frames.map(() => 'image/png'));
      const last = new URL(frames.at(-1)!.path, door).searchParams;
      expect([Math.round(Number(last.get('ww'))), Math.round(Number(last.get('wc')))]).toEqual([width, center]);
      const others = sent.filter(
        ({ path }) => !/^\/api\/share\/(me|documents\/\d+(\/series\/\d+\/frame\/\d+.*)?)$/.test(path),
      );
      expect(others).toEqual([]);
      expect(await page.locator('a[download], a[href*="/api/"]').count()).toBe(0);
      const raw = [
        `/api/imaging/${study}`,
        `/api/dicomweb/studies`,
        ...frames.slice(0, 1).map(({ path }) => `${path.split('?')[0]}/pixels`),
      ];
      for (const path of raw)
        expect([path, await page.evaluate(async (at) => (await fetch(at)).status, path)]).toEqual([path, 404]);
      expect(errors.filter((error) => !/404/.test(error))).toEqual([]);
      await page.context().close();
    },
  );
});

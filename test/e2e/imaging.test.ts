import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { doseReport } from '../fixtures/dicom/reports.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { findViolations } from '../support/accessibility.ts';
import { zip } from '../support/broken-files.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const SIZE = { rows: 96, columns: 128 };
const test = base.override('serveOptions', WITHOUT_INBOX);

let served: Served, person: Client, page: Page, address: string;
const pageErrors: string[] = [];

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  page = await openPage(browser, { as: person });
  recordPageErrors(page, pageErrors);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

/** A bar of 16 × 2 pixels that the device has drawn, from row 5 and column 9. */
const GRAPHICS = [
  ...[attribute(0x6000_0010, 'US', 2), attribute(0x6000_0011, 'US', 16), attribute(0x6000_0040, 'CS', 'G')],
  ...[attribute(0x6000_0050, 'SS', [5, 9]), attribute(0x6000_0100, 'US', 1), attribute(0x6000_0102, 'US', 0)],
  attribute(0x6000_3000, 'OB', Buffer.alloc(4, 0xff)),
];

/** One image of a series of a chest CT of Elena Keller; `syntax` only claims how its pixels are coded. */
function image(series: number, number: number, syntax?: string): Buffer {
  const pixels = smoothPixels([0, 900 + 100 * number], SIZE);
  const shape = { ...SIZE, allocated: 16, stored: 12 } as const;
  return writeDicom(
    withAttributes(
      imageObject(shape, pixels),
      attribute(0x0008_0018, 'UI', `1.2.3.4.${series}.${number}`),
      attribute(0x0008_103e, 'LO', series === 2 ? 'Lunge 1.0' : 'Weichteile 3.0'),
      attribute(0x0010_0010, 'PN', 'Keller^Elena'),
      attribute(0x0010_0030, 'DA', '19790509'),
      attribute(0x0010_0040, 'CS', 'F'),
      attribute(0x0020_000e, 'UI', `1.2.3.4.${series}`),
      attribute(0x0020_0011, 'IS', String(series)),
      attribute(0x0020_0013, 'IS', String(number)),
      attribute(0x0020_0032, 'DS', `0\\0\\${number * 2}`),
      attribute(0x0020_0052, 'UI', '1.2.3.4.9'),
      attribute(0x0028_0030, 'DS', '0.5\\0.5'),
      attribute(0x0028_1052, 'DS', '-1024'),
      attribute(0x0028_1053, 'DS', '1'),
      ...(series === 3 ? GRAPHICS : []),
    ),
    syntax === undefined ? undefined : { syntax },
  );
}

const disc = (): Buffer =>
  zip([
    ...[1, 2, 3, 4].map((number) => ({ name: `DICOM/A/I${number}`, content: image(2, number) })),
    { name: 'DICOM/B/I1', content: image(3, 1) },
  ]);

/** The picture of the first pane, once it is drawn. */
const drawn = (name: string) => page.locator(`.im-canvas[data-drawn][aria-label="${name}"]`);
const lung = (at: number): string => `Lunge 1.0, image ${at} of 4`;

describeWith({ browser: true }, 'an imaging study', () => {
  it('comes from the ZIP of a disc, and its images are scrolled by keys and wheel', async () => {
    await page.goto(`${served.url}/documents`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'disc.zip', mimeType: 'application/zip', buffer: disc() });
    const dialog = page.getByRole('dialog', { name: 'Imaging disc: disc.zip' });
    await dialog.getByText('1 study, 5 images').waitFor();
    await dialog.getByText('Elena Keller').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}disc-dialog.png` });
    expect((await person.get('/api/imaging')).body.total).toBe(0);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: /Klinik am See/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('link', { name: /^CT / }).click();
    await drawn(lung(3)).waitFor();
    address = page.url();
    await page.keyboard.press('ArrowDown');
    await drawn(lung(4)).waitFor();
    await page.keyboard.press('Home');
    await drawn(lung(1)).waitFor();
    await drawn(lung(1)).hover();
    await page.mouse.wheel(0, 100);
    await drawn(lung(2)).waitFor();
    await page.getByRole('button', { name: /Weichteile 3.0/ }).click();
    await drawn('Weichteile 3.0, image 1 of 1').waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('shows windows, values and measurements in their units', async () => {
    await page.goto(address);
    const picture = drawn(lung(3));
    await picture.waitFor();
    await page.keyboard.press('4');
    await page.getByText('W 2,500 · L 480').waitFor();
    const box = (await picture.boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.getByText(/^\d+, \d+: -?[\d,.]+ HU$/).waitFor();
    await page.mouse.down();
    await page.mouse.move(middle.x + 40, middle.y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.locator('.im-bottom-start').innerText()).not.toContain('W 2,500');
    await page.keyboard.press('d');
    // The picture has 128 columns of half a millimeter, which fill the width or the height of the pane.
    const scale = Math.min(box.width / 128, box.height / 96);
    await page.mouse.move(middle.x - 40 * scale, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y, { steps: 4 });
    await page.mouse.up();
    await page.getByText('20 mm', { exact: true }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('keeps measurements and key images, which are listed, found again, named and removed', LONG, async () => {
    const marks = page.getByRole('region', { name: 'Measurements' });
    await marks.getByText('Length · 20 mm').waitFor();
    await page.keyboard.press('Home');
    await drawn(lung(1)).waitFor();
    await page.keyboard.press('k');
    await marks.getByRole('button', { name: /^Key image Lunge 1.0, image 1/ }).waitFor();
    await page.reload();
    await drawn(lung(3)).waitFor();
    // Drawn into the picture and listed.
    await page.locator('.im-pane').getByText('20 mm', { exact: true }).waitFor();
    await marks.getByRole('button', { name: 'Name “Key image”' }).click();
    await page.keyboard.type('Hilus');
    await page.keyboard.press('Enter');
    await marks.getByRole('button', { name: /^Hilus Lunge 1.0, image 1/ }).click();
    await drawn(lung(1)).waitFor();
    expect(await page.locator('.im-pane').getByText('20 mm', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Key image', exact: true, pressed: true }).waitFor();
    await marks.getByRole('button', { name: 'Remove “Length”' }).click();
    await page.getByText('Mark removed').waitFor();
    expect(await marks.getByRole('listitem').count()).toBe(1);
    await page.keyboard.press('Control+z');
    await marks.getByRole('button', { name: /^Length · 20 mm/ }).click();
    await drawn(lung(3)).waitFor();
    await page.locator('.im-pane').getByText('20 mm', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}study-marks.png` });
    expect(pageErrors).toEqual([]);
  });

  it('leads through its key images from the rail and by keys, over all series', LONG, async () => {
    const rail = page.getByRole('group', { name: 'Key images' });
    const soft = 'Weichteile 3.0, image 1 of 1';
    await page.keyboard.press('End');
    await drawn(lung(4)).waitFor();
    await page.keyboard.press('k');
    await rail.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: /Weichteile 3.0/ }).click();
    await drawn(soft).waitFor();
    await rail.getByText('2', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await rail.getByText('3 of 3').waitFor();
    for (const [at, shown] of [lung(1), lung(4), soft].entries()) {
      await page.keyboard.press('n');
      await drawn(shown).waitFor();
      await rail.getByText(`${at + 1} of 3`).waitFor();
    }
    await page.keyboard.press('N');
    await drawn(lung(4)).waitFor();
    // From a picture between two of them.
    await page.keyboard.press('ArrowUp');
    await drawn(lung(3)).waitFor();
    await rail.getByRole('button', { name: 'Previous key image' }).click();
    await drawn(lung(1)).waitFor();
    await page.keyboard.press('ArrowDown');
    await drawn(lung(2)).waitFor();
    await rail.getByRole('button', { name: 'Next key image' }).click();
    await drawn(lung(4)).waitFor();
    await page.keyboard.press('n');
    await drawn(soft).waitFor();
    await page.keyboard.press('k');
    await rail.getByText('2', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}study-key-images.png` });
    expect(pageErrors).toEqual([]);
  });

  it('is accessible in both themes, and on a phone in German', LONG, async () => {
    await page.goto(address);
    await drawn(lung(3)).waitFor();
    try {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        expect(await findViolations(page), theme).toEqual([]);
        await page.screenshot({ path: `${SCREENSHOTS}study-${theme}.png` });
      }
      await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
      await page.setViewportSize({ width: 390, height: 844 });
      await page.reload();
      await drawn('Lunge 1.0, Bild 3 von 4').waitFor();
      expect(await findViolations(page), 'phone').toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.screenshot({ path: `${SCREENSHOTS}study-phone.png` });
    } finally {
      await page.evaluate(() => localStorage.clear());
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  it('shows series side by side, and plays them as a film', LONG, async () => {
    await page.goto(address);
    await drawn(lung(3)).waitFor();
    await page.getByRole('button', { name: '1×1' }).click();
    await page.getByRole('menuitem', { name: 'Two side by side' }).click();
    await drawn('Weichteile 3.0, image 1 of 1').waitFor();
    await drawn(lung(3)).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}study-side-by-side.png` });
    await page.getByRole('button', { name: /^[12]×[12]$/ }).click();
    await page.getByRole('menuitem', { name: 'Four pictures' }).click();
    await page.getByText('Choose a series').first().waitFor();
    expect(await page.locator('.im-pane').count()).toBe(4);
    await page.screenshot({ path: `${SCREENSHOTS}study-2x2.png` });
    await page.keyboard.press('c');
    await drawn(lung(4)).waitFor();
    await drawn(lung(1)).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('is shown in three planes of the patient, which show the same place', LONG, async () => {
    await page.goto(address);
    await drawn(lung(3)).waitFor();
    await page.keyboard.press('m');
    const plane = (name: string) => page.locator(`.im-canvas[data-drawn][aria-label^="Lunge 1.0, ${name}, image "]`);
    for (const name of ['axial', 'coronal', 'sagittal']) await plane(name).waitFor();
    await page.getByText('measurements in them are not saved').waitFor();
    // 96 rows of half a millimeter become as many coronal pictures; the first one is in front.
    await drawn('Lunge 1.0, coronal, image 49 of 96').waitFor();
    const box = (await plane('axial').boundingBox())!;
    const scale = Math.min(box.width / 128, box.height / 96);
    await page.keyboard.down('Shift');
    await page.mouse.click(box.x + box.width / 2 + 32 * scale, box.y + box.height / 2 - 24 * scale);
    await page.keyboard.up('Shift');
    await expect.poll(() => plane('coronal').getAttribute('aria-label')).toMatch(/image 2[45] of 96/);
    await expect.poll(() => plane('sagittal').getAttribute('aria-label')).toMatch(/image 9[67] of 128/);
    const coronal = (await plane('coronal').boundingBox())!;
    await page.mouse.move(coronal.x + coronal.width / 2, coronal.y + coronal.height / 2);
    // The middle of 128 columns, and of 13 rows, counted from one.
    await page.getByText(/^6[45], 7: -?[\d,.]+ HU$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}study-planes.png` });
    await page.keyboard.press('m');
    await drawn(lung(3)).waitFor();
    expect(await page.locator('.im-pane').count()).toBe(1);
    await page.getByRole('button', { name: /Weichteile 3.0/ }).click();
    await drawn('Weichteile 3.0, image 1 of 1').waitFor();
    await page.keyboard.press('m');
    await page.getByText('Planes need at least three images.').waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('shows what its device has drawn over an image, turned with it, and without it', async () => {
    await page.goto(address);
    await drawn(lung(3)).waitFor();
    expect(await page.locator('.im-graphics').count()).toBe(0);
    await page.getByRole('button', { name: /Weichteile 3.0/ }).click();
    await drawn('Weichteile 3.0, image 1 of 1').waitFor();
    const graphics = page.locator('.im-graphics');
    const covered = (): Promise<number> =>
      graphics.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, at) => at % 4 === 3 && value === 255).length;
      });
    await expect.poll(covered).toBe(32);
    const pane = (await page.locator('.im-canvas').boundingBox())!;
    // It covers the picture, which fills the width or the height of its pane.
    const scale = Math.min(pane.width / SIZE.columns, pane.height / SIZE.rows);
    await expect.poll(async () => (await graphics.boundingBox())!.width / (SIZE.columns * scale)).toBeCloseTo(1, 1);
    const before = (await graphics.boundingBox())!;
    expect(before.height / (SIZE.rows * scale)).toBeCloseTo(1, 1);
    expect(Math.abs(before.x + before.width / 2 - pane.x - pane.width / 2)).toBeLessThan(scale);
    await page.screenshot({ path: `${SCREENSHOTS}study-graphics.png` });
    const side = page.locator('.im-side-start');
    await expect.poll(() => side.innerText()).toBe('R');
    await page.keyboard.press('h');
    await expect.poll(() => side.innerText()).toBe('L');
    const acrossOf = () => graphics.evaluate((canvas) => new DOMMatrix(getComputedStyle(canvas).transform).a);
    await expect.poll(acrossOf).toBeLessThan(0);
    await page.keyboard.press('o');
    await graphics.waitFor({ state: 'detached' });
    await page.keyboard.press('o');
    await graphics.waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('is found in the list by kind and words, with a small picture', async () => {
    await page.goto(`${served.url}/imaging`);
    const row = page.getByRole('row', { name: /CT Thorax nativ/ });
    const small = row.locator('img');
    await small.waitFor();
    expect(await small.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(128);
    await page.getByLabel('Kind').selectOption('MR');
    await page.getByText('No study matches').waitFor();
    expect(page.url()).toContain('modality=MR');
    await page.getByRole('button', { name: 'Clear all' }).last().click();
    await row.waitFor();
    await page.getByLabel('Search', { exact: true }).fill('nothing like it');
    await page.getByText('No study matches').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('thorax');
    await row.waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}imaging-list.png` });
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    try {
      await row.waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.screenshot({ path: `${SCREENSHOTS}imaging-list-phone.png` });
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  it('is exported as a disc, and shared from its viewer', LONG, async () => {
    await page.goto(address);
    await drawn(lung(3)).waitFor();
    await page.getByRole('button', { name: 'Export images…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export images…' });
    await dialog.getByRole('checkbox').first().check();
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}study-export.png` });
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('heading', { name: 'New share' }).waitFor();
    await page.getByLabel('Name on every page').fill('Dr. med. Regula Aebischer');
    await page.getByRole('button', { name: 'Create share and copy link' }).click();
    await page.getByRole('heading', { name: 'Dr. med. Regula Aebischer', level: 1 }).waitFor();
    const [share] = (await person.get('/api/shares')).body;
    const { items } = (await person.get('/api/imaging?q=thorax')).body;
    expect(share.document_ids).toEqual([items[0].document_id]);
  });

  it('gets its report, which can be undone', LONG, async () => {
    await page.goto(address);
    await page.getByRole('button', { name: 'Attach the report' }).waitFor();
    await page
      .locator('.im-side-pane input[type=file]')
      .setInputFiles({ name: 'befund.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await labReport()) });
    await page.getByText('Report attached').waitFor();
    await page.getByRole('button', { name: 'Detach the report' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Attach the report' }).waitFor();
    const { items } = (await person.get('/api/imaging')).body;
    expect(items.map(({ report_status }: { report_status: string }) => report_status)).toEqual(['placeholder']);
  });

  it('says why an image can’t be shown', async () => {
    const study = await person.upload(image(5, 1, '1.2.840.10008.1.2.4.100'), 'video.dcm');
    await page.goto(`${served.url}/documents/${study.body.studies[0].document_id}`);
    await page.getByRole('link', { name: 'Weichteile 3.0, 1 image' }).last().click();
    await page
      .locator('.im-failed')
      .getByText(/coding|encod|format/i)
      .waitFor();
    expect(pageErrors).toEqual([]);
  });

  it('shows the dose that its device reports, and that of each year', async () => {
    await person.upload(doseReport({ study: '1.2.3.77' }), 'RDSR');
    await page.goto(`${served.url}/imaging`);
    const studies = page.getByRole('table', { name: 'Radiation dose by study' });
    await studies.getByRole('cell', { name: '403\u202fmGy·cm' }).waitFor();
    const years = page.getByRole('table', { name: 'Radiation dose by year' });
    expect(await years.getByRole('row').nth(1).innerText()).toMatch(/^2024 · 1 study\s+403/);
    expect(await findViolations(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}imaging-dose.png`, fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await years.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.screenshot({ path: `${SCREENSHOTS}imaging-dose-phone.png`, fullPage: true });
  });
});

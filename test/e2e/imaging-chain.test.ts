/** @module-tag long */
import { expect } from 'vitest';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

const test = base.override('serveOptions', WITHOUT_INBOX);
const SIZE = { rows: 96, columns: 128 };

/** One slice of a knee of Elena Keller. */
function slice(number: number): Buffer {
  return writeDicom(
    withAttributes(
      imageObject({ ...SIZE, allocated: 16, stored: 12 }, smoothPixels([0, 900 + 100 * number], SIZE)),
      attribute(0x0008_0018, 'UI', `1.2.5.1.${number}`),
      attribute(0x0008_103e, 'LO', 'Knie 2.0'),
      attribute(0x0010_0010, 'PN', 'Keller^Elena'),
      attribute(0x0010_0030, 'DA', '19790509'),
      attribute(0x0010_0040, 'CS', 'F'),
      attribute(0x0020_000d, 'UI', '1.2.5'),
      attribute(0x0020_000e, 'UI', '1.2.5.1'),
      attribute(0x0020_0013, 'IS', String(number)),
      attribute(0x0020_0032, 'DS', `0\\0\\${number * 2}`),
      attribute(0x0028_0030, 'DS', '0.5\\0.5'),
      attribute(0x0028_1052, 'DS', '-1024'),
      attribute(0x0028_1053, 'DS', '1'),
    ),
  );
}

describeWith({ browser: true }, 'a disc from the hand of a patient', () => {
  test('is uploaded, scrolled, windowed, measured, completed with its report, and shared', async ({
    browser,
    served,
  }) => {
    const person = new Client(served.url);
    await person.setup();
    const page = await openPage(browser, { as: person });
    const errors: string[] = [];
    recordPageErrors(page, errors);
    const disc = zip([1, 2, 3, 4, 5].map((number) => ({ name: `DICOM/I${number}`, content: slice(number) })));

    await page.goto(`${served.url}/documents`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'cd.zip', mimeType: 'application/zip', buffer: disc });
    const dialog = page.getByRole('dialog', { name: 'Imaging disc: cd.zip' });
    await dialog.getByText('1 study, 5 images').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect.poll(async () => (await person.get('/api/imaging')).body.total).toBe(1);

    await page.goto(`${served.url}/`);
    const card = page.getByRole('region', { name: 'Images without a report' });
    await card.getByText('5 images').waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}today-studies.png` });
    await card.getByRole('link', { name: 'Open', exact: true }).click();

    const image = (at: number) => page.locator(`.im-canvas[data-drawn][aria-label="Knie 2.0, image ${at} of 5"]`);
    await image(3).waitFor();
    await page.keyboard.press('ArrowDown');
    await image(4).waitFor();
    await page.keyboard.press('4');
    await page.getByText('W 2,500 · L 480').waitFor();
    const box = (await image(4).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const scale = Math.min(box.width / SIZE.columns, box.height / SIZE.rows);
    await page.keyboard.press('d');
    await page.mouse.move(x - 40 * scale, y);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('region', { name: 'Measurements' }).getByText('Length · 20 mm').waitFor();

    await page
      .locator('.im-side-pane input[type=file]')
      .setInputFiles({ name: 'befund.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await labReport()) });
    await page.getByRole('button', { name: 'Detach the report' }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('Name on every page').fill('Dr. med. Regula Aebischer');
    await page.getByRole('button', { name: 'Create share and copy link' }).click();
    await page.getByRole('heading', { name: 'Dr. med. Regula Aebischer', level: 1 }).waitFor();
    const [share] = (await person.get('/api/shares')).body;
    const [study] = (await person.get('/api/imaging')).body.items;
    expect([study.report_status, share.document_ids]).toEqual(['attached', [study.document_id]]);
    await page.goto(`${served.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => card.count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

/** @module-tag long */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

const SIZE = { rows: 96, columns: 96 };
const AXIAL = '1\\0\\0\\0\\1\\0';
/** Columns go to the back, rows to the feet. */
const SAGITTAL = '0\\1\\0\\0\\0\\-1';
const test = base.override('serveOptions', WITHOUT_INBOX);

interface Stack {
  study: string;
  date: string;
  series: number;
  name: string;
  count: number;
  orientation: string;
  /** Of the first pixel of an image from 0, in millimeters. */
  place: (index: number) => readonly [number, number, number];
}

/** The images of a series, half a millimeter a pixel; those of one study share a space. */
const imagesOf = ({ study, date, series, name, count, orientation, place }: Stack): Buffer[] =>
  Array.from({ length: count }, (_, index) =>
    writeDicom(
      withAttributes(
        imageObject({ ...SIZE, allocated: 16, stored: 12 }, smoothPixels([0, 900 + 100 * index], SIZE)),
        attribute(0x0008_0018, 'UI', `${study}.${series}.${index + 1}`),
        attribute(0x0008_0020, 'DA', date),
        attribute(0x0008_103e, 'LO', name),
        attribute(0x0010_0010, 'PN', 'Keller^Elena'),
        attribute(0x0010_0030, 'DA', '19790509'),
        attribute(0x0010_0040, 'CS', 'F'),
        attribute(0x0020_000d, 'UI', study),
        attribute(0x0020_000e, 'UI', `${study}.${series}`),
        attribute(0x0020_0011, 'IS', String(series)),
        attribute(0x0020_0013, 'IS', String(index + 1)),
        attribute(0x0020_0032, 'DS', place(index).join('\\')),
        attribute(0x0020_0037, 'DS', orientation),
        attribute(0x0020_0052, 'UI', `${study}.9`),
        attribute(0x0028_0030, 'DS', '0.5\\0.5'),
      ),
    ),
  );

const LATER = { study: '1.5.2', date: '20240301' };
const EARLIER = { study: '1.5.1', date: '20220301' };
const STACKS: readonly Stack[] = [
  { ...LATER, series: 1, name: 'Fein', count: 12, orientation: AXIAL, place: (index) => [0, 0, 4 * index] },
  { ...LATER, series: 2, name: 'Grob', count: 6, orientation: AXIAL, place: (index) => [0, 0, 8 * index] },
  { ...LATER, series: 3, name: 'Seitlich', count: 5, orientation: SAGITTAL, place: (index) => [8 * index, 0, 46] },
  { ...EARLIER, series: 1, name: 'Alt', count: 12, orientation: AXIAL, place: (index) => [0, 0, 500 + 2 * index] },
];

describeWith({ browser: true }, 'panes of a viewer', () => {
  let page: Page, person: Client, address: string;
  const errors: string[] = [];
  test.beforeAll(async ({ browser, served }) => {
    person = new Client(served.url);
    await person.setup();
    const files = STACKS.flatMap(imagesOf).map((content, at) => ({ name: `I${at}`, content }));
    await person.upload(zip(files), 'discs.zip');
    const { items } = (await person.get('/api/imaging')).body;
    address = `${served.url}/imaging/${items[0].id}`;
    page = await openPage(browser, { as: person });
    recordPageErrors(page, errors);
  });
  const pane = (slot: number) => page.locator('.im-pane').nth(slot);
  const shows = (slot: number, name: string) =>
    pane(slot).locator(`.im-canvas[data-drawn][aria-label="${name}"]`).waitFor();
  const showBeside = async (name: string): Promise<void> => {
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: new RegExp(`^\\d* ?${name}, `) }).click();
    await page.keyboard.press('ArrowLeft');
  };
  async function openTwo(): Promise<void> {
    await page.goto(address);
    await shows(0, 'Fein, image 7 of 12');
    await page.getByRole('button', { name: '1×1' }).click();
    await page.getByRole('menuitem', { name: 'Two side by side' }).click();
    await shows(1, 'Grob, image 4 of 6');
  }

  test('show the same place while they are linked, and go their own ways otherwise', async () => {
    await openTwo();
    await page.keyboard.press('Home');
    await shows(0, 'Fein, image 1 of 12');
    await shows(1, 'Grob, image 1 of 6');
    await page.keyboard.press('End');
    await shows(0, 'Fein, image 12 of 12');
    await shows(1, 'Grob, image 6 of 6');
    await page.getByRole('button', { name: 'Scroll together', pressed: true }).click();
    await page.keyboard.press('Home');
    await shows(0, 'Fein, image 1 of 12');
    await shows(1, 'Grob, image 6 of 6');
    expect(errors).toEqual([]);
  });

  test('have a line where the active picture cuts them, which moves with it', async () => {
    await openTwo();
    await showBeside('Seitlich');
    await shows(1, 'Seitlich, image 3 of 5');
    const line = pane(1).locator('svg line').first();
    /** Millimeters from the top of the picture, which fills the width or the height of the pane. */
    const heights = async (): Promise<number[]> => {
      const box = (await pane(1).locator('.im-canvas').boundingBox())!;
      const side = Math.min(box.width, box.height);
      const ends = [await line.getAttribute('y1'), await line.getAttribute('y2')].map(Number);
      return ends.map((end) => Math.round(((end - (box.height - side) / 2) / side) * 48));
    };
    await page.keyboard.press('Home');
    await expect.poll(heights).toEqual([46, 46]);
    await page.keyboard.press('End');
    await expect.poll(heights).toEqual([2, 2]);
    await page.screenshot({ path: `${SCREENSHOTS}study-reference-line.png` });
    await page.getByRole('button', { name: 'Scroll together', pressed: true }).click();
    await line.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  test('compare an earlier study, which moves as far', async () => {
    await openTwo();
    const choice = page.getByLabel('Compare with another study');
    await choice.selectOption({ index: 1 });
    await showBeside('Alt');
    await shows(1, 'Alt, image 7 of 12');
    await pane(1).getByText(/2022/).waitFor();
    await page.keyboard.press('ArrowDown');
    // 4 mm are two images of the other one, which has a space of its own.
    await shows(0, 'Fein, image 8 of 12');
    await shows(1, 'Alt, image 9 of 12');
    await page.screenshot({ path: `${SCREENSHOTS}study-compared.png` });
    await page.reload();
    await page.getByRole('button', { name: /Alt, 12 images/ }).waitFor();
    expect(errors).toEqual([]);
  });

  test('keep what each tool of the toolbar measures', async () => {
    await page.goto(address);
    await shows(0, 'Fein, image 7 of 12');
    const box = (await pane(0).locator('.im-canvas').boundingBox())!;
    const scale = Math.min(box.width, box.height) / SIZE.columns;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    /** Between pixels, counted from the middle of the picture. */
    const drag = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
      await page.mouse.move(x + from[0] * scale, y + from[1] * scale);
      await page.mouse.down();
      await page.mouse.move(x + to[0] * scale, y + to[1] * scale, { steps: 4 });
      await page.mouse.up();
    };
    const marks = page.getByRole('region', { name: 'Measurements' });
    const tool = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await tool('Angle');
    await drag([-30, -30], [-30, -10]);
    await page.mouse.move(x - 10 * scale, y - 10 * scale, { steps: 4 });
    await page.mouse.down();
    await page.mouse.up();
    await marks.getByText(/^Angle · (89|90|91)/).waitFor();
    await tool('Rectangle');
    await drag([10, -30], [30, -14]);
    await marks.getByText(/^Rectangle · /).waitFor();
    await tool('Ellipse');
    await drag([-20, 20], [-10, 30]);
    await marks.getByText(/^Ellipse · /).waitFor();
    await tool('Value of a pixel');
    await drag([20, 20], [20, 20]);
    await marks.getByText(/^Value · /).waitFor();
    const { items } = (await person.get(`/api/imaging/${address.split('/').at(-1)}/marks`)).body;
    const facts = items.map((mark: { kind: string; points: unknown[] }) => [mark.kind, mark.points.length]);
    expect(facts).toEqual([
      ['angle', 3],
      ['rectangle', 4],
      ['ellipse', 4],
      ['probe', 1],
    ]);
    const [angle, rectangle] = items;
    expect(angle.measured.value).toBeCloseTo(90, -1);
    // 20 × 16 pixels of a quarter of a square millimeter.
    expect([rectangle.measured.area, rectangle.measured.area_unit]).toEqual([expect.closeTo(80, -1), 'mm²']);
    await page.screenshot({ path: `${SCREENSHOTS}study-measured.png` });
    expect(errors).toEqual([]);
  });

  test('draw and measure by WebGL where people choose it', async () => {
    await page.goto(address);
    await page.evaluate(() => localStorage.setItem('hearth.imaging.drawing', 'webgl'));
    try {
      await page.reload();
      await shows(0, 'Fein, image 7 of 12');
      await page.getByRole('button', { name: 'Drawing', exact: true }).click();
      await page.getByText('Drawn by the graphics card').waitFor();
      await page.keyboard.press('Escape');
      const box = (await pane(0).locator('.im-canvas').boundingBox())!;
      const side = Math.floor(Math.min(box.width, box.height) / 2);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const clip = { x: x - side / 2, y: y - side / 2, width: side, height: side };
      // The middle of the picture is on the screen, from dark to bright.
      const range = async (): Promise<number> => {
        const [gray] = (
          await sharp(await page.screenshot({ clip }))
            .greyscale()
            .stats()
        ).channels;
        return gray!.max - gray!.min;
      };
      await expect.poll(range).toBeGreaterThan(150);
      const scale = Math.min(box.width, box.height) / SIZE.columns;
      await page.keyboard.press('d');
      await page.mouse.move(x - 20 * scale, y);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 4 });
      await page.mouse.up();
      await page.getByRole('region', { name: 'Measurements' }).getByText('Length · 10 mm').waitFor();
      await page.screenshot({ path: `${SCREENSHOTS}study-webgl.png` });
    } finally {
      await page.evaluate(() => localStorage.clear());
    }
    expect(errors).toEqual([]);
  });

  // The processor draws; a laptop has one and a half pixels for each of CSS.
  test.for([1, 1.5])(
    'keep their place in another size, turned and flipped, on a screen of density %d',
    async (density, { browser }) => {
      const others = page;
      page = await openPage(browser, { as: person, deviceScaleFactor: density });
      recordPageErrors(page, errors);
      const path = `/api/imaging/${address.split('/').at(-1)}/marks`;
      for (const { id } of (await person.get(path)).body.items) await person.call('DELETE', `${path}/${id}`);
      await page.goto(address);
      await page.evaluate(() => localStorage.setItem('hearth.imaging.drawing', 'processor'));
      const marks = async (): Promise<{ points: number[][] }[]> => (await person.get(path)).body.items;
      /** Column and row that a probe reads left of the middle and some below; two at one place would be one. */
      const probed = async (below: number): Promise<number[]> => {
        const known = (await marks()).length;
        const box = (await pane(0).locator('.im-canvas').boundingBox())!;
        const scale = Math.min(box.width, box.height) / SIZE.columns;
        await page.mouse.click(box.x + box.width / 2 - 24 * scale, box.y + box.height / 2 + below * scale);
        await expect.poll(async () => (await marks()).length).toBe(known + 1);
        return (await marks()).at(-1)!.points[0]!.slice(0, 2).map(Math.round);
      };
      try {
        await page.reload();
        await shows(0, 'Fein, image 7 of 12');
        await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText(/2024/).waitFor();
        await page.getByRole('button', { name: 'Value of a pixel', exact: true }).click();
        expect(await probed(0)).toEqual([24, 48]);
        await page.setViewportSize({ width: 1100, height: 700 });
        expect(await probed(8)).toEqual([24, 56]);
        await page.keyboard.press('h');
        expect(await probed(16)).toEqual([72, 64]);
        await page.setViewportSize({ width: 1440, height: 900 });
        expect(await probed(24)).toEqual([72, 72]);
        await page.keyboard.press('h');
        await page.keyboard.press('r');
        expect(await probed(8)).toEqual([56, 72]);
        await page.setViewportSize({ width: 1100, height: 700 });
        expect(await probed(-8)).toEqual([40, 72]);
      } finally {
        await page.context().close();
        page = others;
      }
      expect(errors).toEqual([]);
    },
  );
});

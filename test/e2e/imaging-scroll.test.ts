/** @module-tag long */
import type { Page, Route } from 'playwright-core';
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

const test = base.override('serveOptions', WITHOUT_INBOX);
const SIZE = { rows: 96, columns: 128 };
const TOTAL = 120;

const slice = (number: number): Buffer =>
  writeDicom(
    withAttributes(
      imageObject({ ...SIZE, allocated: 16, stored: 12 }, smoothPixels([0, 900 + 40 * number], SIZE)),
      attribute(0x0008_0018, 'UI', `1.2.6.1.${number}`),
      attribute(0x0008_103e, 'LO', 'Knie 2.0'),
      attribute(0x0020_000d, 'UI', '1.2.6'),
      attribute(0x0020_000e, 'UI', '1.2.6.1'),
      attribute(0x0020_0013, 'IS', String(number)),
      attribute(0x0020_0032, 'DS', `0\\0\\${number * 2}`),
      attribute(0x0028_0030, 'DS', '0.5\\0.5'),
    ),
  );

/** Holds back frames until they are let through, so that people scroll faster than frames arrive. */
async function holdFrames(page: Page) {
  const held: Route[] = [];
  let isOpen = true;
  await page.route('**/pixels', async (route) => {
    if (isOpen) return route.continue();
    held.push(route);
  });
  page.on('requestfailed', (request) => {
    const at = held.findIndex((route) => route.request() === request);
    if (at >= 0) held.splice(at, 1);
  });
  const indexOf = (route: Route): number => Number(/frame\/(\d+)/.exec(route.request().url())?.[1]);
  return {
    hold: () => (isOpen = false),
    indices: () => held.map(indexOf),
    /** Lets one through. */
    pass: (index: number) =>
      held
        .splice(
          held.findIndex((route) => indexOf(route) === index),
          1,
        )[0]
        ?.continue(),
    async open(): Promise<void> {
      isOpen = true;
      // A frame that nobody wants anymore is not asked for anymore.
      await Promise.all(held.splice(0).map((route) => route.continue().catch(() => undefined)));
    },
  };
}

const canvas = (page: Page) => page.locator('.im-canvas');
const seen = async (page: Page): Promise<number> => Number(await canvas(page).getAttribute('data-seen'));

/** Notes every picture that is drawn, and whether there was a moment without one. */
const watchPictures = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const element = document.querySelector('.im-canvas')!;
    const noted: (string | null)[] = [];
    Object.assign(window, { noted });
    new MutationObserver(() => noted.push(element.getAttribute('data-seen'))).observe(element, {
      attributeFilter: ['data-seen'],
    });
  });
const pictures = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => (window as unknown as { noted: (string | null)[] }).noted.splice(0));

describeWith({ browser: true }, 'scrolling faster than frames arrive', () => {
  test('shows each frame that arrives on the way to the wanted one, and the position at once', async ({
    browser,
    served,
  }) => {
    const person = new Client(served.url);
    await person.setup();
    const disc = zip(Array.from({ length: TOTAL }, (_, at) => ({ name: `I${at}`, content: slice(at + 1) })));
    const { body } = await person.upload(disc, 'knee.zip');
    const page = await openPage(browser, { as: person });
    const errors: string[] = [];
    recordPageErrors(page, errors);
    const frames = await holdFrames(page);
    const drawn = (at: number) =>
      page.locator(`.im-canvas[data-drawn][aria-label="Knie 2.0, image ${at} of ${TOTAL}"]`);
    const position = page.locator('.im-foot .num');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${served.url}/imaging/${body.studies[0].study_id}`);
    await drawn(61).waitFor();
    // The middle frame is asked for once and before small pictures and other frames.
    const firstOf = (end: string): number => asked.findIndex((path) => path.endsWith(end));
    await expect.poll(() => firstOf('/thumbnail')).toBeGreaterThan(firstOf('/pixels'));
    expect(asked[firstOf('/pixels')]).toMatch(/frame\/60\/pixels$/);
    expect(asked.filter((path) => path.endsWith('/frame/60/pixels'))).toHaveLength(1);
    await page.keyboard.press('Home');
    await drawn(1).waitFor();
    frames.hold();
    await page.keyboard.press('End');
    await expect.poll(() => frames.indices()).toContain(TOTAL - 1);
    await page.keyboard.press('Home');
    await drawn(1).waitFor();

    await watchPictures(page);
    const wheel = async (): Promise<void> => {
      await canvas(page).hover();
      for (let turn = 0; turn < 3; turn += 1) await page.mouse.wheel(0, 100);
    };
    const key = async (): Promise<void> => {
      for (let press = 0; press < 3; press += 1) await page.keyboard.down('ArrowDown');
    };
    // Beyond what was fetched around the first picture, so that every further one is waited for.
    for (let press = 0; press < 16; press += 1) await page.keyboard.down('ArrowDown');
    let wanted = 17;
    await expect.poll(() => position.innerText()).toBe(`${wanted} of ${TOTAL}`);
    for (const scroll of [key, key, key, key, key, wheel, wheel, wheel]) {
      const before = await seen(page);
      await scroll();
      wanted += 3;
      await expect.poll(() => position.innerText()).toBe(`${wanted} of ${TOTAL}`);
      await page.getByText(`Loading image ${wanted}`, { exact: true }).waitFor();
      const named = await canvas(page).evaluate((element) => ({
        isDrawn: element.hasAttribute('data-drawn'),
        name: element.getAttribute('aria-label'),
        seen: Number(element.getAttribute('data-seen')),
      }));
      // The name is that of the picture, which is not the wanted one yet.
      expect(named).toMatchObject({ isDrawn: false, name: `Knie 2.0, image ${named.seen + 1} of ${TOTAL}` });
      const onTheWay = (): number[] => frames.indices().filter((index) => before < index && index < wanted);
      await expect.poll(onTheWay).not.toEqual([]);
      const next = Math.min(...onTheWay());
      await frames.pass(next);
      await expect.poll(() => seen(page)).toBe(next);
    }
    await page.screenshot({ path: `${SCREENSHOTS}study-late.png` });
    const shown = await pictures(page);
    expect(shown).not.toContain(null);
    expect(shown.map(Number)).toEqual(shown.map(Number).toSorted((a, b) => a - b));
    expect(new Set(shown).size).toBeGreaterThanOrEqual(8);

    await frames.open();
    await drawn(wanted).waitFor();
    expect(await page.locator('.im-late').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

import type { Page } from 'playwright-core';
import { buildPages } from '../../scripts/build-pages.mjs';
import { imageObject, smoothPixels } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';

const SLICES = 300;
const SIZE = { rows: 512, columns: 512 };
const SECONDS = 4;

/** What people see of a CT of 512 × 512 × 300 in Chromium, drawn by the processor. */
export interface Scrolling {
  /** From a click in the list to the first picture, since the app was opened, and when it is opened once more. */
  first: Opening;
  second: Opening;
  /** From the address to the first picture, with the whole app. */
  addressMs: number;
  /** Pictures drawn in a second while a key is held: the first time, and again from memory. */
  firstPass: number;
  again: number;
}

/** Milliseconds after the click. */
interface Opening {
  drawn: number;
  /** Where they went. */
  split: string;
}

/** Scrolls through a CT in the built page. */
export async function benchScrolling(): Promise<Scrolling> {
  buildPages((sentence) => void process.stdout.write(`${sentence}\n`));
  const served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  const browser = await openBrowser();
  try {
    const person = new Client(served.url);
    await person.setup();
    const { body } = await person.upload(disc(), 'ct.zip');
    const page = await openPage(browser, { as: person });
    await page.goto(`${served.url}/imaging`);
    const first = await openStudy(page);
    const firstPass = await scroll(page);
    await loadAll(page);
    const again = await scroll(page);
    await page.goBack();
    const second = await openStudy(page);
    const start = performance.now();
    await page.goto(`${served.url}/imaging/${body.studies[0].study_id}`);
    await page.locator('.im-canvas[data-drawn]').waitFor();
    return { first, second, addressMs: performance.now() - start, firstPass, again };
  } finally {
    await browser.close();
    await served.remove();
  }
}

/** Opens the study by its link in the list, whose small picture has warmed the server. */
async function openStudy(page: Page): Promise<Opening> {
  const link = page.locator('.im-link').first();
  await link.waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.im-link img')?.complete === true);
  await link.hover();
  await page.evaluate(() => {
    performance.clearResourceTimings();
    performance.setResourceTimingBufferSize(2000);
    document.addEventListener('click', () => performance.mark('clicked'), { capture: true, once: true });
    const look = (): void => {
      if (!document.querySelector('.im-canvas[data-drawn]')) return;
      observer.disconnect();
      performance.mark('drawn');
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => performance.getEntriesByName('drawn').length > 0);
  return page.evaluate(() => {
    const at = (name: string): number => performance.getEntriesByName(name).at(-1)!.startTime;
    const clicked = at('clicked');
    const asked = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= at('drawn'))
      .map(({ name, startTime, responseEnd }) => {
        const path = new URL(name).pathname.replace(/\/assets\/([\w-]+)-[\w-]{8}\.(\w+)$/, '$1.$2');
        return `${path.replace('/api/imaging/', '')} ${Math.round(startTime - clicked)}–${Math.round(responseEnd - clicked)}`;
      });
    const drawn = at('drawn') - clicked;
    performance.clearMarks();
    return { drawn, split: asked.join(', ') };
  });
}

/** Goes through the stack slowly enough that every frame is in memory afterwards. */
async function loadAll(page: Page): Promise<void> {
  await page.keyboard.press('Home');
  for (let at = 0; at < SLICES; at += 1) {
    await page.locator(`.im-canvas[data-drawn][data-seen="${at}"]`).waitFor();
    await page.keyboard.press('ArrowDown');
  }
}

/** Pictures in a second, from the first one on. */
async function scroll(page: Page): Promise<number> {
  await page.keyboard.press('Home');
  await page.locator('.im-canvas[data-drawn][aria-label*="image 1 of"]').waitFor();
  return page.evaluate(async (seconds) => {
    const canvas = document.querySelector('.im-canvas')!;
    const seen = new Set<string | null>();
    let isBlank = false;
    const look = (): void => {
      const picture = canvas.getAttribute('data-seen');
      isBlank ||= picture === null;
      seen.add(picture);
    };
    const observer = new MutationObserver(look);
    observer.observe(canvas, { attributes: true });
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      // The browser of the benchmarks draws as often as it can; a screen asks 60 times a second.
      await new Promise((resolve) => setTimeout(resolve, 1000 / 60));
    }
    observer.disconnect();
    if (isBlank) throw new Error('the picture vanished while it was scrolled');
    return seen.size / seconds;
  }, SECONDS);
}

function disc(): Buffer {
  const pixels = Array.from({ length: 8 }, (_, n) => smoothPixels([n * 40, 2000 + n * 100], SIZE));
  const slices = Array.from({ length: SLICES }, (_, at) =>
    writeDicom(
      withAttributes(
        imageObject({ ...SIZE, allocated: 16, stored: 12 }, pixels[at % pixels.length]!),
        attribute(0x0008_0018, 'UI', `1.2.8.1.${at}`),
        attribute(0x0010_0010, 'PN', 'Keller^Elena'),
        attribute(0x0010_0030, 'DA', '19790509'),
        attribute(0x0010_0040, 'CS', 'F'),
        attribute(0x0020_000d, 'UI', '1.2.8'),
        attribute(0x0020_000e, 'UI', '1.2.8.1'),
        attribute(0x0020_0013, 'IS', String(at + 1)),
        attribute(0x0020_0032, 'DS', `0\\0\\${at}`),
        attribute(0x0028_0030, 'DS', '0.7\\0.7'),
      ),
    ),
  );
  return zip(slices.map((content, at) => ({ name: `I${at}`, content, method: 0 })));
}

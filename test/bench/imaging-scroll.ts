import type { Page } from 'playwright-core';
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
  /** From the address to the first picture. */
  firstMs: number;
  /** Pictures drawn in a second while a key is held: the first time, and again from memory. */
  first: number;
  again: number;
}

/** Scrolls through a CT in the built page. */
export async function benchScrolling(): Promise<Scrolling> {
  const served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  const browser = await openBrowser();
  try {
    const person = new Client(served.url);
    await person.setup();
    const { body } = await person.upload(disc(), 'ct.zip');
    const page = await openPage(browser, { as: person });
    await page.goto(`${served.url}/imaging`);
    // Whose study it is waits for a decision, so that the list is empty.
    await page.getByRole('heading', { name: 'Imaging', level: 1 }).waitFor();
    const start = performance.now();
    await page.goto(`${served.url}/imaging/${body.studies[0].study_id}`);
    await page.locator('.im-canvas[data-drawn]').waitFor();
    const firstMs = performance.now() - start;
    return { firstMs, first: await scroll(page), again: await scroll(page) };
  } finally {
    await browser.close();
    await served.remove();
  }
}

/** Pictures in a second, from the first one on. */
async function scroll(page: Page): Promise<number> {
  await page.keyboard.press('Home');
  await page.locator('.im-canvas[data-drawn][aria-label*="image 1 of"]').waitFor();
  return page.evaluate(async (seconds) => {
    const canvas = document.querySelector('.im-canvas')!;
    const drawn = new Set<string>();
    const look = (): void => {
      if (canvas.hasAttribute('data-drawn')) drawn.add(canvas.getAttribute('aria-label')!);
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
    return drawn.size / seconds;
  }, SECONDS);
}

function disc(): Buffer {
  const pixels = Array.from({ length: 8 }, (_, n) => smoothPixels([n * 40, 2000 + n * 100], SIZE));
  const slices = Array.from({ length: SLICES }, (_, at) =>
    writeDicom(
      withAttributes(
        imageObject({ ...SIZE, allocated: 16, stored: 12 }, pixels[at % pixels.length]!),
        attribute(0x0008_0018, 'UI', `1.2.8.1.${at}`),
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

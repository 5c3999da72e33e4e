import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Device, startDevice } from '../fakes/device.ts';
import { LONG } from '../support/long.ts';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, openPage, recordPageErrors } from '../support/browser.ts';
import { buildFirmware, SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';
import { SCREENSHOTS } from '../support/screenshots.ts';

const SYMBOLS = ['ONE', 'TWO', 'THREE', 'FOUR'].map((symbol) => ({ symbol, source: 'webhook' }));

describeWith({ ...SIMULATOR, browser: true, gate: 'firmware' }, 'the settings page of a ticker in use', () => {
  let hub: Server, device: Device, browser: Browser, page: Page;
  const pageErrors: string[] = [];

  beforeAll(async () => {
    hub = createServer((request, response) => {
      const symbol = new URL(request.url!, 'http://hub').searchParams.get('symbol');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(symbol === 'NEW' ? { price: 12.5, name: 'New one', currency: '€' } : { price: 7 }));
    });
    await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
    device = await startDevice(join(buildFirmware('ticker-sim'), 'sim/ticker-sim'), [
      ...['--chip', 'esp32', '--wifi', 'home,behind the wall'],
      ...['--route', `hub.home=127.0.0.1:${(hub.address() as AddressInfo).port}`],
    ]);
    await device.configure({
      brightness: 100,
      wifi: [{ ssid: 'home', pass: 'behind the wall' }],
      ticker: { webhookUrl: 'http://hub.home/quote', symbols: SYMBOLS, showUpdatedAgo: false, rotateSec: 3600 },
    });
    browser = await openBrowser();
    page = await openPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    recordPageErrors(page, pageErrors);
    await page.goto(device.web);
    await page.getByText('State', { exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await device.stop();
    hub.close();
    expect(pageErrors).toEqual([]);
  });

  const order = (): Promise<string[]> =>
    page
      .getByLabel('Symbol', { exact: true })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  const handleOf = (symbol: string): Locator => page.getByRole('button', { name: `Move ${symbol}` });
  const centerOf = async (symbol: string): Promise<{ x: number; y: number }> => {
    const { x, y, width, height } = (await handleOf(symbol).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const save = async (): Promise<string[]> => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#save:not(.changed)').waitFor();
    const { ticker } = (await (await fetch(`${device.web}/api/config`)).json()) as {
      ticker: { symbols: { symbol: string }[] };
    };
    return ticker.symbols.map(({ symbol }) => symbol);
  };

  it('sorts symbols by a finger, shows them in one line meanwhile, and saves their order', async () => {
    await handleOf('ONE').scrollIntoViewIfNeeded();
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', point?: { x: number; y: number }) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
    const start = await centerOf('ONE');
    await send('touchStart', start);
    await page.locator('.sorting').waitFor();
    const height = (await page.locator('.symbol').first().boundingBox())!.height;
    expect(height).toBeLessThan(110);
    // The handle is still under the finger.
    expect((await centerOf('ONE')).y).toBeCloseTo(start.y, -1);
    await page.screenshot({ path: join(SCREENSHOTS, 'ticker-page-sorting.png') });
    const { x, y } = await centerOf('ONE');
    for (let part = 1; part <= 10; part += 1) await send('touchMove', { x, y: y + (part * 2.2 * height) / 10 });
    await expect.poll(order).toEqual(['TWO', 'THREE', 'ONE', 'FOUR']);
    await send('touchEnd');
    await page.locator('#save.changed').waitFor();
    expect(await page.locator('.sorting').count()).toBe(0);
    expect(await save()).toEqual(['TWO', 'THREE', 'ONE', 'FOUR']);

    // A call that comes in takes the finger away: nothing is moved.
    await handleOf('TWO').scrollIntoViewIfNeeded();
    await send('touchStart', await centerOf('TWO'));
    await page.locator('.sorting').waitFor();
    const again = await centerOf('TWO');
    await send('touchMove', { x: again.x, y: again.y + 1.2 * height });
    await expect.poll(order).toEqual(['THREE', 'TWO', 'ONE', 'FOUR']);
    await send('touchCancel');
    await expect.poll(order).toEqual(['TWO', 'THREE', 'ONE', 'FOUR']);
  });

  it('sorts symbols by the mouse and by arrow keys, which keep the focus', async () => {
    await handleOf('FOUR').scrollIntoViewIfNeeded();
    const from = await centerOf('FOUR');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.locator('.sorting').waitFor();
    const [row, to] = [await page.locator('.symbol').first().boundingBox(), await centerOf('FOUR')];
    await page.mouse.move(to.x, to.y - 3.2 * row!.height, { steps: 10 });
    await page.mouse.up();
    await expect.poll(order).toEqual(['FOUR', 'TWO', 'THREE', 'ONE']);
    await handleOf('FOUR').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect.poll(order).toEqual(['TWO', 'FOUR', 'THREE', 'ONE']);
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Move FOUR');
    expect(await findViolations(page)).toEqual([]);
    expect(await save()).toEqual(['TWO', 'FOUR', 'THREE', 'ONE']);
  });

  it('shows the picture of the panel while it changes', LONG, async () => {
    const different = (): Promise<number> =>
      page
        .getByRole('img', { name: 'Picture of the screen' })
        .evaluate((canvas: HTMLCanvasElement) => [...canvas.getContext('2d')!.getImageData(0, 0, 240, 240).data])
        .then(async (shown) => {
          const sent = Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer());
          const pixel = (at: number): number =>
            ((shown[at * 4]! >> 3) << 11) | ((shown[at * 4 + 1]! >> 2) << 5) | (shown[at * 4 + 2]! >> 3);
          return Array.from({ length: 240 * 240 }, (_, at) => at).filter(
            (at) => pixel(at) !== sent.readUInt16LE(at * 2),
          ).length;
        });
    await page.getByRole('img', { name: 'Picture of the screen' }).scrollIntoViewIfNeeded();
    await expect.poll(different, { timeout: 30_000 }).toBe(0);
    const before = Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer());
    await page.evaluate(() => document.querySelectorAll('details').forEach((card) => (card.open = true)));
    await page.getByLabel('Show page dots').uncheck();
    await save();
    const now = async (): Promise<boolean> =>
      before.equals(Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer()));
    await expect.poll(now, { timeout: 30_000 }).toBe(false);
    await page.getByRole('img', { name: 'Picture of the screen' }).scrollIntoViewIfNeeded();
    await expect.poll(different, { timeout: 30_000 }).toBe(0);
    await page.screenshot({ path: join(SCREENSHOTS, 'ticker-page-picture.png') });
  });

  it('tests a symbol before it is saved, and asks before unsaved changes are left', async () => {
    await page.getByRole('button', { name: 'Add symbol' }).click();
    const at = (await order()).length - 1;
    await page.getByLabel('Symbol', { exact: true }).nth(at).fill('NEW');
    await page.getByLabel('Source').nth(at).selectOption('webhook');
    await page.getByRole('button', { name: 'Test', exact: true }).nth(at).click();
    await page.getByRole('status').getByText('NEW: 12.5 € New one').waitFor();
    expect((await device.tickers()).map(({ symbol }) => symbol)).not.toContain('NEW');
    await page.locator('#save.changed[title^="There are changes"]').waitFor();
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => void dialog.dismiss().then(() => resolve(dialog.type()))),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    expect(await save()).toContain('NEW');
  });
});

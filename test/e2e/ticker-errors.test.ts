/**
 * Failures of the ticker bench as people meet them: each is brought about in Chromium, and read there.
 * @module-tag long
 */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { messages as german } from '../../src-renderer/locales/de.ts';
import { messages as english } from '../../src-renderer/locales/en.ts';
import { fillIn } from '../../src-shared/contract/error-text.ts';
import type { TickerErrorCode } from '../../src-shared/ticker/flash/ticker-error.ts';
import { type Board, createBoard } from '../fakes/esp/board.ts';
import type { ChipName } from '../fakes/esp/chips.ts';
import type { Faults } from '../fakes/esp/faults.ts';
import { openPage, recordPageErrors } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { LONG } from '../support/long.ts';
import { describeWith } from '../support/requirements.ts';
import { TICKER_ERROR_ROWS } from '../support/ticker-error-rows.ts';
import { createMergedImage, createParts, IMAGE_BOARDS, SMALL_BOARD } from '../support/ticker-images.ts';
import { plugIn } from '../support/web-serial-page.ts';

let owner: Client, browser: Browser;
const errors: string[] = [];
const it = test;
it.beforeAll(({ household, browser: chromium }) => {
  [owner, browser] = [household.as('owner'), chromium];
});
it.afterAll(() => {
  rmSync(folder, { recursive: true });
  expect(errors).toEqual([]);
});

const words = english.tickers;
/** The text of a failure, with the parameters that are known; the others match any word. */
function textOf(code: TickerErrorCode, params: Record<string, string | number> = {}): RegExp {
  const parts = english.errors[code].split(/(\{\{\w+\}\})/).map((part) => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return params[name] === undefined ? '\\S+' : String(params[name]).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
const says = (page: Page, code: TickerErrorCode, params: Record<string, string | number> = {}): Promise<void> =>
  page.getByText(textOf(code, params)).first().waitFor({ timeout: 90_000 });

/** A board in a browser; `localStorage` of the page says what the port itself refuses. */
async function openBench(board: Board): Promise<Page> {
  const page = await openPage(browser, { as: owner });
  recordPageErrors(page, errors);
  await plugIn(page, board);
  await page.addInitScript(() => {
    const serial = navigator.serial!;
    const requestPort = serial.requestPort.bind(serial);
    serial.requestPort = () =>
      localStorage['denied']
        ? Promise.reject(new DOMException('Access to the feature is disallowed.', 'SecurityError'))
        : requestPort();
    const { boardWrite } = window;
    window.boardWrite = (bytes, baud) =>
      localStorage['stalled'] ? new Promise(() => undefined) : boardWrite(bytes, baud);
  });
  await page.goto(`${owner.url}/tickers`);
  return page;
}

const button = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
async function goToFirmware(page: Page): Promise<void> {
  await button(page, words.connect);
  await button(page, words.continue);
  await button(page, words.backup_skip);
}
const fileOf = (name: string, bytes: Uint8Array | string): { name: string; mimeType: string; buffer: Buffer } => ({
  ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
});
/** Gives the page files by their content, or one by its path: bytes of a large one would occupy the whole browser. */
const select = (page: Page, files: readonly ReturnType<typeof fileOf>[] | string): Promise<void> =>
  page.locator('main input[type=file][accept*=json]').setInputFiles(typeof files === 'string' ? files : [...files]);

interface Case {
  code: TickerErrorCode;
  why: string;
  chip?: ChipName;
  faults?: Partial<Faults>;
  application?: readonly [string, ...string[]];
  act?: (page: Page) => Promise<void>;
}

const C3 = 'esp32c3';
const NOISE = "while head -c 40 /dev/urandom | tr '\\000-\\177' '\\200-\\377'; do sleep 0.05; done";
const LINES = 'while echo "[ticker] fetches quotes"; do sleep 0.1; done';
const lose = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: words.connecting }).waitFor();
  await page.evaluate(() => window.boardLost());
};
const AT_CONNECTING: readonly Case[] = [
  {
    ...{ code: 'ticker.port_denied', why: 'the browser does not give the port' },
    act: (page) => page.evaluate(() => localStorage.setItem('denied', 'yes')),
  },
  { code: 'ticker.device_gone', why: 'the cable is pulled meanwhile', faults: { droppedSyncs: 9999 }, act: lose },
  { code: 'ticker.unknown_chip', why: 'the chip came out later', chip: C3, faults: { isOtherChip: true } },
  { code: 'ticker.chip_locked', why: 'the fuses allow secure download alone', chip: C3, faults: { isLocked: true } },
  { code: 'ticker.no_flash', why: 'its flash does not answer', chip: C3, faults: { hasNoFlash: true } },
  {
    ...{ code: 'ticker.no_answer', why: 'it sends garbage' },
    ...{ application: ['sh', '-c', NOISE], faults: { hasNoResetLines: true } },
  },
  {
    ...{ code: 'ticker.not_in_loader', why: 'its program runs' },
    ...{ application: ['sh', '-c', LINES], faults: { hasNoResetLines: true } },
  },
];
const AT_BACKUP: readonly Case[] = [
  { code: 'ticker.read_failed', why: 'each read differs from its MD5', faults: { corruptedReads: 9999 } },
  {
    ...{ code: 'ticker.device_gone', why: 'the cable is pulled' },
    act: async (page) => {
      await page.getByRole('progressbar').waitFor();
      await page.evaluate(() => window.boardLost());
    },
  },
];
const AT_WRITING: readonly Case[] = [
  { code: 'ticker.write_failed', why: 'each block arrives damaged', faults: { corruptedBlocks: 9999 } },
  { code: 'ticker.device_gone', why: 'the cable is pulled', faults: { hangUpAtBlock: 2 } },
  {
    ...{ code: 'ticker.timed_out', why: 'the line stalls for good', faults: { slowBlockMs: 300 } },
    act: async (page) => {
      await page.getByRole('progressbar').waitFor();
      await page.evaluate(() => localStorage.setItem('stalled', 'yes'));
    },
  },
];

const boardOf = ({ chip = 'esp8266', faults, application }: Case): Board =>
  createBoard({
    ...{ chip, flashMegabytes: chip === 'esp8266' ? 1 : 4, faults },
    ...(application && { application, content: Uint8Array.from([0xe9]) }),
  });

const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\b\0', 'latin1'), Buffer.alloc(5000, 0x5a)]);
const image = createMergedImage(SMALL_BOARD);
const head = Buffer.alloc(400);
head.write('HEARTHUP', 'latin1');
const [, table] = createParts(IMAGE_BOARDS[1]);
const folder = mkdtempSync(join(tmpdir(), 'ticker-errors-'));
const video = join(folder, 'video.bin');
const FILES: readonly [TickerErrorCode, Record<string, string>, readonly ReturnType<typeof fileOf>[] | string][] = [
  ['ticker.not_an_image', { name: 'release.zip' }, [fileOf('release.zip', zip)]],
  ['ticker.image_incomplete', { name: 'cut.bin' }, [fileOf('cut.bin', image.subarray(0, 60_000))]],
  ['ticker.update_file', { name: 'new.update' }, [fileOf('new.update', head)]],
  ['ticker.wrong_chip', { name: 'c3.bin' }, [fileOf('c3.bin', createMergedImage(IMAGE_BOARDS[4]))]],
  ['ticker.wrong_address', { name: 'app-0x1234.bin' }, [fileOf('app-0x1234.bin', image)]],
  [
    ...(['ticker.too_large', { name: 'large.bin' }] as const),
    [fileOf('large.bin', createMergedImage(IMAGE_BOARDS[0]))],
  ],
  ['ticker.too_large', { name: 'video.bin' }, video],
  [
    ...(['ticker.overlapping', { name: 'one.bin', other: 'two-0x1000.bin' }] as const),
    [fileOf('one.bin', image), fileOf('two-0x1000.bin', table!.bytes)],
  ],
  ['ticker.no_images', {}, [fileOf('empty.bin', '')]],
  [
    ...(['ticker.file_missing', { name: 'app.bin' }] as const),
    [
      fileOf(
        'manifest.json',
        JSON.stringify({ builds: [{ chipFamily: 'ESP8266', parts: [{ path: 'a/app.bin', offset: 0 }] }] }),
      ),
    ],
  ],
  ['ticker.not_an_image', { name: 'odd.json' }, [fileOf('odd.json', '{"builds":7}')]],
];

describeWith({ browser: true }, 'failures of the ticker bench', () => {
  // They wait for limits of time more than they compute, so they wait side by side, each with its own page and board.
  it.concurrent.for(AT_CONNECTING)('$code while connecting: $why', { ...LONG }, async (one) => {
    const board = boardOf(one);
    const page = await openBench(board);
    const isBefore = one.code === 'ticker.port_denied';
    if (isBefore) await one.act!(page);
    await button(page, words.connect);
    if (!isBefore) await one.act?.(page);
    await says(page, one.code);
    // Once the reason is gone, the same page goes on.
    await page.getByRole('button', { name: words.connect, exact: true }).waitFor();
    await page.context().close();
    board.stop();
  });

  it('ticker.port_denied before the settings of a running board, which are shown once the port is given', async () => {
    const page = await openBench(createBoard({ chip: 'esp8266', flashMegabytes: 1 }));
    await page.evaluate(() => localStorage.setItem('denied', 'yes'));
    await button(page, words.configure);
    await says(page, 'ticker.port_denied');
    await page.evaluate(() => localStorage.removeItem('denied'));
    await button(page, words.configure);
    await page.getByText(words.step_device).and(page.locator('[aria-current=step] *')).waitFor();
    await page.context().close();
  });

  it.concurrent.for(AT_BACKUP)('$code while backing up: $why', { ...LONG }, async (one) => {
    const page = await openBench(boardOf(one));
    await button(page, words.connect);
    await button(page, words.continue);
    await button(page, words.backup_start);
    await one.act?.(page);
    await says(page, one.code);
    await page.context().close();
  });

  it.concurrent.for(AT_WRITING)('$code while writing: $why', { ...LONG, timeout: 120_000 }, async (one) => {
    const board = boardOf(one);
    const page = await openBench(board);
    await goToFirmware(page);
    await select(page, [fileOf('ticker.bin', image)]);
    await button(page, words.write);
    await one.act?.(page);
    await says(page, one.code);
    await page.getByRole('button', { name: words.retry, exact: true }).waitFor();
    await page.context().close();
  });

  it.concurrent(
    'an image for another board than the one in the backup is refused',
    { ...LONG, timeout: 120_000 },
    async () => {
      const board = createBoard({ chip: 'esp8266', flashMegabytes: 1, content: image });
      const page = await openBench(board);
      await button(page, words.connect);
      await button(page, words.continue);
      await button(page, words.backup_start);
      await page.getByText(words.backup_done).waitFor({ timeout: 90_000 });
      await button(page, words.continue);
      // A tag of the same length, so that nothing else of the image differs.
      const other = Buffer.from(
        Buffer.from(image).toString('latin1').replace('smalltv-esp8266', 'bigtvxy-esp8266'),
        'latin1',
      );
      await select(page, [fileOf('other.bin', other)]);
      await says(page, 'ticker.wrong_board', { name: 'other.bin', image: 'bigtvxy-esp8266', board: 'smalltv-esp8266' });
      expect(board.flash.erasedSectors).toBe(0);
      await page.context().close();
    },
  );

  it(
    'files that do not fit are refused by name before anything is erased, and the right one after them',
    LONG,
    async () => {
      const board = boardOf({ code: 'ticker.no_images', why: '' });
      const page = await openBench(board);
      await goToFirmware(page);
      writeFileSync(video, '');
      truncateSync(video, 33 * 1024 * 1024);
      for (const [code, params, files] of FILES) {
        await select(page, files);
        await says(page, code, params);
        expect(await page.getByRole('button', { name: words.write }).isDisabled()).toBe(true);
      }
      await select(page, [fileOf('ticker.bin', image)]);
      await page.getByText(words.checks_passed).waitFor();
      expect(board.flash.erasedSectors).toBe(0);
      await page.context().close();
    },
  );

  it.for([
    { locale: 'en-GB', language: 'en', messages: english },
    { locale: 'de-DE', language: 'de', messages: german },
  ] as const)(
    'every failure that the core reports is read in words: $locale',
    async ({ locale, messages, language }) => {
      const page = await openPage(browser, { as: owner, locale });
      recordPageErrors(page, errors);
      const formats = new Intl.NumberFormat(locale);
      let answer: { code: string; params: object } = { code: '', params: {} };
      await page.route('**/api/tickers/device', (route) =>
        route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(answer) }),
      );
      await page.goto(`${owner.url}/tickers/network`);
      await page.getByLabel(messages.tickers.network_address, { exact: true }).fill('192.168.1.20');
      await page.keyboard.press('Enter');
      for (const [code, row] of Object.entries(TICKER_ERROR_ROWS)) {
        answer = { code, params: row.params };
        await page.getByRole('button', { name: messages.tickers.retry, exact: true }).click();
        const params = Object.entries(row.params).map(([name, value]) => [
          name,
          typeof value === 'number' ? formats.format(value) : value,
        ]);
        const text = fillIn(messages.errors[code as TickerErrorCode], Object.fromEntries(params));
        const shown = page.getByText(text, { exact: true });
        await shown.waitFor();
        expect(await shown.textContent()).toContain(row[language]);
      }
      await page.context().close();
    },
  );
});

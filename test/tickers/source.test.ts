import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSourceListener } from '../../src-main/app/ticker-source.ts';
import { createFileListReader, createTickerPrices } from '../../src-main/features/tickers/service.ts';
import { itWith } from '../support/requirements.ts';
import { type Market, startMarket } from '../fakes/market/market.ts';

const TOKEN = 'kitchen-0123456789';
let folder: string, market: Market, now: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'source-'));
  market = await startMarket();
  now = 0;
  market.listings.set('AAPL', { price: 101, previousClose: 95, currency: 'USD', name: 'Apple', closes: [90, 95, 101] });
  writeFileSync(join(folder, 'oil.csv'), 'day,litres\n2026-01-01,800\n2026-02-01,"640.5"\n2026-03-01,\n');
  writeFileSync(join(folder, 'solar.json'), '{"watts":[1,2,3.5]}');
  save({
    devices: [
      { name: 'kitchen', token: TOKEN },
      { name: 'office', token: 'office-01234567890' },
    ],
    symbols: {
      HOUSE: { kind: 'fixed', price: 1.5, change: 0.25, currency: 'CHF', name: 'Our house' },
      APPLE: { kind: 'chart', symbol: 'AAPL' },
      OIL: { kind: 'file', path: 'oil.csv', format: 'csv', field: 'litres', currency: 'l ' },
      SOLAR: { kind: 'file', path: 'solar.json', format: 'json', field: 'watts' },
      ALL: { kind: 'portfolio', parts: [{ symbol: 'APPLE', quantity: 2 }], name: 'Savings' },
      MIXED: { kind: 'portfolio', parts: ['APPLE', 'HOUSE'].map((symbol) => ({ symbol, quantity: 1 })) },
      LOOP: { kind: 'portfolio', parts: [{ symbol: 'LOOP', quantity: 1 }] },
      SECRET: { kind: 'file', path: '../secret.json', format: 'json' },
      LINK: { kind: 'file', path: 'link/secret.json', format: 'json' },
    },
  });
});
afterEach(async () => {
  await market.close();
  rmSync(folder, { recursive: true });
});

const list = (): string => join(folder, 'list.json');
function save(content: unknown): void {
  writeFileSync(list(), JSON.stringify(content));
}
const create = (nothingLeaves = false) => {
  const { answer } = createTickerPrices({
    readList: createFileListReader(list()),
    nothingLeaves: () => nothingLeaves,
    now: () => now,
    send: (address, init) => {
      const { pathname, search } = new URL(String(address));
      return fetch(`${market.url}${pathname}${search}`, init);
    },
  });
  return (address: string, from = '192.168.1.20') => answer(address, from);
};
const target = (symbol: string, more = ''): string => `/quote?token=${TOKEN}&symbol=${symbol}${more}`;

test('gives fixed values, charts, files and sums in the form that tickers read', async () => {
  const ask = create();
  const bodyOf = async (symbol: string) => (await ask(target(symbol, '&range=5d&points=3'))).body;
  const common = { range: '5D', ok: true };
  expect(await bodyOf('HOUSE')).toEqual({
    ...{ symbol: 'HOUSE', name: 'Our house', price: 1.5, currency: 'CHF ', change: 0.25, spark: [] },
    ...common,
  });
  expect(await bodyOf('APPLE')).toEqual({
    ...{ symbol: 'APPLE', name: 'Apple', price: 101, currency: '$', change: 6, spark: [90, 95, 101] },
    ...common,
  });
  expect(await bodyOf('OIL')).toMatchObject({ price: 640.5, currency: 'l ', change: -159.5, spark: [800, 640.5] });
  expect(await bodyOf('SOLAR')).toMatchObject({ name: 'SOLAR', price: 3.5, change: 1.5, spark: [1, 2, 3.5] });
  expect(await bodyOf('ALL')).toMatchObject({ name: 'Savings', price: 202, change: 12, currency: '$' });
});

test.each([
  ['a German spreadsheet', 'Tag;Preis\n1.11.;1.234,50\n2.11.;98,5\n3.11.;1.100\n', [1234.5, 98.5, 1100]],
  ['a Swiss one', "\ufeffTag;Preis\r\n1.11.;1'234.50\r\n2.11.;98.5\r\n", [1234.5, 98.5]],
  ['a French one', 'Tag\tPreis\n1.11.\t1\u202f234,50\n2.11.\t-0,5\n', [1234.5, -0.5]],
  ['an English one', 'Tag,Preis\n1.11.,1234.50\n2.11.,"1,234"\n3.11.,98.5\n', [1234.5, 98.5]],
])('reads the numbers of %s', async (_, text, numbers) => {
  writeFileSync(join(folder, 'oil.csv'), text);
  save({
    devices: [{ name: 'kitchen', token: TOKEN }],
    symbols: { OIL: { kind: 'file', path: 'oil.csv', format: 'csv', field: 'Preis' } },
  });
  const { body } = await create()(target('OIL', '&points=9'));
  expect(body).toMatchObject({ price: numbers.at(-1), spark: numbers });
});

test('asks the chart endpoint once a minute for all devices, and not at all when nothing may leave', async () => {
  const ask = create();
  await Promise.all([ask(target('APPLE')), ask(target('APPLE')), ask(target('ALL'))]);
  expect(market.seen).toHaveLength(1);
  now = 61_000;
  await ask(target('APPLE'));
  expect(market.seen).toHaveLength(2);
  expect(await create(true)(target('APPLE'))).toEqual({ status: 404, body: { ok: false } });
  expect(market.seen).toHaveLength(2);
});

itWith(
  { symlinks: true },
  'answers nobody without a token, and reads no file outside the folder of the list',
  async () => {
    mkdirSync(join(folder, '..', 'outside'), { recursive: true });
    writeFileSync(join(folder, '..', 'secret.json'), '{"price":7}');
    writeFileSync(join(folder, '..', 'outside', 'secret.json'), '{"price":7}');
    symlinkSync(join(folder, '..', 'outside'), join(folder, 'link'));
    const ask = create();
    const statusOf = async (address: string): Promise<number> => (await ask(address)).status;
    for (const token of ['', 'kitchen', `${TOKEN}x`, 'OFFICE-01234567890'])
      expect([token, await statusOf(`/quote?token=${token}&symbol=HOUSE`)]).toEqual([token, 401]);
    expect(await statusOf('/quote?token=office-01234567890&symbol=HOUSE')).toBe(200);
    for (const symbol of ['SECRET', 'LINK', 'MIXED', 'LOOP', 'NOPE', '__proto__', 'constructor', ''])
      expect([symbol, await statusOf(target(symbol))]).toEqual([symbol, 404]);
    for (const address of ['/', '/quotes', '//quote', '/api/documents']) expect(await statusOf(address)).toBe(404);
    rmSync(join(folder, '..', 'secret.json'));
    rmSync(join(folder, '..', 'outside'), { recursive: true });
  },
);

itWith(
  { programs: ['mkfifo'], symlinks: true },
  'reads no pipe and no folder, neither as a file of prices nor as the list',
  async () => {
    const asked = { path: 'pipe', format: 'json' } as const;
    save({
      devices: [{ name: 'kitchen', token: TOKEN }],
      symbols: {
        PIPE: { kind: 'file', ...asked },
        LINKED: { kind: 'file', ...asked, path: 'to-pipe' },
        FOLDER: { kind: 'file', ...asked, path: 'folder' },
      },
    });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync(join(folder, 'pipe'), join(folder, 'to-pipe'));
    mkdirSync(join(folder, 'folder'));
    const ask = create();
    for (const symbol of ['PIPE', 'LINKED', 'FOLDER'])
      expect([symbol, (await ask(target(symbol))).status]).toEqual([symbol, 404]);
    rmSync(list());
    execFileSync('mkfifo', [list()]);
    expect((await create()(target('PIPE'))).status).toBe(503);
  },
);

test('reads the numbers of an unchanged file once, and those of a changed one again', async () => {
  const ask = create();
  const priceOf = async (): Promise<unknown> => ((await ask(target('SOLAR'))).body as { price?: unknown }).price;
  const path = join(folder, 'solar.json');
  utimesSync(path, 10, 10);
  expect(await priceOf()).toBe(3.5);
  // Neither its size nor its time changes: what was read before is given.
  writeFileSync(path, '{"watts":[1,2,4.5]}');
  utimesSync(path, 10, 10);
  expect(await priceOf()).toBe(3.5);
  utimesSync(path, 11, 11);
  expect(await priceOf()).toBe(4.5);
});

test('ends the sum of a portfolio of portfolios after 200 entries', async () => {
  const sum = (symbol: string, count: number) => ({
    kind: 'portfolio',
    parts: Array.from({ length: count }, () => ({ symbol, quantity: 1 })),
  });
  const symbols = {
    LEAF: { kind: 'fixed', price: 2 },
    ...{ LOW: sum('LEAF', 50), MIDDLE: sum('LOW', 50), TOP: sum('MIDDLE', 50) },
    ...{ SMALL: sum('LOW', 3), LOST: sum('LOST', 50) },
  };
  save({ devices: [{ name: 'kitchen', token: TOKEN }], symbols });
  const ask = create();
  expect((await ask(target('SMALL'))).body).toMatchObject({ price: 300 });
  for (const symbol of ['MIDDLE', 'TOP', 'LOST']) expect((await ask(target(symbol))).status).toBe(404);
});

test('lets an address guess tokens thirty times a minute, and answers all others meanwhile', async () => {
  const ask = create();
  const guess = async (at: number, from: string): Promise<number> =>
    (await ask(`/quote?token=guess-${at}-0123456789&symbol=HOUSE`, from)).status;
  for (let at = 0; at < 30; at += 1) expect(await guess(at, '192.168.1.66')).toBe(401);
  expect(await ask(target('HOUSE'), '192.168.1.66')).toEqual({ status: 429, body: { ok: false }, retryAfter: 60 });
  expect((await ask(target('HOUSE'), '192.168.1.67')).status).toBe(200);
  // A host of IPv6 has many addresses: its network counts.
  for (let at = 0; at < 30; at += 1) expect(await guess(at, `fd00::${at.toString(16)}`)).toBe(401);
  expect(await guess(30, 'fd00::99')).toBe(429);
  now += 60_001;
  expect((await ask(target('HOUSE'), '192.168.1.66')).status).toBe(200);
});

test('reads a changed list again, and says that it has none while the file is damaged', async () => {
  const ask = create();
  expect((await ask(target('HOUSE'))).status).toBe(200);
  const damaged = ['{', '[]', '{"devices":[{"name":"a","token":"short"}],"symbols":{}}'];
  for (const [at, text] of damaged.entries()) {
    writeFileSync(list(), text);
    utimesSync(list(), at + 1, at + 1);
    expect((await ask(target('HOUSE'))).status).toBe(503);
  }
  save({ devices: [{ name: 'kitchen', token: TOKEN }], symbols: { HOUSE: { kind: 'fixed', price: 2 } } });
  expect((await ask(target('HOUSE'))).body).toMatchObject({ price: 2 });
});

test('opens its port only while prices are offered, says when it is taken, and takes nothing but GET', async () => {
  let isOn = false;
  const warned: unknown[] = [];
  const openOn = (port: number) =>
    createSourceListener(
      {
        config: { 'ticker.source_port': port, 'ticker.source_host': '127.0.0.1' },
        clock: { now: () => now, sleep: () => Promise.resolve(true) },
        log: { warn: (fields: object) => warned.push(fields) },
      } as unknown as Parameters<typeof createSourceListener>[0],
      { answer: create(), isOn: () => isOn, onPort: () => undefined },
    );
  const listener = openOn(0);
  await listener.refresh();
  expect([listener.url(), listener.state()]).toEqual([null, 'off']);
  isOn = true;
  await Promise.all([listener.refresh(), listener.refresh()]);
  const url = listener.url()!;
  expect([listener.state(), listener.addresses()]).toEqual(['on', [url]]);
  const reply = await fetch(url + target('HOUSE'));
  expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ price: 1.5 })]);
  expect((await fetch(url + target('HOUSE'), { method: 'POST' })).status).toBe(405);
  const second = openOn(Number(new URL(url).port));
  await second.refresh();
  expect([second.state(), warned]).toEqual(['failed', [{ code: 'EADDRINUSE' }]]);
  isOn = false;
  await listener.refresh();
  await expect(fetch(url + target('HOUSE'))).rejects.toThrow();
  await Promise.all([listener.close(), second.close()]);
});

test('closes connections that say nothing or stop, and leaves places to other devices', async () => {
  const listener = createSourceListener(
    {
      config: { 'ticker.source_port': 0, 'ticker.source_host': '127.0.0.1' },
      clock: { now: () => now, sleep: () => Promise.resolve(true) },
      log: { warn: () => undefined },
    } as unknown as Parameters<typeof createSourceListener>[0],
    { answer: create(), isOn: () => true, onPort: () => undefined },
  );
  await listener.refresh();
  const port = Number(new URL(listener.url()!).port);
  const open = Array.from({ length: 20 }, (_, at) => {
    const socket = connect(port, '127.0.0.1', () => at % 2 === 0 && socket.write('GET /quote HTTP/1.1\r\nHost: '));
    return new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
  });
  let closed = 0;
  for (const one of open) void one.then(() => (closed += 1));
  await expect.poll(() => closed, { timeout: 4_000 }).toBe(8);
  await Promise.all(open);
  expect((await fetch(listener.url() + target('HOUSE'))).status).toBe(200);
  await listener.close();
}, 30_000);

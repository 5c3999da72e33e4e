import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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
const create = (nothingLeaves = false) =>
  createTickerPrices({
    readList: createFileListReader(list()),
    nothingLeaves: () => nothingLeaves,
    now: () => now,
    send: (address, init) => {
      const { pathname, search } = new URL(String(address));
      return fetch(`${market.url}${pathname}${search}`, init);
    },
  }).answer;
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

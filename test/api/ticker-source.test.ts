import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

const test = base.override('serveOptions', WITHOUT_INBOX);
const PATH = '/api/tickers/source';
const FIXED = { kind: 'fixed', price: 12.5, change: 0.5, currency: 'CHF ' };
let admin: Client;

test.beforeAll(({ household }) => {
  admin = household.as('admin');
});

const turn = async (is_on: boolean) => (await admin.call('PUT', `${PATH}/state`, { is_on })).body;
const setSymbol = (symbol: string, entry: object | null, before: string | null = null) =>
  admin.call('PUT', `${PATH}/symbols`, { symbol, entry, before });
const quoteAt = (address: string, symbol: string): Promise<Response> =>
  fetch(`${address}&symbol=${symbol}&range=1d&points=10`);

test('is closed at first, and gives a listed price to a device with its token alone', async ({ household }) => {
  const first = (await admin.get(PATH)).body;
  expect(first).toMatchObject({ state: 'off', is_file: false, devices: [], symbols: [] });
  await setSymbol('HOUSE', FIXED);
  const { state, addresses } = await turn(true);
  expect(state).toBe('on');
  const added = await admin.call('POST', `${PATH}/devices`, { name: 'kitchen' });
  expect([added.status, added.body.addresses]).toEqual([
    201,
    [expect.stringContaining(`${addresses[0]}/quote?token=`)],
  ]);
  const [address] = added.body.addresses as [string];
  expect(address.length).toBeLessThanOrEqual(200);
  expect(await (await quoteAt(address, 'HOUSE')).json()).toMatchObject({ price: 12.5, change: 0.5, ok: true });
  expect((await fetch(`${addresses[0]}/quote?token=&symbol=HOUSE`)).status).toBe(401);

  const token = new URL(address).searchParams.get('token')!;
  const stored = household.db.prepare("SELECT value FROM settings WHERE key = 'ticker.source_list'").pluck().get();
  expect(String(stored)).not.toContain(token);
  expect(JSON.stringify((await admin.get(PATH)).body)).not.toContain(token);

  const device = `${PATH}/devices/${added.body.device.id}`;
  await admin.call('DELETE', device);
  expect((await quoteAt(address, 'HOUSE')).status).toBe(401);
  await admin.call('POST', `${device}/restore`);
  expect((await quoteAt(address, 'HOUSE')).status).toBe(200);
  await turn(false);
  await expect(quoteAt(address, 'HOUSE')).rejects.toThrow();
  await admin.call('DELETE', device);
});

test('replaces, renames and removes a symbol, and refuses a second one of the same name', async () => {
  await setSymbol('ONE', FIXED);
  await setSymbol('TWO', FIXED);
  const refused = await setSymbol('ONE', FIXED);
  expect([refused.status, refused.body.code]).toEqual([409, 'ticker.symbol_listed']);
  expect((await setSymbol('TWO', FIXED, 'ONE')).status).toBe(409);
  const names = (body: { symbols: { symbol: string }[] }): string[] => body.symbols.map(({ symbol }) => symbol);
  expect(names((await setSymbol('FIRST', { ...FIXED, price: 1 }, 'ONE')).body).slice(-2)).toEqual(['FIRST', 'TWO']);
  expect(names((await setSymbol('FIRST', null)).body)).not.toContain('FIRST');
});

test('tries an entry before it is saved, and says why it has no price', async () => {
  const tryOut = async (entry: object) => (await admin.call('POST', `${PATH}/try`, { symbol: 'NEW', entry })).body;
  await turn(true);
  const folder = (await admin.get(PATH)).body.folder as string;
  await turn(false);
  mkdirSync(folder, { recursive: true });
  const name = `oil-${process.pid}.csv`;
  writeFileSync(join(folder, name), 'day,litres\n1,800\n2,640.5\n');
  const file = { kind: 'file', path: name, format: 'csv', field: 'litres', currency: 'l ' };
  expect(await tryOut(file)).toMatchObject({ quote: { price: 640.5, spark: [800, 640.5] }, failure: null });
  expect((await admin.get(PATH)).body.files).toContain(name);
  expect(await tryOut({ ...file, field: 'gallons' })).toEqual({
    quote: null,
    failure: { code: 'ticker.entry_without_price' },
  });
  expect((await tryOut({ ...file, path: '../secret.key' })).quote).toBeNull();
  expect((await tryOut({ kind: 'portfolio', parts: [{ symbol: 'TWO', quantity: 2 }] })).quote).toMatchObject({
    price: 25,
  });
  rmSync(join(folder, name));
});

test('keeps only so many symbols and devices', async () => {
  const count = (await admin.get(PATH)).body.devices.length as number;
  for (let at = count; at < 50; at += 1) await admin.call('POST', `${PATH}/devices`, { name: `device ${at}` });
  const refused = await admin.call('POST', `${PATH}/devices`, { name: 'one more' });
  expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, 'ticker.source_full', { most: 50 }]);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTickerNetwork } from '../../src-main/features/tickers/service.ts';
import { Failure } from '../../src-main/platform/kernel/errors.ts';
import { extendQuotesConfig } from '../../src-shared/ticker/quotes-config.ts';
import { type Market, startMarket } from '../fakes/market/market.ts';
import { WITHOUT_UPDATES } from '../support/ticker-updates.ts';

const codeOf = (error: unknown): unknown => (error instanceof Failure ? error.code : error);
const NESTLE = '3886335-4-1';

let market: Market, left: string[];
beforeEach(async () => {
  market = await startMarket();
  left = [];
  market.now = () => Date.UTC(2026, 10, 20, 15) / 1000;
  const closes = [90, null, 95, 100];
  market.listings.set('AAPL', { price: 101, previousClose: 95, spanClose: 80, currency: 'USD', name: 'Apple', closes });
  market.listings.set(NESTLE, { price: 1090.5, previousClose: 1080, currency: 'CHF', name: 'Nestlé', closes });
});
afterEach(() => market.close());

/** The finder, whose requests go to the market of the test instead of the internet. */
const create = (nothingLeaves = false) =>
  createTickerNetwork({
    nothingLeaves: () => nothingLeaves,
    vault: WITHOUT_UPDATES,
    send: (address, init) => {
      const { origin, pathname, search } = new URL(String(address));
      left.push(origin);
      return fetch(`${market.url}${pathname}${search}`, init);
    },
  });
const wish = { source: 'yahoo', symbol: 'AAPL', range: '1d', points: 48, repo: '' } as const;

test('finds listing keys by a pasted link, a valor and a name, and asks nothing for an empty text', async () => {
  const network = create();
  const found = { key: NESTLE, name: 'Nestlé', market: 'SIX', currency: 'CHF', isin: null };
  for (const text of ['https://www.cash.ch/aktien/nestle-n-3886335/swx/chf', '3886335', 'nestl', ' "NESTLÉ\\" '])
    expect([text, await network.search(text)]).toEqual([text, { found: [found] }]);
  expect(await network.search('zürich')).toEqual({ found: [] });
  const before = left.length;
  expect(await network.search('"\\"')).toEqual({ found: [] });
  expect(left.length).toBe(before);
  expect(new Set(left)).toEqual(new Set(['https://www.cash.ch']));
});

test('a quote has the previous close of the day, not the one before the chart', async () => {
  const network = create();
  const spark = [90, 95, 100];
  const quoted = (previous: number) => ({
    failure: null,
    quote: { name: 'Apple', price: 101, currency: 'USD', previous, spark },
  });
  expect(await network.tryOut(wish)).toEqual(quoted(95));
  expect(await network.tryOut({ ...wish, range: '1mo' })).toEqual(quoted(95));
  expect(await network.tryOut({ ...wish, range: '2y' })).toEqual(quoted(95));
  expect(market.seen.map(({ path }) => path).slice(-2)).toEqual([
    '/v8/finance/chart/AAPL?range=2y&interval=1wk',
    '/v8/finance/chart/AAPL?range=5d&interval=1d',
  ]);
});

test('reads Swiss numbers, keeps a quote without its series, and says why a symbol has none', async () => {
  const network = create();
  const portal = { ...wish, source: 'cash', symbol: NESTLE } as const;
  const quote = { name: 'Nestlé', price: 1090.5, currency: 'CHF', previous: 1080, spark: [95, 100] };
  expect(await network.tryOut(portal)).toEqual({ quote, failure: null });
  market.faultOf = ({ path }) => (path.includes('timeserie') ? { kind: 'reset' } : undefined);
  expect(await network.tryOut(portal)).toEqual({ quote: { ...quote, spark: [] }, failure: null });
  const failure = async (other: object) => (await network.tryOut({ ...wish, ...other })).failure?.code;
  expect(await failure({ symbol: 'NOPE' })).toBe('ticker.unknown_symbol');
  expect(await failure({ source: 'cash', symbol: '1-2-3' })).toBe('ticker.unknown_symbol');
  expect(await failure({ source: 'cash', symbol: '1"){x}' })).toBe('ticker.listing_key');
  expect(await failure({ source: 'github', symbol: NESTLE })).toBe('ticker.repo_missing');
  expect(await failure({ source: 'github', symbol: NESTLE, repo: '../..' })).toBe('ticker.unknown_symbol');
});

test('nothing leaves this computer when the household says so', async () => {
  const network = create(true);
  expect(await network.search('Nestlé').catch(codeOf)).toBe('ticker.nothing_leaves');
  expect(await network.tryOut(wish).catch(codeOf)).toBe('ticker.nothing_leaves');
  expect(left).toEqual([]);
});

test('follows no redirect of a source, and reads no endless answer', async () => {
  let elsewhere = 0;
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere') {
      elsewhere += 1;
      response.end('{}');
    } else if (request.url?.includes('AAPL')) response.writeHead(302, { location: '/elsewhere' }).end();
    else {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network = createTickerNetwork({
    ...{ nothingLeaves: () => false, vault: WITHOUT_UPDATES },
    send: (address, init) => fetch(`http://127.0.0.1:${port}${new URL(String(address)).pathname}`, init),
  });
  for (const symbol of ['AAPL', 'ENDLESS'])
    expect((await network.tryOut({ ...wish, symbol })).failure?.code).toBe('ticker.source_failed');
  expect(elsewhere).toBe(0);
  server.closeAllConnections();
  server.close();
});

test('a list of published prices gets new rows and keeps everything that Hearth does not know', () => {
  const row = { key: NESTLE, name: 'Mine', range: '1y', colour: 'red' };
  const file = { _comment: 'ours', keepMinutes: 5, later: { a: 1 }, symbols: [row, 'odd'] };
  const symbol = (key: string, source: 'cash' | 'github' | 'yahoo') => ({
    ...{ symbol: key, source, name: 'ABB', qty: 0, cost: 0 },
  });
  const symbols = [symbol(NESTLE, 'cash'), symbol('1222171-4-1', 'github'), symbol('AAPL', 'yahoo')];
  const extended: unknown = JSON.parse(extendQuotesConfig({ name: 'x', text: JSON.stringify(file) }, symbols));
  expect(extended).toEqual({ ...file, symbols: [row, 'odd', { key: '1222171-4-1', name: 'ABB' }] });
  expect(JSON.parse(extendQuotesConfig(null, symbols))).toMatchObject({ keepMinutes: 60, symbols: { length: 2 } });
  for (const text of ['', '[]', '{"symbols":3}', 'null'])
    expect(() => extendQuotesConfig({ name: 'x', text }, symbols)).toThrow('ticker.settings_unreadable');
});

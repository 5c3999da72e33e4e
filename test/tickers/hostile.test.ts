/** What tickers, their network, files and sources of prices may send who were taken over or are broken. */
import { createSocket } from 'node:dgram';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type Announced, browseNetwork, takeAnnounced } from '../../src-main/features/tickers/discover.ts';
import { openLanDevice } from '../../src-main/features/tickers/lan-device.ts';
import { createTickerNetwork } from '../../src-main/features/tickers/service.ts';
import { Failure } from '../../src-main/platform/kernel/errors.ts';
import { openDeviceLine } from '../../src-shared/ticker/device/line.ts';
import { deviceSettings } from '../../src-shared/ticker/device/shapes.ts';
import { importSettings } from '../../src-shared/ticker/device/write-settings.ts';
import { TickerError } from '../../src-shared/ticker/flash/ticker-error.ts';
import type { TickerPort } from '../../src-shared/ticker/port.ts';
import { createFrameReader, encodeFrame, LINK_TYPES } from '../../src-shared/ticker/protocol.ts';
import { diffSettings, documentOf } from '../../src-shared/ticker/settings/change.ts';
import { checkSettings } from '../../src-shared/ticker/settings/check.ts';
import { WITHOUT_UPDATES } from '../support/ticker-updates.ts';

const codeOf = (error: unknown): unknown =>
  error instanceof Failure || error instanceof TickerError ? error.code : error;
const isOnThisComputer = (url: URL): boolean => url.hostname === '127.0.0.1';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
async function serve(listen: RequestListener): Promise<number> {
  const server = createServer(listen);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('a file of settings', () => {
  test.each([
    '{"ticker":{"symbols":"AAPL"}}',
    '{"ticker":{"symbols":{"length":3}}}',
    '{"ticker":{"symbols":[null]}}',
    '{"ticker":{"symbols":[{"symbol":{}}]}}',
    '{"ticker":7}',
    '{"wifi":"home"}',
    '{"wifi":[null]}',
    '{"wifi":[{"ssid":3}]}',
    `{"wifi":${JSON.stringify(Array.from({ length: 65 }, () => ({ ssid: 'a' })))}}`,
    '{"hostname":[]}',
    '[]',
    'null',
    '7',
    '<html></html>',
    '{"a":'.repeat(20_000),
  ])('%.40s is refused as a whole', (text) => {
    expect(() => importSettings('odd.json', text)).toThrow('ticker.settings_unreadable');
  });

  const stored = deviceSettings.parse({ hostname: 'a', wifi: [], ticker: { symbols: [] }, chip: 'esp32' });
  test.each([
    ['{"brightness":{"a":1}}', ['brightness']],
    ['{"brightness":1e308,"rotation":-1}', ['brightness', 'rotation']],
    ['{"clock":5,"display":[1]}', []],
    ['{"clock":{"tzPosix":"\\u0000"}}', ['clock.tzPosix']],
    ['{"hostname":"\\u202eevil"}', ['hostname']],
    ['{"ticker":{"webhookUrl":"javascript:alert(1)"}}', ['ticker.webhookUrl']],
    ['{"ticker":{"symbols":[{"symbol":"A","qty":-1}]}}', ['ticker.symbols.0.qty']],
    ['{"__proto__":{"brightness":7},"constructor":{"prototype":{"rotation":3}}}', []],
  ])('%s is shown with what is wrong in it, and nothing of it is written unseen', (text, wrong) => {
    const document = documentOf(diffSettings(stored, importSettings('odd.json', text)));
    expect(checkSettings({ ...stored, ...document }).map(({ path }) => path)).toEqual(wrong);
    expect(({} as Record<string, unknown>)['brightness']).toBeUndefined();
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
  });
});

describe('announcements on the network', () => {
  const referer = (address: string) => ({ address, family: 'IPv4' as const, port: 5353, size: 100 });

  test('one machine with a thousand servers leaves room for the others, and every name is plain', () => {
    const found = new Map<string, Announced>();
    for (let port = 1; port <= 1000; port += 1)
      takeAnnounced(found, { name: 'liar', port, referer: referer('192.168.1.66') });
    takeAnnounced(found, { name: '\u202esmall\u0007tv\ud800', port: 80, referer: referer('192.168.1.20') });
    for (const port of [0, -1, 65_536, 1.5, NaN])
      takeAnnounced(found, { name: 'odd', port, referer: referer('192.168.1.21') });
    takeAnnounced(found, { name: 'six', port: 80, referer: { ...referer('fe80::1'), family: 'IPv6' } });
    expect([...found.keys()].filter((address) => address.startsWith('192.168.1.66'))).toHaveLength(4);
    expect(found.get('192.168.1.20')).toEqual({ name: 'smalltv', address: '192.168.1.20' });
    expect([...found.keys()].filter((address) => /\.21|fe80/.test(address))).toEqual([]);
    for (let host = 0; host < 200; host += 1)
      takeAnnounced(found, { name: 'x'.repeat(500), port: 80, referer: referer(`10.0.0.${host}`) });
    expect(found.size).toBe(40);
    expect(Math.max(...[...found.values()].map(({ name }) => name.length))).toBe(63);
  });

  test('packets that lie about their host, are cut, or carry a huge text ask nobody else', async () => {
    const encode = (name: string): Buffer =>
      Buffer.concat([
        ...name.split('.').map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
        Buffer.from([0]),
      ]);
    const record = (name: string, type: number, data: Buffer): Buffer => {
      const head = Buffer.alloc(10);
      head.writeUInt16BE(type, 0);
      head.writeUInt16BE(1, 2);
      head.writeUInt32BE(120, 4);
      head.writeUInt16BE(data.length, 8);
      return Buffer.concat([encode(name), head, data]);
    };
    const answer = (records: readonly Buffer[]): Buffer => {
      const head = Buffer.alloc(12);
      head.writeUInt16BE(0x8400, 2);
      head.writeUInt16BE(records.length, 6);
      return Buffer.concat([head, ...records]);
    };
    const service = 'liar._http._tcp.local';
    const target = Buffer.concat([Buffer.from([0, 0, 0, 0, 31, 144]), encode('bank.local')]);
    const huge = Buffer.concat(
      Array.from({ length: 30 }, () => Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 97)])),
    );
    const lie = answer([
      record('_http._tcp.local', 12, encode(service)),
      record(service, 33, target),
      record(service, 16, huge),
      record('bank.local', 1, Buffer.from([8, 8, 8, 8])),
    ]);
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    socket.setMulticastInterface('127.0.0.1');
    const browsing = browseNetwork(2, { interface: '127.0.0.1', bind: '0.0.0.0' });
    const timer = setInterval(() => {
      for (const cut of [lie.length, 3, 20, 60, lie.length - 5]) socket.send(lie.subarray(0, cut), 5353, '224.0.0.251');
      socket.send(Buffer.alloc(1400, 0xc0), 5353, '224.0.0.251');
    }, 50);
    const found = await browsing;
    clearInterval(timer);
    socket.close();
    expect(found).toEqual([{ name: 'liar', address: '127.0.0.1:8080' }]);
  });
});

describe('a device on the network', () => {
  const where = (port: number) => ({ address: `127.0.0.1:${port}`, user: 'admin', password: 'long enough' });

  test.each([
    ['a page', '<!doctype html><title>Router</title>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '1e999'],
    ['a list', '[]'],
    ['half a document', '{"version":"1.2.3"'],
    ['a state with a text for a number', '{"version":"1","heap":"much"}'],
    ['a nest', '['.repeat(60_000)],
  ])('that answers %s is not taken for a ticker', async (_, body) => {
    for (const status of [200, 400, 418, 500]) {
      const port = await serve((_request, response) => response.writeHead(status).end(body));
      const device = openLanDevice(where(port), isOnThisComputer);
      expect(await device.status().catch(codeOf)).toBe('ticker.not_hearth');
      expect(await device.settings().catch(codeOf)).toBe('ticker.not_hearth');
      expect(await device.set({ brightness: 5 }).catch(codeOf)).toBe('ticker.not_hearth');
    }
  });

  test.each([
    ['the password itself', 'Basic realm="SmallTV"'],
    ['another hash', 'Digest realm="SmallTV", nonce="a", algorithm=SHA-256, qop="auth"'],
    ['a hash of the session', 'Digest realm="SmallTV", nonce="a", algorithm=MD5-sess, qop="auth"'],
    ['no nonce', 'Digest realm="SmallTV", qop="auth"'],
    ['the older way without a count', 'Digest realm="SmallTV", nonce="a"'],
    ['the whole body', 'Digest realm="SmallTV", nonce="a", qop="auth-int"'],
    ['somebody else’s page', 'Digest realm="Router", nonce="a", qop="auth"'],
    ['nothing', ''],
  ])('that asks for %s gets no answer to it', async (_, challenge) => {
    const sent: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      sent.push(request.headers.authorization);
      response.writeHead(401, challenge === '' ? {} : { 'www-authenticate': challenge }).end();
    });
    expect(await openLanDevice(where(port), isOnThisComputer).status().catch(codeOf)).toBe('ticker.not_hearth');
    expect(sent).toEqual([undefined]);
  });
});

describe('a source of prices', () => {
  const chart = (meta: object, closes: unknown = []) =>
    JSON.stringify({ chart: { result: [{ meta, timestamp: [1, 2, 3], indicators: { quote: [{ close: closes }] } }] } });
  const portal = (node: object) => JSON.stringify({ data: { quoteList: { quoteList: { edges: [{ node }] } } } });
  const wish = { range: '1d', points: 48, repo: 'a/b' } as const;
  async function tryOut(source: 'yahoo' | 'cash' | 'github', body: string) {
    const port = await serve((_, response) => response.end(body));
    const network = createTickerNetwork({
      ...{ nothingLeaves: () => false, vault: WITHOUT_UPDATES },
      send: (_, init) => fetch(`http://127.0.0.1:${port}/`, init),
    });
    return network.tryOut({ ...wish, source, symbol: source === 'yahoo' ? 'A' : '1-2-3' });
  }

  test.each([
    ['yahoo', chart({ regularMarketPrice: 1e308 })],
    ['yahoo', chart({ regularMarketPrice: '5' })],
    ['yahoo', chart({})],
    ['yahoo', '{"chart":{"result":[{"meta":{"regularMarketPrice":1e999}}]}}'],
    ['yahoo', '{"chart":{"result":[{"meta":{"regularMarketPrice":NaN}}]}}'],
    ['yahoo', chart({ regularMarketPrice: 5, currency: 'X'.repeat(5000) })],
    ['yahoo', `${' '.repeat(10 * 1024 * 1024)}${chart({ regularMarketPrice: 5 })}`],
    ['cash', portal({ lval: '1e308', iNetVperprV: '-1e308' })],
    ['cash', portal({ lval: '1e999' })],
    ['cash', portal({ lval: 'Infinity' })],
    ['cash', portal({ lval: '-5' })],
    ['cash', portal({ lval: '' })],
    ['github', '{"price":1e308,"change":-1e308}'],
    ['github', '{"price":null}'],
    ['github', '{"price":[5]}'],
    ['github', '{"price":5,"ok":false}'],
  ] as const)('%s: %.70s gives no price', async (source, body) => {
    const { quote, failure } = await tryOut(source, body);
    expect(quote).toBeNull();
    expect(failure?.code).toMatch(/^ticker\.(source_failed|unknown_symbol)$/);
  });

  test('what is odd beside a price is left out, and a negative price is one', async () => {
    const meta = { regularMarketPrice: -37.63, previousClose: 1e308, currency: 'XTS', shortName: 'Oil' };
    expect(await tryOut('yahoo', chart(meta, [1e308, 5, 'x', null, -4]))).toEqual({
      quote: { name: 'Oil', price: -37.63, currency: 'XTS', previous: null, spark: [5, -4] },
      failure: null,
    });
    expect(await tryOut('github', '{"price":5,"change":1e308,"spark":[1,1e308,2]}')).toMatchObject({
      quote: { price: 5, previous: null, spark: [1, 2] },
    });
    expect(await tryOut('cash', portal({ lval: "1'005.5", iNetVperprV: '1e999' }))).toMatchObject({
      quote: { price: 1005.5, previous: null },
    });
  });
});

test('a line of the log can’t steer a terminal, and is not endless', async () => {
  let say: (bytes: Uint8Array) => void = () => undefined;
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const status = {
    ...{ version: '1.0.0', chip: 'esp32', hostname: 'a', mode: 'ap', connected: false, ssid: '', ip: '' },
    ...{ rssi: 0, heap: 1, maxblk: 1, uptime: 1, reset: '', synced: false, tickers: [] },
  };
  const frames = createFrameReader();
  const port: TickerPort = {
    readable: new ReadableStream({ start: (controller) => void (say = (bytes) => controller.enqueue(bytes)) }),
    writable: new WritableStream({
      write: (bytes) => {
        for (const { type, sequence } of frames.push(bytes))
          say(encodeFrame({ type: type | 0x80, sequence, payload: encode(status) }));
      },
    }),
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    setSignals: () => Promise.resolve(),
    getInfo: () => ({}),
  };
  const log: string[] = [];
  const line = await openDeviceLine(port, { onLog: (text) => log.push(text) });
  const speak = (text: string): void =>
    say(encodeFrame({ type: LINK_TYPES.log | 0x80, sequence: 0, payload: new TextEncoder().encode(text) }));
  speak('\x1b]0;owned\x07\x1b[2J\r\nfetch\tok \u202e\u009b31m');
  speak('x'.repeat(16_000));
  await expect.poll(() => log.length).toBe(2);
  expect(log[0]).toBe('␛]0;owned␇␛[2J␍␊fetch\tok ��31m');
  expect(log[1]).toHaveLength(1000);
  await line.close();
});

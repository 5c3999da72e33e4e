import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Device, startDevice, until } from '../fakes/device.ts';
import { type Identity, makeIdentity } from '../fakes/market/certificates.ts';
import type { Fault } from '../fakes/market/faults.ts';
import { type Market, startMarket } from '../fakes/market/market.ts';
import { buildFirmware, FIRMWARE, SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';
import { LONG } from '../support/long.ts';

const HOSTS = [
  'query1.finance.yahoo.com',
  'query2.finance.yahoo.com',
  'www.cash.ch',
  'raw.githubusercontent.com',
  'hub.home',
];
const ROWS = [
  { symbol: 'AAPL', source: 'yahoo' },
  { symbol: '1222171-4-1', source: 'cash' },
  { symbol: '3886335-4-1', source: 'github' },
  { symbol: 'HOUSE', source: 'webhook' },
];
/** Fast enough for a test; one interval is 10 virtual seconds, the shortest that a device takes. */
const QUICK = ['--speed', '20', '--wifi', 'home,behind the wall'];
const SETTINGS = {
  wifi: [{ ssid: 'home', pass: 'behind the wall' }],
  httpTimeout: 1000,
  ticker: { pollSec: 10, webhookUrl: 'https://hub.home/hook', symbols: ROWS },
};

let program: string;
let identity: Identity;
let place: string;
const running: { stop(): unknown; close?(): unknown }[] = [];

describeWith(
  { ...SIMULATOR, programs: [...(SIMULATOR.programs ?? []), 'openssl'] },
  'the simulator over real sockets',
  () => {
    beforeAll(() => {
      program = join(buildFirmware('ticker-sim'), 'sim/ticker-sim');
      identity = makeIdentity(HOSTS);
      place = mkdtempSync(join(tmpdir(), 'simulator-'));
      writeFileSync(join(place, 'root.pem'), identity.root);
    });
    afterAll(() => rmSync(place, { recursive: true, force: true }));
    afterEach(async () => {
      for (const one of running.splice(0)) await one.stop();
    });

    describe('the route of each source', () => {
      const STATIC_RSA: ServerOptions = { ciphers: 'AES128-GCM-SHA256:AES128-SHA256', maxVersion: 'TLSv1.2' };
      const ECDHE: ServerOptions = {
        ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
        ecdhCurve: 'P-256',
        maxVersion: 'TLSv1.2',
      };
      const X25519: ServerOptions = { ...ECDHE, ecdhCurve: 'X25519' };
      const MODERN: ServerOptions = {};
      const plain = 'AES128-GCM-SHA256';
      const forward = 'ECDHE-RSA-AES128-GCM-SHA256';
      const none = 'tls_failed';

      test.each([
        ['esp8266', 'static RSA alone', STATIC_RSA, { yahoo: plain, cash: plain, github: plain, webhook: plain }],
        ['esp8266', 'ECDHE alone', ECDHE, { yahoo: none, cash: forward, github: none, webhook: none }],
        ['esp8266', 'ECDHE with a curve it has not', X25519, { yahoo: none, cash: none, github: none, webhook: none }],
        ['esp32', 'static RSA alone', STATIC_RSA, { yahoo: plain, cash: plain, github: plain, webhook: plain }],
        ['esp32', 'ECDHE alone', ECDHE, { yahoo: forward, cash: forward, github: forward, webhook: forward }],
        [
          'esp32c3',
          'ECDHE with another curve',
          X25519,
          { yahoo: forward, cash: forward, github: forward, webhook: forward },
        ],
        [
          'esp32',
          'everything that is modern',
          MODERN,
          { yahoo: /^ECDHE/, cash: /^ECDHE/, github: /^ECDHE/, webhook: /^ECDHE/ },
        ],
      ] as const)('%s to a server with %s', async (chip, _server, tls, expected) => {
        const market = await open(tls);
        const device = await start(chip, market);
        await device.configure(SETTINGS);
        for (const [index, { source }] of ROWS.entries()) {
          const wanted: string | RegExp = expected[source as keyof typeof expected];
          const works = wanted !== none;
          await until(
            async () => {
              const row = (await device.tickers())[index]!;
              return row.fresh === works && (works || row.error === 'tls_failed');
            },
            `${source} to ${works ? 'answer' : 'fail'}`,
          );
          const seen = market.seen.filter(
            ({ source: from }) =>
              from === { yahoo: 'chart', cash: 'portal', github: 'raw', webhook: 'webhook' }[source],
          );
          expect(seen.length > 0).toBe(works);
          if (works) for (const { suite } of seen) expect(suite).toMatch(wanted);
        }
        const connections = device.connections.filter(({ profile }) => profile === 'ecdhe');
        expect(new Set(connections.map(({ host }) => host))).toEqual(new Set(['www.cash.ch']));
      });

      test('resumes its TLS session with the portal only, on the ESP8266', async () => {
        const market = await open({ ciphers: `${forward}:${plain}`, ecdhCurve: 'P-256', maxVersion: 'TLSv1.2' });
        const device = await start('esp8266', market);
        await device.configure(SETTINGS);
        const resumed = (source: string): boolean[] =>
          market.seen.filter((one) => one.source === source).map((one) => one.resumed === true);
        await until(() => resumed('portal').length >= 4 && resumed('chart').length >= 2, 'a few rounds');
        expect(resumed('portal')[0]).toBe(false);
        expect(resumed('portal').slice(1)).not.toContain(false);
        for (const source of ['chart', 'raw', 'webhook']) expect(resumed(source)).not.toContain(true);
        // 512 bytes to receive and to send, beside the engine's own.
        for (const { profile, heapPeak } of device.connections.slice(4)) expect(heapPeak, profile).toBeLessThan(12_000);
      });

      test('accepts only certificates of its roots for the right name, on an ESP32', async () => {
        const stranger = makeIdentity(HOSTS);
        const elsewhere = makeIdentity(['elsewhere.example']);
        for (const [server, trusted] of [
          [stranger, identity],
          [elsewhere, elsewhere],
        ] as const) {
          const device = await start('esp32', await open({ key: server.key, cert: server.cert }), trusted.root);
          await device.configure(SETTINGS);
          await until(() => device.connections.length >= 4, 'four tries');
          expect(new Set(device.connections.map(({ fault }) => fault))).toEqual(new Set(['certificate']));
          await until(
            async () => (await device.tickers()).every(({ valid, error }) => !valid && error === 'certificate'),
            'every row to say so',
          );
        }
      });
    });

    test('recovers from every fault without leaks', LONG, async () => {
      const market = await open({});
      const device = await start('esp32', market);
      await device.configure({ ...SETTINGS, ticker: { ...SETTINGS.ticker, symbols: [ROWS[0], ROWS[3]] } });
      const good = async (): Promise<boolean> =>
        (await device.tickers()).every(({ fresh, error }) => fresh && error === '');
      await until(good, 'the first prices');
      const heap = (await device.state()).heapFree;
      const faults: Fault[] = [
        { kind: 'hang' },
        { kind: 'reset' },
        { kind: 'garbage' },
        { kind: 'truncated' },
        { kind: 'drip', everyMs: 100 },
        { kind: 'huge', bytes: 4 * 2 ** 20 },
        { kind: 'status', status: 429 },
        { kind: 'status', status: 503 },
        { kind: 'redirect', to: 'https://hub.home/nothing' },
      ];
      for (const fault of faults) {
        market.faultOf = () => fault;
        await until(
          async () => (await device.tickers()).every(({ error }) => error !== ''),
          `everybody to notice ${fault.kind}`,
        );
        market.faultOf = () => undefined;
        await until(good, `everybody back after ${fault.kind}`);
      }
      market.faultOf = () => ({ kind: 'chunked' });
      market.listings.get('HOUSE')!.price = 77;
      await until(async () => Number((await device.tickers())[1]!.price) === 77, 'a price in chunks');
      expect(await good()).toBe(true);
      for (const fault of ['net-down', 'dns-down', 'wifi-down']) {
        await device.fault(`${fault}=1`);
        await until(
          async () => (await device.tickers()).every(({ error }) => error !== ''),
          `everybody to notice ${fault}`,
        );
        await device.fault(`${fault}=0`);
        await until(good, `everybody back after ${fault}`);
      }
      await until(async () => (await device.state()).heapFree === heap, 'the heap as it was');
      expect(await device.stop()).toBe(0);
    });

    test('joins the network in range after three that are not, and rejoins after an outage', async () => {
      const market = await open({});
      const device = await start('esp32', market, undefined, ['--wifi', 'fourth,password four,-70']);
      const networks = ['first', 'second', 'third', 'fourth'].map((ssid) => ({
        ssid,
        pass: `password ${ssid === 'fourth' ? 'four' : ssid}`,
      }));
      await device.configure({ ...SETTINGS, wifi: networks });
      await until(async () => (await device.status()).ssid === 'fourth', 'the fourth network');
      await until(async () => (await device.tickers()).every(({ fresh }) => fresh), 'the first prices');
      await device.fault('wifi-down=1');
      await until(async () => !(await device.status()).connected, 'the device to notice');
      await device.fault('wifi-down=0');
      await until(async () => (await device.tickers()).every(({ fresh }) => fresh), 'prices again');
    });

    test('keeps the old settings after a power cut while saving', async () => {
      const market = await open({});
      const folder = join(place, 'cut');
      const first = await start('esp32', market, undefined, [], folder);
      await first.configure({ ...SETTINGS, hostname: 'before' });
      await first.fault('store-cut=100');
      await expect(
        fetch(`${first.web}/api/config`, {
          method: 'POST',
          headers: { 'X-Hearth': '1' },
          body: JSON.stringify({ hostname: 'after' }),
        }),
      ).rejects.toThrow();
      expect(await first.stop()).toBe(137);
      const again = await start('esp32', market, undefined, [], folder);
      expect(await again.status()).toMatchObject({ hostname: 'before' });
      await until(async () => (await again.tickers()).every(({ fresh }) => fresh), 'prices with the old settings');
    });

    test('fetches published files in night mode with little memory, unlike the portal, on an ESP8266', async () => {
      const market = await open({
        ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256',
        ecdhCurve: 'P-256',
        maxVersion: 'TLSv1.2',
      });
      const device = await start('esp8266', market, undefined, ['--heap', '24000']);
      await device.configure(SETTINGS);
      await until(async () => (await device.tickers())[1]!.fresh, 'the portal without night mode');
      await device.configure({ clock: { nightEnabled: true, nightStart: '22:00', nightEnd: '07:00' } });
      await until(async () => (await device.tickers())[1]!.error === 'low_memory', 'the portal to be skipped');
      await device.configure({ ticker: { symbols: [ROWS[0], { symbol: '3886335-4-1', source: 'github' }] } });
      await until(async () => (await device.tickers())[1]!.fresh, 'the published file');
    });

    test('installs a release image of its own board, and rejects one of another', async () => {
      const builds = join(place, 'builds');
      const image = Buffer.concat([
        Buffer.from([0xe9, 3, 2, 0x20, 0, 0, 0, 0, 0xee, 0, 0, 0, 5, 0]),
        Buffer.alloc(460_000, 7),
      ]);
      for (const env of [
        'smalltv-esp8266',
        'smalltv-esp8266-loader',
        'nm-tv-154',
        'smalltv-pro',
        'smalltv-c2',
        'esp32c3-devkit',
        'esp32c3-usb',
      ]) {
        mkdirSync(join(builds, env), { recursive: true });
        for (const name of ['firmware.bin', 'firmware.factory.bin']) writeFileSync(join(builds, env, name), image);
      }
      execFileSync(process.execPath, [join(FIRMWARE, 'boards/release.mjs'), '2.0.0', join(place, 'release'), builds]);
      const folder = join(place, 'updated');
      const device = await start('esp32c3', await open({}), undefined, ['--board', 'esp32c3-devkit'], folder);
      const upload = async (name: string, cut = 0): Promise<string> => {
        const form = new FormData();
        const bytes = readFileSync(join(place, 'release', name));
        form.append('update', new Blob([bytes.subarray(0, bytes.length - cut)]), name);
        return await (
          await fetch(`${device.web}/update`, { method: 'POST', headers: { 'X-Hearth': '1' }, body: form })
        ).text();
      };
      expect(await upload('hearth-ticker-smalltv-esp8266.update')).toContain('another chip');
      expect(await upload('hearth-ticker-esp32c3-devkit.bin')).toContain('not an update file');
      expect(await upload('hearth-ticker-esp32c3-devkit.update', 10)).toContain('damaged');
      expect(existsSync(join(folder, 'firmware.bin'))).toBe(false);
      expect(await upload('hearth-ticker-esp32c3-devkit.update')).toContain('OK');
      expect(readFileSync(join(folder, 'firmware.bin')).equals(image)).toBe(true);
    });

    test('returns its screen as PNG, as raw pixels and as a stream', async () => {
      const device = await start('esp32', await open({}));
      const png = Buffer.from(await (await fetch(`${device.control}/screen.png`)).arrayBuffer());
      const raw = Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer());
      const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: 240, height: 240, channels: 3 });
      expect(raw).toHaveLength(240 * 240 * 2);
      const pixel = raw.readUInt16LE(2 * (240 * 120 + 120));
      expect(data[3 * (240 * 120 + 120)]! >> 3).toBe(pixel >> 11);
      expect(new Set(raw).size).toBeGreaterThan(2);
      const stream = await fetch(`${device.control}/screen.stream`);
      let size = 0;
      for await (const chunk of stream.body!) {
        size += (chunk as Uint8Array).length;
        if (size >= raw.length) break;
      }
      expect(size).toBeGreaterThanOrEqual(raw.length);
    });

    test('reports unknown commands and rejects unknown faults', async () => {
      for (const args of [['--chip', 'esp9000'], ['--bogus', '1'], ['--speed'], ['--route', 'nowhere']])
        await expect(startDevice(program, args)).rejects.toThrow(/ended with 2: ticker-sim: .* is not understood/s);
      const device = await start('esp32', await open({}));
      await expect(device.fault('gremlins=1')).rejects.toThrow('no such fault');
    });

    async function open(tls: ServerOptions): Promise<Market> {
      const market = await startMarket({ key: identity.key, cert: identity.cert, ...tls });
      running.push({ stop: () => market.close() });
      for (const { symbol } of ROWS)
        market.listings.set(symbol, {
          price: 101.5,
          previousClose: 100,
          currency: 'CHF',
          name: symbol,
          closes: Array.from({ length: 60 }, (_, index) => 90 + index),
        });
      market.published.set('3886335-4-1', JSON.stringify({ price: 12.5, ok: true }));
      return market;
    }

    async function start(
      chip: string,
      market: Market,
      root?: Buffer,
      more: string[] = [],
      folder?: string,
    ): Promise<Device> {
      const roots = join(place, `root-${running.length}.pem`);
      writeFileSync(roots, root ?? identity.root);
      const device = await startDevice(
        program,
        [
          '--chip',
          chip,
          '--ca',
          roots,
          ...QUICK,
          ...HOSTS.flatMap((host) => ['--route', `${host}=127.0.0.1:${market.port}`]),
          ...more,
        ],
        folder,
      );
      let stopped = false;
      const stop = device.stop.bind(device);
      device.stop = async () => {
        stopped = true;
        return stop();
      };
      running.unshift({ stop: () => (stopped ? undefined : stop()) });
      return device;
    }
  },
);

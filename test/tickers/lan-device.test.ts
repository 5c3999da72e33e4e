import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bonjour } from 'bonjour-service';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browseNetwork } from '../../src-main/features/tickers/discover.ts';
import { bodyOf, isInHomeNetwork, openLanDevice } from '../../src-main/features/tickers/lan-device.ts';
import { createTickerNetwork } from '../../src-main/features/tickers/service.ts';
import { Failure } from '../../src-main/platform/kernel/errors.ts';
import { deviceStatus } from '../../src-shared/ticker/device/shapes.ts';
import {
  findSigner,
  fingerprintOf,
  judgeUpdate,
  readKeys,
  readUpdate,
} from '../../src-shared/ticker/update/update-file.ts';
import { type Device, startDevice, until } from '../fakes/device.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { openDeviceWay } from '../support/device-way.ts';
import { describeWith } from '../support/requirements.ts';
import { simulatorProgram } from '../support/simulated-device.ts';
import { createKeys, createUpdate, keyOf, type Made } from '../support/ticker-updates.ts';

const codeOf = (error: unknown): unknown => (error instanceof Failure ? error.code : error);
/** A simulated device is on this computer. */
const isOnThisComputer = (url: URL): boolean => url.hostname === '127.0.0.1';
/** The part of a vault that receives files. */
const root = mkdtempSync(join(tmpdir(), 'lan-vault-'));
const vault = {
  resolve: (path: string): string => join(root, path),
  discard: (path: string): void => rmSync(join(root, path)),
};
afterAll(() => rmSync(root, { recursive: true }));
const network = createTickerNetwork({ nothingLeaves: () => true, vault, mayReach: isOnThisComputer });

describeWith(SIMULATOR, 'a device on the network', () => {
  let device: Device, folder: string, where: { address: string; user: string; password: string };
  beforeAll(() => void simulatorProgram());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lan-'));
    device = await startDevice(simulatorProgram(), [
      '--chip',
      'esp32',
      '--speed',
      '20',
      '--wifi',
      'home,behind the wall',
    ]);
    where = { address: device.web, user: 'admin', password: '' };
  });
  afterEach(async () => {
    await device.stop();
    rmSync(folder, { recursive: true });
  });
  /** Sends a file as the endpoint receives it. */
  const update = (bytes: Uint8Array, more: object = {}) =>
    network.update(() => {
      const path = 'received';
      writeFileSync(vault.resolve(path), bytes);
      return Promise.resolve({ path, size: bytes.length, given: { ...where, code: '', ...more } });
    });

  test('is read and configured, with its password once it has one', async () => {
    const first = await network.read(where);
    expect([first.status['chip'], first.settings['brightness']]).toEqual(['esp32', 90]);
    const document = { brightness: 20, ticker: { symbols: [{ symbol: 'AAPL' }] } };
    const { settings } = await network.write({ ...where, document });
    expect(settings).toMatchObject({ brightness: 20, ticker: { symbols: [{ symbol: 'AAPL', source: 'yahoo' }] } });
    expect(await network.write({ ...where, document: { rotation: 4 } }).catch(codeOf)).toBe('ticker.setting_refused');

    const guarded = await network.write({ ...where, document: { auth: { enabled: true, pass: 'sésame 1234' } } });
    expect(guarded.settings).toMatchObject({ auth: { enabled: true, passSet: true } });
    expect(await network.read(where).catch(codeOf)).toBe('ticker.password_wrong');
    expect(await network.read({ ...where, password: 'guess' }).catch(codeOf)).toBe('ticker.password_wrong');
    const open = { ...where, password: 'sésame 1234' };
    expect((await network.read(open)).settings['brightness']).toBe(20);
    expect(await network.act({ ...open, action: 'refresh' })).toEqual({ ok: true });
    expect((await network.write({ ...open, document: { brightness: 30 } })).settings['brightness']).toBe(30);
    const renamed = { ...open, user: 'Łucja' };
    await network.write({ ...open, document: { auth: { user: 'Łucja' } } });
    expect((await network.read(renamed)).settings).toMatchObject({ auth: { user: 'Łucja' } });
    expect(await network.read(open).catch(codeOf)).toBe('ticker.password_wrong');
  });

  test('lets its owner in after others guessed its password', async () => {
    await network.write({ ...where, document: { brightness: 20, auth: { enabled: true, pass: 'sésame 1234' } } });
    for (let guess = 0; guess < 6; guess += 1)
      expect(await network.read({ ...where, password: `guess ${guess}` }).catch(codeOf)).toBe('ticker.password_wrong');
    expect((await network.read({ ...where, password: 'sésame 1234' })).settings['brightness']).toBe(20);
  });

  test('is found by its announcement among other web servers, also while it wants a password', async () => {
    const other = createServer((_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const ports = [new URL(device.web).port, String((other.address() as AddressInfo).port)];
    // Options of multicast-dns, which the types of bonjour-service leave out.
    const loopback = { interface: '127.0.0.1', bind: '0.0.0.0' } as object;
    const announcer = new Bonjour(loopback, () => undefined);
    for (const port of ports)
      announcer.publish({
        name: `web-${port}`,
        type: 'http',
        port: Number(port),
        host: `web-${port}.local`,
        probe: false,
      });
    const finder = createTickerNetwork({
      ...{ nothingLeaves: () => true, vault, mayReach: isOnThisComputer },
      browse: (seconds) => browseNetwork(seconds, loopback),
    });
    const { hostname } = await device.status();
    const address = `127.0.0.1:${ports[0]}`;
    const { devices } = await finder.discover(2);
    expect(devices).toEqual([{ name: hostname, address, version: '0.1.0', board: 'sim-esp32' }]);
    await network.write({ ...where, document: { auth: { enabled: true, pass: 'long enough' } } });
    expect((await finder.discover(2)).devices).toEqual([
      { name: `web-${ports[0]}`, address, version: null, board: null },
    ]);
    await new Promise<void>((resolve) => announcer.destroy(() => resolve()));
    other.close();
  });

  test('refuses updates that are raw, cut, for another board or older, and goes on with what it has', async () => {
    await network.write({ ...where, document: { brightness: 20 } });
    const good = createUpdate();
    const bad = [
      [good.subarray(128), 'ticker.update_unreadable'],
      [good.subarray(0, 3000), 'ticker.update_unreadable'],
      [createUpdate({ board: 'smalltv-c2' }), 'ticker.update_other_board'],
      [createUpdate({ chipId: 5 }), 'ticker.update_other_board'],
      [Buffer.concat([good.subarray(0, 200), Buffer.alloc(good.length - 200)]), 'ticker.update_unreadable'],
    ] as const;
    for (const [bytes, code] of bad) expect(await update(bytes).catch(codeOf)).toBe(code);
    expect((await network.read(where)).settings['brightness']).toBe(20);
  });

  test('that knows a key takes updates of its owner alone, and an older one with the code on its screen', async () => {
    const [ours, others] = [createKeys(), createKeys()];
    await device.stop();
    const place = join(folder, 'state');
    mkdirSync(place);
    device = await startDevice(
      simulatorProgram(),
      ['--chip', 'esp32', '--version', '1.1.0', '--update-key', keyOf(ours)],
      place,
    );
    where = { address: device.web, user: 'admin', password: '' };
    await network.write({ ...where, document: { brightness: 20 } });
    const signed = createUpdate({ version: '1.2.0', key: ours.privateKey });
    const changed = Buffer.from(signed);
    changed[80] = 0x39;
    const resigned = Buffer.from(signed);
    resigned[130]! ^= 1;
    const refused = [
      [createUpdate({ version: '1.2.0' }), 'ticker.update_not_signed'],
      [createUpdate({ version: '1.2.0', key: others.privateKey }), 'ticker.update_not_signed'],
      [changed, 'ticker.update_not_signed'],
      [resigned, 'ticker.update_not_signed'],
      [signed.subarray(0, 3000), 'ticker.update_unreadable'],
    ] as const;
    for (const [bytes, code] of refused) expect(await update(bytes).catch(codeOf)).toBe(code);
    await network.act({ ...where, action: 'reboot' });
    await until(async () => (await device.status().catch(() => null))?.reset === 'restart', 'the restart');
    const { status, settings } = await network.read(where);
    expect([status['version'], settings['brightness']]).toEqual(['1.1.0', 20]);
    expect(existsSync(join(place, 'firmware.bin'))).toBe(false);

    const older = createUpdate({ version: '1.0.0', key: ours.privateKey });
    expect(await update(older).catch(codeOf)).toBe('ticker.presence_needed');
    await network.act({ ...where, action: 'presence' });
    await until(async () => (await device.state()).code !== '', 'the code');
    const { code } = await device.state();
    expect(await network.act({ ...where, action: 'presence' }).catch(codeOf)).toBe('ticker.code_shown');
    const guess = code === '000000' ? '000001' : '000000';
    expect(await update(older, { code: guess }).catch(codeOf)).toBe('ticker.presence_needed');
    expect(existsSync(join(place, 'firmware.bin'))).toBe(false);
    expect((await update(older, { code })).status['reset']).toBe('restart');
    expect(readFileSync(join(place, 'firmware.bin')).equals(older.subarray(192))).toBe(true);
    expect((await update(signed)).status['reset']).toBe('restart');
    expect(readFileSync(join(place, 'firmware.bin')).equals(signed.subarray(192))).toBe(true);
  });

  test('gets back the settings that it does not have any more after an update', async () => {
    await network.write({ ...where, document: { brightness: 20, ticker: { symbols: [{ symbol: 'AAPL' }] } } });
    // On the way to the device; its first answer about settings after the update comes from one that lost some.
    let isUpdated = false;
    const way = await openDeviceWay(device.web, '127.0.0.1', async (method, path) => {
      if (isUpdated && path === '/api/config' && method === 'GET') {
        isUpdated = false;
        await device.configure({ brightness: 90, ticker: { symbols: [] } });
      }
      isUpdated ||= path === '/update';
    });
    const { restored } = await update(createUpdate(), { address: way.address });
    expect(restored).toEqual(['brightness', 'ticker.symbols']);
    expect((await network.read(where)).settings).toMatchObject({
      ...{ brightness: 20, ticker: { symbols: [{ symbol: 'AAPL' }] } },
    });
    way.close();
  });

  test('installs an update for its board and keeps its settings', async () => {
    await network.write({ ...where, document: { brightness: 20 } });
    const { status, restored } = await update(createUpdate());
    expect([status['reset'], restored]).toEqual(['restart', []]);
    expect((await network.read(where)).settings['brightness']).toBe(20);
  });
});

describe('the rule for addresses of devices', () => {
  test.each([
    ['192.168.1.20', true],
    ['http://10.0.0.7:8080/page', true],
    ['smalltv-1a2b.local', true],
    ['ticker', true],
    ['smalltv-1a2b.fritz.box', true],
    ['evil.example.fritz.box', false],
    ['fritz.box', false],
    ['[fd12::1]', true],
    ['127.0.0.1', false],
    ['localhost', false],
    ['0x7f.1', false],
    ['2130706433', false],
    ['[::1]', false],
    ['[::ffff:127.0.0.1]', false],
    ['169.254.169.254', false],
    ['[fd00:ec2::254]', false],
    ['metadata', false],
    ['example.com', false],
    ['8.8.8.8', false],
    ['https://192.168.1.20', false],
    ['http://user:pass@192.168.1.20', false],
    ['file:///etc/passwd', false],
    ['', false],
  ])('%s may be called: %s', (address, isAllowed) => {
    const open = (): unknown => openLanDevice({ address, user: 'admin', password: '' });
    if (isAllowed) expect(open).not.toThrow();
    else expect(open).toThrow('ticker.address_refused');
  });

  test('a name that resolves to elsewhere is refused when it is used', async () => {
    const mayReach = (url: URL): boolean => url.hostname === 'localhost' || isInHomeNetwork(url);
    let calls = 0;
    const server = createServer((_, response) => response.end(String((calls += 1))));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const device = openLanDevice({ address: `localhost:${port}`, user: 'admin', password: '' }, mayReach);
    expect(await device.status().catch(codeOf)).toBe('ticker.address_refused');
    expect(calls).toBe(0);
    server.close();
  });
});

test('follows no redirect of a device, reads no endless answer, and waits for none that drips', async () => {
  let elsewhere = 0;
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere') elsewhere += 1;
    if (request.headers['x-way'] === 'redirect') return response.writeHead(302, { location: '/elsewhere' }).end();
    const [piece, pauseMs] = request.headers['x-way'] === 'drip' ? [1, 50] : [65_536, 1];
    response.write(' ');
    const timer = setInterval(() => response.write(' '.repeat(piece)), pauseMs);
    return response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const where = { address: `127.0.0.1:${port}`, user: 'admin', password: '' };
  const device = openLanDevice(where, isOnThisComputer, 1_000);
  const ask = (way: string) => device.send('GET', '/api/status', undefined, { 'x-way': way });
  expect((await ask('redirect')).status).toBe(302);
  for (const way of ['endless', 'drip']) expect(await ask(way).catch(codeOf)).toBe('ticker.device_silent');
  expect(elsewhere).toBe(0);
  expect(() => bodyOf({ status: 302, body: '' })).toThrow('ticker.not_hearth');
  server.closeAllConnections();
  server.close();
});

test('an update says who signed it to whoever has the key, and what a device would do with it', async () => {
  const [ours, others] = [createKeys(), createKeys()];
  const keys = readKeys(`ours:\n${keyOf(ours).toUpperCase()}\n${'0'.repeat(128)} ${keyOf(ours)}`);
  expect(keys).toHaveLength(2);
  const signed = readUpdate('a', createUpdate({ key: ours.privateKey }));
  expect(await findSigner(signed, keys)).toBe(keyOf(ours));
  expect(fingerprintOf(keyOf(ours))).toMatch(/^([0-9a-f]{2}:){7}[0-9a-f]{2}$/);
  expect(await findSigner(readUpdate('a', createUpdate({ key: others.privateKey })), keys)).toBeNull();
  expect(await findSigner({ ...signed, head: signed.head.with(80, 57) }, keys)).toBeNull();
  const unsigned = readUpdate('a', createUpdate());
  expect([unsigned.signature, await findSigner(unsigned, keys)]).toEqual([null, null]);
  const damaged = createUpdate();
  damaged[2000]! ^= 1;
  expect(() => readUpdate('a', damaged)).toThrow('ticker.update_damaged');
  expect(() => readUpdate('a', createUpdate().subarray(128))).toThrow('ticker.not_an_update');

  const device = deviceStatus.parse({
    ...{ version: '0.1.0', chip: 'esp32', board: 'sim-esp32', hostname: 'a', mode: 'sta', connected: true, ssid: '' },
    ...{ ip: '', rssi: 0, heap: 1, maxblk: 1, uptime: 1, reset: '', synced: false, tickers: [] },
  });
  const verdict = (made: Partial<Made>) => judgeUpdate(readUpdate('a', createUpdate(made)), device);
  expect([{}, { version: '0.0.9' }, { board: 'other' }, { chipId: 5 }].map(verdict)).toEqual([
    'fits',
    'older',
    'other_board',
    'other_chip',
  ]);
});

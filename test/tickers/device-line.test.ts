import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { TICKER_RANGES } from '../../src-shared/contract/ticker-ranges.ts';
import { type DeviceLine, openDeviceLine } from '../../src-shared/ticker/device/line.ts';
import { joinNetwork, scanNetworks } from '../../src-shared/ticker/device/provision.ts';
import { exportSettings, importSettings, writeSettings } from '../../src-shared/ticker/device/write-settings.ts';
import { TickerError } from '../../src-shared/ticker/flash/ticker-error.ts';
import { diffSettings, missingChanges } from '../../src-shared/ticker/settings/change.ts';
import { checkSettings, valueAt, withValue } from '../../src-shared/ticker/settings/check.ts';
import { type Rule, SETTING_FIELDS } from '../../src-shared/ticker/settings/fields.ts';
import { openTickerScreen, TickerScreenError } from '../../src-shared/ticker/screen.ts';
import { type Device, startDevice, until } from '../fakes/device.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';
import { createPtyPort, type PtyPort, simulatorProgram } from '../support/simulated-device.ts';
import { LONG } from '../support/long.ts';

const codeOf = (error: unknown): unknown => (error instanceof TickerError ? error.code : error);

/** For each kind of setting: values that fit at its limits, and ones that don't. */
function valuesOf(rule: Rule): { good: unknown[]; bad: unknown[] } {
  switch (rule.kind) {
    case 'flag':
      return { good: [true, false], bad: ['true', 1, null, {}] };
    case 'whole':
      return {
        good: [rule.low, rule.high],
        bad: [rule.low - 1, rule.high + 1, rule.low + 0.5, `${rule.low}`, null, 1e300],
      };
    case 'choice':
      return { good: [...rule.choices], bad: ['other', 3, null] };
    case 'time':
      return { good: ['00:00', '23:59'], bad: ['24:00', '7:00', '07:60', '', 7] };
    case 'host':
      return { good: ['a', 'K-9', 'x'.repeat(32)], bad: ['', '-a', 'a-', 'küche', 'a b', 'a.b', 'x'.repeat(33)] };
    case 'address':
      return {
        good: ['', 'http://a', 'https://hub.home:8080/q?a=b', `http://a/${'x'.repeat(191)}`],
        bad: [
          'ftp://a/b',
          'http://',
          'http://a:0/',
          'http://a:65536',
          'http://u:p@a/',
          `http://a/${'x'.repeat(192)}`,
          'http://a/ b',
        ],
      };
    case 'repo':
      return {
        good: ['', 'a/b', 'A_1/x.y-z'],
        bad: ['a', 'a/b/c', '../..', '/b', 'a/', 'a b/c', `a/${'x'.repeat(99)}`],
      };
    case 'zone':
      return { good: ['UTC0', 'CET-1CEST,M3.5.0,M10.5.0/3', '<+0330>-3:30'], bad: ['', 'Zürich', 'C1', '5'] };
    case 'text':
      return {
        good: ['x'.repeat(Math.min(rule.characters, rule.bytes)), 'é"\\'],
        bad: ['', 'x'.repeat(rule.bytes + 1), 5, null],
      };
    case 'secret':
      return { good: ['x'.repeat(8), 'x'.repeat(rule.characters)], bad: ['short', 'x'.repeat(rule.bytes + 1), 7] };
  }
}

describeWith(SIMULATOR, 'a device on a cable', () => {
  let device: Device, port: PtyPort, line: DeviceLine;
  beforeAll(() => void simulatorProgram());
  beforeEach(async () => {
    // The second “home” is the repeater of the first.
    const wifi = ['--wifi', 'home,behind the wall', '--wifi', 'café,,-80', '--wifi', 'home,behind the wall,-85'];
    device = await startDevice(simulatorProgram(), ['--chip', 'esp32', '--speed', '20', ...wifi]);
    port = createPtyPort(device.pty);
    line = await openDeviceLine(port);
  });
  afterEach(async () => {
    await line.close();
    await device.stop();
  });

  test('joins a Wi-Fi network that it saw, keeps the old one when that fails, and is then configured', async () => {
    expect((await scanNetworks(line)).map(({ name, secured }) => [name, secured])).toEqual([
      ['home', true],
      ['café', false],
    ]);
    expect(await joinNetwork(line, 'home', 'not behind it').catch(codeOf)).toBe('ticker.wifi_refused');
    expect((await line.settings()).wifi).toEqual([]);
    expect(await joinNetwork(line, 'home', 'behind the wall')).toMatch(/^http:\/\/\d/);
    expect((await line.status()).ssid).toBe('home');
    const before = await line.settings();
    const wanted = withValue(withValue(before, 'brightness', 40), 'ticker.symbols', [
      { symbol: 'AAPL', name: 'Apple', source: 'yahoo', qty: 1.5, cost: 2, above: 300, pollSec: 60 },
    ]);
    const { settings, changes } = await writeSettings(line, wanted);
    expect(changes.map(({ path }) => path)).toEqual(['brightness', 'ticker.symbols']);
    expect(settings).toMatchObject({
      brightness: 40,
      ticker: {
        symbols: [{ symbol: 'AAPL', name: 'Apple', source: 'yahoo', qty: 1.5, cost: 2, above: 300, pollSec: 60 }],
      },
    });
    const again = importSettings('x', exportSettings(settings));
    expect(diffSettings(settings, again)).toEqual([]);
  });

  test('takes every setting at its limits and returns it, and refuses every other value, as the bench says before', async () => {
    for (const [path, rule] of Object.entries<Rule>(SETTING_FIELDS)) {
      const { good, bad } = valuesOf(rule);
      for (const value of good) {
        const document = withValue({}, path, value);
        // A password must be there before it is asked for.
        if (path === 'auth.enabled' && value === true)
          Object.assign(document, withValue(document, 'auth.pass', 'long enough'));
        expect([path, value, checkSettings(document)]).toEqual([path, value, []]);
        if (await line.set(document)) await line.awaitStart();
        const read = valueAt(await line.settings(), rule.kind === 'secret' ? `${path}Set` : path);
        expect([path, read]).toEqual([path, rule.kind === 'secret' ? true : value]);
      }
      const kept = await line.settings();
      for (const value of bad) {
        const document = withValue({}, path, value);
        expect([path, value, checkSettings(document).map((problem) => problem.path)]).toEqual([path, value, [path]]);
        expect([path, value, await line.set(document).catch(codeOf)]).toEqual([path, value, 'ticker.setting_refused']);
      }
      expect(await line.settings()).toEqual(kept);
    }
  }, 60_000);

  test('takes each value of a row and of a network at its limits and returns it, and refuses every other one', async () => {
    const amounts = { good: [0, 0.000001, 1e12], bad: [-1, '1', null, [], -0.000001] };
    const rowValues: Readonly<Record<string, { good: unknown[]; bad: unknown[] }>> = {
      symbol: { good: ['x'.repeat(23), '株'.repeat(10), 'é"\\'], bad: ['x'.repeat(24), '株'.repeat(11), 5, {}] },
      name: { good: ['', 'n'.repeat(19), 'ü'.repeat(19)], bad: ['n'.repeat(20), 5, ['n']] },
      // The firmware reads any other name as webhook, as older firmware did.
      source: { good: ['yahoo', 'cash', 'github', 'webhook'], bad: [] },
      range: { good: ['', ...TICKER_RANGES], bad: ['3d', 1, null] },
      pollSec: { good: [0, 10, 3600], bad: [9, 3601, -1, 10.5, '10', 1e300] },
      ...{ qty: amounts, cost: amounts, above: amounts, below: amounts },
    };
    const rows = async (): Promise<Record<string, unknown>[]> =>
      valueAt(await line.settings(), 'ticker.symbols') as Record<string, unknown>[];
    const set = (symbols: unknown): Promise<unknown> => line.set({ ticker: { symbols } }).catch(codeOf);
    for (const [key, { good, bad }] of Object.entries(rowValues)) {
      for (const value of good) {
        expect([key, value, await set([{ symbol: 'AAPL', [key]: value }])]).toEqual([key, value, false]);
        expect([key, (await rows()).map((row) => row[key])]).toEqual([key, [value]]);
      }
      const kept = await rows();
      for (const value of bad) {
        expect([key, value, await set([{ symbol: 'AAPL', [key]: value }])]).toEqual([
          key,
          value,
          'ticker.setting_refused',
        ]);
        expect(checkSettings({ ticker: { symbols: [{ symbol: 'AAPL', [key]: value }] } })).toHaveLength(1);
      }
      expect(await rows()).toEqual(kept);
    }
    const many = Array.from({ length: 9 }, (_, at) => ({ symbol: `ROW${at}` }));
    expect(await set(many.slice(1))).toBe(false);
    expect(await set(many)).toBe('ticker.setting_refused');
    expect((await rows()).map(({ symbol }) => symbol)).toEqual(many.slice(1).map(({ symbol }) => symbol));

    const before = await line.settings();
    const home = { ssid: 's'.repeat(32), pass: 'p'.repeat(64) };
    for (const wifi of [
      Array<object>(5).fill(home),
      [{ ...home, ssid: 's'.repeat(33) }],
      [{ ...home, pass: 'p'.repeat(65) }],
      [{ ...home, pass: 'seven77' }],
      [{ ssid: 5 }],
      'home',
    ])
      expect([wifi, await line.set({ wifi }).catch(codeOf)]).toEqual([wifi, 'ticker.setting_refused']);
    expect(await line.settings()).toEqual(before);
    const wifi: { ssid: string; pass?: string }[] = [
      home,
      { ssid: 'ü'.repeat(16), pass: 'p'.repeat(8) },
      { ssid: 'open' },
      { ssid: '"\\', pass: '' },
    ];
    expect(await line.set({ wifi })).toBe(true);
    await line.awaitStart();
    expect((await line.settings()).wifi).toEqual(wifi.map(({ ssid, pass }) => ({ ssid, passSet: Boolean(pass) })));
  }, 60_000);

  test(
    'keeps its settings whole when the cable is pulled at any byte of a write',
    { ...LONG, timeout: 60_000 },
    async () => {
      const before = await line.settings();
      const document = { brightness: 11, ticker: { symbols: [{ symbol: 'AAPL' }], pollSec: 77 } };
      const frameBytes = JSON.stringify(document).length + 10;
      for (const bytes of [0, 1, 2, 5, 6, 7, 20, frameBytes - 5, frameBytes - 1]) {
        port.pullAfter(bytes);
        expect(await line.set(document).catch(codeOf)).toBe('ticker.device_gone');
        await line.close();
        port = createPtyPort(device.pty);
        line = await openDeviceLine(port);
        expect(await line.settings()).toEqual(before);
      }
      expect(await line.set(document)).toBe(false);
      expect((await line.settings())['brightness']).toBe(11);
    },
  );

  test(
    'keeps every setting when the cable is pulled while all are written, and takes all at once',
    { ...LONG, timeout: 60_000 },
    async () => {
      const before = await line.settings();
      const rows = ['5d', ''].map((range, at) => ({
        ...{ symbol: `ROW${at}`, name: 'n'.repeat(19), source: 'webhook', range, pollSec: at * 3600 },
        ...{ qty: 1.5, cost: 1e12, above: 300, below: 0.000001 },
      }));
      const lists = {
        wifi: [{ ssid: 's'.repeat(32), pass: 'p'.repeat(64) }, { ssid: 'open' }],
        ticker: { symbols: rows },
      };
      const document = Object.entries<Rule>(SETTING_FIELDS).reduce<object>((made, [path, rule]) => {
        const current = valueAt(before, path);
        return withValue(
          made,
          path,
          valuesOf(rule).good.find((value) => value !== current && value !== ''),
        );
      }, lists);
      expect(checkSettings(document)).toEqual([]);
      const frameBytes = Buffer.byteLength(JSON.stringify(document)) + 10;
      for (let bytes = 0; bytes < frameBytes; bytes += Math.ceil(frameBytes / 8)) {
        port.pullAfter(bytes);
        expect(await line.set(document).catch(codeOf)).toBe('ticker.device_gone');
        await line.close();
        port = createPtyPort(device.pty);
        line = await openDeviceLine(port);
        expect(await line.settings()).toEqual(before);
      }
      const changes = diffSettings(before, document);
      expect(changes.map(({ path }) => path)).toEqual([...Object.keys(SETTING_FIELDS), 'wifi', 'ticker.symbols']);
      expect(await line.set(document)).toBe(true);
      await line.awaitStart();
      expect(missingChanges(changes, await line.settings())).toEqual([]);
    },
  );

  test('shows on the cable the picture that is on its panel, and its log', async () => {
    const lines: string[] = [];
    await line.close();
    line = await openDeviceLine(port, { onLog: (text) => lines.push(text) });
    await line.log(true);
    await joinNetwork(line, 'home', 'behind the wall');
    await until(() => lines.some((text) => text.includes('home')), 'a line of the log');
    await line.log(false);
    const heard = lines.length;
    await line.reboot();
    await until(async () => (await device.status().catch(() => null))?.reset === 'restart', 'the restart');
    expect(lines.length).toBe(heard);
    await line.awaitStart();
    // At full brightness, what is seen and what is sent to the panel are the same.
    await line.set({ brightness: 100 });
    await until(async () => {
      const seen = await line.screen();
      const raw = Buffer.from(await (await fetch(`${device.control}/screen.raw`)).arrayBuffer());
      return seen.every((pixel, at) => pixel === raw.readUInt16LE(at * 2));
    }, 'the same picture on both');
  });

  test('a device that says nothing any more is reported as silent', async () => {
    await device.fault('serial-unplugged=1');
    expect(await line.status().catch(codeOf)).toBe('ticker.device_silent');
  });
});

test('the table of limits is that of the firmware', async () => {
  const source = readFileSync(new URL('../../firmware/core/settings/fields.cpp', import.meta.url), 'utf8');
  const rows = [
    ...source.matchAll(/^ {4}(?:FLAG\(|\{)"(\w*)",\s*"(\w+)"(?:, FieldKind::(\w+), AT\([\w.]+\), (\d+))?/gm),
  ];
  const listed = rows.map(([, section, key]) => (section === '' ? key : `${section}.${key}`));
  expect(listed).toEqual(Object.keys(SETTING_FIELDS));
  for (const [, section, key, kind = 'Flag', low = ''] of rows) {
    const rule: Rule = SETTING_FIELDS[(section === '' ? key : `${section}.${key}`) as keyof typeof SETTING_FIELDS];
    const kinds = { Flag: 'flag', Byte: 'whole', Word: 'whole', Choice: 'choice', Minutes: 'time', Text: 'text' };
    const others = {
      Host: 'host',
      Address: 'address',
      Zone: 'zone',
      Repo: 'repo',
      Secret: 'secret',
      KeptSecret: 'secret',
    };
    expect([key, rule.kind]).toEqual([key, { ...kinds, ...others }[kind]]);
    if (rule.kind === 'whole') expect([key, rule.low]).toEqual([key, Number(low)]);
    if ('characters' in rule) expect([key, rule.characters]).toEqual([key, Number(low)]);
  }
  // The firmware's own reader, as the preview runs it, judges hostile documents as the table does.
  const screen = await openTickerScreen(readFileSync(new URL('../../resources/ticker/screens.wasm', import.meta.url)));
  const accepts = (document: object): boolean => {
    try {
      screen.render(document, { scene: 'boot' }, 'panel');
      return true;
    } catch (error) {
      if (error instanceof TickerScreenError && error.code === 'settings') return false;
      throw error;
    }
  };
  for (const [path, rule] of Object.entries<Rule>(SETTING_FIELDS))
    for (const value of [...valuesOf(rule).good, ...valuesOf(rule).bad, [], {}, 'ü'.repeat(31), -0, 1e15]) {
      const document =
        path === 'auth.enabled' ? { auth: { enabled: value, pass: 'long enough' } } : withValue({}, path, value);
      expect([path, value, checkSettings(document).length === 0]).toEqual([path, value, accepts(document)]);
    }
  // The firmware would drop what is behind a NUL; the table refuses it, as it does halves of characters.
  for (const value of ['a\0b', '\ud800']) expect(checkSettings({ hostname: value, apSsid: value })).toHaveLength(2);
  const symbol = 'x'.repeat(23);
  const network = { ssid: 's'.repeat(32), pass: 'p'.repeat(64) };
  const lists: object[] = [
    { wifi: Array<object>(4).fill(network) },
    { wifi: Array<object>(5).fill(network) },
    { wifi: [{ ssid: 's'.repeat(33) }] },
    { wifi: [{ ssid: 'a', pass: 'short' }] },
    { wifi: [{ ssid: 'a', pass: 'p'.repeat(65) }] },
    { wifi: [{ ssid: 'a', pass: null }] },
    { wifi: ['a'] },
    { wifi: {} },
    { ticker: { symbols: Array<object>(8).fill({ symbol }) } },
    { ticker: { symbols: Array<object>(9).fill({ symbol }) } },
    { ticker: { symbols: [{ symbol: `${symbol}x` }] } },
    { ticker: { symbols: [{ symbol: '株'.repeat(11) }] } },
    { ticker: { symbols: [{ symbol, name: 'n'.repeat(20) }] } },
    { ticker: { symbols: [{ symbol, name: 'ü'.repeat(19) }] } },
    { ticker: { symbols: [{ symbol, range: '5d', pollSec: 10, above: 1.5, below: 0 }] } },
    { ticker: { symbols: [{ symbol, range: '', pollSec: 0 }] } },
    { ticker: { symbols: [{ symbol, range: '3d' }] } },
    { ticker: { symbols: [{ symbol, pollSec: 9 }] } },
    { ticker: { symbols: [{ symbol, above: -1 }] } },
    { ticker: { symbols: [{ symbol, qty: -1 }] } },
    { ticker: { symbols: [{ symbol, qty: '1' }] } },
    { ticker: { symbols: [{ symbol, cost: 0.000001 }] } },
    { ticker: { symbols: [{ symbol, cost: 1e12 }] } },
    { ticker: { symbols: 'AAPL' } },
    { ticker: { symbols: [1] } },
  ];
  for (const document of lists)
    expect([document, checkSettings(document).length === 0]).toEqual([document, accepts(document)]);
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviceSettings, deviceStatus } from '../../src-shared/ticker/device/shapes.ts';
import { previewView, quoteKey } from '../../src-shared/ticker/preview.ts';
import { openTickerScreen } from '../../src-shared/ticker/screen.ts';

const SYMBOLS = [
  { symbol: 'AAPL', source: 'yahoo', range: '5d' },
  { symbol: 'HOUSE', source: 'webhook' },
];
const settingsWith = (more: object) =>
  deviceSettings.parse({
    ...{ hostname: 'smalltv-1234', wifi: [], chip: 'esp8266' },
    ticker: { symbols: SYMBOLS, range: '1d', points: 48, ...more },
  });
/** As a device in the network reports itself: prices, but no charts. */
const STATUS = deviceStatus.parse({
  ...{ version: '1.0.0', chip: 'esp8266', hostname: 'smalltv-1234', mode: 'sta', connected: true, ssid: 'home' },
  ...{ ip: '192.168.1.20', rssi: -50, heap: 20_000, maxblk: 16_000, uptime: 5, reset: 'power', synced: true },
  tickers: [
    {
      symbol: 'AAPL',
      source: 'yahoo',
      valid: true,
      fresh: true,
      price: 101,
      currency: 'USD',
      change: -4,
      basis: 'day',
    },
    { symbol: 'HOUSE', source: 'webhook', valid: true, fresh: true, price: 12.5, currency: 'CHF ' },
  ],
});

describe('the preview of a device', () => {
  it('has invented charts that fit the price and its change, the same each time, with as many points as are set', () => {
    const [first, second] = previewView(settingsWith({}), STATUS, 0).quotes!;
    expect([first!.price, first!.previous, first!.spark!.length]).toEqual([101, 105, 48]);
    expect([first!.range, second!.range]).toEqual(['5d', '1d']);
    expect([first!.spark![0], first!.spark!.at(-1)]).toEqual([105, 101]);
    expect([second!.spark![0], second!.spark!.at(-1)]).toEqual([12.5, 12.5]);
    expect(previewView(settingsWith({}), STATUS, 0)).toEqual(previewView(settingsWith({}), STATUS, 0));
    for (const [points, length] of [
      [0, 0],
      [1, 0],
      [2, 2],
      [60, 60],
    ] as const)
      for (const status of [STATUS, null])
        expect(previewView(settingsWith({ points }), status, 0).quotes![0]!.spark).toHaveLength(length);
  });

  it('has the charts of the source once it was asked for this time span, with the price of the device', () => {
    const [row] = settingsWith({}).ticker.symbols;
    const quote = { price: 99, previous: 98, currency: 'USD', name: 'Apple', spark: [90, 95, 99] };
    const tried = new Map([[quoteKey(row!, '5d'), quote]]);
    expect(previewView(settingsWith({}), STATUS, 0, tried).quotes![0]).toMatchObject({
      price: 101,
      spark: [90, 95, 99],
    });
    expect(previewView(settingsWith({}), null, 0, tried).quotes![0]).toMatchObject({ price: 99, spark: [90, 95, 99] });
    const other = new Map([[quoteKey(row!, '1y'), quote]]);
    expect(previewView(settingsWith({}), STATUS, 0, other).quotes![0]!.spark).toHaveLength(48);
  });

  it('draws that chart with the code of the firmware', async () => {
    const screen = await openTickerScreen(
      readFileSync(new URL('../../resources/ticker/screens.wasm', import.meta.url)),
    );
    const draw = (more: object) => {
      const { hostname: _name, wifi: _wifi, chip: _chip, ...settings } = settingsWith(more);
      return screen.render(settings, previewView(settingsWith(more), STATUS, 0), 'panel');
    };
    const lower = (pixels: Uint8ClampedArray): number =>
      pixels.subarray(240 * 170 * 4).filter((value, at) => at % 4 !== 3 && value > 0).length;
    expect(lower(draw({}))).toBeGreaterThan(lower(draw({ points: 0 })) + 200);
  });
});

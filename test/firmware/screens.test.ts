import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import QRCode from 'qrcode';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIRMWARE } from '../../scripts/firmware-build/build.ts';
import { scenes } from '../../scripts/firmware-build/scenes.ts';
import {
  openTickerScreen,
  TICKER_REASONS,
  TICKER_SCENES,
  type TickerScreen,
  type TickerView,
} from '../../src-shared/ticker/screen.ts';
import { difference } from './toolchain.ts';

const WASM = fileURLToPath(new URL('../../resources/ticker/screens.wasm', import.meta.url));
const list = scenes();
const golden = (name: string): Promise<Buffer> =>
  sharp(join(FIRMWARE, 'test/golden', `${name}.png`))
    .ensureAlpha()
    .raw()
    .toBuffer();

/** Compares each module of the code on a picture, four free ones around, with what another encoder makes. */
function expectCode(
  rgba: Uint8ClampedArray,
  text: string,
  { side, top, most }: { side: number; top: number; most: number },
): void {
  const { modules } = QRCode.create([{ data: Buffer.from(text), mode: 'byte' }], {
    errorCorrectionLevel: 'L',
    maskPattern: 0,
  });
  expect(modules.size).toBe(side);
  const size = Math.floor(most / (side + 8));
  const left = Math.floor((240 - size * (side + 8)) / 2);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const at = (top + size * (4 + y) + 1) * 240 + left + size * (4 + x) + 1;
      expect(rgba[4 * at]! < 128, `${x}, ${y}`).toBe(modules.get(y, x) !== 0);
    }
}

describe('screens of the ticker in the app', () => {
  let screen: TickerScreen;
  beforeAll(async () => {
    screen = await openTickerScreen(readFileSync(WASM));
  });

  it('knows the scenes and reasons of the firmware', () => {
    const source = (path: string): string => readFileSync(join(FIRMWARE, path), 'utf8');
    const scenesOfCore = [...source('core/app/view.h').matchAll(/^ {2}scene\(\w+, "([^"]+)"\)/gm)];
    expect(scenesOfCore.map(([, name]) => name)).toEqual(TICKER_SCENES);
    const [, reasons] = /kReasons\[\] = \{([^}]+)\}/.exec(source('render/scene.cpp')) ?? [];
    expect(JSON.parse(`[${reasons ?? ''}]`)).toEqual(TICKER_REASONS);
  });

  it('has images of each scene, reason, rotation and color order', () => {
    const all = JSON.stringify(list);
    for (const scene of TICKER_SCENES) expect(all).toContain(`"scene":"${scene}"`);
    for (const reason of TICKER_REASONS.filter((name) => name !== 'none'))
      expect(all).toContain(`"reason":"${reason}"`);
    for (const rotation of [1, 2, 3]) expect(all).toContain(`"rotation":${rotation}`);
    for (const order of ['rgb', 'bgr']) expect(all).toContain(`"colorOrder":"${order}"`);
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  });

  it.each(list)('draws $name as in the golden image', async ({ name, look, settings, view }) => {
    const rgba = screen.render(settings, view as TickerView, look ?? 'panel');
    expect(difference(rgba, await golden(name))).toBe(-1);
  });

  it.each([
    ['SmallTV-Setup-1234', 'kd7mwq2x', 29],
    ['a', '12345678', 25],
    ['i;l,l:l"l\\', 'iiii;iiii', 29],
    ['l'.repeat(26), 'i'.repeat(30), 33],
    ['l'.repeat(30), 'i'.repeat(50), 37],
  ])('the setup code for %s, %s is what another encoder makes', (network, apPass, side) => {
    const rgba = screen.render({ apPass }, { scene: 'setup', network }, 'seen');
    const escape = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&');
    const text = `WIFI:T:WPA;S:${escape(network)};P:${escape(apPass)};;`;
    // As page_setup.cpp places it.
    expectCode(rgba, text, { side, top: 4, most: 156 });
  });

  it.each([
    ['192.168.1.20', {}, 25],
    ['10.0.0.1', { language: 'de' }, 21],
    ['192.168.100.200', {}, 25],
  ])('the code without symbols leads to http://%s/, as another encoder makes it', (address, settings, side) => {
    const rgba = screen.render(settings, { scene: 'no-symbols', address, online: true }, 'seen');
    // As page_notice.cpp places it.
    expectCode(rgba, `http://${address}/`, { side, top: 36, most: 136 });
  });

  it('draws the same after any other image', async () => {
    const [first] = list;
    if (!first) throw new Error('no scenes');
    for (const { settings, view } of list.slice(40, 50)) screen.render(settings, view as TickerView, 'seen');
    expect(difference(screen.render(first.settings, first.view as TickerView, 'panel'), await golden(first.name))).toBe(
      -1,
    );
  });

  it.each([
    [{ display: { rGain: 500 } }, { scene: 'boot' }, 'settings', /display|rGain/],
    [[], { scene: 'boot' }, 'settings', /object/],
    [{}, { scene: 'dance' }, 'view', /view/],
    [{}, { scene: 'ticker', index: 8 }, 'view', /view/],
    [{}, { scene: 'ticker', quotes: Array.from({ length: 9 }, () => ({ state: 'empty' })) }, 'view', /view/],
    [{}, { scene: 'boot', network: 'x'.repeat(70_000) }, 'too_large', /longer/],
  ])('rejects %j with %j as %s', (settings, view, code, detail) => {
    expect(() => screen.render(settings, view as TickerView, 'panel')).toThrow(
      expect.objectContaining({ code, detail: expect.stringMatching(detail) as string }) as Error,
    );
  });

  it('leaves nothing of an image in the next one when texts are unusual', () => {
    const odd = [
      '\u0000',
      '\ud83d\ude80\ud83d\ude80',
      'e\u0301\u0302\u0303\u0304',
      '\u200b',
      'ä'.repeat(19),
      '…',
      '%s%n',
      '\u202e',
    ];
    for (const name of odd) {
      const rgba = screen.render(
        { ticker: { symbols: [{ symbol: 'X' }] } },
        { scene: 'ticker', quotes: [{ state: 'fresh', price: 1, name }] },
        'panel',
      );
      expect(rgba.length).toBe(240 * 240 * 4);
    }
  });
});

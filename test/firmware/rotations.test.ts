import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { ROTATIONS_FOLDER } from '../../scripts/firmware-build/rotation-sheets.ts';
import {
  namedHash,
  ROTATED_PAGES,
  type RotatedPicture,
  rotatedScenes,
  turned,
} from '../../scripts/firmware-build/rotations.ts';
import { scenes } from '../../scripts/firmware-build/scenes.ts';
import { openTickerScreen, TICKER_SCENES, type TickerView } from '../../src-shared/ticker/screen.ts';
import { difference } from './toolchain.ts';

const WASM = fileURLToPath(new URL('../../resources/ticker/screens.wasm', import.meta.url));
let pictures: RotatedPicture[];
beforeAll(async () => {
  const screen = await openTickerScreen(readFileSync(WASM));
  pictures = rotatedScenes().map((scene) => ({
    ...scene,
    rgba: screen.render(scene.settings, scene.view as TickerView, 'panel'),
  }));
});

test('each kind of page is drawn in each rotation, by day and by night', () => {
  const kinds = new Map(scenes().map(({ name, view }) => [name, (view as TickerView).scene]));
  expect(new Set(ROTATED_PAGES.map((page) => kinds.get(page)))).toEqual(new Set(TICKER_SCENES));
  expect(pictures).toHaveLength(ROTATED_PAGES.length * 8);
});

test('a rotated page has exactly the pixels of the upright one, turned', () => {
  const upright = (of: RotatedPicture): Uint8Array | Uint8ClampedArray =>
    pictures.find(({ page, rotation, isNight }) => page === of.page && rotation === 0 && isNight === of.isNight)!.rgba;
  for (const picture of pictures) {
    const { page, rotation, isNight } = picture;
    const at = difference(picture.rgba, turned(upright(picture), rotation));
    expect({ page, rotation, isNight, at }).toEqual({ page, rotation, isNight, at: -1 });
  }
});

test('each page is drawn as when its sheet was last looked at', () => {
  const golden = JSON.parse(readFileSync(join(ROTATIONS_FOLDER, 'hashes.json'), 'utf8')) as Record<string, string>;
  expect(
    Object.fromEntries(pictures.map(namedHash)),
    'run "node scripts/firmware-screens.ts", look at the sheets',
  ).toEqual(golden);
});

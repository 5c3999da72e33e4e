import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { build, run, temporaryFolder } from '../../scripts/firmware-build/build.ts';
import { scenes } from '../../scripts/firmware-build/scenes.ts';
import { openTickerScreen, type TickerView } from '../../src-shared/ticker/screen.ts';
import { crossBuild } from '../support/firmware.ts';
import { itWith } from '../support/requirements.ts';
import { difference } from './toolchain.ts';

const COMMITTED = new URL('../../resources/ticker/screens.wasm', import.meta.url);
/** Whose code the committed file has: another clang makes another file of the same source, which must draw the same. */
const CLANG = /version 14\./;

itWith(crossBuild('wasm32', 'clang'), 'the WebAssembly module is built from the current core', async () => {
  const folder = temporaryFolder();
  try {
    const committed = readFileSync(COMMITTED);
    const built = readFileSync(join(build('wasm32', folder, ['screens']), 'screens.wasm'));
    if (CLANG.test(run('clang', ['--version']).toString('utf8'))) {
      expect(difference(built, committed), 'run "node scripts/firmware-screens.ts"').toBe(-1);
      return;
    }
    const [ours, theirs] = await Promise.all([openTickerScreen(committed), openTickerScreen(built)]);
    for (const { name, look, settings, view } of scenes()) {
      const pictures = [ours, theirs].map((screen) => screen.render(settings, view as TickerView, look ?? 'panel'));
      expect([name, difference(pictures[0] ?? [], pictures[1] ?? [])]).toEqual([name, -1]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

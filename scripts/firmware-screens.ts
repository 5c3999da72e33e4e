/**
 * Builds resources/ticker/screens.wasm and draws firmware/test/golden/*.png with the host's build of the same core.
 * Needs cmake, ninja, g++, clang and lld.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { build, FIRMWARE, temporaryFolder } from './firmware-build/build.ts';
import { pictures } from './firmware-build/pictures.ts';
import { scenes } from './firmware-build/scenes.ts';

const golden = join(FIRMWARE, 'test/golden');
const folder = temporaryFolder();
try {
  const wasm = fileURLToPath(new URL('../resources/ticker/screens.wasm', import.meta.url));
  mkdirSync(join(wasm, '..'), { recursive: true });
  copyFileSync(join(build('wasm32', folder, ['screens']), 'screens.wasm'), wasm);
  const list = scenes();
  const drawn = pictures(build('host', folder, ['render']), folder, list);
  for (const file of readdirSync(golden).filter((name) => name.endsWith('.png'))) rmSync(join(golden, file));
  for (const { name, rgba } of drawn) {
    writeFileSync(
      join(golden, `${name}.png`),
      await sharp(rgba, { raw: { width: 240, height: 240, channels: 4 } })
        .removeAlpha()
        .png({ compressionLevel: 9 })
        .toBuffer(),
    );
  }
  process.stdout.write(`${statSync(wasm).size} bytes of WebAssembly, ${drawn.length} pictures\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

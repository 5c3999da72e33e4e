/**
 * Builds resources/ticker/screens.wasm and draws firmware/test/golden/*.png with the host's build of the same core.
 * Draws each page in all rotations, by day and by night, too: hashes and two sheets in golden/rotations.
 * Needs cmake, ninja, g++, clang and lld.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { build, FIRMWARE, temporaryFolder } from './firmware-build/build.ts';
import { pictures } from './firmware-build/pictures.ts';
import { writeRotations } from './firmware-build/rotation-sheets.ts';
import { scenes } from './firmware-build/scenes.ts';

const golden = join(FIRMWARE, 'test/golden');
const folder = temporaryFolder();
try {
  const wasm = fileURLToPath(new URL('../resources/ticker/screens.wasm', import.meta.url));
  mkdirSync(join(wasm, '..'), { recursive: true });
  copyFileSync(join(build('wasm32', folder, ['screens']), 'screens.wasm'), wasm);
  const list = scenes();
  const host = build('host', folder, ['render']);
  const drawn = pictures(host, folder, list);
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
  const rotated = await writeRotations((turned) => pictures(host, folder, turned));
  process.stdout.write(`${statSync(wasm).size} bytes of WebAssembly, ${drawn.length} pictures, ${rotated} rotated\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

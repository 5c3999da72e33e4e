/** @module-tag long */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build, FIRMWARE, run, temporaryFolder } from '../../scripts/firmware-build/build.ts';
import type { Chip } from '../../scripts/firmware-build/image.ts';
import { pictures } from '../../scripts/firmware-build/pictures.ts';
import { machineOf, runOn } from '../../scripts/firmware-build/qemu.ts';
import { packed, scenes, sceneVectors, vectors } from '../../scripts/firmware-build/scenes.ts';
import { crossBuild, HOST_BUILD } from '../support/firmware.ts';
import { describeWith, itWith } from '../support/requirements.ts';
import { difference } from './toolchain.ts';

const CHIPS: readonly Chip[] = ['rv32imc', 'lx106'];
const list = scenes();
const folder = temporaryFolder();
const pack = join(folder, 'all.pack');
// Each scene twice, so that it is drawn over another one and then over itself.
const all = [...vectors(), ...sceneVectors(list.flatMap((scene) => [scene, scene]))];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWith(HOST_BUILD, 'the core on the host', () => {
  let place: string;
  let lines: string[];
  beforeAll(() => {
    writeFileSync(pack, packed(all));
    place = build('host', folder, ['render']);
    lines = run(join(place, 'render'), ['vectors', pack]).toString('utf8').trim().split('\n');
  });

  it('draws the golden images', async () => {
    const drawn = new Map(pictures(place, folder, list).map(({ name, rgba }) => [name, rgba]));
    for (const { name } of list) {
      const golden = await sharp(join(FIRMWARE, 'test/golden', `${name}.png`))
        .ensureAlpha()
        .raw()
        .toBuffer();
      expect([name, difference(drawn.get(name) ?? [], golden)]).toEqual([name, -1]);
    }
  });

  it('draws the same over any image as on an empty screen, and nothing when nothing changed', () => {
    const drawn = lines.slice(vectors().length);
    list.forEach((scene, at) => {
      const alone = join(folder, 'one.pack');
      writeFileSync(alone, packed(sceneVectors([scene])));
      const crc = / crc (\w{8}) /.exec(run(join(place, 'render'), ['vectors', alone]).toString('utf8'))?.[1];
      expect([scene.name, / crc (\w{8}) /.exec(drawn[at * 2] ?? '')?.[1]]).toEqual([scene.name, crc]);
      expect(drawn[at * 2 + 1]).toMatch(new RegExp(` crc ${crc} sent 0$`));
    });
  });

  it('plays every vector', () => {
    expect(lines.length).toBe(all.length);
    expect(lines.filter((line) => line.includes('not played'))).toEqual([]);
  });

  for (const chip of CHIPS) {
    itWith(crossBuild(chip, machineOf(chip)), `gives the same, bit by bit, as instructions of ${chip}`, () => {
      const printed = runOn(chip, build(chip, folder, ['vectors'], { HEARTH_VECTORS: pack }), 'vectors')
        .replaceAll('\r', '')
        .trim()
        .split('\n');
      printed.forEach((line, at) => expect(line).toBe(lines[at]));
      expect(printed.length).toBe(lines.length);
    });
  }
});

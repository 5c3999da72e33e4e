import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listFirmware, readFirmware } from '../../src-main/features/tickers/bundled-firmware.ts';
import { createMergedImage, IMAGE_BOARDS } from '../support/ticker-images.ts';

const RELEASE = fileURLToPath(new URL('../../firmware/boards/release.mjs', import.meta.url));
let folder: string;
function put(environment: string, image: Uint8Array): void {
  const build = join(folder, 'build', environment);
  mkdirSync(build, { recursive: true });
  for (const name of ['firmware.bin', 'firmware.factory.bin']) writeFileSync(join(build, name), image);
}

/** What the firmware's own release makes of images that the test makes. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  for (const board of IMAGE_BOARDS) put(board.tag, createMergedImage(board));
  put('smalltv-esp8266-loader', createMergedImage(IMAGE_BOARDS[0]));
  execFileSync(process.execPath, [RELEASE, '1.2.3', join(folder, 'out'), join(folder, 'build')]);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('offers each board of a release with its image, and nothing that was changed', async () => {
  const out = join(folder, 'out');
  const images = await listFirmware(out);
  expect(images.map(({ board }) => board)).toEqual(IMAGE_BOARDS.map(({ tag }) => tag).toSorted());
  expect(images.find(({ board }) => board === 'smalltv-c2')).toMatchObject({ version: '1.2.3', chip: 'ESP32-C2' });
  const file = join(out, 'hearth-ticker-nm-tv-154.bin');
  const whole = readFileSync(file);
  expect(Buffer.compare(await readFirmware(out, 'nm-tv-154'), whole)).toBe(0);
  writeFileSync(file, whole.fill(0, 70_000, 70_001));
  await expect(readFirmware(out, 'nm-tv-154')).rejects.toMatchObject({ code: 'ticker.firmware_damaged' });
  rmSync(file);
  await expect(readFirmware(out, 'nm-tv-154')).rejects.toMatchObject({ code: 'ticker.firmware_missing' });
});

test('offers nothing of a folder that is missing, or of manifests of another form', async () => {
  expect(await listFirmware(join(folder, 'nothing'))).toEqual([]);
  const bad = [
    '{',
    '[]',
    '{"name":"a","version":"1.0.0","builds":[]}',
    '{"name":"a","version":"1.0.0","builds":[{"chipFamily":"ESP32","parts":[{"path":"../../x.bin","offset":0}]}]}',
    '{"name":"a","version":"1.0.0","builds":[{"chipFamily":"ESP32","parts":[{"path":"x.bin","offset":4096}]}]}',
  ];
  for (const [at, text] of bad.entries()) writeFileSync(join(folder, `manifest-b${at}.json`), text);
  writeFileSync(join(folder, 'manifest-UPPER.json'), '{}');
  expect(await listFirmware(folder)).toEqual([]);
  for (const board of ['../out', 'b3', '']) await expect(readFirmware(folder, board)).rejects.toThrow();
});

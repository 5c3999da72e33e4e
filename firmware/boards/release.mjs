#!/usr/bin/env node
// Collects the output of PlatformIO in one folder: images for the cable, updates for the page of the device, their
// SHA-256, and one manifest per board for ESP Web Tools.
//   node boards/release.mjs VERSION OUT [BUILD=.pio/build]
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Environment of platformio.ini = board tag. `first` is what goes to 0x0 over the cable; `chipId` as in
 * core/update/image.h.
 */
const BOARDS = [
  {
    env: 'smalltv-esp8266',
    chipFamily: 'ESP8266',
    chipId: 0xffff,
    name: 'SmallTV, SmallTV-ultra',
    first: 'firmware.bin',
  },
  { env: 'nm-tv-154', chipFamily: 'ESP32', chipId: 0, name: 'NM-TV-154', first: 'firmware.factory.bin' },
  { env: 'smalltv-pro', chipFamily: 'ESP32', chipId: 0, name: 'SmallTV Pro', first: 'firmware.factory.bin' },
  {
    env: 'smalltv-c2',
    chipFamily: 'ESP32-C2',
    chipId: 12,
    name: 'SmallTV clone with ESP32-C2',
    first: 'firmware.factory.bin',
  },
  { env: 'esp32c3-devkit', chipFamily: 'ESP32-C3', chipId: 5, name: 'ESP32-C3 board', first: 'firmware.factory.bin' },
  {
    env: 'esp32c3-usb',
    chipFamily: 'ESP32-C3',
    chipId: 5,
    name: 'ESP32-C3 board with native USB',
    first: 'firmware.factory.bin',
  },
];
/** Bytes that an image may have: what its flash leaves, with room for what comes. */
const MAX_IMAGE = { ESP8266: 900 * 1024, 'ESP32-C2': 1450 * 1024, ESP32: 1450 * 1024, 'ESP32-C3': 1450 * 1024 };
/** For updaters of manufacturers with a small slot. */
const LOADER = { env: 'smalltv-esp8266-loader', image: 'hearth-ticker-smalltv-esp8266-loader.bin', max: 480 * 1024 };
const HEAD_BYTES = 128;

/** @param {Buffer} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

/** Who signs: a private key of P-256 as PEM. Without one, boards that know keys refuse the updates. */
const pem = process.env.HEARTH_UPDATE_PRIVATE_KEY;
const key = pem ? createPrivateKey(pem) : undefined;

/** The app image behind the head that a device checks before it erases anything (core/update/image.h). */
function updateOf({ env, chipId }, version, image) {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('HEARTHUP', 0, 'latin1');
  head.writeUInt16LE(chipId, 8);
  head.writeUInt16LE(key ? 2 : 1, 10);
  head.writeUInt32LE(image.length, 12);
  sha256(image).copy(head, 16);
  head.write(env, 48, 31, 'latin1');
  head.write(version, 80, 15, 'latin1');
  const signature = key ? sign('sha256', head, { key, dsaEncoding: 'ieee-p1363' }) : Buffer.alloc(0);
  return Buffer.concat([head, signature, image]);
}

const [version, out, build = '.pio/build'] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '') || !out) {
  console.error('usage: node boards/release.mjs VERSION OUT [BUILD], VERSION as 1.2.3');
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const sums = [];
const put = (name, bytes) => {
  writeFileSync(join(out, name), bytes);
  sums.push(`${sha256(bytes).toString('hex')}  ${name}\n`);
};
/** An image of PlatformIO; ends the program when it is larger than it may be. */
const read = (env, name, max) => {
  const bytes = readFileSync(join(build, env, name));
  if (bytes.length > max) {
    console.error(`${env}: ${bytes.length} bytes, ${max} are allowed`);
    process.exit(1);
  }
  return bytes;
};
put(LOADER.image, read(LOADER.env, 'firmware.bin', LOADER.max));
for (const board of BOARDS) {
  const image = `hearth-ticker-${board.env}.bin`;
  put(image, readFileSync(join(build, board.env, board.first)));
  put(
    `hearth-ticker-${board.env}.update`,
    updateOf(board, version, read(board.env, 'firmware.bin', MAX_IMAGE[board.chipFamily])),
  );
  const manifest = {
    name: `Hearth ticker, ${board.name}`,
    version,
    new_install_prompt_erase: true,
    builds: [{ chipFamily: board.chipFamily, improv: true, parts: [{ path: image, offset: 0 }] }],
  };
  writeFileSync(join(out, `manifest-${board.env}.json`), `${JSON.stringify(manifest, undefined, 1)}\n`);
}
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.log(`${BOARDS.length} images, updates and manifests`);

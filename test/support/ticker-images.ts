import { createHash } from 'node:crypto';

/** Boards of `firmware/boards/release.mjs` with what their images look like. */
export const IMAGE_BOARDS = [
  { tag: 'smalltv-esp8266', chip: 'esp8266', megabytes: 4 },
  { tag: 'nm-tv-154', chip: 'esp32', megabytes: 4 },
  { tag: 'smalltv-pro', chip: 'esp32', megabytes: 8 },
  { tag: 'smalltv-c2', chip: 'esp32c2', megabytes: 4 },
  { tag: 'esp32c3-devkit', chip: 'esp32c3', megabytes: 4 },
  { tag: 'esp32c3-usb', chip: 'esp32c3', megabytes: 4 },
] as const;

/** A board with little flash, for tests that read all of it. */
export const SMALL_BOARD = { tag: 'smalltv-esp8266', chip: 'esp8266', megabytes: 1 } as const;

type ImageBoard = (typeof IMAGE_BOARDS)[number] | typeof SMALL_BOARD;

const ENTRY = { esp8266: 0x40100004, esp32: 0x40081000, esp32c2: 0x40380400, esp32c3: 0x40380400 };
const CHIP_ID = { esp8266: 0, esp32: 0, esp32c2: 12, esp32c3: 5 };
const SIZE_CODE = { esp8266: { 1: 2, 4: 4, 8: 8 }, esp32: { 1: 0, 4: 2, 8: 3 } };

/** Bytes that look like a program: repeated in part, so that they compress as programs do, and the same each time. */
function programBytes(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed + 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[at] = at % 64 < 24 ? 0x20 + (at % 24) : state >>> 16;
  }
  return bytes;
}

/** An image in Espressif's format with one segment. */
function createImage({ chip, megabytes, tag }: ImageBoard, size: number, isApplication: boolean): Buffer {
  const isEsp8266 = chip === 'esp8266';
  const head = Buffer.alloc(isEsp8266 ? 8 : 24);
  head.set([0xe9, 1, 2, SIZE_CODE[isEsp8266 ? 'esp8266' : 'esp32'][megabytes] << 4]);
  head.writeUInt32LE(ENTRY[chip], 4);
  if (!isEsp8266) {
    head.writeUInt16LE(CHIP_ID[chip], 12);
    head[23] = 1;
  }
  const data = programBytes(size, CHIP_ID[chip] + size);
  if (isApplication && !isEsp8266) data.writeUInt32LE(0xabcd5432, 0);
  if (isApplication) data.write(`\0hearth-ticker-${tag}.update\0`, 512, 'latin1');
  const segment = Buffer.alloc(8);
  segment.writeUInt32LE(isEsp8266 ? 0x40100000 : 0x3f400020, 0);
  segment.writeUInt32LE(data.length, 4);
  const body = Buffer.concat([head, segment, data]);
  const padded = Buffer.alloc((Math.floor(body.length / 16) + 1) * 16);
  body.copy(padded);
  padded[padded.length - 1] = data.reduce((sum, byte) => sum ^ byte, 0xef);
  return isEsp8266 ? padded : Buffer.concat([padded, createHash('sha256').update(padded).digest()]);
}

function createTable(megabytes: number): Buffer {
  const slot = megabytes === 4 ? 0x180000 : 0x220000;
  const rows: [number, number, number, number, string][] = [
    [1, 2, 0x9000, 0x5000, 'nvs'],
    [1, 0, 0xe000, 0x2000, 'otadata'],
    [0, 0x10, 0x10000, slot, 'app0'],
    [0, 0x11, 0x10000 + slot, slot, 'app1'],
    [1, 0x82, 0x10000 + 2 * slot, megabytes === 4 ? 0xf0000 : 0x3b0000, 'spiffs'],
  ];
  const table = Buffer.alloc(0xc00, 0xff);
  for (const [index, [type, subtype, offset, size, label]] of rows.entries()) {
    const row = table.subarray(index * 32, index * 32 + 32).fill(0);
    row.set([0xaa, 0x50, type, subtype]);
    row.writeUInt32LE(offset, 4);
    row.writeUInt32LE(size, 8);
    row.write(label, 12, 'latin1');
  }
  return table;
}

/** The parts of a first flash, as the build makes them. */
export function createParts(board: ImageBoard, size = 120_000): { name: string; address: number; bytes: Uint8Array }[] {
  if (board.chip === 'esp8266') return [{ name: 'firmware.bin', address: 0, bytes: createImage(board, size, true) }];
  return [
    { name: 'bootloader.bin', address: board.chip === 'esp32' ? 0x1000 : 0, bytes: createImage(board, 18_000, false) },
    { name: 'partitions.bin', address: 0x8000, bytes: createTable(board.megabytes) },
    { name: 'firmware.bin', address: 0x10000, bytes: createImage(board, size, true) },
  ];
}

/** The one image that a release has for the cable. */
export function createMergedImage(board: ImageBoard, size = 120_000): Uint8Array {
  const parts = createParts(board, size);
  const last = parts.at(-1)!;
  const merged = Buffer.alloc(last.address + last.bytes.length, 0xff);
  for (const { address, bytes } of parts) merged.set(bytes, address);
  return merged;
}

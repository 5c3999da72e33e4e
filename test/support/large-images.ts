import { crc32, deflateRawSync } from 'node:zlib';

/** Valid images of any size in few bytes: all of their pixels have one color. */

const u16be = (...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(value);
      return bytes;
    }),
  );
const u32be = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** How a JPEG is stored: `subsampled` has a quarter of the samples of each color (4:2:0). */
export interface JpegOptions {
  isProgressive: boolean;
  isSubsampled: boolean;
}

/** A JPEG whose coefficients are all zero (ITU T.81, annexes B, F and G). */
export function jpeg(width: number, height: number, { isProgressive, isSubsampled }: JpegOptions): Buffer {
  const segment = (marker: number, ...content: Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    return Buffer.concat([Buffer.from([0xff, marker]), u16be(body.length + 2), body]);
  };
  const sampling = isSubsampled ? 0x22 : 0x11;
  const components = Buffer.from([1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0]);
  // The only code is the bit 0: no difference for DC, end of block for AC.
  const table = (index: number): Buffer => segment(0xc4, Buffer.from([index, 1, ...Array(15).fill(0), 0]));
  const side = isSubsampled ? 16 : 8;
  const bitsPerBlock = isProgressive ? 1 : 2;
  const blocks = Math.ceil(width / side) * Math.ceil(height / side) * (isSubsampled ? 6 : 3);
  const bits = blocks * bitsPerBlock;
  const data = Buffer.alloc(Math.ceil(bits / 8));
  // The last byte is filled up with ones.
  if (bits % 8) data[data.length - 1] = 0xff >> (bits % 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    segment(isProgressive ? 0xc2 : 0xc0, Buffer.from([8]), u16be(height, width), Buffer.from([3]), components),
    table(0x00),
    table(0x10),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, 0, isProgressive ? 0 : 63, 0])),
    data,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const ZERO_BLOCK_BYTES = 2 ** 20;

/** A zlib stream of so many zeros (RFC 1950), without holding them. */
function zlibOfZeros(bytes: number): Buffer {
  const compress = (count: number, isLast: boolean): Buffer =>
    deflateRawSync(Buffer.alloc(count), { level: 9, finishFlush: isLast ? 4 : 3 });
  const block = compress(ZERO_BLOCK_BYTES, false);
  const rest = compress(bytes % ZERO_BLOCK_BYTES, true);
  const blocks = Array.from({ length: Math.floor(bytes / ZERO_BLOCK_BYTES) }, () => block);
  // Adler-32 of zeros.
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, rest, u16be(bytes % 65_521, 1)]);
}

/** Offsets and steps of the seven passes (PNG, third edition, 8.2): column, row, column step, row step. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A black PNG of 8 bits for each of three colors, or 16 bits for each of four channels if it is `isDeep`. */
export function blackPng(
  width: number,
  height: number,
  { isInterlaced = false, isDeep = false }: { isInterlaced?: boolean; isDeep?: boolean } = {},
): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([u32be(data.length), body, u32be(crc32(body))]);
  };
  const pixelBytes = isDeep ? 8 : 3;
  const rawBytes = (columns: number, rows: number): number => (columns > 0 ? rows * (1 + columns * pixelBytes) : 0);
  const bytes = isInterlaced
    ? ADAM7.reduce(
        (sum, [x, y, dx, dy]) => sum + rawBytes(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
        0,
      )
    : rawBytes(width, height);
  const header = Buffer.from([isDeep ? 16 : 8, isDeep ? 6 : 2, 0, 0, isInterlaced ? 1 : 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([u32be(width), u32be(height), header])),
    chunk('IDAT', zlibOfZeros(bytes)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A white GIF with this many frames (GIF89a, appendix F for its compression). */
export function gif(width: number, height: number, frames: number = 1): Buffer {
  const size = Buffer.from([width & 0xff, width >> 8, height & 0xff, height >> 8]);
  const data = lzwOfZeros(width * height);
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    blocks.push(Buffer.from([part.length]), part);
  }
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 2]), ...blocks, Buffer.alloc(1)]);
  const head = Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 255, 255, 255, 0, 0, 0])]);
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** Zeros of two bits: each code means one zero more than the code before. */
function lzwOfZeros(count: number): Buffer {
  const CLEAR = 4,
    END = 5,
    MAX_CODES = 4096;
  const bytes: number[] = [];
  let pending = 0,
    pendingBits = 0;
  const put = (code: number, bits: number): void => {
    pending |= code << pendingBits;
    for (pendingBits += bits; pendingBits >= 8; pendingBits -= 8, pending >>>= 8) bytes.push(pending & 0xff);
  };
  let bits = 3,
    next = END + 1,
    previous = 0;
  put(CLEAR, bits);
  for (let left = count; left > 0; left -= previous) {
    const length = Math.min(previous + 1, left);
    put(length === 1 ? 0 : END + length - 1, bits);
    if (previous > 0) next += 1;
    previous = length;
    if (next === 1 << bits && bits < 12) bits += 1;
    if (next < MAX_CODES - 1 || left === length) continue;
    put(CLEAR, bits);
    [bits, next, previous] = [3, END + 1, 0];
    left -= length;
  }
  put(END, bits);
  put(0, 8);
  return Buffer.from(bytes);
}

const u32le = (value: number): Buffer => u32be(value).reverse();
const u16le = (value: number): Buffer => u16be(value).reverse();

/** A black TIFF of one strip with four floating-point samples a pixel (TIFF 6.0, section 2 and 19). */
export function tiffStrip(width: number, height: number): Buffer {
  const data = zlibOfZeros(width * height * 16);
  const padding = Buffer.alloc(data.length % 2);
  const directoryAt = 8 + data.length + padding.length;
  const FIELDS = 12;
  const field = (tag: number, type: number, value: number, count = 1): Buffer =>
    Buffer.concat([u16le(tag), u16le(type), u32le(count), u32le(value)]);
  const fields = [
    field(256, 4, width),
    field(257, 4, height),
    field(258, 3, directoryAt + 2 + FIELDS * 12 + 4, 4),
    field(259, 3, 8),
    field(262, 3, 2),
    field(273, 4, 8),
    field(277, 3, 4),
    field(278, 4, height),
    field(279, 4, data.length),
    field(284, 3, 1),
    field(338, 3, 0),
    field(339, 3, 3),
  ];
  const depths = Buffer.concat([u16le(32), u16le(32), u16le(32), u16le(32)]);
  const head = Buffer.concat([Buffer.from('II*\0', 'latin1'), u32le(directoryAt)]);
  return Buffer.concat([head, data, padding, u16le(FIELDS), ...fields, u32le(0), depths]);
}

/** A TIFF of small pages; in a looped one, the last page is followed by the first again. */
export function tiffPages(count: number, { isLooped = false } = {}): Buffer {
  const FIELDS = 9,
    PIXELS = 8;
  const directoryBytes = 2 + FIELDS * 12 + 4;
  const page = (index: number): Buffer => {
    const at = 8 + index * (directoryBytes + PIXELS);
    const follower = isLooped ? 8 : 0;
    const next = index === count - 1 ? follower : at + directoryBytes + PIXELS;
    const fields = [
      [256, 8],
      [257, 8],
      [258, 1],
      [259, 1],
      [262, 1],
      [273, at + directoryBytes],
      [277, 1],
      [278, 8],
      [279, PIXELS],
    ].map(([tag = 0, value = 0]) => Buffer.concat([u16le(tag), u16le(4), u32le(1), u32le(value)]));
    return Buffer.concat([u16le(FIELDS), ...fields, u32le(next), Buffer.alloc(PIXELS)]);
  };
  return Buffer.concat([Buffer.from('II*\0', 'latin1'), u32le(8), ...Array.from({ length: count }, (_, i) => page(i))]);
}

/** The VP8L chunk of an image of one red pixel. */
const PIXEL = Buffer.from('5650384c0f0000002f000000000710fd8ffe0722a2ff0100', 'hex');

/** An animated WebP whose frames change one pixel each of a large canvas (RFC 9649, 2.7). */
export function animatedWebp(width: number, height: number, frames: number): Buffer {
  const u24le = (value: number): Buffer => u32le(value).subarray(0, 3);
  const chunk = (type: string, data: Buffer): Buffer => Buffer.concat([Buffer.from(type), u32le(data.length), data]);
  const canvas = Buffer.concat([Buffer.from([0x12, 0, 0, 0]), u24le(width - 1), u24le(height - 1)]);
  const frame = Buffer.concat([Buffer.alloc(12), u24le(10), Buffer.from([0]), PIXEL]);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', canvas),
    chunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(frames).fill(chunk('ANMF', frame)),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), u32le(body.length), body]);
}

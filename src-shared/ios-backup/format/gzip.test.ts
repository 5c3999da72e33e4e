import { describe, expect, it } from 'vitest';
import { GzipError, unpack } from './gzip.ts';

const LIMIT = 2 * 1024 * 1024;
const SAMPLE = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * i) % 251);

/** Checks that bytes can't be unpacked, and why. */
async function expectError(bytes: Uint8Array, reason: string, maxBytes = LIMIT): Promise<void> {
  const error: unknown = await unpack(bytes, maxBytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GzipError);
  expect(error).toHaveProperty('message', reason);
  if (reason === 'damaged') expect((error as Error).cause).toBeInstanceOf(Error);
}

async function compress(plain: Uint8Array<ArrayBuffer>, format: CompressionFormat): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([plain]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

describe.each<[string, CompressionFormat]>([
  ['gzip', 'gzip'],
  ['zlib', 'deflate'],
])('unpack of %s', (_, format) => {
  const pack = (plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => compress(plain, format);

  it('returns what was packed', async () => {
    for (const plain of [new Uint8Array(), new TextEncoder().encode('Zürich'), SAMPLE])
      expect(Buffer.from(await unpack(await pack(plain), LIMIT)).equals(plain)).toBe(true);
  });

  it('returns as many bytes as the limit, and refuses one more', async () => {
    const packed = await pack(SAMPLE);
    expect(await unpack(packed, SAMPLE.length)).toHaveLength(SAMPLE.length);
    await expectError(packed, 'the unpacked data is too large', SAMPLE.length - 1);
  });

  it('refuses a small file that unpacks to a large one', async () => {
    await expectError(await pack(new Uint8Array(4 * LIMIT)), 'the unpacked data is too large');
  });

  it('refuses bytes that are cut, changed or followed by others', async () => {
    const packed = await pack(SAMPLE);
    const checksumAt = packed.length - 6;
    const changed = packed.map((byte, i) => (i === checksumAt ? byte ^ 1 : byte));
    for (const bytes of [packed.subarray(0, -1), packed.subarray(0, 20), packed.subarray(0, 2), changed])
      await expectError(bytes, 'damaged');
    await expectError(Buffer.concat([packed, Buffer.from('more')]), 'damaged');
    await expectError(Buffer.concat([packed, packed]), 'damaged');
  });
});

it('unpack refuses bytes that are neither gzip nor zlib', async () => {
  const raw = await compress(new TextEncoder().encode('text'), 'deflate-raw');
  for (const bytes of [[], [0x1f], [0x1f, 0x8c], [0x00, 0x8b], [0x50, 0x4b, 3, 4], [...raw]])
    await expectError(Uint8Array.from(bytes), 'not compressed');
});

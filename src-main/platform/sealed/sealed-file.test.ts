import { randomBytes, randomInt } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHUNK_BYTES, HEADER_BYTES, SEALED_CHUNK_BYTES, sealedSize, vaultKeyOf } from '../kernel/age-format.ts';
import { openContent, SealBroken, SealingStream, streamContent } from './sealed-file.ts';

const key = vaultKeyOf(randomBytes(32));
/** Around the ends of chunks, where formats fail. */
const SIZES = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 3 * CHUNK_BYTES + 77];
let folder: string, path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealed-'));
  path = join(folder, 'file');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function seal(plain: Buffer): Promise<void> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < plain.length;) {
    const length = randomInt(1, 90_000);
    pieces.push(plain.subarray(at, at + length));
    at += length;
  }
  await pipeline(Readable.from(pieces), new SealingStream(key), createWriteStream(path));
}
const contentOf = async (by = key, range = {}): Promise<Buffer> =>
  Buffer.concat((await streamContent(path, by, range).toArray()) as Buffer[]);

describe.each(SIZES)('a file of %i bytes', (size) => {
  const plain = randomBytes(size);

  it('is read whole, in parts and at any place', async () => {
    await seal(plain);
    expect(statSync(path).size).toBe(sealedSize(size));
    expect((await contentOf()).equals(plain)).toBe(true);
    const [start, end] = [Math.floor(size / 3), Math.floor(size / 2)];
    expect((await contentOf(key, { start, end })).equals(plain.subarray(start, end))).toBe(true);
    const content = openContent(path, key);
    expect([content.size, content.isSealed]).toEqual([size, true]);
    for (let n = 0; n < 20; n += 1) {
      const [position, length] = [randomInt(size + 10), randomInt(150_000)];
      const target = Buffer.alloc(length + 3);
      const read = content.readSync(target, 3, length, position);
      expect(target.subarray(3, 3 + read).equals(plain.subarray(position, position + length))).toBe(true);
    }
    content.close();
  });

  it.each<[string, (sealed: Buffer) => Buffer]>([
    ['cut short', (sealed) => sealed.subarray(0, -1)],
    ['cut at the end of a chunk', (sealed) => sealed.subarray(0, HEADER_BYTES + SEALED_CHUNK_BYTES)],
    ['cut to its header', (sealed) => sealed.subarray(0, HEADER_BYTES)],
    ['with a byte more', (sealed) => Buffer.concat([sealed, Buffer.alloc(1)])],
    [
      'with a changed bit',
      (sealed) => Buffer.from(sealed.map((byte, at) => (at === sealed.length - 9 ? byte ^ 1 : byte))),
    ],
    ['with chunks in another order', (sealed) => swapChunks(sealed)],
  ])('is refused when it is %s', async (_case, change) => {
    await seal(plain);
    const sealed = readFileSync(path);
    const changed = change(sealed);
    if (changed.equals(sealed)) return;
    writeFileSync(path, changed);
    await expect(contentOf()).rejects.toThrow(SealBroken);
  });

  it('is read by another program for age', async () => {
    await seal(plain);
    const pkcs8 = key.privateKey.export({ format: 'der', type: 'pkcs8' });
    const other = new Decrypter();
    other.addIdentity(await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'X25519' }, false, ['deriveBits']));
    expect(Buffer.from(await other.decrypt(readFileSync(path))).equals(plain)).toBe(true);
  });

  it('gives nothing with another key', async () => {
    await seal(plain);
    const read = await contentOf(vaultKeyOf(randomBytes(32)));
    expect(read.equals(readFileSync(path))).toBe(true);
  });
});

function swapChunks(sealed: Buffer): Buffer {
  const [header, first, second] = [0, HEADER_BYTES, HEADER_BYTES + SEALED_CHUNK_BYTES];
  const end = second + SEALED_CHUNK_BYTES;
  if (sealed.length <= end) return sealed;
  return Buffer.concat([
    sealed.subarray(header, first),
    sealed.subarray(second, end),
    sealed.subarray(first, second),
    sealed.subarray(end),
  ]);
}

it('reads plain files as they are, with a key too', async () => {
  writeFileSync(path, 'plain');
  expect((await contentOf()).toString()).toBe('plain');
  expect((await contentOf(key, { start: 1, end: 3 })).toString()).toBe('la');
});

it('never writes the same bytes for the same content', async () => {
  await seal(Buffer.from('zanthoxylum'));
  const first = readFileSync(path);
  expect(first.includes('zanthoxylum')).toBe(false);
  await seal(Buffer.from('zanthoxylum'));
  expect(readFileSync(path).subarray(100).equals(first.subarray(100))).toBe(false);
});

import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../ports.ts';
import { webCrypto } from '../web-crypto.ts';
import { cbcSource, paddingOf, wholeBlocks } from './cbc-source.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const PLAIN = Uint8Array.from({ length: 64 }, (_, i) => 200 - i);
const ENCRYPTED = await encrypt(PLAIN);
const key = await webCrypto.cbcKey(KEY);

/** Encrypts whole blocks with a zero IV. WebCrypto adds a block of padding, which is cut off. */
async function encrypt(plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const aes = await crypto.subtle.importKey('raw', KEY, 'AES-CBC', false, ['encrypt']);
  const padded = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, aes, plain);
  return new Uint8Array(padded).slice(0, plain.length);
}

/** Encrypted bytes that record which ranges were read. */
function recording(bytes: Uint8Array): { source: ByteSource; ranges: string[] } {
  const ranges: string[] = [];
  const source: ByteSource = {
    size: bytes.length,
    async read(start, end) {
      ranges.push(`${start}-${end}`);
      if (start < 0 || end > bytes.length) throw new RangeError(`read of ${start}-${end}`);
      return bytes.slice(start, end);
    },
  };
  return { source, ranges };
}

describe('cbcSource', () => {
  it('decrypts every range like the cipher as a whole', async () => {
    const { source } = recording(ENCRYPTED);
    const plain = cbcSource(source, key);
    for (let start = 0; start <= PLAIN.length; start += 1)
      for (let end = start; end <= PLAIN.length; end += 1)
        expect(Buffer.from(PLAIN.subarray(start, end)).equals(await plain.read(start, end))).toBe(true);
  });

  it.each([
    [0, 1, '0-16'],
    [0, 16, '0-16'],
    [15, 17, '0-32'],
    [16, 17, '0-32'],
    [16, 32, '0-32'],
    [31, 32, '0-32'],
    [32, 33, '16-48'],
    [47, 49, '16-64'],
    [48, 64, '32-64'],
  ])('reads of %i-%i only its blocks and the one before', async (start, end, range) => {
    const { source, ranges } = recording(ENCRYPTED);
    await cbcSource(source, key).read(start, end);
    expect(ranges).toEqual([range]);
  });

  it('returns no bytes of an empty range, and reads none', async () => {
    const { source, ranges } = recording(ENCRYPTED);
    const plain = cbcSource(source, key);
    expect([await plain.read(20, 20), await plain.read(20, 4), await plain.read(0, 0)]).toEqual([
      new Uint8Array(),
      new Uint8Array(),
      new Uint8Array(),
    ]);
    expect(ranges).toEqual([]);
  });

  it('ends with the last whole block', async () => {
    const { source } = recording(Uint8Array.from([...ENCRYPTED, 1, 2, 3, 4, 5]));
    const plain = cbcSource(source, key);
    expect(plain.size).toBe(64);
    expect(await plain.read(50, 64)).toEqual(PLAIN.subarray(50));
  });

  it('has the size that is stated', () => {
    expect(cbcSource(recording(ENCRYPTED).source, key, 61).size).toBe(61);
  });

  it('releases the encrypted bytes after each read', async () => {
    const handedOut: Uint8Array[] = [];
    const released: Uint8Array[] = [];
    const source: ByteSource = {
      size: ENCRYPTED.length,
      async read(start, end) {
        const bytes = ENCRYPTED.slice(start, end);
        handedOut.push(bytes);
        return bytes;
      },
      release: (bytes) => void released.push(bytes),
    };
    const plain = cbcSource(source, key);
    await plain.read(0, 20);
    await plain.read(40, 50);
    expect(handedOut).toHaveLength(2);
    expect(released[0]).toBe(handedOut[0]);
    expect(released[1]).toBe(handedOut[1]);
  });

  it('can be opened if its cipher can', async () => {
    const closed: string[] = [];
    const opened = recording(ENCRYPTED);
    const source: ByteSource = {
      ...recording(ENCRYPTED).source,
      open: async () => ({ ...opened.source, close: async () => void closed.push('closed') }),
    };
    const plain = await cbcSource(source, key, 60).open!();
    expect([plain.size, await plain.read(10, 40)]).toEqual([60, PLAIN.subarray(10, 40)]);
    expect(opened.ranges).toEqual(['0-48']);
    expect(closed).toEqual([]);
    await plain.close();
    expect(closed).toEqual(['closed']);
  });

  it('has no `open` if its cipher has none', () => {
    expect(cbcSource(recording(ENCRYPTED).source, key)).not.toHaveProperty('open');
  });
});

it('wholeBlocks rounds down to sixteen bytes', () => {
  expect([0, 1, 15, 16, 17, 31, 32, 2 ** 40 + 5].map(wholeBlocks)).toEqual([0, 0, 0, 16, 16, 16, 32, 2 ** 40]);
});

describe('paddingOf', () => {
  it('returns the length of valid padding', () => {
    for (let count = 1; count <= 16; count += 1) {
      const bytes = new Uint8Array(16).fill(99).fill(count, 16 - count);
      expect(paddingOf(bytes)).toBe(count);
    }
    expect([paddingOf(new Uint8Array([1])), paddingOf(new Uint8Array([2, 2]))]).toEqual([1, 2]);
  });

  it.each<[string, number[]]>([
    ['no bytes', []],
    ['a zero at the end', [5, 0]],
    ['a length above sixteen', Array.from({ length: 17 }, () => 17)],
    ['a length above the bytes', [3, 3]],
    ['a byte that differs first', [7, 4, 4, 4]],
    ['a byte that differs in the middle', [4, 4, 7, 4]],
  ])('returns 0 with %s', (_, bytes) => {
    expect(paddingOf(Uint8Array.from(bytes))).toBe(0);
  });
});

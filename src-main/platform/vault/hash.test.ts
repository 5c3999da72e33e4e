import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashFile, hashFileSync, HashingStream } from './hash.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-hash-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** FIPS 180-2, appendix B.1. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
/** SHA-256 of an empty input. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('hashes an empty file and files of one and several chunks', async () => {
  const large = Buffer.alloc(3 * 2 ** 20 + 17, 'hearth');
  for (const [bytes, expected] of [
    ['abc', ABC],
    ['', EMPTY],
    [large, createHash('sha256').update(large).digest('hex')],
  ] as const) {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    expect(await hashFile(path)).toBe(expected);
    expect(hashFileSync(path)).toBe(expected);
  }
});

test('counts and hashes a stream without changing it', async () => {
  const hashing = new HashingStream(3, new Error('too large'));
  const [passed] = await Promise.all([
    buffer(hashing),
    pipeline(Readable.from([Buffer.from('a'), Buffer.from('bc')]), hashing),
  ]);
  expect([passed.toString(), hashing.size, hashing.digest()]).toEqual(['abc', 3, ABC]);
});

test('rejects a stream one byte over the limit', async () => {
  const hashing = new HashingStream(2, new Error('too large'));
  hashing.resume();
  await expect(pipeline(Readable.from([Buffer.from('abc')]), hashing)).rejects.toThrow('too large');
});

test('stops hashing on an abort', async () => {
  writeFileSync(join(folder, 'file'), 'abc');
  await expect(hashFile(join(folder, 'file'), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

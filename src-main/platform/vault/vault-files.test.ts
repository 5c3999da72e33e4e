import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHUNK_BYTES, sealedSize } from '../kernel/age-format.ts';
import { setVaultKeys } from '../kernel/process-keys.ts';
import {
  contentSizeOf,
  createVaultFile,
  openVaultFile,
  readVaultFile,
  sealWhereItIs,
  unfinishedSealOf,
} from './vault-files.ts';

const KEYS = { files: randomBytes(32), database: randomBytes(32) };
let root: string, path: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vault-files-'));
  path = join(root, 'file');
});
afterEach(() => {
  setVaultKeys(root, null);
  rmSync(root, { recursive: true });
});

describe.each([0, 1, CHUNK_BYTES, 3 * CHUNK_BYTES + 5])('a file of %i bytes', (size) => {
  const plain = randomBytes(size);

  it.each(['encrypted', 'plain'])('is written in pieces into a vault that is %s', (kind) => {
    if (kind === 'encrypted') setVaultKeys(root, KEYS);
    const file = createVaultFile(path);
    const piece = Buffer.alloc(50_000);
    for (let at = 0; at < size; at += piece.length) file.write(piece.subarray(0, plain.copy(piece, 0, at)));
    file.end();
    file.close();
    expect(statSync(path).size).toBe(kind === 'encrypted' ? sealedSize(size) : size);
    expect(contentSizeOf(path)).toBe(size);
    expect(readVaultFile(path).equals(plain)).toBe(true);
    expect(() => createVaultFile(path)).toThrow('EEXIST');
  });

  it('that somebody put into an encrypted vault is sealed where it is, once', async () => {
    writeFileSync(path, plain);
    setVaultKeys(root, KEYS);
    expect(contentSizeOf(path)).toBe(size);
    // What a killed process left is written again.
    writeFileSync(unfinishedSealOf(path), 'half');
    await sealWhereItIs(path);
    const sealed = readFileSync(path);
    expect([sealed.length, contentSizeOf(path)]).toEqual([sealedSize(size), size]);
    expect(readVaultFile(path).equals(plain)).toBe(true);
    await sealWhereItIs(path);
    expect(readFileSync(path).equals(sealed)).toBe(true);
    expect(readdirSync(root)).toEqual(['file']);
  });

  it('stays as it is in a vault that is not encrypted', async () => {
    writeFileSync(path, plain);
    await sealWhereItIs(path);
    expect(readFileSync(path).equals(plain)).toBe(true);
  });
});

it('a file that was not written to its end can’t be read', () => {
  setVaultKeys(root, KEYS);
  const file = createVaultFile(path);
  file.write(randomBytes(2 * CHUNK_BYTES));
  file.close();
  const content = openVaultFile(path);
  expect(() => content.readSync(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, content.size - 1)).toThrow('damaged');
  content.close();
});

it('a file that somebody writes again while it is sealed keeps what was written', async () => {
  setVaultKeys(root, KEYS);
  writeFileSync(path, randomBytes(24 * 2 ** 20));
  const written = randomBytes(5 * 2 ** 20);
  const sealing = sealWhereItIs(path);
  const unfinished = unfinishedSealOf(path);
  while (!existsSync(unfinished) || statSync(unfinished).size < 2 ** 20) await yieldToEventLoop();
  writeFileSync(path, written);
  await expect(sealing).rejects.toThrow('changed');
  expect(readVaultFile(path).equals(written)).toBe(true);
  expect(readdirSync(root)).toEqual(['file']);
});

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openVaultDatabase } from '../database/encryption.ts';
import { CHUNK_BYTES, vaultKeyOf } from '../kernel/age-format.ts';
import { changeRecoveryKey, createKeyFile, parseKeyFile, unlockByPassword, type KeyFile } from '../sealed/key-file.ts';
import { setVaultKeys, type UnlockedKeys } from '../kernel/process-keys.ts';
import { openContent } from '../sealed/sealed-file.ts';
import { KEY_FILE } from './layout.ts';
import { VaultInUse } from './lock.ts';
import { decryptVault, encryptVault, OtherKey, replaceKeyFile } from './switch-vault.ts';

const WORD = 'zanthoxylum';
const FILES: Record<string, Buffer> = {
  'inbox/elena/letter.pdf': Buffer.from(`${WORD} letter`),
  'patients/elena/2024/scan.pdf': Buffer.concat([Buffer.from(WORD), randomBytes(2 * CHUNK_BYTES)]),
  'unclassified/user-1/empty.txt': Buffer.alloc(0),
  'trash/7/0.pdf': Buffer.concat([randomBytes(CHUNK_BYTES - WORD.length), Buffer.from(WORD)]),
  'cache/thumbnails/abc-0.webp': Buffer.from(`${WORD} picture`),
  // An upload that a crash interrupted: the journal moves it into another folder later.
  'tmp/waiting': Buffer.from(`${WORD} upload`),
  // A paper that is itself a file of age.
  'patients/elena/2024/other.age': Buffer.from(`age-encryption.org/v1\n-> X25519 ${WORD}`),
};
/** The files and the database are first read; with the key file in between, each of them is then written. */
const PATHS = Object.keys(FILES).length + 1;
const STEPS = 2 * PATHS + 1;
/** What is left of a switch that has begun to write. */
const REST = PATHS + 1;
const TIME = new Date('2024-03-05T10:00:00Z');
let root: string, file: KeyFile, keys: UnlockedKeys;

beforeAll(async () => {
  ({ file } = await createKeyFile('correct horse battery'));
  keys = (await unlockByPassword(file, 'correct horse battery'))!;
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switch-'));
  for (const [path, bytes] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
    utimesSync(join(root, path), TIME, TIME);
  }
  const db = openVaultDatabase(join(root, 'vault.db'));
  db.pragma('journal_mode = WAL');
  db.exec(`CREATE TABLE papers (words TEXT); INSERT INTO papers VALUES ('${WORD}')`);
  db.close();
});
afterEach(() => rmSync(root, { recursive: true }));

const state = (): string | null => {
  try {
    return parseKeyFile(readFileSync(join(root, KEY_FILE), 'utf8')).state;
  } catch {
    return null;
  }
};
const leaks = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(WORD))
    .map(({ name }) => name);

/** Nothing is lost at any moment: every file and the database are read, sealed or not. */
function requireWhole(): void {
  for (const [path, bytes] of Object.entries(FILES)) {
    const content = openContent(join(root, path), vaultKeyOf(keys.files));
    const read = Buffer.alloc(content.size);
    content.readSync(read, 0, content.size, 0);
    content.close();
    expect([path, read.equals(bytes)]).toEqual([path, true]);
    expect(statSync(join(root, path)).mtime).toEqual(TIME);
  }
  const isPlain = readFileSync(join(root, 'vault.db')).subarray(0, 6).toString() === 'SQLite';
  setVaultKeys(root, isPlain ? null : keys);
  const db = openVaultDatabase(join(root, 'vault.db'));
  setVaultKeys(root, null);
  expect(db.prepare('SELECT words FROM papers').pluck().all()).toEqual([WORD]);
  db.close();
}

it('encrypts a vault, and decrypts it again byte for byte', () => {
  expect([...encryptVault(root, file, keys)].at(-1)).toEqual({ done: STEPS, total: STEPS });
  expect([state(), leaks()]).toEqual(['on', []]);
  requireWhole();
  expect([...decryptVault(root, file, keys)].at(-1)).toEqual({ done: STEPS, total: STEPS });
  expect(state()).toBeNull();
  for (const [path, bytes] of Object.entries(FILES)) expect(readFileSync(join(root, path)).equals(bytes)).toBe(true);
  requireWhole();
});

function advance(steps: Iterator<unknown>, count: number): void {
  for (let n = 0; n < count; n += 1) steps.next();
}

it.each([0, 1, 8, 9, 10, 11, 13, 16, 17])('goes on after it ended at step %i, in both directions', (steps) => {
  const hasBegun = steps > PATHS;
  const left = hasBegun ? REST : STEPS;
  advance(encryptVault(root, file, keys), steps);
  // What a killed process leaves behind.
  writeFileSync(join(root, 'patients/elena/2024/.scan.pdf.sealing'), WORD);
  writeFileSync(join(root, 'vault.db.rekey'), WORD);
  requireWhole();
  expect(state()).toBe(hasBegun ? 'encrypting' : null);
  expect([...encryptVault(root, file, keys)]).toHaveLength(left);
  expect([state(), leaks()]).toEqual(['on', []]);
  requireWhole();
  advance(decryptVault(root, file, keys), steps);
  requireWhole();
  expect(state()).toBe(hasBegun ? 'decrypting' : 'on');
  expect([...decryptVault(root, file, keys)]).toHaveLength(left);
  expect(state()).toBeNull();
  requireWhole();
});

it('changes its mind in the middle', () => {
  advance(encryptVault(root, file, keys), PATHS + 3);
  expect([...decryptVault(root, file, keys)]).toHaveLength(REST);
  for (const [path, bytes] of Object.entries(FILES)) expect(readFileSync(join(root, path)).equals(bytes)).toBe(true);
  requireWhole();
});

it('begins neither direction while a file is damaged, and says which; once it has begun, too', () => {
  expect([...encryptVault(root, file, keys)]).toHaveLength(STEPS);
  const scan = join(root, 'patients/elena/2024/scan.pdf');
  const sealed = readFileSync(scan);
  const damaged = Buffer.from(sealed);
  damaged[sealed.length - 100]! ^= 1;
  writeFileSync(scan, damaged);
  const message = `can’t be read: ${join('patients', 'elena', '2024', 'scan.pdf')}`;
  expect(() => [...decryptVault(root, file, keys)]).toThrow(message);
  expect(state()).toBe('on');
  writeFileSync(scan, sealed);
  const decrypting = decryptVault(root, file, keys);
  advance(decrypting, PATHS + 1);
  writeFileSync(scan, damaged);
  expect(() => [...decrypting]).toThrow(message);
  expect([...readdirSync(dirname(scan))].filter((name) => name.endsWith('.sealing'))).toEqual([]);
  // The way out.
  rmSync(scan);
  expect([...decryptVault(root, file, keys)]).toHaveLength(REST - 1);
  const database = readFileSync(join(root, 'vault.db'));
  const broken = Buffer.from(database);
  broken.fill(0xff, 4096, 6000);
  writeFileSync(join(root, 'vault.db'), broken);
  expect(() => [...encryptVault(root, file, keys)]).toThrow('can’t be read: vault.db');
  expect(state()).toBeNull();
});

/** Appends to a file until the second count is set; counts that in the first. */
const APPEND = `const { appendFileSync } = require('node:fs');
const { path, counts } = require('node:worker_threads').workerData;
while (Atomics.load(counts, 1) === 0) { appendFileSync(path, 'x'); Atomics.add(counts, 0, 1); }`;

it('keeps what is written into a file while it is sealed', async () => {
  const letter = join(root, 'inbox/elena/letter.pdf');
  // So long that something is appended while it is written.
  const start = randomBytes(16 * 2 ** 20);
  writeFileSync(letter, start);
  const encrypting = encryptVault(root, file, keys);
  advance(encrypting, PATHS + 1);
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const copying = new Worker(APPEND, { eval: true, workerData: { path: letter, counts } });
  await expect.poll(() => counts[0]).toBeGreaterThan(0);
  expect([...encrypting]).toHaveLength(PATHS);
  Atomics.store(counts, 1, 1);
  await once(copying, 'exit');
  const isKept = readFileSync(letter).equals(Buffer.concat([start, Buffer.alloc(counts[0]!, 'x')]));
  expect([isKept, state(), leaks()]).toEqual([true, 'on', []]);
});

it('goes on after somebody removed a file meanwhile', () => {
  const encrypting = encryptVault(root, file, keys);
  advance(encrypting, PATHS + 1);
  rmSync(join(root, 'patients/elena/2024/scan.pdf'));
  expect([...encrypting]).toHaveLength(PATHS);
  expect([state(), leaks()]).toEqual(['on', []]);
});

it.each([PATHS + 2, STEPS])('writes no key file where the disk went away after step %i', (steps) => {
  const encrypting = encryptVault(root, file, keys);
  advance(encrypting, steps);
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  expect(() => [...encrypting]).toThrow('ENOENT');
  expect(readdirSync(root)).toEqual([]);
});

it('seals files with names as long as a disk allows', () => {
  const long = `inbox/elena/${'ü'.repeat(125)}.pdf`;
  writeFileSync(join(root, long), WORD);
  expect([...encryptVault(root, file, keys)]).toHaveLength(STEPS + 2);
  expect(leaks()).toEqual([]);
  expect([...decryptVault(root, file, keys)]).toHaveLength(STEPS + 2);
  expect(readFileSync(join(root, long), 'latin1')).toBe(WORD);
});

it('never replaces the key of what is sealed already', async () => {
  advance(encryptVault(root, file, keys), PATHS + 1);
  const other = await createKeyFile('correct horse battery');
  const otherKeys = (await unlockByPassword(other.file, 'correct horse battery'))!;
  expect(() => encryptVault(root, other.file, otherKeys).next()).toThrow(OtherKey);
  expect(() => decryptVault(root, other.file, otherKeys).next()).toThrow(OtherKey);
  expect([...encryptVault(root, file, keys)]).toHaveLength(REST);
  requireWhole();
});

it('goes on under a new recovery key, also where the key file had no id before', async () => {
  const { id: _id, ...old } = file;
  expect([...encryptVault(root, old, keys)]).toHaveLength(STEPS);
  const changed = (await changeRecoveryKey(old, 'correct horse battery'))!;
  replaceKeyFile(root, changed.file);
  requireWhole();
  expect(() => replaceKeyFile(root, file)).toThrow(OtherKey);
  expect([...decryptVault(root, changed.file, keys)]).toHaveLength(STEPS);
  requireWhole();
});

it('leaves files of health links as they are, because they have keys of their own', () => {
  const link = join(root, 'cache/health-links/abc/0.jwe');
  mkdirSync(dirname(link), { recursive: true });
  writeFileSync(link, 'eyJ');
  expect([...encryptVault(root, file, keys)]).toHaveLength(STEPS);
  expect(readFileSync(link, 'utf8')).toBe('eyJ');
});

it('removes indexes of phone backups, which are made anew with or without a key', () => {
  mkdirSync(join(root, 'cache/phone'), { recursive: true });
  for (const name of ['abc.db', 'abc.db-wal']) writeFileSync(join(root, 'cache/phone', name), `${WORD} message`);
  expect([...encryptVault(root, file, keys)]).toHaveLength(STEPS);
  expect([leaks(), readdirSync(join(root, 'cache'))]).toEqual([[], ['thumbnails']]);
});

it('changes nothing while another program has the database open, and works afterwards', () => {
  const other = openVaultDatabase(join(root, 'vault.db'));
  expect(other.prepare('SELECT count(*) FROM papers').pluck().get()).toBe(1);
  expect(() => [...encryptVault(root, file, keys)]).toThrow(VaultInUse);
  expect(state()).toBeNull();
  other.exec("INSERT INTO papers VALUES ('later')");
  other.close();
  expect([...encryptVault(root, file, keys)]).toHaveLength(STEPS);
  setVaultKeys(root, keys);
  const sealed = openVaultDatabase(join(root, 'vault.db'));
  sealed.pragma('journal_mode = WAL');
  expect(sealed.prepare('SELECT count(*) FROM papers').pluck().get()).toBe(2);
  expect(() => [...decryptVault(root, file, keys)]).toThrow(VaultInUse);
  expect(state()).toBe('on');
  sealed.close();
  setVaultKeys(root, null);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeCrypto } from '../../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeSqlite } from '../../../src-main/features/phone-backups/adapters/sqlite.ts';
import { BackupError, openBackup, type BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import { generateBackup } from '../../fixtures/ios-backup/generate.ts';
import { makeKeybag } from '../../fixtures/ios-backup/keybag-writer.ts';
import { Archive, binaryPlist } from '../../fixtures/ios-backup/plist-writer.ts';
import Database from 'better-sqlite3';
import type { FuzzTarget } from '../target.ts';

const refuses = (error: unknown): boolean => error instanceof BackupError;

/** A backup whose files are these bytes. */
function filesOf(files: Record<string, Uint8Array>): BackupFiles {
  return {
    list: async () =>
      Object.entries(files).map(([name, bytes]) => ({ name, kind: 'file' as const, size: bytes.length })),
    size: async (path) => files[path]?.length ?? null,
    readRange: async (path, start, end) => Uint8Array.from((files[path] ?? new Uint8Array()).subarray(start, end)),
  };
}

/** In memory only: a limit beyond every input. */
const sqlite = nodeSqlite('/nonexistent', Number.MAX_SAFE_INTEGER);
/** Mutated counts must not cost real derivations. */
const quick = {
  ...nodeCrypto,
  pbkdf2: (hash: 'sha1' | 'sha256', password: Uint8Array, salt: Uint8Array, rounds: number, length: number) =>
    nodeCrypto.pbkdf2(hash, password, salt, Math.min(rounds, 3), length),
};

async function browse(files: Record<string, Uint8Array>): Promise<void> {
  const open = await (await openBackup({ files: filesOf(files), sqlite, crypto: quick })).unlock('secret');
  try {
    const { items } = await open.entries({ pathLike: '%a_b%', limit: 10 });
    open.domains();
    for (const { fileId } of [...items, ...(await open.entries({ limit: 10 })).items]) {
      for (const look of [
        () => open.entry(fileId),
        () => open.content(fileId).then((content) => content.read(0, Math.min(content.size, 64))),
      ]) {
        await look().catch((error: unknown) => {
          if (!refuses(error)) throw error;
        });
      }
    }
    await open.integrity().catch((error: unknown) => {
      if (!refuses(error)) throw error;
    });
  } finally {
    await open.lock();
  }
}

async function manifestDb(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-fuzz-'));
  await generateBackup({
    folder: join(folder, 'b'),
    entries: Array.from({ length: 20 }, (_, i) => ({
      domain: `Domain${i % 3}`,
      path: `Library/a${i}b.txt`,
      content: 'x',
      flags: [1, 2, 4][i % 3] ?? 1,
    })),
  });
  const bytes = readFileSync(join(folder, 'b', 'Manifest.db'));
  rmSync(folder, { recursive: true });
  return bytes;
}

async function manifestMbdb(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-fuzz-'));
  await generateBackup({
    folder: join(folder, 'b'),
    mbdb: true,
    entries: [
      { domain: 'HomeDomain', path: 'Library/a-b.txt', content: 'x' },
      { domain: 'HomeDomain', path: 'Library', flags: 2 },
      { domain: 'M', path: 'link', flags: 4, target: '/x' },
    ],
  });
  const bytes = readFileSync(join(folder, 'b', 'Manifest.mbdb'));
  rmSync(folder, { recursive: true });
  return bytes;
}

export const sqliteHeaders: FuzzTarget = {
  name: 'sqlite',
  refuses,
  seeds: async () => [await manifestDb()],
  read: (bytes) => browse({ 'Manifest.db': bytes }),
};

export const mbdbManifests: FuzzTarget = {
  name: 'mbdb',
  refuses,
  seeds: async () => [await manifestMbdb()],
  read: (bytes) => browse({ 'Manifest.mbdb': bytes }),
};

export const keybags: FuzzTarget = {
  name: 'keybag',
  refuses,
  seeds: () => [
    makeKeybag({ password: 'secret', firstRounds: 3, rounds: 2, random }).bytes,
    makeKeybag({ password: 'secret', rounds: 2, wraps: { 5: 1, 6: 3 }, random }).bytes,
  ],
  read: (bytes) =>
    browse({
      'Manifest.mbdb': Buffer.from('mbdb\x05\x00', 'latin1'),
      'Manifest.plist': binaryPlist({ IsEncrypted: true, BackupKeyBag: bytes }),
    }),
};

const random = (length: number): Buffer => Buffer.alloc(length, 'seed');

const ID = 'aa'.repeat(20);
const recordSeed = (): Uint8Array => {
  const archive = new Archive();
  const data = (bytes: Uint8Array) => archive.instance(['NSMutableData', 'NSData', 'NSObject'], { 'NS.data': bytes });
  return archive.bytes(
    archive.instance(['MBFile', 'NSObject'], {
      Size: 20,
      Mode: 0o100644,
      LastModified: 1_700_000_000,
      Birth: 1,
      ProtectionClass: 3,
      RelativePath: archive.add('a/b'),
      Target: archive.add('c'),
      EncryptionKey: data(random(44)),
      Digest: data(random(20)),
    }),
  );
};

/** Records reach the engine through a manifest of one row, as they do in a backup. */
export const fileRecords: FuzzTarget = {
  name: 'file-record',
  refuses,
  seeds: () => [recordSeed()],
  async read(bytes) {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)');
    db.prepare('INSERT INTO Files VALUES (?, ?, ?, 1, ?)').run(ID, 'HomeDomain', 'a/b', bytes);
    const manifest = db.serialize();
    db.close();
    await browse({ 'Manifest.db': manifest, [`aa/${ID}`]: new Uint8Array(32) });
  },
};

/**
 * The engine for phone backups against the platform's own functions, in one run: `npm run bench backups [-- --mb 1024
 * --entries 1000000 --messages 1000000]`.
 * Each ratio compares with the bare call on the same bytes and rounds, taken in turns; the best of each counts, since
 * other
 * programs only ever make a run slower.
 */
import { spawnSync } from 'node:child_process';
import { createDecipheriv, createHash, pbkdf2, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { threadBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import {
  openBackup,
  type Backup,
  type BackupCrypto,
  type Content,
  type UnlockedBackup,
} from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, generateBackup, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { Archive } from '../fixtures/ios-backup/plist-writer.ts';

const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '1024' },
    entries: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '10000000' },
    messages: { type: 'string', default: '1000000' },
  },
});
const MIB = 1024 * 1024,
  BACKUP_PASSWORD = 'a password of the phone';
const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-backups-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let failed = 0;
function report(name: string, ok: boolean, figures: string): void {
  if (!ok) failed += 1;
  process.stdout.write(`${ok ? 'ok  ' : 'OVER'} ${name.padEnd(52)} ${figures}\n`);
}
const seconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const best = (numbers: number[]): number => Math.min(...numbers);
const middle = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

const opened = (name: string, crypto: BackupCrypto = nodeCrypto): Promise<Backup> => {
  const sandbox = join(folder, `sandbox-${name}`);
  mkdirSync(sandbox, { recursive: true });
  return openBackup({ files: threadBackupFiles(join(folder, name)), sqlite: nodeSqlite(sandbox), crypto });
};

/** A file of random bytes, one piece at a time. */
function largeFile(path: string, megabytes: number): string {
  const file = openSync(path, 'w'),
    piece = randomBytes(MIB);
  for (let i = 0; i < megabytes; i += 1) {
    piece.writeUInt32BE(i);
    writeSync(file, piece);
  }
  closeSync(file);
  return path;
}

/** Reads a file and decrypts it, both in pieces of 1 MiB: what the engine is measured against. */
function bareDecrypt(path: string, key: Buffer): void {
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  const file = openSync(path, 'r'),
    size = statSync(path).size,
    piece = Buffer.alloc(MIB);
  for (let at = 0; at < size; at += MIB) decipher.update(piece.subarray(0, readSync(file, piece, 0, MIB, at)));
  closeSync(file);
}

/** The same without reading: only the cipher, over one piece in memory. */
function bareCipher(megabytes: number, key: Buffer): void {
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false),
    piece = randomBytes(MIB);
  for (let i = 0; i < megabytes; i += 1) decipher.update(piece);
}

async function drain(content: Content): Promise<void> {
  let size = 0;
  for await (const piece of content.stream()) size += piece.length;
  if (size !== content.size) throw new Error(`${size} of ${content.size} bytes came`);
}

async function throughput(megabytes: number): Promise<void> {
  const file = largeFile(join(folder, 'large.bin'), megabytes);
  await generateBackup({
    folder: join(folder, 'large'),
    entries: [{ domain: 'MediaDomain', path: 'large.mov', content: { file } }],
    keybag: { password: BACKUP_PASSWORD, rounds: 10, firstRounds: 10 },
  });
  rmSync(file);
  const open = await (await opened('large')).unlock(BACKUP_PASSWORD),
    id = fileIdOf('MediaDomain', 'large.mov');
  const content = await open.content(id),
    blob = join(folder, 'large', id.slice(0, 2), id),
    key = randomBytes(32);
  const own: number[] = [],
    bare: number[] = [],
    cipher: number[] = [];
  await drain(content);
  for (let round = 0; round < 6; round += 1) {
    bare.push(await seconds(() => bareDecrypt(blob, key)));
    own.push(await seconds(() => drain(content)));
    cipher.push(await seconds(() => bareCipher(megabytes, key)));
  }
  const speed = (times: number[]): string => `${(megabytes / best(times)).toFixed(0)} MB/s`,
    ratio = best(bare) / best(own),
    inMemory = best(cipher) / best(own);
  report(
    `decrypt ${megabytes} MB, against reading and deciphering`,
    ratio >= 0.7,
    `ratio ${ratio.toFixed(2)} (${speed(own)}, bare ${speed(bare)}), at least 0.7`,
  );
  report(
    'the same, against deciphering in memory alone',
    inMemory >= 0.7,
    `ratio ${inMemory.toFixed(2)} (bare ${speed(cipher)}), at least 0.7`,
  );
  const cold = await (await opened('large')).unlock(BACKUP_PASSWORD),
    at = Math.floor(content.size / 2) + 7;
  const range = (await seconds(async () => (await cold.content(id)).read(at, at + 64 * 1024))) * 1000;
  report('64 KiB in its middle, first touch', range < 50, `${range.toFixed(1)} ms, under 50`);
  await Promise.all([open.lock(), cold.lock()]);
}

async function unlocking(rounds: number): Promise<void> {
  await generateBackup({
    folder: join(folder, 'real'),
    entries: [{ domain: 'HomeDomain', path: 'a', content: 'x' }],
    keybag: { password: BACKUP_PASSWORD, rounds: 10_000, firstRounds: rounds },
  });
  let derivations = 0;
  const counting: BackupCrypto = {
    ...nodeCrypto,
    pbkdf2: (...args) => {
      derivations += 1;
      return nodeCrypto.pbkdf2(...args);
    },
  };
  const backup = await opened('real', counting),
    derive = promisify(pbkdf2),
    salt = randomBytes(20),
    own: number[] = [],
    bare: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    bare.push(
      await seconds(async () =>
        derive(await derive(BACKUP_PASSWORD, salt, rounds, 32, 'sha256'), salt, 10_000, 32, 'sha1'),
      ),
    );
    derivations = 0;
    let open = null as UnlockedBackup | null;
    own.push(
      await seconds(async () => {
        open = await backup.unlock(BACKUP_PASSWORD);
      }),
    );
    for (let i = 0; i < 20; i += 1) {
      await open?.entries({ pathLike: `%${i}` });
      await (await open?.content(fileIdOf('HomeDomain', 'a')))?.read(0, 1);
    }
    await open?.lock();
  }
  const ratio = best(own) / best(bare);
  report(
    `unlock with ${rounds} rounds`,
    ratio <= 1.1 && derivations === 2,
    `ratio ${ratio.toFixed(3)} (${best(own).toFixed(2)} s, bare ${best(bare).toFixed(2)} s), at most ` +
      `1.1; ${derivations} derivations of a chain of 2, 20 reads included`,
  );
}

/** A record as a phone writes it; the same for each entry, since listing reads sizes and not paths from it. */
function recordOf(): Buffer {
  const archive = new Archive(),
    data = (bytes: Uint8Array) => archive.instance(['NSMutableData', 'NSData', 'NSObject'], { 'NS.data': bytes });
  return archive.bytes(
    archive.instance(['MBFile', 'NSObject'], {
      Size: 123_456,
      Mode: 0o100644,
      UserID: 501,
      GroupID: 501,
      InodeNumber: 1234,
      Flags: 0,
      LastModified: 1_700_000_000,
      LastStatusChange: 1_700_000_000,
      Birth: 1_690_000_000,
      ProtectionClass: 3,
      RelativePath: archive.add('Library/Documents/file'),
      EncryptionKey: data(Buffer.alloc(44, 7)),
      Digest: data(createHash('sha1').digest()),
    }),
  );
}

function* manyEntries(count: number): Generator<EntrySpec> {
  const record = recordOf(),
    ends = ['pdf', 'heic', 'jpg', 'plist', 'sqlite', 'png', 'mov', 'json'];
  for (let i = 0; i < count; i += 1)
    yield {
      domain: `AppDomain-com.example.app${i % 97}`,
      path: `Library/Application Support/Folder ${(i * 7919) % 5003}/Documents/file-${i}.${ends[i % 8]}`,
      record,
      missing: true,
    };
}

async function listing(entries: number): Promise<void> {
  await generateBackup({ folder: join(folder, 'many'), entries: manyEntries(entries) });
  const backup = await opened('many');
  let open = await backup.unlock();
  const index = await seconds(async () => {
    await open.lock();
    open = await backup.unlock();
  });
  process.stdout.write(
    `     ${'manifest opened and indexed'.padEnd(52)} ${index.toFixed(1)} s for ${entries} entries, ` +
      `${Math.round(process.memoryUsage().rss / MIB)} MiB in this process\n`,
  );
  const page = async (query: Parameters<typeof open.entries>[0]): Promise<number> =>
    (await seconds(() => open.entries({ limit: 100, ...query }))) * 1000;
  const first = await page({ pathLike: '%.pdf' }),
    later: number[] = [],
    others: number[] = [];
  for (let i = 1; i <= 50; i += 1) later.push(await page({ pathLike: '%.pdf', offset: i * 997 }));
  for (const pathLike of ['%.heic', '%.jpg', '%.plist', '%.mov', '%.json', '%.PNG', '%.Sqlite'])
    others.push(await page({ pathLike }));
  report(
    `page of 100 among ${entries}, path_like '%.pdf'`,
    Math.max(...later) < 50,
    `first ${first.toFixed(1)} ms, then at most ${Math.max(...later).toFixed(2)} ms, under 50`,
  );
  report(
    'the same with a pattern not asked before',
    middle(others) < 50,
    `p50 ${middle(others).toFixed(1)} ms, slowest ${Math.max(...others).toFixed(1)} ms, under 50`,
  );
  process.stdout.write(
    `     ${"path_like '%documents%file-9_%.pdf'".padEnd(52)} ` +
      `${(await page({ pathLike: '%documents%file-9_%.pdf' })).toFixed(0)} ms\n`,
  );
  await open.lock();
}

/** In a process of its own, for its memory is measured. */
function indexing(messages: number): void {
  if (
    spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'backups-index.ts'), String(messages)],
      { stdio: 'inherit' },
    ).status !== 0
  )
    failed += 1;
}

await throughput(Number(values.mb));
await unlocking(Number(values.rounds));
await listing(Number(values.entries));
indexing(Number(values.messages));
process.stdout.write(failed === 0 ? 'all within their limits\n' : `${failed} over their limits\n`);
process.exitCode = failed === 0 ? 0 : 1;

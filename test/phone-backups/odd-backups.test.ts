import Database from 'better-sqlite3';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { type KeybagSpec } from '../fixtures/ios-backup/keybag-writer.ts';
import { hostilePlists } from '../fixtures/ios-backup/hostile-plists.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';
import { backupShelf, bytesOf, BACKUP_PASSWORD } from '../support/phone-backups.ts';

const shelf = backupShelf();

afterAll(() => shelf.remove());

const KEYBAG = { password: BACKUP_PASSWORD, firstRounds: 5 };

const DOMAIN = 'HomeDomain';

const unlocked = async (entries: EntrySpec[], keybag: KeybagSpec = KEYBAG): Promise<UnlockedBackup> =>
  (await (await shelf.make({ entries, keybag })).open()).unlock(BACKUP_PASSWORD);

const counting = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff));

describe('sizes', () => {
  it.each([0, 1, 15, 16, 17, 31, 32, 4096])(
    'reads a file of %i bytes to its end with and without padding',
    async (size) => {
      const content = counting(size),
        paddings = ['pkcs7', 'none'] as const;
      const open = await unlocked(paddings.map((padding) => ({ domain: DOMAIN, path: padding, content, padding })));
      for (const padding of paddings) expect(await bytesOf(open, DOMAIN, padding)).toEqual(content);
      expect((await open.integrity()).findings).toEqual([]);
    },
  );

  it('reads a file that grew after its size was stored, and one without a size, to its end', async () => {
    const content = counting(5000);
    const open = await unlocked([
      { domain: DOMAIN, path: 'grew', content, size: 4096 },
      { domain: DOMAIN, path: 'no size', content, size: null },
      { domain: DOMAIN, path: 'called empty', content, size: 0 },
      { domain: DOMAIN, path: 'shrank', content, size: 9000 },
    ]);
    for (const path of ['grew', 'no size', 'called empty', 'shrank'])
      expect(await bytesOf(open, DOMAIN, path)).toEqual(content);
    expect(
      (await open.integrity()).findings
        .map(({ fault, relativePath, expected, actual }) => [relativePath, fault, expected, actual])
        .sort(),
    ).toEqual([
      ['called empty', 'wrong_size', 0, 5008],
      ['grew', 'wrong_size', 4096, 5008],
      ['shrank', 'wrong_size', 9000, 5008],
    ]);
  });

  it('reads a file of an unencrypted backup as it is on the disk', async () => {
    const open = await (
      await (
        await shelf.make({ entries: [{ domain: DOMAIN, path: 'plain', content: counting(100), size: 50 }] })
      ).open()
    ).unlock();
    expect(await bytesOf(open, DOMAIN, 'plain')).toEqual(counting(100));
  });
});

describe('reading', () => {
  it('returns the same bytes in any range and any chunks', async () => {
    const content = counting(3 * 1024 * 1024 + 5),
      open = await unlocked([{ domain: DOMAIN, path: 'large', content }]);
    const source = await open.content(fileIdOf(DOMAIN, 'large'));
    expect(source.size).toBe(content.length);
    for (let i = 0; i < 300; i += 1) {
      const start = (i * 7919 * 13) % content.length,
        end = Math.min(content.length, start + ((i * 31) % 70));
      expect(Buffer.from(await source.read(start, end)).equals(content.subarray(start, end))).toBe(true);
    }
    for (const [start, end] of [
      [0, content.length],
      [1, content.length - 1],
      [16, 17],
      [1024 * 1024 - 1, 2 * 1024 * 1024 + 1],
      [5, 5],
      [content.length, content.length],
    ] as const) {
      const pieces: Uint8Array[] = [];
      for await (const piece of source.stream(start, end)) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(content.subarray(start, end))).toBe(true);
    }
    for (const [start, end] of [
      [-1, 5],
      [5, 4],
      [0, content.length + 1],
      [NaN, 4],
    ] as const)
      await expect(source.read(start, end)).rejects.toThrow(RangeError);
  });
});

describe("entries that can't be read", () => {
  it('name the reason for folders, links, missing files and unknown ids', async () => {
    const open = await unlocked([
      { domain: DOMAIN, path: 'folder', flags: 2 },
      { domain: DOMAIN, path: 'link', flags: 4, target: '/etc/passwd' },
      { domain: DOMAIN, path: 'odd', flags: 16 },
      { domain: DOMAIN, path: 'missing', content: 'x', missing: true },
    ]);
    const codes = async (path: string) =>
      open.content(fileIdOf(DOMAIN, path)).then(
        () => null,
        (error: { code: string; params: object }) => [error.code, error.params],
      );
    expect(await codes('folder')).toEqual(['not_a_file', { kind: 'folder' }]);
    expect(await codes('link')).toEqual(['not_a_file', { kind: 'link' }]);
    expect(await codes('odd')).toEqual(['not_a_file', { kind: 'other' }]);
    expect(await codes('missing')).toEqual(['missing_blob', {}]);
    expect(await codes('no such')).toEqual(['unknown_entry', {}]);
    expect((await open.integrity()).counts).toMatchObject({ missing: 1 });
  });

  it('name the reason for device-only classes and broken keys', async () => {
    const open = await unlocked(
      [
        { domain: DOMAIN, path: 'device', content: 'x', protectionClass: 9 },
        { domain: DOMAIN, path: 'both', content: 'x', protectionClass: 10 },
        { domain: DOMAIN, path: 'broken', content: 'x', encryptionKey: Buffer.alloc(44, 3) },
        { domain: DOMAIN, path: 'short', content: 'x', encryptionKey: Buffer.from([3, 0]) },
        {
          domain: DOMAIN,
          path: 'no class',
          content: 'x',
          encryptionKey: Buffer.concat([Buffer.from([77, 0, 0, 0]), Buffer.alloc(40)]),
        },
      ],
      { ...KEYBAG, wraps: { 9: 1, 10: 3 } },
    );
    const code = async (path: string) =>
      open.content(fileIdOf(DOMAIN, path)).catch((error: { code: string }) => error.code);
    expect([
      await code('device'),
      await code('both'),
      await code('broken'),
      await code('short'),
      await code('no class'),
    ]).toEqual(['needs_device', 'needs_device', 'damaged_key', 'damaged_key', 'damaged_key']);
    expect((await open.integrity()).counts).toMatchObject({ needs_device: 2, damaged_key: 3 });
  });

  it('are listed when their record is not a plist, and their bytes are rejected', async () => {
    const open = await unlocked([
      {
        domain: DOMAIN,
        path: 'a',
        content: 'x',
        record: Buffer.from('bplist00 and no more, not even a trailer that fits'),
      },
      { domain: DOMAIN, path: 'b', content: 'fine' },
    ]);
    expect((await open.entries()).items.map(({ relativePath, size }) => [relativePath, size])).toEqual([
      ['a', null],
      ['b', 4],
    ]);
    await expect(open.content(fileIdOf(DOMAIN, 'a'))).rejects.toMatchObject({ code: 'damaged_record' });
    expect((await bytesOf(open, DOMAIN, 'b')).toString()).toBe('fine');
  });
});

describe('missing or broken plists', () => {
  it.each(['Info.plist', 'Status.plist', 'Manifest.plist'] as const)('lists a backup without %s', async (omitted) => {
    const backup = await (
      await shelf.make({ entries: [{ domain: DOMAIN, path: 'a', content: 'x' }], omit: [omitted] })
    ).open();
    expect(backup.info.problems).toEqual([
      { 'Info.plist': 'no_info_plist', 'Status.plist': 'no_status_plist', 'Manifest.plist': 'no_manifest_plist' }[
        omitted
      ],
    ]);
    expect((await bytesOf(await backup.unlock(), DOMAIN, 'a')).toString()).toBe('x');
  });

  it('reports a missing keybag instead of asking for a password', async () => {
    const backup = await (await shelf.make({ entries: [], keybag: KEYBAG, omit: ['Manifest.plist'] })).open();
    expect(backup.info).toMatchObject({ encrypted: true, problems: ['no_manifest_plist', 'no_keybag'] });
    await expect(backup.unlock(BACKUP_PASSWORD)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });

  it('reports hostile plists as problems', async () => {
    const { folder, open } = await shelf.make({ entries: [{ domain: DOMAIN, path: 'a', content: 'x' }] });
    for (const { bytes } of hostilePlists()) {
      for (const name of ['Info.plist', 'Status.plist', 'Manifest.plist']) writeFileSync(join(folder, name), bytes);
      const backup = await open();
      expect(backup.info.problems).toEqual(['damaged_info_plist', 'damaged_status_plist', 'damaged_manifest_plist']);
    }
  });

  it('reports an unfinished backup, and ignores a folder without a manifest', async () => {
    const { folder, open } = await shelf.make({ entries: [], status: { SnapshotState: 'uploading' } });
    expect((await open()).info.problems).toEqual(['not_finished']);
    rmSync(join(folder, 'Manifest.db'));
    await expect(open()).rejects.toMatchObject({ code: 'not_a_backup' });
  });

  it.each([
    ['no bag', Buffer.alloc(0)],
    ['half a tag', Buffer.from('VERS\0\0')],
    ['a length beyond the bag', Buffer.from('VERS\x7f\xff\xff\xff')],
    ['no salt', Buffer.from('VERS\0\0\0\x04\0\0\0\x03')],
  ])('rejects a keybag that is %s', async (_, bag) => {
    const { folder, open } = await shelf.make({ entries: [], keybag: KEYBAG });
    writeFileSync(
      join(folder, 'Manifest.plist'),
      binaryPlist({ IsEncrypted: true, BackupKeyBag: bag, ManifestKey: Buffer.alloc(44) }),
    );
    await expect((await open()).unlock(BACKUP_PASSWORD)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });
});

describe('databases', () => {
  function database(folder: string, name: string, wal: boolean): string {
    const path = join(folder, '..', name),
      db = new Database(path);
    db.pragma(`journal_mode = ${wal ? 'WAL' : 'DELETE'}`);
    db.pragma('wal_autocheckpoint = 0');
    db.exec('CREATE TABLE message (id INTEGER PRIMARY KEY, date INTEGER, body TEXT, data BLOB)');
    if (wal) db.pragma('wal_checkpoint(TRUNCATE)');
    const insert = db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)');
    db.transaction(() => {
      for (let i = 1; i <= 3000; i += 1) insert.run(i, 721_692_800_123_456_789n, `text ${i}`, Buffer.from([i & 255]));
    })();
    copyFileSync(path, `${path}.copy`);
    if (wal) copyFileSync(`${path}-wal`, `${path}.copy-wal`);
    db.close();
    return `${path}.copy`;
  }

  it.each([
    [false, undefined],
    [true, undefined],
    [false, KEYBAG],
    [true, KEYBAG],
  ] as const)(
    'are read with their write-ahead log (%s), encrypted (%o), and leave nothing behind',
    async (wal, keybag) => {
      const { folder } = await shelf.make({ entries: [] }),
        file = database(folder, `sms-${wal}-${keybag !== undefined}.db`, wal);
      const entries: EntrySpec[] = [
        { domain: DOMAIN, path: 'sms.db', content: { file } },
        ...(wal ? [{ domain: DOMAIN, path: 'sms.db-wal', content: { file: `${file}-wal` } }] : []),
      ];
      const { open, inSandbox } = await shelf.make({ entries, keybag });
      const backup = await (await open()).unlock(BACKUP_PASSWORD),
        db = await backup.openDatabase(DOMAIN, 'sms.db');
      expect(await db.query('SELECT count(*) AS n, sum(id) AS s FROM message')).toEqual([{ n: 3000, s: 4_501_500 }]);
      expect(await db.query('SELECT * FROM message WHERE id = ?', [7])).toEqual([
        { id: 7, date: 721_692_800_123_456_789n, body: 'text 7', data: Buffer.from([7]) },
      ]);
      expect([await db.columns('message'), await db.columns('none')]).toEqual([['id', 'date', 'body', 'data'], []]);
      let rows = 0;
      for await (const batch of db.batches('SELECT id FROM message ORDER BY id', [], 999)) rows += batch.length;
      expect(rows).toBe(3000);
      await expect(db.query("UPDATE message SET body = 'x'")).rejects.toThrow();
      await backup.lock();
      expect(inSandbox()).toEqual([]);
      await expect(db.query('SELECT 1')).rejects.toThrow();
    },
  );

  it('are rejected when they are not databases', async () => {
    const open = await unlocked([
      { domain: DOMAIN, path: 'text.db', content: 'x'.repeat(5000) },
      {
        domain: DOMAIN,
        path: 'broken.db',
        content: Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9000, 5)]),
      },
    ]);
    for (const path of ['text.db', 'broken.db'])
      await expect(open.openDatabase(DOMAIN, path)).rejects.toMatchObject({ code: 'damaged_file' });
    await expect(open.openDatabase(DOMAIN, 'none.db')).rejects.toMatchObject({ code: 'unknown_entry' });
  });
});

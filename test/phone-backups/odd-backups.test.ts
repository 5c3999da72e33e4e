import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itWith } from '../support/requirements.ts';
import type { Backup, UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { makeKeybag, storedKey, tag, type KeybagSpec } from '../fixtures/ios-backup/keybag-writer.ts';
import { hostilePlists } from '../fixtures/ios-backup/hostile-plists.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';
import { backupShelf, bytesOf, PASSPHRASE } from '../support/phone-backups.ts';

const shelf = backupShelf();
afterAll(() => shelf.remove());

const KEYBAG = { passphrase: PASSPHRASE, firstRounds: 5 };
const DOMAIN = 'HomeDomain';
const unlocked = async (entries: EntrySpec[], keybag: KeybagSpec = KEYBAG): Promise<UnlockedBackup> =>
  (await (await shelf.make({ entries, keybag })).open()).unlock(PASSPHRASE);
const counting = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff));

describe('sizes', () => {
  it.each([0, 1, 15, 16, 17, 31, 32, 4096])(
    'a file of %i bytes ends where it ends, however it was padded',
    async (size) => {
      const content = counting(size),
        paddings = ['pkcs7', 'extra', 'none'] as const;
      const open = await unlocked(paddings.map((padding) => ({ domain: DOMAIN, path: padding, content, padding })));
      for (const padding of paddings) expect(await bytesOf(open, DOMAIN, padding)).toEqual(content);
      expect((await open.integrity()).findings).toEqual([]);
    },
  );

  it('a file that grew after its size was noted is read to its own end, one without a size too', async () => {
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

  it('a blob cut short gives what is whole', async () => {
    const content = counting(5000);
    const open = await unlocked([
      { domain: DOMAIN, path: 'cut', content, cut: 1005 },
      { domain: DOMAIN, path: 'empty blob', content, cut: 6000 },
    ]);
    expect(await bytesOf(open, DOMAIN, 'cut')).toEqual(content.subarray(0, 4000 - (4000 % 16)));
    expect(await bytesOf(open, DOMAIN, 'empty blob')).toHaveLength(0);
    expect((await open.integrity()).counts).toMatchObject({ cut: 1, wrong_size: 1 });
  });

  it('a file of a plain backup is what stands on the disk', async () => {
    const open = await (
      await (
        await shelf.make({ entries: [{ domain: DOMAIN, path: 'plain', content: counting(100), size: 50 }] })
      ).open()
    ).unlock();
    expect(await bytesOf(open, DOMAIN, 'plain')).toEqual(counting(100));
  });
});

describe('reading', () => {
  it('gives the same bytes in any range and any pieces', async () => {
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

describe('what cannot be read says why', () => {
  it('folders, links, missing files, unknown ids', async () => {
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

  it('classes that only the device can unwrap, broken keys', async () => {
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

  it('a record that is no plist: the entry is listed, its bytes are refused', async () => {
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
    await expect(open.content(fileIdOf(DOMAIN, 'a'))).rejects.toMatchObject({ code: 'damaged_manifest' });
    expect((await bytesOf(open, DOMAIN, 'b')).toString()).toBe('fine');
  });
});

describe('plists that are missing or broken', () => {
  it.each(['Info.plist', 'Status.plist', 'Manifest.plist'] as const)(
    'a backup without %s is still a backup',
    async (omitted) => {
      const backup = await (
        await shelf.make({ entries: [{ domain: DOMAIN, path: 'a', content: 'x' }], omit: [omitted] })
      ).open();
      expect(backup.info.problems).toEqual([
        { 'Info.plist': 'no_info_plist', 'Status.plist': 'no_status_plist', 'Manifest.plist': 'no_manifest_plist' }[
          omitted
        ],
      ]);
      expect((await bytesOf(await backup.unlock(), DOMAIN, 'a')).toString()).toBe('x');
    },
  );

  it('an encrypted one without its keybag says that no passphrase helps', async () => {
    const backup = await (await shelf.make({ entries: [], keybag: KEYBAG, omit: ['Manifest.plist'] })).open();
    expect(backup.info).toMatchObject({ encrypted: true, problems: ['no_manifest_plist', 'no_keybag'] });
    await expect(backup.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });

  it('hostile plists are problems, not crashes', async () => {
    const { folder, open } = await shelf.make({ entries: [{ domain: DOMAIN, path: 'a', content: 'x' }] });
    for (const { bytes } of hostilePlists()) {
      for (const name of ['Info.plist', 'Status.plist', 'Manifest.plist']) writeFileSync(join(folder, name), bytes);
      const backup = await open();
      expect(backup.info.problems).toEqual(['damaged_info_plist', 'damaged_status_plist', 'damaged_manifest_plist']);
    }
  });

  it('an unfinished backup says so; a folder without a manifest is none', async () => {
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
  ])('a keybag that is %s is refused', async (_, bag) => {
    const { folder, open } = await shelf.make({ entries: [], keybag: KEYBAG });
    writeFileSync(
      join(folder, 'Manifest.plist'),
      binaryPlist({ IsEncrypted: true, BackupKeyBag: bag, ManifestKey: Buffer.alloc(44) }),
    );
    await expect((await open()).unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });
});

describe('keybags with edges', () => {
  const plistOf = (bag: Buffer, more: object = {}): Buffer =>
    binaryPlist({ IsEncrypted: true, BackupKeyBag: bag, ...more });
  const fileOf = async (opened: () => Promise<Backup>): Promise<string> =>
    (await (await opened()).unlock(PASSPHRASE)).content(fileIdOf(DOMAIN, 'a')).then(
      () => 'read',
      (error: { code: string }) => error.code,
    );

  /** A backup whose manifest is readable, so that only the keybag matters. */
  async function withBag(change: (bag: Buffer) => Buffer) {
    const bag = makeKeybag(KEYBAG),
      made = await shelf.make({
        entries: [
          {
            domain: DOMAIN,
            path: 'a',
            content: 'x',
            encryptionKey: storedKey(3, bag.classKeys.get(3)!, Buffer.alloc(32, 1)),
          },
        ],
        keybag: KEYBAG,
        plainManifest: true,
      });
    writeFileSync(join(made.folder, 'Manifest.plist'), plistOf(change(bag.bytes)));
    return fileOf(() => made.open());
  }
  const changed = (bag: Buffer, from: Buffer, to: Buffer): Buffer =>
    Buffer.concat([bag.subarray(0, bag.indexOf(from)), to, bag.subarray(bag.indexOf(from) + from.length)]);

  it('one broken class key does not make the passphrase wrong', async () => {
    expect(
      await withBag((bag) => {
        bag.writeUInt8(bag.readUInt8(bag.lastIndexOf('WPKY') + 20) ^ 1, bag.lastIndexOf('WPKY') + 20);
        return bag;
      }),
    ).toBe('read');
  });

  it('unknown tags, a bag of its own with no UUID, classes without keys', async () => {
    expect(
      await withBag((bag) =>
        Buffer.concat([
          tag('ABCD', Buffer.alloc(3)),
          bag,
          tag('UUID', Buffer.alloc(16)),
          tag('CLAS', 12),
          tag('PBKY', Buffer.alloc(32)),
        ]),
      ),
    ).toBe('read');
    expect(
      await withBag((bag) =>
        Buffer.concat([bag.subarray(0, bag.indexOf('UUID')), bag.subarray(bag.indexOf('UUID') + 24)]),
      ),
    ).toBe('read');
  });

  it.each([
    ['another type', (bag: Buffer) => changed(bag, tag('TYPE', 1), tag('TYPE', 0))],
    ['no rounds', (bag: Buffer) => changed(bag, tag('ITER', 10), tag('ITER', 0))],
    ['rounds without end', (bag: Buffer) => changed(bag, tag('DPIC', 5), tag('DPIC', 0xffffffff))],
    ['a number of three bytes', (bag: Buffer) => changed(bag, tag('ITER', 10), tag('ITER', Buffer.alloc(3)))],
    ['a salt without its rounds', (bag: Buffer) => changed(bag, tag('DPIC', 5), Buffer.alloc(0))],
  ])('%s is refused as damage, not as a wrong passphrase', async (_, change) => {
    await expect(withBag(change)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });

  it('a manifest that its key does not decrypt is damage', async () => {
    const { folder, open } = await shelf.make({ entries: [], keybag: KEYBAG }),
      bag = makeKeybag(KEYBAG);
    writeFileSync(
      join(folder, 'Manifest.plist'),
      plistOf(bag.bytes, { ManifestKey: storedKey(4, bag.classKeys.get(4)!, Buffer.alloc(32, 9)) }),
    );
    await expect((await open()).unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'damaged_manifest' });
    writeFileSync(join(folder, 'Manifest.plist'), plistOf(bag.bytes));
    await expect((await open()).unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'damaged_manifest' });
  });
});

describe('hostile manifests', () => {
  const OUTSIDE = [
    '../../../etc/passwd',
    '/etc/passwd',
    '..',
    '.',
    '',
    'aa/../../secret',
    '..\\..\\secret',
    'C:\\secret',
    `${'a'.repeat(39)}/`,
    `${'a'.repeat(40)}\0.txt`,
    'A'.repeat(40),
    'secret',
  ];

  it('never open a file by an id that is not 40 hexadecimal digits', async () => {
    const { folder, open } = await shelf.make({
      entries: OUTSIDE.map((fileId, i) => ({ domain: DOMAIN, path: `p${i}`, fileId, content: 'x', missing: true })),
    });
    writeFileSync(join(folder, '..', 'secret'), 'not yours');
    writeFileSync(join(folder, 'secret'), 'not yours');
    const backup = await (await open()).unlock();
    expect((await backup.entries()).total).toBe(OUTSIDE.length);
    for (const fileId of OUTSIDE) await expect(backup.content(fileId)).rejects.toMatchObject({ code: 'missing_blob' });
    expect((await backup.integrity()).counts.unsafe_id).toBe(OUTSIDE.length);
  });

  it('show paths as they are and follow none', async () => {
    const paths = [
      '../../outside',
      '/absolute',
      'a\0b',
      'CON',
      'a/./b',
      '..',
      'x'.repeat(5000),
      '\ud800 lone',
      'Ünïcode/🔑',
    ];
    const open = await unlocked(paths.map((path) => ({ domain: '../Domain', path, content: path.slice(0, 20) })));
    const { items } = await open.entries();
    expect(items).toHaveLength(paths.length);
    for (const { fileId, domain, size } of items)
      expect([domain, (await open.content(fileId)).size]).toEqual(['../Domain', size]);
  });

  itWith({ programs: ['mkfifo'] }, 'links, pipes and folders in place of a blob are not read', async () => {
    const entries = ['link', 'pipe', 'folder', 'behind a link'].map((path) => ({
      domain: DOMAIN,
      path,
      content: 'x',
      missing: true,
    }));
    const { folder, open } = await shelf.make({ entries });
    const blobs = entries.map(({ path }) => fileIdOf(DOMAIN, path)),
      at = (id: string): string => join(folder, id.slice(0, 2), id);
    writeFileSync(join(folder, '..', 'outside.txt'), 'not yours');
    for (const id of blobs) mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
    symlinkSync(join(folder, '..', 'outside.txt'), at(blobs[0]!));
    execFileSync('mkfifo', [at(blobs[1]!)]);
    mkdirSync(at(blobs[2]!));
    writeFileSync(at(blobs[3]!), 'x');
    renameSync(join(folder, blobs[3]!.slice(0, 2)), join(folder, '..', 'moved'));
    symlinkSync(join(folder, '..', 'moved'), join(folder, blobs[3]!.slice(0, 2)));
    const backup = await (await open()).unlock();
    for (const id of blobs) await expect(backup.content(id)).rejects.toMatchObject({ code: 'missing_blob' });
    expect((await backup.integrity()).counts.missing).toBe(4);
  });

  it.each([
    [
      'a view without end',
      'CREATE VIEW Files AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i ' +
        'AS fileID, i AS domain, i AS relativePath, 1 AS flags, NULL AS file FROM n',
    ],
    ['another table', 'CREATE TABLE Files (name TEXT)'],
    [
      'columns that are computed',
      "CREATE TABLE Files (id INTEGER, fileID TEXT AS (printf('%.*c', 200000000, 'x')), domain TEXT " +
        "AS ('d'), relativePath TEXT AS ('p'), flags INTEGER AS (1))",
    ],
    ['nothing at all', 'CREATE TABLE Other (name TEXT)'],
  ])('Files as %s is refused', async (_, sql) => {
    const { folder, open } = await shelf.make({ entries: [] });
    rmSync(join(folder, 'Manifest.db'));
    const db = new Database(join(folder, 'Manifest.db'));
    db.exec(sql);
    if (sql.includes('id INTEGER')) db.exec('INSERT INTO Files (id) VALUES (1)');
    db.close();
    await expect((await open()).unlock()).rejects.toMatchObject({ code: 'damaged_manifest' });
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
  ] as const)('are read with their log (%s), encrypted (%o), and leave nothing behind', async (wal, keybag) => {
    const { folder } = await shelf.make({ entries: [] }),
      file = database(folder, `sms-${wal}-${keybag !== undefined}.db`, wal);
    const entries: EntrySpec[] = [
      { domain: DOMAIN, path: 'sms.db', content: { file } },
      ...(wal ? [{ domain: DOMAIN, path: 'sms.db-wal', content: { file: `${file}-wal` } }] : []),
    ];
    const { open, inSandbox } = await shelf.make({ entries, keybag });
    const backup = await (await open()).unlock(PASSPHRASE),
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
  });

  it('that are none are refused', async () => {
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

import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itWith } from '../support/requirements.ts';
import type { Backup, UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { makeKeybag, storedKey, tag, type KeybagSpec } from '../fixtures/ios-backup/keybag-writer.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';
import { backupShelf, BACKUP_PASSWORD } from '../support/phone-backups.ts';

const shelf = backupShelf();

afterAll(() => shelf.remove());

const KEYBAG = { password: BACKUP_PASSWORD, firstRounds: 5 };

const DOMAIN = 'HomeDomain';

const unlocked = async (entries: EntrySpec[], keybag: KeybagSpec = KEYBAG): Promise<UnlockedBackup> =>
  (await (await shelf.make({ entries, keybag })).open()).unlock(BACKUP_PASSWORD);

describe('unusual keybags', () => {
  const plistOf = (bag: Buffer, more: object = {}): Buffer =>
    binaryPlist({ IsEncrypted: true, BackupKeyBag: bag, ...more });
  const fileOf = async (opened: () => Promise<Backup>): Promise<string> =>
    (await (await opened()).unlock(BACKUP_PASSWORD)).content(fileIdOf(DOMAIN, 'a')).then(
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

  it('accepts the password when one class key is broken', async () => {
    expect(
      await withBag((bag) => {
        bag.writeUInt8(bag.readUInt8(bag.lastIndexOf('WPKY') + 20) ^ 1, bag.lastIndexOf('WPKY') + 20);
        return bag;
      }),
    ).toBe('read');
  });

  it('accepts unknown tags, a keybag without a UUID, and classes without keys', async () => {
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
  ])('reports %s as damage, not as a wrong password', async (_, change) => {
    await expect(withBag(change)).rejects.toMatchObject({ code: 'damaged_keybag' });
  });

  it('reports a manifest that its key does not decrypt as damage', async () => {
    const { folder, open } = await shelf.make({ entries: [], keybag: KEYBAG }),
      bag = makeKeybag(KEYBAG);
    writeFileSync(
      join(folder, 'Manifest.plist'),
      plistOf(bag.bytes, { ManifestKey: storedKey(4, bag.classKeys.get(4)!, Buffer.alloc(32, 9)) }),
    );
    await expect((await open()).unlock(BACKUP_PASSWORD)).rejects.toMatchObject({ code: 'damaged_manifest' });
    writeFileSync(join(folder, 'Manifest.plist'), plistOf(bag.bytes));
    await expect((await open()).unlock(BACKUP_PASSWORD)).rejects.toMatchObject({ code: 'damaged_manifest' });
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

  it('show paths unchanged and follow none', async () => {
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

  itWith(
    { programs: ['mkfifo'], symlinks: true },
    'do not read links, pipes and folders in place of a blob',
    async () => {
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
    },
  );

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
  ])('reject Files as %s', async (_, sql) => {
    const { folder, open } = await shelf.make({ entries: [] });
    rmSync(join(folder, 'Manifest.db'));
    const db = new Database(join(folder, 'Manifest.db'));
    db.exec(sql);
    if (sql.includes('id INTEGER')) db.exec('INSERT INTO Files (id) VALUES (1)');
    db.close();
    await expect((await open()).unlock()).rejects.toMatchObject({ code: 'damaged_manifest' });
  });
});

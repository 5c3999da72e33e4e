import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import type { UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type BackupSpec, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { backupShelf, bytesOf, BACKUP_PASSWORD, type MadeBackup } from '../support/phone-backups.ts';

const shelf = backupShelf();
afterAll(() => shelf.remove());

const KEYBAG = { password: BACKUP_PASSWORD, firstRounds: 5 };
const DOMAIN = 'HomeDomain';
const counting = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
const codeOf = (backup: UnlockedBackup, path: string): Promise<string | null> =>
  backup.content(fileIdOf(DOMAIN, path)).then(
    () => null,
    (error: { code: string }) => error.code,
  );
const unlocked = async (entries: EntrySpec[], more: Partial<BackupSpec> = {}): Promise<UnlockedBackup> =>
  (await (await shelf.make({ entries, keybag: KEYBAG, ...more })).open()).unlock(BACKUP_PASSWORD);

describe('the padding of an encrypted file', () => {
  /** True length, and the size that the manifest claims. */
  const WRONG: readonly (readonly [length: number, claimed: number])[] = [
    [100, 90],
    [100, 110],
    [4096, 4095],
    [4096, 4097],
    [4096, 4112],
    [4095, 4096],
    [16, 17],
    ...[5, 12, 15, 16, 20, 31].map((length) => [length, 0] as const),
    [31, 32],
    [33, 48],
    [8192, 8176],
    [100_003, 99_990],
  ];

  it('tells the length where the manifest claims another one', async () => {
    const open = await unlocked(
      WRONG.map(([length, size]) => ({ domain: DOMAIN, path: `${length}-${size}`, content: counting(length), size })),
    );
    for (const [length, size] of WRONG) {
      const read = await bytesOf(open, DOMAIN, `${length}-${size}`);
      expect([length, size, read.length, read.equals(counting(length))]).toEqual([length, size, length, true]);
    }
  });

  it('gives way to the claimed size only if it is invalid and that size ends in the last block', async () => {
    const content = counting(100);
    const open = await unlocked([
      { domain: DOMAIN, path: 'none', content, padding: 'none' },
      { domain: DOMAIN, path: 'two blocks off', content, padding: 'extra' },
      { domain: DOMAIN, path: 'no size', content, padding: 'none', size: null },
      { domain: DOMAIN, path: 'too large', content, padding: 'none', size: 113 },
    ]);
    expect(await bytesOf(open, DOMAIN, 'none')).toEqual(content);
    expect(await bytesOf(open, DOMAIN, 'two blocks off')).toEqual(Buffer.concat([content, Buffer.alloc(28)]));
    expect(await bytesOf(open, DOMAIN, 'no size')).toEqual(Buffer.concat([content, Buffer.alloc(12)]));
    expect(await codeOf(open, 'too large')).toBe('cut_file');
  });

  it('refuses a blob that ends inside a block or before its last one, and reads an empty one as empty', async () => {
    const open = await unlocked([
      { domain: DOMAIN, path: 'torn', content: counting(100), cut: 5 },
      { domain: DOMAIN, path: 'emptied', content: counting(100), cut: 200 },
      { domain: DOMAIN, path: 'cut at a block', content: counting(100), cut: 16 },
      { domain: DOMAIN, path: 'empty', content: '', cut: 16, size: 0 },
    ]);
    for (const path of ['torn', 'emptied', 'cut at a block'])
      expect([path, await codeOf(open, path)]).toEqual([path, 'cut_file']);
    expect(await bytesOf(open, DOMAIN, 'empty')).toHaveLength(0);
    expect((await open.integrity()).counts).toMatchObject({ cut: 1, wrong_size: 2 });
  });
});

describe('a backup that another program decrypted', () => {
  const CONTENTS: Readonly<Record<string, Buffer | string>> = {
    'short.bin': counting(170),
    'whole-blocks.bin': counting(256),
    'note.txt': 'Gruss aus Zürich '.repeat(32),
    'photo.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), counting(1021)]),
    empty: '',
  };
  const ENTRIES: EntrySpec[] = [
    ...Object.entries(CONTENTS).map(([path, content]) => ({ domain: DOMAIN, path, content, plain: true })),
    {
      domain: DOMAIN,
      path: 'grew.db',
      content: Buffer.concat([Buffer.from('SQLite format 3\0'), counting(8176)]),
      size: 4096,
      plain: true,
    },
  ];

  it.each([
    ['with its keybag left', { plainManifest: 'decrypted' }],
    ['without Manifest.plist', { plainManifest: 'decrypted', omit: ['Manifest.plist'] }],
  ] as const)('gives every file as stored: %s', async (_, spec) => {
    for (const password of [BACKUP_PASSWORD, 'any']) {
      const backup = await (await shelf.make({ entries: ENTRIES, keybag: KEYBAG, ...spec })).open();
      const open = await backup.unlock(password);
      for (const [path, content] of Object.entries(CONTENTS))
        expect([path, (await bytesOf(open, DOMAIN, path)).equals(Buffer.from(content))]).toEqual([path, true]);
      expect(await bytesOf(open, DOMAIN, 'grew.db')).toHaveLength(8192);
      expect((await open.integrity()).counts).toMatchObject({ cut: 0, damaged_key: 0, wrong_size: 1 });
    }
  });

  it('of iOS 9 or 10.0 gives plain files as stored and decrypts the others', async () => {
    const encrypted: EntrySpec = { domain: DOMAIN, path: 'encrypted', content: counting(160) };
    const random: EntrySpec = { domain: DOMAIN, path: 'random', content: randomBytes(512) };
    for (const kind of [{ plainManifest: true }, { mbdb: true }]) {
      const open = await unlocked([...ENTRIES, encrypted, random], kind);
      expect(await bytesOf(open, DOMAIN, 'encrypted')).toEqual(counting(160));
      expect(await bytesOf(open, DOMAIN, 'random')).toEqual(random.content);
      for (const { path, content } of ENTRIES)
        expect([path, (await bytesOf(open, DOMAIN, path)).equals(Buffer.from(content as Buffer))]).toEqual([
          path,
          true,
        ]);
    }
  });

  it('keeps its password where only the manifest was decrypted', async () => {
    const entries = [{ domain: DOMAIN, path: 'still encrypted', content: counting(100) }];
    const backup = await (await shelf.make({ entries, keybag: KEYBAG, plainManifest: 'decrypted' })).open();
    await expect(backup.unlock('wrong')).rejects.toMatchObject({ code: 'wrong_password' });
    expect(await bytesOf(await backup.unlock(BACKUP_PASSWORD), DOMAIN, 'still encrypted')).toEqual(counting(100));
  });

  it('never serves ciphertext as content when its keybag is lost', async () => {
    const entries = [{ domain: DOMAIN, path: 'a', content: counting(100) }];
    const open = await unlocked(entries, { plainManifest: true, omit: ['Manifest.plist'] });
    expect(await codeOf(open, 'a')).toBe('damaged_key');
    expect((await open.integrity()).counts).toMatchObject({ damaged_key: 1 });
  });
});

describe('one row of the manifest', () => {
  /** An unencrypted backup whose manifest was changed. */
  async function withRows(change: (db: Database.Database) => void): Promise<MadeBackup> {
    const made = await shelf.make({ entries: [{ domain: DOMAIN, path: 'a', content: 'fine' }] });
    const db = new Database(join(made.folder, 'Manifest.db'));
    change(db);
    db.close();
    return made;
  }

  it('is listed and counted whatever its id is, and has content only if that is a file id', async () => {
    const made = await withRows((db) => {
      const add = db.prepare("INSERT INTO Files VALUES (?, 'OddDomain', ?, 1, NULL)");
      add.run(Buffer.from([1, 2, 3]), 'bytes');
      add.run(null, 'none');
      add.run(null, 'none either');
      add.run(7, 'a number');
      db.exec("UPDATE Files SET fileID = CAST(fileID AS BLOB) WHERE relativePath = 'a'");
    });
    const open = await (await made.open()).unlock();
    const { items, total } = await open.entries();
    expect([total, new Set(items.map(({ fileId }) => fileId)).size]).toEqual([5, 5]);
    expect(open.domains()).toContainEqual({ domain: 'OddDomain', files: 4, bytes: 0 });
    expect((await bytesOf(open, DOMAIN, 'a')).toString()).toBe('fine');
    for (const { fileId, domain } of items)
      if (domain === 'OddDomain') await expect(open.content(fileId)).rejects.toMatchObject({ code: 'missing_blob' });
    expect((await open.integrity()).counts).toMatchObject({ unsafe_id: 4 });
  });

  it('is broken by itself: its file is refused, the others are read', async () => {
    const made = await withRows((db) => {
      db.prepare("INSERT INTO Files VALUES (?, ?, 'broken', 1, ?)").run(
        fileIdOf(DOMAIN, 'broken'),
        DOMAIN,
        Buffer.from('bplist00 and no more, not even a trailer that fits'),
      );
    });
    const open = await (await made.open()).unlock();
    expect(await codeOf(open, 'broken')).toBe('damaged_record');
    expect((await bytesOf(open, DOMAIN, 'a')).toString()).toBe('fine');
    expect((await open.integrity()).files).toBe(2);
  });
});

describe('a password', () => {
  const COMPOSED = 'Zoë Müller';

  it.each([
    ['composed', 'NFC'],
    ['decomposed', 'NFD'],
  ] as const)('opens a backup that was made with its %s form, however it is typed', async (_, normalization) => {
    const made = await shelf.make({ entries: [], keybag: { ...KEYBAG, password: COMPOSED, normalization } });
    for (const typed of [COMPOSED, COMPOSED.normalize('NFD'), ` ${COMPOSED}`, `${COMPOSED.normalize('NFD')}\n`])
      expect((await (await made.open()).unlock(typed)).entryCount).toBe(0);
  });

  it('keeps spaces at its ends and mixed forms that it was made with', async () => {
    for (const password of [' a ', `e\u0301${'é'}`]) {
      const made = await shelf.make({ entries: [], keybag: { ...KEYBAG, password, normalization: null } });
      expect((await (await made.open()).unlock(password)).entryCount).toBe(0);
    }
  });

  it('is derived once if all its forms are the same', async () => {
    let derivations = 0;
    const counted = {
      ...nodeCrypto,
      pbkdf2: (...args: Parameters<typeof nodeCrypto.pbkdf2>) => {
        derivations += 1;
        return nodeCrypto.pbkdf2(...args);
      },
    };
    const made = await shelf.make({ entries: [], keybag: KEYBAG });
    await expect((await made.open(counted)).unlock('plain ascii')).rejects.toMatchObject({ code: 'wrong_password' });
    expect(derivations).toBe(2);
  });
});

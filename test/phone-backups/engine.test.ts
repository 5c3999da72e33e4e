import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { webCrypto } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, type BackupSpec, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { backupShelf, bytesOf, BACKUP_PASSWORD } from '../support/phone-backups.ts';

const shelf = backupShelf();
afterAll(() => shelf.remove());

const ENTRIES: EntrySpec[] = [
  { domain: 'HomeDomain', path: 'Library/note.txt', content: 'a note' },
  { domain: 'CameraRollDomain', path: 'Media/DCIM/IMG_0001.PDF', content: 'x'.repeat(5000), protectionClass: 4 },
  { domain: 'HomeDomain', path: 'Library', flags: 2 },
  { domain: 'HomeDomain', path: 'Library/link', flags: 4, target: '/private/var' },
];

const KEYBAG = { password: BACKUP_PASSWORD, firstRounds: 20 };
const KINDS: [string, Partial<BackupSpec>][] = [
  ['plain', {}],
  ['encrypted with double protection', { keybag: KEYBAG }],
  ['encrypted with one derivation', { keybag: { password: BACKUP_PASSWORD } }],
  ['encrypted with a readable manifest', { keybag: { password: BACKUP_PASSWORD }, plainManifest: true }],
  ['of iOS 9, plain', { mbdb: true }],
  ['of iOS 9, encrypted', { mbdb: true, keybag: { password: BACKUP_PASSWORD } }],
];

describe.each(KINDS)('a backup %s', (_, spec) => {
  it.each([
    ['node', nodeCrypto],
    ['web', webCrypto],
  ] as const)('is listed and read with %s cryptography', async (_name, crypto) => {
    const backup = await (await shelf.make({ entries: ENTRIES, ...spec })).open(crypto);
    expect(backup.info).toMatchObject({
      encrypted: 'keybag' in spec,
      deviceName: 'Test phone',
      productType: 'iPhone15,4',
      installedApps: ['net.whatsapp.WhatsApp'],
      problems: [],
    });
    const open = await backup.unlock(BACKUP_PASSWORD);
    const { items, total } = await open.entries();
    expect(total).toBe(4);
    expect(items.map((entry) => [entry.domain, entry.relativePath, entry.kind, entry.size])).toEqual([
      ['CameraRollDomain', 'Media/DCIM/IMG_0001.PDF', 'file', 5000],
      ['HomeDomain', 'Library', 'folder', 0],
      ['HomeDomain', 'Library/link', 'link', 0],
      ['HomeDomain', 'Library/note.txt', 'file', 6],
    ]);
    expect((await open.entries({ pathLike: '%.pdf' })).items.map((entry) => entry.fileId)).toEqual([
      fileIdOf('CameraRollDomain', 'Media/DCIM/IMG_0001.PDF'),
    ]);
    expect((await bytesOf(open, 'HomeDomain', 'Library/note.txt')).toString()).toBe('a note');
    expect((await bytesOf(open, 'CameraRollDomain', 'Media/DCIM/IMG_0001.PDF')).toString()).toBe('x'.repeat(5000));
    expect(open.domains()).toEqual([
      { domain: 'CameraRollDomain', files: 1, bytes: 5000 },
      { domain: 'HomeDomain', files: 1, bytes: 6 },
    ]);
    expect(await open.entry(fileIdOf('HomeDomain', 'Library/link'))).toMatchObject({
      kind: 'link',
      target: '/private/var',
      mode: 0o120755,
      modifiedAt: 1_700_000_000,
    });
    expect(await open.integrity()).toMatchObject({ files: 2, findings: [], unlisted: 0 });
    await open.lock();
    await expect(open.entries()).rejects.toMatchObject({ code: 'locked' });
  });
});

describe('the password', () => {
  it('is rejected with its own error when wrong, and the backup opens afterwards', async () => {
    const backup = await (await shelf.make({ entries: ENTRIES, keybag: KEYBAG })).open();
    for (const wrong of ['', 'schlüssel', `${BACKUP_PASSWORD}.`])
      await expect(backup.unlock(wrong)).rejects.toMatchObject({ code: 'wrong_password' });
    expect((await backup.unlock(BACKUP_PASSWORD)).entryCount).toBe(4);
  });

  it('is normalized to composed Unicode', async () => {
    const backup = await (await shelf.make({ entries: ENTRIES, keybag: KEYBAG })).open();
    expect((await backup.unlock(BACKUP_PASSWORD.normalize('NFD'))).entryCount).toBe(4);
  });

  it('is not needed for an unencrypted backup', async () => {
    const backup = await (await shelf.make({ entries: ENTRIES })).open();
    for (const any of [undefined, '', 'anything']) expect((await backup.unlock(any)).entryCount).toBe(4);
  });

  it('is derived once per unlock, and not while browsing', async () => {
    let derived = 0;
    const counting = {
      ...nodeCrypto,
      pbkdf2: (...args: Parameters<typeof nodeCrypto.pbkdf2>) => {
        derived += 1;
        return nodeCrypto.pbkdf2(...args);
      },
    };
    const open = await (
      await (await shelf.make({ entries: ENTRIES, keybag: KEYBAG })).open(counting)
    ).unlock(BACKUP_PASSWORD);
    await open.entries();
    await bytesOf(open, 'HomeDomain', 'Library/note.txt');
    await open.integrity();
    expect(derived).toBe(2);
  });
});

describe('after lock', () => {
  it('reads nothing, not even through open files, and has zeroed its keys', async () => {
    const keys: Uint8Array[] = [];
    const watching = {
      ...nodeCrypto,
      unwrapKey: async (...args: Parameters<typeof nodeCrypto.unwrapKey>) => {
        const key = await nodeCrypto.unwrapKey(...args);
        if (key) keys.push(key);
        return key;
      },
    };
    const made = await shelf.make({ entries: ENTRIES, keybag: KEYBAG });
    const open = await (await made.open(watching)).unlock(BACKUP_PASSWORD);
    const content = await open.content(fileIdOf('CameraRollDomain', 'Media/DCIM/IMG_0001.PDF'));
    const stream = content.stream();
    await open.lock();
    await open.lock();
    expect(open.locked).toBe(true);
    for (const attempt of [
      content.read(0, 1),
      stream.next(),
      open.content('a'),
      open.entry('a'),
      open.entries(),
      open.integrity(),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'locked' });
    expect(keys.length).toBeGreaterThan(11);
    expect(keys.every((key) => key.every((byte) => byte === 0))).toBe(true);
    expect(made.inSandbox()).toEqual([]);
  });
});

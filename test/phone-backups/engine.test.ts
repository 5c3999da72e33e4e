import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/phone-backups/adapters/sqlite.ts';
import { openBackup, webCrypto, type BackupCrypto, type UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, generateBackup, type BackupSpec, type EntrySpec } from '../fixtures/ios-backup/generate.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-engine-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
async function backupOf(spec: Omit<BackupSpec, 'folder'>, crypto: BackupCrypto = nodeCrypto) {
  made += 1;
  const folder = join(root, `backup-${made}`), sandbox = join(root, `sandbox-${made}`);
  mkdirSync(sandbox);
  await generateBackup({ folder, ...spec });
  return { folder, sandbox, backup: await openBackup({ files: nodeBackupFiles(folder), sqlite: nodeSqlite(sandbox), crypto }) };
}

const text = async (backup: UnlockedBackup, domain: string, path: string): Promise<string> => {
  const content = await backup.content(fileIdOf(domain, path));
  return Buffer.from(await content.read(0, content.size)).toString();
};

const ENTRIES: EntrySpec[] = [
  { domain: 'HomeDomain', path: 'Library/note.txt', content: 'a note' },
  { domain: 'CameraRollDomain', path: 'Media/DCIM/IMG_0001.PDF', content: 'x'.repeat(5000), protectionClass: 4 },
  { domain: 'HomeDomain', path: 'Library', flags: 2 },
  { domain: 'HomeDomain', path: 'Library/link', flags: 4, target: '/private/var' },
];

describe.each([
  ['plain', {}],
  ['encrypted with double protection', { keybag: { passphrase: 'Schlüssel', firstRounds: 20 } }],
  ['encrypted with one derivation', { keybag: { passphrase: 'Schlüssel' } }],
  ['encrypted with a readable manifest', { keybag: { passphrase: 'Schlüssel' }, plainManifest: true }],
  ['of iOS 9, plain', { mbdb: true }],
  ['of iOS 9, encrypted', { mbdb: true, keybag: { passphrase: 'Schlüssel' } }],
] satisfies [string, Partial<BackupSpec>][])('a backup %s', (_, spec) => {
  it.each([['node', nodeCrypto], ['web', webCrypto]] as const)('is listed and read with %s cryptography', async (_name, crypto) => {
    const { backup } = await backupOf({ entries: ENTRIES, ...spec }, crypto);
    expect(backup.info).toMatchObject({ encrypted: 'keybag' in spec, deviceName: 'Test phone', productType: 'iPhone15,4', problems: [] });
    const open = await backup.unlock('Schlüssel');
    const { items, total } = await open.entries();
    expect(total).toBe(4);
    expect(items.map((entry) => [entry.domain, entry.relativePath, entry.kind, entry.size])).toEqual([
      ['CameraRollDomain', 'Media/DCIM/IMG_0001.PDF', 'file', 5000], ['HomeDomain', 'Library', 'folder', 0], ['HomeDomain', 'Library/link', 'link', 0], ['HomeDomain', 'Library/note.txt', 'file', 6],
    ]);
    expect((await open.entries({ pathLike: '%.pdf' })).items.map((entry) => entry.fileId)).toEqual([fileIdOf('CameraRollDomain', 'Media/DCIM/IMG_0001.PDF')]);
    expect(await text(open, 'HomeDomain', 'Library/note.txt')).toBe('a note');
    expect(await text(open, 'CameraRollDomain', 'Media/DCIM/IMG_0001.PDF')).toBe('x'.repeat(5000));
    expect(open.domains()).toEqual([{ domain: 'CameraRollDomain', files: 1, bytes: 5000 }, { domain: 'HomeDomain', files: 1, bytes: 6 }]);
    await open.lock();
    await expect(open.entries()).rejects.toMatchObject({ code: 'locked' });
  });
});

it('refuses a wrong passphrase with an error of its own', async () => {
  const { backup } = await backupOf({ entries: ENTRIES, keybag: { passphrase: 'right', firstRounds: 5 } });
  await expect(backup.unlock('wrong')).rejects.toMatchObject({ code: 'wrong_passphrase' });
});

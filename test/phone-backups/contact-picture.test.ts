import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { artifactSource } from '../../src-shared/ios-backup/artifacts/backup-source.ts';
import { contactPicture } from '../../src-shared/ios-backup/artifacts/contact-picture.ts';
import { openBackup } from '../../src-shared/ios-backup/index.ts';
import { database } from '../fixtures/ios-backup/artifacts/tables.ts';
import { generateBackup, type EntrySpec } from '../fixtures/ios-backup/generate.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-pictures-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const jpeg = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(text)]);
const book = (name: string, content: Buffer): EntrySpec => ({
  domain: 'HomeDomain',
  path: `Library/AddressBook/${name}.sqlitedb`,
  content,
});
const people = database(root, {
  ABPerson: {
    columns: 'ROWID INTEGER PRIMARY KEY, First TEXT, guid TEXT',
    rows: [
      [1, 'Both', 'A'],
      [2, 'Small', 'B'],
      [3, 'Odd', 'C'],
      [4, 'Unnamed', null],
      [5, 'None', '4'],
    ],
  },
});
const images = database(root, {
  ABFullSizeImage: {
    columns: 'ROWID INTEGER PRIMARY KEY, record_id INTEGER, data BLOB',
    rows: [
      [1, 1, jpeg('the whole picture')],
      [2, 3, Buffer.from('no picture at all')],
      [3, 4, Buffer.alloc(9 * 1024 * 1024, 0xff)],
    ],
  },
  ABThumbnailImage: {
    columns: 'ROWID INTEGER PRIMARY KEY, record_id INTEGER, format INTEGER, data BLOB',
    rows: [
      [1, 1, 0, jpeg('small')],
      [2, 2, 0, jpeg('small')],
      [3, 2, 2, jpeg('a larger one')],
      [4, 4, 0, jpeg('small of four')],
    ],
  },
});

async function pictures(name: string, entries: EntrySpec[], identifiers: string[]): Promise<(string | null)[]> {
  const folder = join(root, name),
    sandbox = join(root, `${name}-sandbox`);
  mkdirSync(sandbox);
  await generateBackup({ folder, entries });
  const files = nodeBackupFiles(folder),
    backup = await (await openBackup({ files, sqlite: nodeSqlite(sandbox), crypto: nodeCrypto })).unlock();
  const found = [];
  for (const identifier of identifiers) {
    const picture = await contactPicture(artifactSource(backup, files), identifier);
    found.push(picture && `${picture.mime_type} ${Buffer.from(picture.data, 'base64').subarray(4).toString()}`);
  }
  await backup.lock();
  return found;
}

it('the image of a contact is the selected one, or the largest valid one', async () => {
  const found = await pictures(
    'whole',
    [book('AddressBook', people), book('AddressBookImages', images)],
    ['A', 'B', 'C', '4', '2', 'Z', "' OR 1=1 --"],
  );
  expect(found).toEqual([
    'image/jpeg the whole picture',
    'image/jpeg a larger one',
    null,
    'image/jpeg small of four',
    null,
    null,
    null,
  ]);
});

it('a contact has no image when the phone stores none that can be read', async () => {
  expect(await pictures('without', [book('AddressBook', people)], ['A'])).toEqual([null]);
  expect(
    await pictures(
      'damaged',
      [
        book('AddressBook', people),
        book('AddressBookImages', database(root, { Other: { columns: 'id INTEGER', rows: [] } })),
      ],
      ['A'],
    ),
  ).toEqual([null]);
});

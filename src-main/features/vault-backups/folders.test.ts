import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listFolders, makeFolder, mountPoints } from './folders.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-folders-')));
const vault = join(place, 'vault');
for (const name of ['vault', 'disk', '.hidden']) mkdirSync(join(place, name));
writeFileSync(join(place, 'a-file.txt'), 'x');
afterAll(() => rmSync(place, { recursive: true, force: true }));

const failing = (code: string): unknown => expect.objectContaining({ code });
const errorOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it('lists folders without files and hidden ones, from the home folder on', () => {
  const { folders, path, parent, free_bytes: free } = listFolders(place);
  expect(folders).toEqual([
    { name: 'disk', path: join(place, 'disk') },
    { name: 'vault', path: vault },
  ]);
  expect([path, parent, (free ?? 0) > 0]).toEqual([place, dirname(place), true]);
  expect(listFolders().places[0]).toMatchObject({ kind: 'home', path: homedir() });
  expect(errorOf(() => listFolders('disk'))).toEqual(failing('backup.folder_invalid'));
  for (const name of ['nowhere', 'a-file.txt'])
    expect(errorOf(() => listFolders(join(place, name)))).toEqual(failing('backup.folder_missing'));
});

it('creates a folder with those above it, but not in the vault', () => {
  const made = join(place, 'new', 'backups');
  expect(makeFolder(made, vault)).toMatchObject({ path: made, parent: dirname(made), folders: [] });
  expect(statSync(made).isDirectory()).toBe(true);
  expect(errorOf(() => makeFolder('new', vault))).toEqual(failing('backup.folder_invalid'));
  expect(errorOf(() => makeFolder(join(place, 'a-file.txt', 'inside'), vault))).toEqual(
    failing('backup.folder_read_only'),
  );
  expect(errorOf(() => makeFolder(join(vault, 'backups'), vault))).toEqual(failing('backup.folder_inside'));
  expect(existsSync(join(vault, 'backups'))).toBe(false);
});

it('finds the mount points of disks in the table of Linux', () =>
  expect(
    mountPoints(
      [
        'proc /proc proc rw 0 0',
        '/dev/sda2 / ext4 rw 0 0',
        '/dev/sdb1 /media/elena/My\\040Disk exfat rw 0 0',
        '/dev/sdb1 /media/elena/My\\040Disk exfat rw 0 0',
        '/dev/sdc1 /mnt ext4 rw 0 0',
        '/dev/sdd1 /mntx ext4 rw 0 0',
        '',
      ].join('\n'),
    ),
  ).toEqual(['/media/elena/My Disk', '/mnt']));

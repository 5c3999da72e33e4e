import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { sha256 } from '../../../test/support/vault.ts';
import { BackupDamaged, openBackup } from './backup-format.ts';

let folder: string, archive: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-format-'));
  archive = join(folder, 'backup.zip');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (path: string, bytes: string) => ({ path, size: bytes.length, sha256: sha256(bytes) });
const manifestOf = (...files: ReturnType<typeof file>[]): string =>
  JSON.stringify({ format: 1, created_at: '2026-11-21T08:00:00', files });

/** Writes an archive with these entries in this order. */
async function write(...entries: (readonly [path: string, bytes: string])[]): Promise<void> {
  const zip = new ZipFile();
  for (const [path, bytes] of entries) zip.addBuffer(Buffer.from(bytes), path);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
}

/** Reads the archive and returns the content of its files. */
async function read(): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  await openBackup(archive, async (path, content) => {
    contents[path] = await text(content);
  });
  return contents;
}

const expectDamage = (what: string): Promise<void> => expect(read()).rejects.toThrow(new BackupDamaged(what));

test('the files of an archive are read in their order, and its list is returned', async () => {
  const list = manifestOf(file('vault.db', 'rows'), file('inbox/user-1/a.pdf', ''));
  await write(['manifest.json', list], ['vault.db', 'rows'], ['inbox/user-1/a.pdf', '']);
  const paths: string[] = [];
  const manifest = await openBackup(archive, async (path, content) => {
    paths.push(`${path} ${await text(content)}`);
  });
  expect(manifest).toEqual(JSON.parse(list));
  expect(paths).toEqual(['vault.db rows', 'inbox/user-1/a.pdf ']);
});

describe('an archive is damaged', () => {
  test('without entries', async () => {
    await write();
    await expectDamage('it is empty');
  });

  test('if its list is not its first entry', async () => {
    await write(['vault.db', 'rows'], ['manifest.json', manifestOf(file('vault.db', 'rows'))]);
    await expectDamage('it has no list of its files');
  });

  test.each([
    ['another format', { format: 2, files: [] }],
    ['no format', { files: [] }],
    ['no files', { format: 1 }],
    ['files that are not a list', { format: 1, files: {} }],
  ])('if its list has %s', async (_, list) => {
    await write(['manifest.json', JSON.stringify(list)]);
    await expectDamage('it was written by another version');
  });

  test('if its list is not JSON', async () => {
    await write(['manifest.json', '{']);
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BackupDamaged);
    expect(error).toMatchObject({ name: 'BackupDamaged', message: expect.stringMatching(/JSON/) });
  });

  test('if an entry is not in its list, or there twice', async () => {
    await write(['manifest.json', manifestOf(file('inbox/a', 'x'))], ['inbox/a', 'x'], ['inbox/b', 'y']);
    await expectDamage('an entry that is not in its list (inbox/b)');
    await write(['manifest.json', manifestOf(file('inbox/a', 'x'))], ['inbox/a', 'x'], ['inbox/a', 'x']);
    await expectDamage('an entry that is not in its list (inbox/a)');
  });

  test('if an entry has a name that no vault path can have', async () => {
    await write(['manifest.json', manifestOf(file('inbox/CON', 'x'))], ['inbox/CON', 'x']);
    await expectDamage('an entry that is not in its list (inbox/CON)');
  });

  test('if a file has other bytes', async () => {
    await write(['manifest.json', manifestOf(file('inbox/a', 'x'))], ['inbox/a', 'y']);
    await expectDamage('inbox/a has other bytes than were stored');
  });

  test('if a file is missing', async () => {
    await write(
      ['manifest.json', manifestOf(file('inbox/a', 'x'), file('inbox/b', 'y'), file('inbox/c', 'z'))],
      ['inbox/a', 'x'],
    );
    await expectDamage('inbox/b is missing');
  });

  test('if there is none', async () => {
    await expect(read()).rejects.toBeInstanceOf(BackupDamaged);
  });
});

test('an error of the reader counts as damage, with its message', async () => {
  await write(['manifest.json', manifestOf(file('inbox/a', 'x'))], ['inbox/a', 'x']);
  const reading = openBackup(archive, () => Promise.reject(new Error('the disk is full')));
  await expect(reading).rejects.toThrow('This backup is damaged: the disk is full. Use another one.');
});

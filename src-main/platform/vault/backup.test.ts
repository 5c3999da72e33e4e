import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import {
  addDocument,
  commitAndDie,
  filesOf,
  openTestVault,
  putFile,
  sha256,
  type TestVault,
} from '../../../test/support/vault.ts';
import { writeBackup } from './backup.ts';
import { candidates } from './backup-plan.ts';
import { createPaths } from './paths.ts';
import { restoreBackup } from './restore.ts';
import { verifyVault } from './verify.ts';

let t: TestVault, folder: string, target: string;
const opened: TestVault[] = [];
beforeEach(() => {
  t = openTestVault();
  folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'));
  target = join(folder, 'hearth.zip');
});
afterEach(() => {
  for (const vault of opened.splice(0)) vault.close();
  t.close();
  rmSync(folder, { recursive: true, force: true });
});
const backup = (onFile?: (files: number) => void) =>
  writeBackup({
    db: t.db,
    root: t.root,
    target,
    now: '2026-11-21T08:00:00',
    uniqueName: 'unique',
    ...(onFile && { onFile }),
  });
const restore = (root: string, replace = false) => restoreBackup({ file: target, root, replace, uniqueName: 'now' });
const open = (root: string): TestVault => {
  const vault = openTestVault(root);
  opened.push(vault);
  return vault;
};
const documents = ({ db }: TestVault): unknown[] => db.prepare('SELECT * FROM documents ORDER BY id').all();

function fill(): void {
  addDocument(t, 'patients/elena-keller/2025/20251112_befund-ä.pdf', 'one');
  addDocument(t, 'unclassified/user-1/two.pdf', '');
  t.vault.trash.addRows('document', addDocument(t, 'patients/elena-keller/2025/old.pdf', 'deleted'), {
    label: 'old',
    patientId: null,
    deletedByUserId: null,
  });
  putFile(t.root, 'inbox/elena-keller/scans/new.pdf', 'waits');
  putFile(t.root, 'cache/thumbnails/x.webp', 'cache');
  putFile(t.root, 'tmp/half', 'half');
}

test('restores rows, files, trash and inbox into an empty folder', async () => {
  fill();
  const result = await backup();
  expect(result).toEqual({ files: 4, bytes: expect.any(Number), missing: [] });
  expect(readdirSync(folder)).toEqual(['hearth.zip']);
  expect(readdirSync(join(t.root, 'tmp'))).toEqual(['half']);

  const root = join(folder, 'vault');
  expect(await restore(root)).toEqual({ files: 4, aside: null });
  const { 'tmp/half': _half, ...files } = filesOf(t.root);
  const back = open(root);
  expect(filesOf(root)).toEqual(files);
  expect(documents(back)).toEqual(documents(t));
  expect(await verifyVault(back.db, root)).toMatchObject({ documents: 2, files: 2, faults: [], database: [] });
  back.vault.trash.restore(1);
  expect(filesOf(root)['patients/elena-keller/2025/old.pdf']).toBe('deleted');
});

test('does not overwrite an existing file', async () => {
  writeFileSync(target, 'mine');
  await expect(backup()).rejects.toMatchObject({
    name: 'BackupExists',
    message: expect.stringContaining('hearth.zip exists already'),
  });
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('refuses to replace an existing vault, or sets it aside as a whole', async () => {
  fill();
  await backup();
  const root = join(folder, 'vault');
  mkdirSync(root);
  writeFileSync(join(root, 'present'), 'mine');
  await expect(restore(root)).rejects.toMatchObject({ name: 'VaultNotEmpty' });
  const { aside } = await restore(root, true);
  expect(readFileSync(join(aside ?? '', 'present'), 'utf8')).toBe('mine');
  expect(existsSync(join(root, 'vault.db'))).toBe(true);
});

describe('a damaged archive changes nothing', () => {
  const expectWhole = async (bytes: Buffer): Promise<void> => {
    const root = join(folder, 'vault');
    writeFileSync(target, bytes);
    const end = await restore(root).catch((error: Error) => error.name);
    if (typeof end === 'string') {
      expect(end).toBe('BackupDamaged');
      expect(readdirSync(folder)).toEqual(['hearth.zip']);
    } else {
      // The damaged byte was in a date or in flags, which do not affect the content.
      const { 'tmp/half': _half, ...files } = filesOf(t.root);
      expect(filesOf(open(root).root)).toEqual(files);
      for (const vault of opened.splice(0)) vault.close();
    }
  };
  test('truncated at any place', async () => {
    fill();
    await backup();
    const whole = readFileSync(target);
    for (let part = 0; part < 12; part += 1) {
      writeFileSync(target, whole.subarray(0, Math.floor((whole.length * part) / 12)));
      await expect(restore(join(folder, 'vault'))).rejects.toMatchObject({ name: 'BackupDamaged' });
      expect(readdirSync(folder)).toEqual(['hearth.zip']);
    }
  });
  test('with one changed byte at any place', async () => {
    fill();
    await backup();
    const whole = readFileSync(target);
    for (let part = 0; part < 60; part += 1) {
      const turned = Buffer.from(whole);
      const at = Math.floor((whole.length * part) / 60);
      turned[at] = (turned[at] ?? 0) ^ 0x55;
      await expectWhole(turned);
    }
  });
  test('that is not an archive', async () => {
    writeFileSync(target, 'not a backup');
    await expect(restore(join(folder, 'vault'))).rejects.toMatchObject({ name: 'BackupDamaged' });
  });
});

describe('a backup of a vault in use', () => {
  const moved = 'patients/elena-keller/2025/20251112_lab.pdf';
  const move = (id: number, from: string) =>
    t.vault.transaction(() => {
      t.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run(moved, id);
      t.vault.journal.planMove(from, moved);
    });

  test('packs a moving document under the path of its row in the backup', async () => {
    addDocument(t, 'inbox/user-1/first.pdf', 'first');
    const id = addDocument(t, 'inbox/user-1/lab.pdf', 'lab');
    await backup((files) => {
      if (files === 1) move(id, 'inbox/user-1/lab.pdf');
    });
    const root = join(folder, 'vault');
    await restore(root);
    const back = open(root);
    expect(filesOf(root)).toEqual({ 'inbox/user-1/first.pdf': 'first', 'inbox/user-1/lab.pdf': 'lab' });
    expect(await verifyVault(back.db, root)).toMatchObject({ faults: [], leftovers: [] });
  });

  test('contains a document that is deleted meanwhile', async () => {
    addDocument(t, 'inbox/user-1/first.pdf', 'first');
    const id = addDocument(t, 'inbox/user-1/lab.pdf', 'lab');
    await backup((files) => {
      if (files === 1) t.vault.trash.addRows('document', id, { label: 'lab', patientId: null, deletedByUserId: null });
    });
    const root = join(folder, 'vault');
    await restore(root);
    expect(await verifyVault(open(root).db, root)).toMatchObject({ documents: 2, files: 2, faults: [] });
  });

  test('fails for a purged file and leaves nothing behind', async () => {
    for (const name of ['1', '2', '3']) addDocument(t, `inbox/user-1/${name}.pdf`, name);
    await expect(
      backup((files) => {
        if (files === 1) rmSync(join(t.root, 'inbox/user-1/3.pdf'));
      }),
    ).rejects.toMatchObject({ name: 'BackupUnfinished' });
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(join(t.root, 'tmp'))).toEqual([]);
  });
});

test('a backup fails for a file whose bytes change after it was hashed, and leaves nothing behind', async () => {
  for (const name of ['1', '2', '3']) addDocument(t, `inbox/user-1/${name}.pdf`, name);
  const changing = backup((files) => {
    if (files === 1) writeFileSync(join(t.root, 'inbox/user-1/3.pdf'), 'x');
  });
  await expect(changing).rejects.toMatchObject({
    name: 'BackupUnfinished',
    message: expect.stringContaining('Run it again'),
    cause: expect.objectContaining({ name: 'BackupDamaged', message: expect.stringContaining('inbox/user-1/3.pdf') }),
  });
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(join(t.root, 'tmp'))).toEqual([]);
});

test('reports why the database could not be copied', async () => {
  rmSync(join(t.root, 'tmp'), { recursive: true });
  await expect(backup()).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' });
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('is private, and on the disk before it has its name', async () => {
  const { calls, fs } = recordFsCalls(folder);
  await withFs(fs, () => backup());
  expect(calls).toEqual(['flush .unique.part', 'rename .unique.part hearth.zip', 'flush .']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
});

test('compresses the database, but not documents, which are compressed already', async () => {
  addDocument(t, 'patients/a/1.pdf', 'x'.repeat(10_000));
  await backup();
  const archive = await yauzl.openPromise(target, { autoClose: true });
  const sizes: Record<string, boolean> = {};
  for await (const { fileName, compressedSize, uncompressedSize } of archive.eachEntry())
    sizes[fileName] = compressedSize < uncompressedSize;
  expect(sizes).toMatchObject({ 'vault.db': true, 'patients/a/1.pdf': false });
});

test('contains moves that a killed process had only planned', async () => {
  putFile(t.root, 'tmp/upload', 'new');
  t.db
    .prepare(`INSERT INTO documents (file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
    VALUES ('inbox/user-1/new.pdf', 'new.pdf', 'application/pdf', 3, ?, 'pending', 'x', 'x')`)
    .run(sha256('new'));
  commitAndDie(t, () => t.vault.journal.planMove('tmp/upload', 'inbox/user-1/new.pdf'));
  await backup();
  const root = join(folder, 'vault');
  await restore(root);
  expect(filesOf(open(root).root)).toEqual({ 'inbox/user-1/new.pdf': 'new' });
});

test('reports a row without its file and saves all others', async () => {
  addDocument(t, 'patients/a/1.pdf', 'one');
  addDocument(t, 'patients/a/2.pdf', 'two');
  rmSync(join(t.root, 'patients/a/1.pdf'));
  expect(await backup()).toMatchObject({ files: 1, missing: ['patients/a/1.pdf'] });
});

test('finds a file that moves between look-up and read', () => {
  const id = addDocument(t, 'inbox/elena-keller/a.pdf', 'one');
  const at = (path: string): string => join(t.root, path);
  const places = candidates(t.db, createPaths(t.root), 'inbox/elena-keller/a.pdf', id);
  expect(places.next().value).toBe(at('inbox/elena-keller/a.pdf'));
  t.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run('patients/elena-keller/2025/a.pdf', id);
  const round = ['inbox/elena-keller/a.pdf', 'patients/elena-keller/2025/a.pdf'].map(at);
  expect([...places]).toEqual([...round, ...round]);
});

test('looks again for a file that arrives after the first look', () => {
  const id = addDocument(t, 'inbox/elena-keller/a.pdf', 'one');
  t.db
    .prepare(
      `INSERT INTO vault_journal (from_path, to_path, created_at)
        VALUES ('tmp/a', 'inbox/elena-keller/a.pdf', '2026-11-21T08:00:00')`,
    )
    .run();
  const round = ['inbox/elena-keller/a.pdf', 'tmp/a'].map((path) => join(t.root, path));
  expect([...candidates(t.db, createPaths(t.root), 'inbox/elena-keller/a.pdf', id)]).toEqual([...round, ...round]);
});

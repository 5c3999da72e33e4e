import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fsError, openFilesBelow, withFs } from '../../../test/support/fs-faults.ts';
import { itWith } from '../../../test/support/requirements.ts';
import { addDocument, openTestVault, putFile, sha256, type TestVault } from '../../../test/support/vault.ts';
import { candidates, openNow, pathInBackup, planBackup, readCopied, type CopiedPaths } from './backup-plan.ts';
import { createPaths, type VaultPaths } from './paths.ts';

const COPIED_AT = Date.parse('2026-11-21T08:00:00Z');
let t: TestVault, paths: VaultPaths, copy: string;
beforeEach(() => {
  t = openTestVault();
  paths = createPaths(t.root);
  copy = join(t.root, 'tmp', 'copy.db');
});
afterEach(() => t.close());

function copyDatabase(): CopiedPaths {
  t.db.prepare('VACUUM INTO ?').run(copy);
  return readCopied(copy, COPIED_AT);
}
const plan = () => planBackup({ db: t.db, paths, copy, at: COPIED_AT, sealedFolder: `${copy}.sealed` });
const planned = (path: string, bytes: string, more: object = {}) => ({
  path,
  size: Buffer.byteLength(bytes),
  sha256: sha256(bytes),
  id: null,
  ...more,
});

/** Moves a file and updates its row, as the core does. */
function move(id: number, from: string, to: string): void {
  mkdirSync(dirname(join(t.root, to)), { recursive: true });
  renameSync(join(t.root, from), join(t.root, to));
  t.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run(to, id);
}

function addStudy(folder: string, bundle: string | null = null): number {
  return Number(
    t.db
      .prepare("INSERT INTO imaging_studies (folder_path, bundle_path, created_at) VALUES (?, ?, '2026-01-01')")
      .run(folder, bundle).lastInsertRowid,
  );
}

test('a row that names a file of Hearth itself is missing, so that no key gets into a backup', async () => {
  writeFileSync(join(t.root, 'secret.key'), 'the key');
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  t.db.prepare("UPDATE documents SET file_path = 'secret.key' WHERE id = ?").run(id);
  copyDatabase();
  expect(await plan()).toMatchObject({ missing: ['secret.key'] });
});

test('a document that waits for the report of a study has no file, so that none is missing', async () => {
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  t.db.prepare("UPDATE documents SET file_path = '' WHERE id = ?").run(id);
  rmSync(join(t.root, 'patients/a/1.pdf'));
  copyDatabase();
  expect(await plan()).toEqual({ files: [], missing: [] });
});

describe('readCopied', () => {
  test('lists documents, files of the trash and folders of studies', () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    const study = addStudy('patients/a/mr', 'patients/a/bundle');
    t.vault.trash.addRows('document', addDocument(t, 'patients/a/2.pdf', 'two'), {
      label: '2',
      patientId: null,
      deletedByUserId: null,
    });
    expect(copyDatabase()).toEqual({
      at: COPIED_AT,
      files: [
        { path: 'patients/a/1.pdf', id, hash: sha256('one'), size: 3 },
        { path: 'trash/1/0.pdf', id: null, hash: null, size: null },
      ],
      outside: [],
      studies: new Map([[study, { id: study, folder_path: 'patients/a/mr', bundle_path: 'patients/a/bundle' }]]),
    });
  });
});

test('reading a copy creates no database and leaves no file open', () => {
  expect(() => readCopied(copy, COPIED_AT)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
  expect(existsSync(copy)).toBe(false);
  copyDatabase();
  if (process.platform === 'linux') expect(openFilesBelow(join(t.root, 'tmp'))).toEqual([]);
});

describe('a plan of a backup', () => {
  test('omits a file that came into the inbox after the copy and has been imported', async () => {
    copyDatabase();
    addDocument(t, 'inbox/user-1/later.pdf', 'later');
    const after = new Date(COPIED_AT + 60_000);
    utimesSync(join(t.root, 'inbox/user-1/later.pdf'), after, after);
    expect(await plan()).toEqual({ files: [], missing: [] });
  });

  test('names a file that disappears while it is read, and passes on other faults', async () => {
    addDocument(t, 'patients/a/1.pdf', 'one');
    const id = addDocument(t, 'patients/a/2.pdf', 'two');
    copyDatabase();
    const { createReadStream } = fs;
    const planWhileReading = (elsewhere: string) => {
      const redirected = ((path: string, options: object) =>
        createReadStream(path.endsWith('1.pdf') ? elsewhere : path, options)) as typeof createReadStream;
      return withFs({ createReadStream: redirected }, plan);
    };
    expect(await planWhileReading(join(t.root, 'gone'))).toEqual({
      files: [planned('patients/a/2.pdf', 'two', { id })],
      missing: ['patients/a/1.pdf'],
    });
    await expect(planWhileReading(t.root)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('has the files of documents and other files of their folders, but not caches', async () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    for (const path of ['patients/a/notes.txt', 'inbox/user-1/new.pdf', 'unclassified/x', 'trash/9/0', 'cache/c'])
      putFile(t.root, path, path);
    copyDatabase();
    const { files, missing } = await plan();
    expect(missing).toEqual([]);
    expect(files.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      ...['inbox/user-1/new.pdf'].map((path) => planned(path, path, { now: path })),
      planned('patients/a/1.pdf', 'one', { id }),
      ...['patients/a/notes.txt', 'trash/9/0', 'unclassified/x'].map((path) => planned(path, path, { now: path })),
    ]);
  });

  test('has a document under the path of the copy, wherever it moved since', async () => {
    const id = addDocument(t, 'inbox/user-1/1.pdf', 'one');
    copyDatabase();
    move(id, 'inbox/user-1/1.pdf', 'patients/a/1.pdf');
    expect(await plan()).toEqual({ files: [planned('inbox/user-1/1.pdf', 'one', { id })], missing: [] });
  });

  test('prefers the file with the stored content, and takes a changed one as it is', async () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    copyDatabase();
    move(id, 'patients/a/1.pdf', 'patients/a/2.pdf');
    putFile(t.root, 'patients/a/1.pdf', 'another');
    expect((await plan()).files).toEqual([planned('patients/a/1.pdf', 'one', { id })]);
    rmSync(join(t.root, 'patients/a/2.pdf'));
    expect((await plan()).files).toEqual([planned('patients/a/1.pdf', 'another', { id })]);
  });

  test('names missing files, and folders at the path of a file', async () => {
    addDocument(t, 'patients/a/1.pdf', 'one');
    addDocument(t, 'patients/a/2.pdf', 'two');
    copyDatabase();
    for (const name of ['1', '2']) rmSync(join(t.root, `patients/a/${name}.pdf`));
    mkdirSync(join(t.root, 'patients/a/2.pdf'));
    expect(await plan()).toEqual({ files: [], missing: ['patients/a/1.pdf', 'patients/a/2.pdf'] });
  });

  itWith({ symlinks: true }, 'omits everything behind a link', async () => {
    addDocument(t, 'patients/a/1.pdf', 'one');
    copyDatabase();
    renameSync(join(t.root, 'patients/a'), join(t.root, 'cache/a'));
    symlinkSync(join(t.root, 'cache/a'), join(t.root, 'patients/a'));
    expect(await plan()).toEqual({ files: [], missing: ['patients/a/1.pdf'] });
  });
});

describe('the path in a backup of a file that no copied row names', () => {
  const copied = (studies: CopiedPaths['studies'] = new Map()): CopiedPaths => ({
    at: COPIED_AT,
    files: [],
    outside: [],
    studies,
  });
  const pathOf = (path: string, studies?: CopiedPaths['studies'], modified: number = COPIED_AT): string | null =>
    pathInBackup(t.db, copied(studies), path, modified);

  test('is its own if no row names it now', () => {
    expect(pathOf('patients/a/notes.txt')).toBe('patients/a/notes.txt');
  });

  test('does not exist if a document, a planned move or the trash has it now', () => {
    addDocument(t, 'patients/a/1.pdf', 'one');
    expect(pathOf('patients/a/1.pdf')).toBeNull();
    t.db
      .prepare("INSERT INTO vault_journal (from_path, to_path, created_at) VALUES ('tmp/a', 'patients/a/2.pdf', 'x')")
      .run();
    expect(pathOf('patients/a/2.pdf')).toBeNull();
    const item = { label: '3', patientId: null, deletedByUserId: null };
    t.vault.trash.addRows('document', addDocument(t, 'patients/a/3.pdf', 'three'), item);
    expect([pathOf('trash/1/0.pdf'), pathOf('trash/1/1.pdf')]).toEqual([null, 'trash/1/1.pdf']);
  });

  test('is its own in the inbox if it was there before the copy and has been imported since', () => {
    addDocument(t, 'inbox/user-1/a.pdf', 'one');
    expect(pathOf('inbox/user-1/a.pdf', undefined, COPIED_AT - 1)).toBe('inbox/user-1/a.pdf');
    expect(pathOf('inbox/user-1/a.pdf', undefined, COPIED_AT)).toBeNull();
    addDocument(t, 'patients/a/1.pdf', 'two');
    expect(pathOf('patients/a/1.pdf', undefined, COPIED_AT - 1)).toBeNull();
  });

  test('is that of the copied study if its study moved', () => {
    const id = addStudy('patients/a/2025/mr', 'patients/a/bundles/7');
    const studies = new Map([[id, { folder_path: 'inbox/mr', bundle_path: 'inbox/bundle' }]]);
    expect(pathOf('patients/a/2025/mr/1/2.dcm', studies)).toBe('inbox/mr/1/2.dcm');
    expect(pathOf('patients/a/bundles/7/DICOMDIR', studies)).toBe('inbox/bundle/DICOMDIR');
    expect(pathOf('patients/a/2025/mr2/1.dcm', studies)).toBe('patients/a/2025/mr2/1.dcm');
    // The study, or its bundle, was added after the copy.
    expect(pathOf('patients/a/2025/mr/1/2.dcm')).toBeNull();
    expect(pathOf('patients/a/bundles/7/DICOMDIR')).toBeNull();
    const without = new Map([[id, { folder_path: 'inbox/mr', bundle_path: null }]]);
    expect(pathOf('patients/a/bundles/7/DICOMDIR', without)).toBeNull();
  });
});

describe('openNow', () => {
  const open = (file: { path: string; size: number; id: number | null; now?: string }): string | null => {
    const descriptor = openNow(t.db, paths, { sha256: '', ...file });
    if (descriptor === null) return null;
    const bytes = readFileSync(descriptor, 'utf8');
    closeSync(descriptor);
    return bytes;
  };

  test('opens a file where it is, and where it has moved', () => {
    const id = addDocument(t, 'inbox/user-1/1.pdf', 'one');
    expect(open({ path: 'inbox/user-1/1.pdf', size: 3, id })).toBe('one');
    move(id, 'inbox/user-1/1.pdf', 'patients/a/1.pdf');
    expect(open({ path: 'inbox/user-1/1.pdf', size: 3, id })).toBe('one');
    expect(open({ path: 'elsewhere', now: 'patients/a/1.pdf', size: 3, id: null })).toBe('one');
  });

  test('opens neither a missing file nor one of another size', () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    writeFileSync(join(t.root, 'patients/a/1.pdf'), 'longer');
    expect(open({ path: 'patients/a/1.pdf', size: 3, id })).toBeNull();
    rmSync(join(t.root, 'patients/a/1.pdf'));
    expect(open({ path: 'patients/a/1.pdf', size: 3, id })).toBeNull();
  });
});

test('a file without a document is searched at its own path, and never behind a link', () => {
  const found = (path: string): string[] => [...candidates(t.db, paths, path, null)];
  const own = join(t.root, 'trash/1/0.pdf');
  expect(found('trash/1/0.pdf')).toEqual([own, own]);
  expect(found('../outside')).toEqual([]);
});

test('a file that disappears before it is opened is searched further, other faults are passed on', () => {
  const id = addDocument(t, 'inbox/user-1/1.pdf', 'one');
  const openWhile = (code: string): string => {
    const { openSync } = fs;
    let isFirst = true;
    const failing: typeof openSync = (...args) => {
      if (isFirst) {
        isFirst = false;
        throw fsError(code);
      }
      return openSync(...args);
    };
    const file = { path: 'inbox/user-1/1.pdf', size: 3, id, sha256: '' };
    const descriptor = withFs({ openSync: failing }, () => openNow(t.db, paths, file));
    const bytes = readFileSync(descriptor!, 'utf8');
    closeSync(descriptor!);
    return bytes;
  };
  expect(openWhile('ENOENT')).toBe('one');
  expect(() => openWhile('EACCES')).toThrow(expect.objectContaining({ code: 'EACCES' }));
});

test('a file of the inbox that was there before the copy is planned although it has been imported since', async () => {
  putFile(t.root, 'inbox/user-1/a.pdf', 'one');
  const before = new Date(COPIED_AT - 60_000);
  utimesSync(join(t.root, 'inbox/user-1/a.pdf'), before, before);
  copyDatabase();
  addDocument(t, 'inbox/user-1/a.pdf', 'one');
  utimesSync(join(t.root, 'inbox/user-1/a.pdf'), before, before);
  expect((await plan()).files).toEqual([planned('inbox/user-1/a.pdf', 'one', { now: 'inbox/user-1/a.pdf' })]);
});

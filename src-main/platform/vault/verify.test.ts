import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { itWith } from '../../../test/support/requirements.ts';
import {
  addDocument,
  commitAndDie,
  openTestVault,
  putFile,
  sha256,
  type TestVault,
} from '../../../test/support/vault.ts';
import { createPaths } from './paths.ts';
import {
  databaseFaults,
  filesBelow,
  isFiled,
  verifyRest,
  verifySlice,
  verifyVault,
  type VerifyDeps,
} from './verify.ts';

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => t.close());
const verify = () => verifyVault(t.db, t.root);
const WHOLE = { faults: [], leftovers: [], database: [] };

test('finds no faults in a consistent vault', async () => {
  addDocument(t, 'patients/elena-keller/2025/20251112_lab.pdf', 'one');
  const trashed = addDocument(t, 'patients/elena-keller/2025/20251113_lab.pdf', 'two');
  t.vault.trash.addRows('document', trashed, { label: 'lab', patientId: null, deletedByUserId: null });
  expect(await verify()).toEqual({ documents: 1, files: 1, bytes: 3, ...WHOLE });
});

test('reports a missing file, another size, and other bytes of the same size', async () => {
  const [gone, longer, changed] = ['a', 'b', 'c'].map((name) =>
    addDocument(t, `unclassified/user-1/${name}.pdf`, name),
  );
  rmSync(join(t.root, 'unclassified/user-1/a.pdf'));
  writeFileSync(join(t.root, 'unclassified/user-1/b.pdf'), 'bbb');
  writeFileSync(join(t.root, 'unclassified/user-1/c.pdf'), 'x');
  addDocument(t, 'unclassified/user-1/d.pdf', 'good');
  expect(await verify()).toEqual({
    ...WHOLE,
    documents: 4,
    files: 1,
    bytes: 4,
    faults: [
      { kind: 'missing', document_id: gone, path: 'unclassified/user-1/a.pdf' },
      { kind: 'changed', document_id: longer, path: 'unclassified/user-1/b.pdf' },
      { kind: 'changed', document_id: changed, path: 'unclassified/user-1/c.pdf' },
    ],
  });
});

test('reports a file without a row, with the document of equal content', async () => {
  const id = addDocument(t, 'patients/a/2025/x.pdf', 'same');
  putFile(t.root, 'patients/a/2025/x-2.pdf', 'same');
  putFile(t.root, 'patients/a/notes.txt', 'mine');
  const { faults } = await verify();
  expect(faults).toHaveLength(2);
  expect(faults).toContainEqual({ kind: 'foreign', path: 'patients/a/2025/x-2.pdf', same_as: id });
  expect(faults).toContainEqual({ kind: 'foreign', path: 'patients/a/notes.txt', same_as: null });
});

itWith({ symlinks: true }, 'reports a link and does not follow it', async () => {
  symlinkSync('/etc', join(t.root, 'patients', 'etc'));
  expect((await verify()).faults).toEqual([{ kind: 'foreign', path: 'patients/etc', same_as: null }]);
});

test('assigns files of an imaging study to the study', async () => {
  t.db
    .prepare(
      `INSERT INTO imaging_studies (folder_path, bundle_path, created_at)
        VALUES ('patients/a/2025/20250101_mr', 'patients/a/imaging-bundles/exam-7', 'x')`,
    )
    .run();
  putFile(t.root, 'patients/a/2025/20250101_mr/series-001/00001.dcm', 'd');
  putFile(t.root, 'patients/a/imaging-bundles/exam-7/DICOMDIR', 'd');
  expect(await verify()).toMatchObject(WHOLE);
});

test('reports a document with the content of an earlier one', async () => {
  const [first, second] = [addDocument(t, 'patients/a/1.pdf', 'same'), addDocument(t, 'patients/a/2.pdf', 'same')];
  addDocument(t, 'patients/a/3.pdf', 'other');
  expect((await verify()).faults).toEqual([
    { kind: 'doubled', path: 'patients/a/2.pdf', document_id: second, same_as: first },
  ]);
});

test('reports a trash item without its file, and a file without a trash item', async () => {
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  const trashId = t.vault.trash.addRows('document', id, { label: '1', patientId: null, deletedByUserId: null });
  rmSync(join(t.root, `trash/${trashId}/0.pdf`));
  putFile(t.root, 'trash/999/0.pdf', 'left');
  expect((await verify()).faults).toEqual([
    { kind: 'foreign', path: 'trash/999/0.pdf', same_as: null },
    { kind: 'lost_trash', trash_id: trashId, path: `trash/${trashId}/0.pdf` },
  ]);
});

test('reports what the next start resolves, but not as a fault', async () => {
  putFile(t.root, 'inbox/elena-keller/scan.pdf', 'waits');
  putFile(t.root, 'tmp/broken-off', 'half');
  putFile(t.root, 'tmp/promised', 'new');
  t.db
    .prepare(`INSERT INTO documents (file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
    VALUES ('inbox/user-1/new.pdf', 'new.pdf', 'application/pdf', 3, ?, 'pending', 'x', 'x')`)
    .run(sha256('new'));
  commitAndDie(t, () => t.vault.journal.planMove('tmp/promised', 'inbox/user-1/new.pdf'));
  expect(await verify()).toMatchObject({
    faults: [],
    database: [],
    leftovers: [
      { kind: 'promised', path: 'tmp/promised' },
      { kind: 'waiting', path: 'inbox/elena-keller/scan.pdf' },
      { kind: 'temporary', path: 'tmp/broken-off' },
    ],
  });
});

test('reports a dangling reference as a fault of the database', async () => {
  t.db.sqlite.pragma('foreign_keys = OFF');
  t.db.prepare("INSERT INTO document_tags (document_id, tag) VALUES (77, 'x')").run();
  expect((await verify()).database).toEqual(['document_tags 1 points to a row of documents that is gone']);
});

test('checks a document again that moves meanwhile', async () => {
  const id = addDocument(t, 'inbox/user-1/a.pdf', 'moving');
  addDocument(t, 'inbox/user-1/b.pdf', 'second');
  const report = await verifyVault(t.db, t.root, {
    onFile: (files) => {
      if (files === 1)
        t.vault.transaction(() => {
          t.db.prepare("UPDATE documents SET file_path = 'patients/a/2025/b.pdf' WHERE id = ?").run(id + 1);
          t.vault.journal.planMove('inbox/user-1/b.pdf', 'patients/a/2025/b.pdf');
        });
    },
  });
  expect(report).toEqual({ documents: 2, files: 2, bytes: 12, ...WHOLE });
});

test('stops on an abort', async () => {
  addDocument(t, 'patients/a/1.pdf', 'one');
  await expect(verifyVault(t.db, t.root, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});

describe('a slice of a check', () => {
  const hash = async (absolute: string): Promise<string> => sha256(readFileSync(absolute, 'utf8'));
  const deps = (more: Partial<VerifyDeps> = {}): VerifyDeps => ({
    db: t.db,
    paths: createPaths(t.root),
    hash,
    ...more,
  });
  const addMany = (count: number): number[] =>
    t.db.transaction(() => Array.from({ length: count }, (_, n) => addDocument(t, `patients/a/${n}.pdf`, `page ${n}`)));

  test('has at most 200 documents and continues after the last', async () => {
    const ids = addMany(203);
    const first = await verifySlice(deps(), 0);
    expect(first).toMatchObject({ documents: 200, files: 200, faults: [], last: ids[199] });
    expect(await verifySlice(deps(), ids[199]!)).toMatchObject({ documents: 3, files: 3, last: ids[202] });
    expect(await verifySlice(deps(), ids[202]!)).toEqual({ documents: 0, files: 0, bytes: 0, faults: [], last: null });
  });

  test('has at most 256 MiB of documents, but at least one', async () => {
    const ids = addMany(4);
    const limit = 256 * 2 ** 20;
    const setSizes = (...sizes: number[]): void =>
      sizes.forEach((size, i) => t.db.prepare('UPDATE documents SET file_size = ? WHERE id = ?').run(size, ids[i]));
    const lengthOf = async (after: number): Promise<number> => (await verifySlice(deps(), after)).documents;
    setSizes(limit - 1, 1, 1, 1);
    expect(await lengthOf(0)).toBe(2);
    setSizes(limit + 1, limit, 1, 1);
    expect([await lengthOf(0), await lengthOf(ids[0]!), await lengthOf(ids[1]!)]).toEqual([1, 1, 2]);
  });

  test('hashes files of the stored size together, and never hashes others', async () => {
    const ids = ['one', 'two', 'six', 'ten', 'red'].map((bytes, n) => addDocument(t, `patients/a/${n}.pdf`, bytes));
    writeFileSync(join(t.root, 'patients/a/1.pdf'), 'longer');
    rmSync(join(t.root, 'patients/a/2.pdf'));
    writeFileSync(join(t.root, 'patients/a/3.pdf'), 'TEN');
    const together: string[] = [];
    const alone: string[] = [];
    const slice = await verifySlice(
      deps({
        hashAll: async (absolutes) => {
          together.push(...absolutes.map((absolute) => basename(absolute)));
          return Promise.all(absolutes.map((absolute) => (basename(absolute) === '4.pdf' ? null : hash(absolute))));
        },
        hash: (absolute) => {
          alone.push(basename(absolute));
          return hash(absolute);
        },
      }),
      0,
    );
    expect([together, alone]).toEqual([
      ['0.pdf', '3.pdf', '4.pdf'],
      ['3.pdf', '4.pdf'],
    ]);
    expect(slice).toMatchObject({ documents: 5, files: 2, bytes: 6 });
    expect(slice.faults).toEqual([
      { kind: 'changed', path: 'patients/a/1.pdf', document_id: ids[1] },
      { kind: 'missing', path: 'patients/a/2.pdf', document_id: ids[2] },
      { kind: 'changed', path: 'patients/a/3.pdf', document_id: ids[3] },
    ]);
  });

  test('does not report a document that is deleted or replaced while its file is read', async () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    const during = (work: () => void) => {
      let isFirst = true;
      return deps({
        hash: async (absolute) => {
          const answer = isFirst ? 'other' : await hash(absolute);
          if (isFirst) work();
          isFirst = false;
          return answer;
        },
      });
    };
    const replace = (): void =>
      void t.db.prepare('UPDATE documents SET file_hash = ? WHERE id = ?').run(sha256('two'), id);
    const slice = await verifySlice(
      during(() => {
        writeFileSync(join(t.root, 'patients/a/1.pdf'), 'two');
        replace();
      }),
      0,
    );
    expect(slice).toMatchObject({ files: 1, faults: [] });
    const gone = await verifySlice(
      during(() => void t.db.prepare('DELETE FROM documents').run()),
      0,
    );
    expect(gone).toMatchObject({ documents: 1, faults: [] });
  });

  test('passes on an error that says nothing about the file', async () => {
    addDocument(t, 'patients/a/1.pdf', 'one');
    const failing = (code: string) =>
      verifySlice(deps({ hash: () => Promise.reject(Object.assign(new Error(code), { code })) }), 0);
    await expect(failing('EIO')).rejects.toThrow('EIO');
    expect((await failing('ENOENT')).faults).toMatchObject([{ kind: 'missing' }]);
  });
});

test('does not report a missing file whose move is planned', async () => {
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  commitAndDie(t, () => {
    t.vault.journal.planMove('patients/a/1.pdf', 'patients/a/2.pdf');
    t.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run('patients/a/2.pdf', id);
  });
  expect((await verify()).faults).toEqual([]);
});

describe('the files beside documents', () => {
  test('are not reported if they are removed or added to the vault while they are read', async () => {
    for (const name of ['added', 'planned', 'removed', 'strange']) putFile(t.root, `patients/a/${name}.pdf`, name);
    const change: Record<string, () => void> = {
      'added.pdf': () => addDocument(t, 'patients/a/added.pdf', 'added'),
      'planned.pdf': () => commitAndDie(t, () => t.vault.journal.planMove('patients/a/planned.pdf', 'inbox/b.pdf')),
      'removed.pdf': () => rmSync(join(t.root, 'patients/a/removed.pdf')),
    };
    const hash = async (absolute: string): Promise<string> => {
      const sum = sha256(readFileSync(absolute, 'utf8'));
      change[basename(absolute)]?.();
      return sum;
    };
    const { faults } = await verifyRest({ db: t.db, paths: createPaths(t.root), hash });
    expect(faults).toEqual([{ kind: 'foreign', path: 'patients/a/strange.pdf', same_as: null }]);
  });

  test('are reported if an item of the trash lists others', async () => {
    const trashId = t.vault.trash.addRows('document', addDocument(t, 'patients/a/1.pdf', 'one'), {
      label: '1',
      patientId: null,
      deletedByUserId: null,
    });
    putFile(t.root, `trash/${trashId}/1.pdf`, 'left');
    expect((await verify()).faults).toEqual([{ kind: 'foreign', path: `trash/${trashId}/1.pdf`, same_as: null }]);
  });
});

itWith({ symlinks: true }, 'reports a document behind a link as missing', async () => {
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  renameSync(join(t.root, 'patients/a'), join(t.root, 'cache/a'));
  symlinkSync(join(t.root, 'cache/a'), join(t.root, 'patients/a'));
  expect((await verify()).faults).toEqual([
    { kind: 'missing', document_id: id, path: 'patients/a/1.pdf' },
    { kind: 'foreign', path: 'patients/a', same_as: null },
  ]);
});

test('lists the damage of a database file', () => {
  const file = join(t.root, 'tmp', 'damaged.db');
  const db = new Sqlite(file);
  db.exec('CREATE TABLE t (n INTEGER, text TEXT); CREATE INDEX t_n ON t(n)');
  for (let n = 0; n < 200; n += 1) db.prepare('INSERT INTO t VALUES (?, ?)').run(n, 'x'.repeat(100));
  db.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, bytes.length - 2048));
  const damaged = new Sqlite(file, { readonly: true });
  expect(databaseFaults(damaged).join('\n')).toMatch(/t_n|page|btree/i);
  damaged.close();
});

async function list(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of filesBelow(t.root, folder)) found.push(path);
  return found.sort();
}

test('lists files below a folder, and gives those with odd names a plain one', async () => {
  for (const path of ['inbox/a/1.pdf', 'inbox/a/b/2.pdf', 'inbox/a/CON.pdf', 'trash/1/0']) putFile(t.root, path, path);
  expect(await list('inbox')).toEqual(['inbox/a/1.pdf', 'inbox/a/CON-file.pdf', 'inbox/a/b/2.pdf']);
  expect([await list('missing'), await list('inbox/a/1.pdf')]).toEqual([[], []]);
});

itWith({ symlinks: true }, 'lists no files behind a link', async () => {
  for (const path of ['inbox/a/1.pdf', 'trash/1/0']) putFile(t.root, path, path);
  symlinkSync(join(t.root, 'trash'), join(t.root, 'inbox/a/link'));
  expect(await list('inbox')).toEqual(['inbox/a/1.pdf']);
});

test('a path is filed if a document, a planned move or an item of the trash names it', () => {
  addDocument(t, 'patients/a/1.pdf', 'one');
  const trashId = t.vault.trash.addRows('document', addDocument(t, 'patients/a/2.pdf', 'two'), {
    label: '2',
    patientId: null,
    deletedByUserId: null,
  });
  commitAndDie(t, () => t.vault.journal.planMove('tmp/a', 'patients/a/3.pdf'));
  expect(
    [
      'patients/a/1.pdf',
      'patients/a/2.pdf',
      'patients/a/3.pdf',
      `trash/${trashId}/0.pdf`,
      `trash/${trashId}/1.pdf`,
    ].map((path) => isFiled(t.db, path)),
  ).toEqual([true, false, true, true, false]);
});

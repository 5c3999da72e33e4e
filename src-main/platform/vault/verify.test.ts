import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addDocument,
  commitAndDie,
  openTestVault,
  putFile,
  sha256,
  type TestVault,
} from '../../../test/support/vault.ts';
import { verifyVault } from './verify.ts';

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

test('reports a link and does not follow it', async () => {
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

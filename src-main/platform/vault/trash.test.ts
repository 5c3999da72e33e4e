import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addDocument,
  addPatient,
  filesOf,
  openTestVault,
  putFile,
  type TestVault,
} from '../../../test/support/vault.ts';

const DAY_MS = 86_400_000;
const BY = { label: 'lab', patientId: null, deletedByUserId: null };

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => t.close());

const all = (table: string): unknown[] => t.db.prepare(`SELECT * FROM ${table}`).all();
const TABLES = [
  'patients',
  'documents',
  'lab_results',
  'medications',
  'document_tags',
  'document_pages',
  'document_texts',
  'stage_events',
  'document_links',
  'events',
  'event_documents',
  'jobs',
  'trash',
  'vault_journal',
];
const state = (): Record<string, unknown[]> => Object.fromEntries(TABLES.map((table) => [table, all(table)]));

/** Adds a document with a row of every dependent kind, linked with another document. */
function fullDocument(patientId: number): { id: number; other: number } {
  const id = addDocument(t, 'patients/elena-keller/2025/20251112_lab.pdf', 'the lab', patientId);
  const other = addDocument(t, 'patients/elena-keller/2025/20251113_bill.pdf', 'the bill', patientId);
  const run = (sql: string, ...values: unknown[]) => t.db.prepare(sql).run(...values);
  run(
    "INSERT INTO lab_results (document_id, patient_id, test_name_original, value) VALUES (?, ?, 'Ferritin', 23)",
    id,
    patientId,
  );
  run("INSERT INTO medications (document_id, brand_name) VALUES (?, 'Algifor')", id);
  run("INSERT INTO document_tags (document_id, tag) VALUES (?, 'iron')", id);
  run('INSERT INTO document_pages (document_id, page, data) VALUES (?, 1, ?)', id, Buffer.from([0, 1, 255]));
  run("INSERT INTO document_texts (id, title, body) VALUES (?, 'lab', 'ferritin low')", id);
  run(
    `INSERT INTO stage_events (document_id, stage, status, job_kind, started_at)
      VALUES (?, 'ocr', 'completed', 'upload', 'x')`,
    id,
  );
  run(
    `INSERT INTO document_links (source_document_id, target_document_id, link_type, created_at)
      VALUES (?, ?, 'invoice_for', 'x')`,
    other,
    id,
  );
  run(
    `INSERT INTO events (patient_id, title, slug, event_type, created_at, updated_at)
      VALUES (?, 'Fatigue', 'fatigue', 'symptom', 'x', 'x')`,
    patientId,
  );
  run('INSERT INTO event_documents (event_id, document_id) VALUES (1, ?)', id);
  return { id, other };
}

test('deletes a document with its rows and restores it unchanged', () => {
  const { id, other } = fullDocument(addPatient(t.db));
  const before = state();
  const files = filesOf(t.root);
  const trashId = t.vault.trash.addRows('document', id, BY);

  expect((all('documents') as { id: number }[]).map((row) => row.id)).toEqual([other]);
  for (const table of [
    'lab_results',
    'medications',
    'document_tags',
    'document_pages',
    'document_texts',
    'stage_events',
    'document_links',
    'event_documents',
  ])
    expect(all(table), table).toEqual([]);
  expect(filesOf(t.root)).toEqual({
    'patients/elena-keller/2025/20251113_bill.pdf': 'the bill',
    [`trash/${trashId}/0.pdf`]: 'the lab',
  });
  expect(t.db.prepare("SELECT count(*) FROM documents_fts WHERE documents_fts MATCH 'ferritin'").pluck().get()).toBe(0);

  expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [id], notRestored: [] });
  expect(state()).toEqual(before);
  expect(filesOf(t.root)).toEqual(files);
  expect(t.db.prepare("SELECT rowid FROM documents_fts WHERE documents_fts MATCH 'ferritin'").pluck().all()).toEqual([
    id,
  ]);
  expect(t.db.sqlite.pragma('foreign_key_check')).toEqual([]);
});

test('deletes and restores a document whose file is still at its old path', () => {
  const patientId = addPatient(t.db);
  const id = addDocument(t, 'patients/elena-keller/2025/a.pdf', 'the lab', patientId);
  // A file is where the folder should be.
  putFile(t.root, 'patients/elena-keller/2024', 'in the way');
  t.vault.transaction(() => {
    t.vault.journal.planMove('patients/elena-keller/2025/a.pdf', 'patients/elena-keller/2024/b.pdf');
    t.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run('patients/elena-keller/2024/b.pdf', id);
  });
  expect(filesOf(t.root)).toEqual({
    'patients/elena-keller/2024': 'in the way',
    'patients/elena-keller/2025/a.pdf': 'the lab',
  });
  const trashId = t.vault.trash.addRows('document', id, BY);
  rmSync(join(t.root, 'patients/elena-keller/2024'));
  t.vault.journal.apply();
  expect(filesOf(t.root)).toEqual({ [`trash/${trashId}/0.pdf`]: 'the lab' });
  t.vault.trash.restore(trashId);
  expect(filesOf(t.root)).toEqual({ 'patients/elena-keller/2024/b.pdf': 'the lab' });
  expect(all('documents')).toMatchObject([{ id, file_path: 'patients/elena-keller/2024/b.pdf' }]);
});

test('does not restore a running job with its document', () => {
  const id = addDocument(t, 'inbox/user-1/a.pdf', 'a');
  t.db
    .prepare(
      `INSERT INTO jobs (kind, document_id, priority, size, state, options, created_at)
        VALUES ('upload', ?, 5, 1, 'running', '{}', 'x')`,
    )
    .run(id);
  t.vault.trash.restore(t.vault.trash.addRows('document', id, BY));
  expect(all('jobs')).toEqual([]);
});

test('deletes and restores a patient with all documents', () => {
  const patientId = addPatient(t.db);
  fullDocument(patientId);
  const before = state();
  const files = filesOf(t.root);
  const trashId = t.vault.trash.addRows('patient', patientId, { ...BY, label: 'Elena' });
  expect([all('patients'), all('documents'), all('events')]).toEqual([[], [], []]);
  expect(Object.keys(filesOf(t.root))).toEqual([`trash/${trashId}/0.pdf`, `trash/${trashId}/1.pdf`]);
  t.vault.trash.restore(trashId);
  expect(state()).toEqual(before);
  expect(filesOf(t.root)).toEqual(files);
});

test('restores a row without its link to a purged record', () => {
  const { id, other } = fullDocument(addPatient(t.db));
  const trashId = t.vault.trash.addRows('document', id, BY);
  t.vault.trash.purge(t.vault.trash.addRows('document', other, BY));
  t.vault.trash.restore(trashId);
  expect((all('documents') as { id: number }[]).map((row) => row.id)).toEqual([id]);
  expect(all('document_links')).toEqual([]);
  expect(t.db.sqlite.pragma('foreign_key_check')).toEqual([]);
});

test('restores a file beside a newer one at its path', () => {
  const folder = 'patients/elena-keller/2025/';
  const ids = ['one', 'two', 'three'].map((content) => {
    const id = addDocument(t, `${folder}lab.pdf`, content);
    return { id, trashId: t.vault.trash.addRows('document', id, BY) };
  });
  putFile(t.root, `${folder}lab.pdf`, 'a foreign file');
  for (const { trashId } of ids) t.vault.trash.restore(trashId);
  expect(filesOf(t.root)).toEqual({
    [`${folder}lab.pdf`]: 'a foreign file',
    [`${folder}lab-2.pdf`]: 'one',
    [`${folder}lab-3.pdf`]: 'two',
    [`${folder}lab-4.pdf`]: 'three',
  });
  expect(t.db.prepare('SELECT id, file_path FROM documents ORDER BY id').all()).toEqual(
    ids.map(({ id }, index) => ({ id, file_path: `${folder}lab-${index + 2}.pdf` })),
  );
});

test('does not restore a document whose content exists again', () => {
  const trashId = t.vault.trash.addRows('document', addDocument(t, 'patients/a/1.pdf', 'one'), BY);
  addDocument(t, 'patients/a/2.pdf', 'one');
  expect(() => t.vault.trash.restore(trashId)).toThrow(expect.objectContaining({ code: 'trash.path_conflict' }));
  expect(filesOf(t.root)).toEqual({ 'patients/a/2.pdf': 'one', [`trash/${trashId}/0.pdf`]: 'one' });
});

test('keeps documents of a restored patient in the trash if their content exists again', () => {
  const patientId = addPatient(t.db);
  const { id, other } = fullDocument(patientId);
  const before = state();
  const files = filesOf(t.root);
  const item = t.vault.trash.addRows('patient', patientId, { ...BY, label: 'Elena', patientId });
  const again = addDocument(t, 'inbox/user-1/lab.pdf', 'the lab');
  const { document_ids, notRestored } = t.vault.trash.restore(item);
  expect([document_ids, notRestored]).toEqual([
    [other],
    [{ document_id: id, original_filename: '20251112_lab.pdf', trash_id: item + 1 }],
  ]);
  expect([all('lab_results'), all('medications'), all('event_documents'), all('events').length]).toEqual([
    [],
    [],
    [],
    1,
  ]);
  expect(filesOf(t.root)).toEqual({
    'patients/elena-keller/2025/20251113_bill.pdf': 'the bill',
    'inbox/user-1/lab.pdf': 'the lab',
    [`trash/${item + 1}/0.pdf`]: 'the lab',
  });
  expect(all('trash')).toEqual([
    expect.objectContaining({
      id: item + 1,
      kind: 'document',
      patient_id: patientId,
      size: 7,
      deleted_at: '2026-11-21T08:00:00',
    }),
  ]);
  expect(t.db.sqlite.pragma('foreign_key_check')).toEqual([]);
  // After the other copy is purged, the document can be restored.
  t.vault.trash.purge(t.vault.trash.addRows('document', again, BY));
  expect(t.vault.trash.restore(item + 1)).toEqual({ document_ids: [id], notRestored: [] });
  expect(state()).toEqual(before);
  expect(filesOf(t.root)).toEqual(files);
});

test('deletes and restores a file without rows', () => {
  putFile(t.root, 'inbox/elena-keller/twice.pdf', 'twice');
  const trashId = t.vault.trash.addFile('inbox/elena-keller/twice.pdf', { ...BY, fileHash: 'h' });
  expect(filesOf(t.root)).toEqual({ [`trash/${trashId}/0.pdf`]: 'twice' });
  expect(all('trash')).toEqual([
    expect.objectContaining({ kind: 'file', size: 5, file_hash: 'h', deleted_at: '2026-11-21T08:00:00' }),
  ]);
  expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [], notRestored: [] });
  expect(filesOf(t.root)).toEqual({ 'inbox/elena-keller/twice.pdf': 'twice' });
});

test('deletes and restores a document without its file', () => {
  const id = addDocument(t, 'patients/a/1.pdf', 'one');
  t.vault.transaction(() => t.vault.journal.planMove('patients/a/1.pdf', null));
  t.vault.trash.restore(t.vault.trash.addRows('document', id, BY));
  expect((all('documents') as { id: number }[]).map((row) => row.id)).toEqual([id]);
});

test('purges row and file', () => {
  const trashId = t.vault.trash.addRows('document', addDocument(t, 'patients/a/1.pdf', 'one'), BY);
  t.vault.trash.purge(trashId);
  expect([all('trash'), filesOf(t.root)]).toEqual([[], {}]);
  expect(() => t.vault.trash.restore(trashId)).toThrow(expect.objectContaining({ code: 'trash.not_found' }));
  expect(() => t.vault.trash.purge(trashId)).toThrow(expect.objectContaining({ code: 'trash.not_found' }));
});

test('purges an item after exactly 30 days', () => {
  t.vault.trash.addRows('document', addDocument(t, 'patients/a/1.pdf', 'one'), BY);
  t.clock.advance(10 * DAY_MS);
  const younger = t.vault.trash.addRows('document', addDocument(t, 'patients/a/2.pdf', 'two'), BY);
  t.clock.advance(20 * DAY_MS);
  expect(t.vault.trash.purgeExpired()).toBe(0);
  t.clock.advance(1000);
  expect(t.vault.trash.purgeExpired()).toBe(1);
  expect(filesOf(t.root)).toEqual({ [`trash/${younger}/0.pdf`]: 'two' });
});

test('rejects the deletion of a missing record', () => {
  expect(() => t.vault.trash.addRows('document', 99, BY)).toThrow(
    expect.objectContaining({ code: 'document.not_found' }),
  );
  expect(() => t.vault.trash.addRows('patient', 99, BY)).toThrow(
    expect.objectContaining({ code: 'patient.not_found' }),
  );
  expect(all('trash')).toEqual([]);
});

test('names the documents of a restored event, and none if rows are restored with their document', () => {
  const patientId = addPatient(t.db);
  const { id } = fullDocument(patientId);
  const event = t.vault.trash.addRows('event', 1, { ...BY, label: 'Fatigue', patientId });
  expect(t.vault.trash.affectedDocuments(event)).toEqual([id]);
  t.vault.trash.restore(event);
  const result = t.db.prepare('SELECT id FROM lab_results').pluck().get() as number;
  const lab = t.vault.trash.addRows('lab_result', result, { ...BY, patientId });
  expect(t.vault.trash.affectedDocuments(lab)).toEqual([id]);
  const document = t.vault.trash.addRows('document', id, { ...BY, patientId });
  expect(t.vault.trash.affectedDocuments(document)).toEqual([]);
});

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addDocument,
  addPatient,
  filesOf,
  openTestVault,
  putFile,
  sha256,
  type TestVault,
} from '../../../test/support/vault.ts';
import { undoUntil } from './trash.ts';

const BY = { label: 'item', patientId: null, deletedByUserId: null };

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => t.close());

const run = (sql: string, ...values: unknown[]): number => Number(t.db.prepare(sql).run(...values).lastInsertRowid);
const all = (sql: string): unknown[] => t.db.prepare(sql).all();
const item = (trashId: number): Record<string, unknown> =>
  t.db.prepare('SELECT * FROM trash WHERE id = ?').get(trashId) as Record<string, unknown>;

const addDoctor = (code: string): number =>
  run(
    "INSERT INTO doctors (canonical_code, canonical_display, name, created_at) VALUES (?, ?, ?, 'x')",
    code,
    code,
    code,
  );
const addEvent = (patientId: number, documents: readonly number[]): number => {
  const id = run(
    `INSERT INTO events (patient_id, title, slug, event_type, created_at, updated_at)
      VALUES (?, 'Hip', 'hip', 'symptom', 'x', 'x')`,
    patientId,
  );
  for (const document of documents)
    run('INSERT INTO event_documents (event_id, document_id) VALUES (?, ?)', id, document);
  return id;
};

test('an item can be restored until 30 days after its deletion', () => {
  expect(undoUntil('2026-11-21T08:00:00')).toBe('2026-12-21T08:00:00');
});

describe('an item of the trash', () => {
  test('says what was deleted, by whom, when, and how large its files are', () => {
    const patientId = addPatient(t.db);
    run(
      `INSERT INTO users (id, username, username_key, display_name, role, created_at)
        VALUES (5, 'a', 'a', 'A', 'admin', 'x')`,
    );
    const id = addDocument(t, 'patients/a/lab.PDF', 'four', patientId);
    const trashId = t.vault.trash.addRows('document', id, { label: 'Lab', patientId, deletedByUserId: 5 });
    expect(item(trashId)).toMatchObject({
      kind: 'document',
      label: 'Lab',
      patient_id: patientId,
      file_hash: sha256('four'),
      files: JSON.stringify([{ from: 'patients/a/lab.PDF', to: `trash/${trashId}/0.PDF` }]),
      size: 4,
      deleted_by_user_id: 5,
      deleted_at: '2026-11-21T08:00:00',
    });
  });

  test('numbers its files, and has no single hash if they are several', () => {
    const patientId = addPatient(t.db);
    addDocument(t, 'patients/a/one', 'one', patientId);
    addDocument(t, 'patients/a/two.tar.gz', 'two', patientId);
    const trashId = t.vault.trash.addRows('patient', patientId, BY);
    expect(filesOf(t.root)).toEqual({ [`trash/${trashId}/0`]: 'one', [`trash/${trashId}/1.gz`]: 'two' });
    expect(item(trashId)).toMatchObject({ file_hash: null, size: 6 });
  });

  test('lists no missing file', () => {
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    rmSync(join(t.root, 'patients/a/1.pdf'));
    const trashId = t.vault.trash.addRows('document', id, BY);
    expect(item(trashId)).toMatchObject({ files: '[]', size: 0 });
    expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [id], notRestored: [] });
  });

  test('is not found once it is restored or purged', () => {
    const trash = t.vault.trash;
    for (const call of [
      () => trash.restore(9),
      () => trash.purge(9),
      () => trash.nameIn(9),
      () => trash.affectedDocuments(9),
    ])
      expect(call).toThrow(expect.objectContaining({ code: 'trash.not_found' }));
  });

  test.each([
    ['event', 'event.not_found'],
    ['lab_result', 'lab_result.not_found'],
    ['encounter', 'encounter.not_found'],
    ['medication', 'medication.not_found'],
    ['vaccination', 'vaccination.not_found'],
  ] as const)('needs a %s that exists', (kind, code) => {
    expect(() => t.vault.trash.addRows(kind, 99, BY)).toThrow(expect.objectContaining({ code }));
  });
});

describe('documents deleted along with an event', () => {
  test('are restored with it, under their old paths', () => {
    const patientId = addPatient(t.db);
    const [first, second] = ['1', '2'].map((name) => addDocument(t, `patients/a/${name}.pdf`, name, patientId));
    const event = addEvent(patientId, [first!, second!]);
    const trashId = t.vault.trash.addRows('event', event, BY, { alongDocuments: [first!] });
    expect(filesOf(t.root)).toEqual({ 'patients/a/2.pdf': '2', [`trash/${trashId}/0.pdf`]: '1' });
    expect(t.vault.trash.affectedDocuments(trashId)).toEqual([second]);
    expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [first], notRestored: [] });
    expect(filesOf(t.root)).toEqual({ 'patients/a/1.pdf': '1', 'patients/a/2.pdf': '2' });
    expect(all('SELECT document_id FROM event_documents ORDER BY 1')).toEqual([
      { document_id: first },
      { document_id: second },
    ]);
  });

  test('stay in the trash if their content exists again, while the event is restored', () => {
    const patientId = addPatient(t.db);
    const id = addDocument(t, 'patients/a/1.pdf', 'one', patientId);
    const trashId = t.vault.trash.addRows('event', addEvent(patientId, [id]), BY, { alongDocuments: [id] });
    addDocument(t, 'patients/a/again.pdf', 'one', patientId);
    expect(t.vault.trash.restore(trashId)).toEqual({
      document_ids: [],
      notRestored: [{ document_id: id, original_filename: '1.pdf', trash_id: trashId + 1 }],
    });
    expect(all('SELECT title FROM events')).toEqual([{ title: 'Hip' }]);
    expect(item(trashId + 1)).toMatchObject({ kind: 'document', label: '1.pdf', file_hash: sha256('one'), size: 3 });
    expect(filesOf(t.root)).toEqual({ 'patients/a/again.pdf': 'one', [`trash/${trashId + 1}/0.pdf`]: 'one' });
  });
});

test('only the documents whose content exists again stay in the trash, each with its own file', () => {
  const patientId = addPatient(t.db);
  const ids = ['1', '2', '3'].map((name) => addDocument(t, `patients/a/${name}.pdf`, name, patientId));
  const trashId = t.vault.trash.addRows('event', addEvent(patientId, ids), BY, { alongDocuments: ids });
  addDocument(t, 'patients/a/again.pdf', '2', patientId);
  const { document_ids, notRestored } = t.vault.trash.restore(trashId);
  expect([document_ids, notRestored.map((one) => one.document_id)]).toEqual([[ids[0], ids[2]], [ids[1]]]);
  const rest = { 'patients/a/1.pdf': '1', 'patients/a/3.pdf': '3', 'patients/a/again.pdf': '2' };
  expect(filesOf(t.root)).toEqual({ ...rest, [`trash/${trashId + 1}/0.pdf`]: '2' });
  t.vault.trash.purge(trashId + 1);
  expect(filesOf(t.root)).toEqual(rest);
});

test('files of one item get different names when they are restored beside others', () => {
  const patientId = addPatient(t.db);
  addDocument(t, 'patients/a/x.pdf', 'first', patientId);
  addDocument(t, 'patients/a/x-2.pdf', 'second', patientId);
  const trashId = t.vault.trash.addRows('patient', patientId, BY);
  putFile(t.root, 'patients/a/x.pdf', 'new');
  t.vault.trash.restore(trashId);
  expect(filesOf(t.root)).toEqual({
    'patients/a/x.pdf': 'new',
    'patients/a/x-2.pdf': 'first',
    'patients/a/x-2-2.pdf': 'second',
  });
  expect(all('SELECT file_path FROM documents ORDER BY id')).toEqual([
    { file_path: 'patients/a/x-2.pdf' },
    { file_path: 'patients/a/x-2-2.pdf' },
  ]);
});

test('a file is not restored to the path of a document whose file is missing', () => {
  putFile(t.root, 'inbox/a.pdf', 'deleted');
  const trashId = t.vault.trash.addFile('inbox/a.pdf', { ...BY, fileHash: null });
  addDocument(t, 'inbox/a.pdf', 'lost');
  rmSync(join(t.root, 'inbox/a.pdf'));
  t.vault.trash.restore(trashId);
  expect(filesOf(t.root)).toEqual({ 'inbox/a-2.pdf': 'deleted' });
});

describe('lab results that stay', () => {
  test('lose their document, and are linked to it again on restore', () => {
    const patientId = addPatient(t.db);
    const id = addDocument(t, 'patients/a/1.pdf', 'one', patientId);
    run(
      "INSERT INTO lab_results (document_id, patient_id, test_name_original, value) VALUES (?, ?, 'CRP', 5)",
      id,
      patientId,
    );
    const trashId = t.vault.trash.addRows('document', id, BY, { staying: 'lab_results' });
    expect(all('SELECT document_id FROM lab_results')).toEqual([{ document_id: null }]);
    t.vault.trash.restore(trashId);
    expect(all('SELECT document_id FROM lab_results')).toEqual([{ document_id: id }]);
  });
});

test('a row is restored only if its document exists', () => {
  const patientId = addPatient(t.db);
  const id = addDocument(t, 'patients/a/1.pdf', 'one', patientId);
  const medication = run("INSERT INTO medications (document_id, brand_name) VALUES (?, 'Algifor')", id);
  const row = t.vault.trash.addRows('medication', medication, BY);
  expect(t.vault.trash.affectedDocuments(row)).toEqual([id]);
  const document = t.vault.trash.addRows('document', id, BY);
  expect(t.vault.trash.affectedDocuments(row)).toEqual([]);
  expect(() => t.vault.trash.restore(row)).toThrow(expect.objectContaining({ code: 'trash.parent_deleted' }));
  expect(item(row)).toBeDefined();
  t.vault.trash.restore(document);
  t.vault.trash.restore(row);
  expect(all('SELECT brand_name FROM medications')).toEqual([{ brand_name: 'Algifor' }]);
});

describe('a name in the trash', () => {
  test('is restored with its spellings and its references', () => {
    const doctor = addDoctor('dr-a');
    const alias = run(
      "INSERT INTO name_aliases (kind, entry_id, alias, alias_key, created_at) VALUES ('doctors', ?, 'A', 'a', 'x')",
      doctor,
    );
    const id = addDocument(t, 'patients/a/1.pdf', 'one');
    run('UPDATE documents SET doctor_id = ? WHERE id = ?', doctor, id);
    const trashId = t.vault.trash.addName('doctors', doctor, [alias], BY);
    expect([all('SELECT id FROM doctors'), all('SELECT alias_id AS id FROM name_aliases')]).toEqual([[], []]);
    expect(all('SELECT doctor_id FROM documents')).toEqual([{ doctor_id: null }]);
    expect(t.vault.trash.nameIn(trashId)).toEqual({ table: 'doctors', id: doctor });
    expect([item(trashId)['kind'], t.vault.trash.affectedDocuments(trashId)]).toEqual(['name', []]);
    expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [], notRestored: [] });
    expect([all('SELECT id FROM doctors'), all('SELECT alias_id AS id FROM name_aliases')]).toEqual([
      [{ id: doctor }],
      [{ id: alias }],
    ]);
    expect(all('SELECT doctor_id FROM documents')).toEqual([{ doctor_id: doctor }]);
  });

  test('stays there while another name uses its code', () => {
    const trashId = t.vault.trash.addName('doctors', addDoctor('dr-a'), [], BY);
    const other = addDoctor('dr-a');
    expect(() => t.vault.trash.restore(trashId)).toThrow(expect.objectContaining({ code: 'trash.path_conflict' }));
    run('DELETE FROM doctors WHERE id = ?', other);
    t.vault.trash.restore(trashId);
    expect(all('SELECT canonical_code FROM doctors')).toEqual([{ canonical_code: 'dr-a' }]);
  });

  test('is not one that does not exist, nor an item of another kind', () => {
    expect(() => t.vault.trash.addName('doctors', 99, [], BY)).toThrow(
      expect.objectContaining({ code: 'name.not_found' }),
    );
    const trashId = t.vault.trash.addRows('document', addDocument(t, 'patients/a/1.pdf', 'one'), BY);
    expect(t.vault.trash.nameIn(trashId)).toBeNull();
  });
});

test('a file is restored beside a row, a planned move and a file of its name', () => {
  putFile(t.root, 'inbox/a.pdf', 'deleted');
  const trashId = t.vault.trash.addFile('inbox/a.pdf', { ...BY, fileHash: null });
  putFile(t.root, 'inbox/a.pdf', 'on disk');
  addDocument(t, 'inbox/a-2.pdf', 'in a row');
  t.vault.transaction(() => {
    putFile(t.root, 'tmp/b', 'planned');
    t.vault.journal.planMove('tmp/b', 'inbox/a-3.pdf');
    t.vault.trash.restore(trashId);
  });
  expect(filesOf(t.root)).toMatchObject({ 'inbox/a-3.pdf': 'planned', 'inbox/a-4.pdf': 'deleted' });
});

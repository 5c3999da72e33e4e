import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeOldDatabase } from '../../../test/support/old-database.ts';
import { openDatabase } from './connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-connection-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const writeDatabaseOf = (last: number, rows: string): string =>
  writeOldDatabase(join(folder, `vault-${last}.db`), last, rows);

test('a database of an earlier version keeps when its knowledge was seeded', () => {
  const file = writeDatabaseOf(
    10,
    "INSERT INTO knowledge_editions VALUES ('labs', 'edition 1', '2026-01-02T03:04:05')",
  );
  const db = openDatabase(file);
  expect(db.sqlite.prepare('SELECT part, edition, seeded_at FROM knowledge_editions').all()).toEqual([
    { part: 'labs', edition: 'edition 1', seeded_at: '2026-01-02T03:04:05' },
  ]);
  expect(db.sqlite.pragma('foreign_key_check')).toEqual([]);
  db.close();
});

test('documents of an earlier version that name another patient give no values any longer', () => {
  const document = (id: number, patient: number | null, status: string, code: string) => `
    INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
      review_reasons, created_at, updated_at)
    VALUES (${id}, ${patient}, '${id}.pdf', '${id}.pdf', 'application/pdf', 1, '${id}', '${status}',
      '[{"code":"${code}"}]', 'x', 'x');
    INSERT INTO document_extractions VALUES (${id}, '{"patient":{"date_of_birth":{"value":"1949-08-03"}}}');
    INSERT INTO lab_results (document_id, patient_id, test_name_original) VALUES (${id}, ${patient}, 'Ferritin');`;
  const file = writeDatabaseOf(
    11,
    [
      "INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena', 'x');",
      document(1, 1, 'needs_review', 'other_patient'),
      document(2, 1, 'needs_review', 'no_event_date'),
      document(3, 1, 'done', 'other_patient'),
      document(4, null, 'needs_review', 'no_patient'),
    ].join(''),
  );
  const db = openDatabase(file);
  const rows = db.sqlite
    .prepare(
      `SELECT d.id, d.patient_undecided, l.patient_id, d.extracted_birth_date FROM documents AS d
        JOIN lab_results AS l ON l.document_id = d.id ORDER BY d.id`,
    )
    .raw()
    .all();
  expect(rows).toEqual([
    [1, 1, null, '1949-08-03'],
    [2, 0, 1, '1949-08-03'],
    [3, 0, 1, '1949-08-03'],
    [4, 1, null, '1949-08-03'],
  ]);
  expect(db.sqlite.prepare('SELECT id FROM record_documents ORDER BY id').pluck().all()).toEqual([2, 3]);
  db.close();
});

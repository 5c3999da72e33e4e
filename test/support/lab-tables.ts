import { openDatabaseInMemory } from './new-database.ts';
import type { Database } from '../../src-main/platform/database/connection.ts';

type Values = Record<string, unknown>;

export interface LabTables {
  db: Database;
  insert(table: string, values: Values): number;
  patient(): number;
  /** A document from 2025-11-12. */
  document(patient: number | null, more?: Values): number;
  /** A result of Ferritin from 2025-11-12 without a document. */
  result(patient: number | null, more?: Values): number;
  /** A canonical entry of a laboratory test. */
  entry(code: string, more?: Values): number;
}

/** Patients, documents and lab results written straight into a database, in memory unless one is given. */
export function openLabTables(db: Database = openDatabaseInMemory()): LabTables {
  let count = 0;
  const insert = (table: string, values: Values): number => {
    const columns = Object.keys(values);
    return Number(
      db
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(values)).lastInsertRowid,
    );
  };
  const next = (): number => (count += 1);
  return {
    db,
    insert,
    patient: () => insert('patients', { slug: `elena-${next()}`, display_name: 'Elena Keller', created_at: 'x' }),
    document: (patient_id, more = {}) =>
      insert('documents', {
        patient_id,
        file_path: `report-${next()}.pdf`,
        original_filename: `report-${count}.pdf`,
        mime_type: 'application/pdf',
        doc_type: 'lab_test',
        event_date: '2025-11-12',
        file_size: 1,
        file_hash: String(count),
        status: 'done',
        created_at: 'x',
        updated_at: 'x',
        ...more,
      }),
    result: (patient_id, { value = 23, ...more } = {}) =>
      insert('lab_results', {
        patient_id,
        test_name_original: 'Ferritin',
        value,
        value_text: value === null ? null : String(value),
        unit: 'µg/L',
        test_date: '2025-11-12',
        ...more,
      }),
    entry: (canonical_code, more = {}) =>
      insert('norm_lab_tests', { canonical_code, canonical_display: canonical_code, created_at: 'x', ...more }),
  };
}

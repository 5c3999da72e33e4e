import { reindexDocument } from '../../src-main/features/documents/list/text-index-repository.ts';
import { aliasKey } from '../../src-main/features/names/name-key.ts';
import type { Client } from './client.ts';
import type { Household } from './household.ts';
import type { NameType } from './household-scope.ts';

const TABLES: Record<NameType, string> = {
  lab_tests: 'norm_lab_tests',
  specialties: 'norm_specialties',
  diagnoses: 'norm_diagnoses',
  medications: 'norm_medications',
  doctors: 'doctors',
  facilities: 'facilities',
};
/** What can be seen of names and of what refers to them. */
const SEEN = {
  ...Object.fromEntries(
    [...Object.values(TABLES), 'name_aliases'].map((table) => [table, `SELECT * FROM ${table} ORDER BY 1`]),
  ),
  results: 'SELECT id, norm_lab_test_id FROM lab_results',
  documents: 'SELECT id, doctor_id, facility_id, norm_specialty_id FROM documents',
  encounters: 'SELECT id, doctor_id, norm_diagnosis_id FROM encounters',
  found: 'SELECT id, people, labels FROM document_texts',
};

/** The address of a kind of names, or of something under it. */
export const at = (type: NameType, tail: number | string = ''): string =>
  `/api/normalization/${type}${tail === '' ? '' : `/${tail}`}`;
/** Changes a document. */
export const patch = (client: Client, document: number, body: unknown) =>
  client.call('PATCH', `/api/documents/${document}`, body);
/** Ids of the documents that a search finds. */
export const found = async (client: Client, q: string): Promise<number[]> =>
  (await client.get(`/api/documents?q=${encodeURIComponent(q)}&limit=200`)).body.items.map(
    (item: { id: number }) => item.id,
  );

export type NameRecords = ReturnType<typeof createNameRecords>;

/** Names, and records that refer to them, written into a household's database. */
export function createNameRecords(house: Household) {
  let count = 0;
  const insert = (table: string, values: Record<string, unknown>): number => {
    const columns = Object.keys(values);
    return Number(
      house.db
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(values)).lastInsertRowid,
    );
  };
  /** A row of a document, with its words in the search text. */
  const hung = (table: string, values: { document_id: number; [column: string]: unknown }): number => {
    const id = insert(table, values);
    reindexDocument(house.db, values.document_id);
    return id;
  };
  return {
    hung,
    /** An entry with its own spelling and some more. */
    entry(
      type: NameType,
      display: string,
      { aliases = [], auto = false, ...more }: { aliases?: string[]; auto?: boolean; [column: string]: unknown } = {},
    ): number {
      const code = `made-${(count += 1)}`;
      const id = insert(TABLES[type], {
        canonical_code: code,
        canonical_display: display,
        created_at: 'x',
        home_patient_id: house.patient,
        ...((type === 'doctors' || type === 'facilities') && { name: display }),
        ...more,
      });
      for (const alias of [display, ...aliases])
        insert('name_aliases', {
          kind: type,
          entry_id: id,
          alias,
          alias_key: aliasKey(type, alias),
          auto_mapped: auto ? 1 : 0,
          created_at: 'x',
        });
      return id;
    },
    result: (test: number | null, name: string, patient = house.patient): number =>
      hung('lab_results', {
        document_id: house.make.document({ patient }),
        patient_id: patient,
        test_name_original: name,
        norm_lab_test_id: test,
        value: 5,
        test_date: '2025-11-12',
      }),
    column: (table: string, name: string, id: number): unknown =>
      house.db.prepare(`SELECT ${name} FROM ${table} WHERE id = ?`).pluck().get(id),
    everything: (): Record<string, unknown[]> =>
      Object.fromEntries(Object.entries(SEEN).map(([name, sql]) => [name, house.db.prepare(sql).all()])),
  };
}

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeOldDatabase } from '../../../test/support/old-database.ts';
import { openTestVault, testLog, type TestVault } from '../../../test/support/vault.ts';
import { createAccess } from '../../platform/access/access.ts';
import { createCatchUp } from '../../platform/database/catch-up.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { createKnowledge } from '../../reading/knowledge/service.ts';
import { aliasKey } from './name-key.ts';
import { createNameService, type NameKind, type NameService } from './service.ts';

/** Two households, each with one patient, whose records share the entries of a vault from before circles. */
const [OWN, OTHER] = [1, 2];
const user = (userId: number): UserCaller => ({ kind: 'user', userId, role: 'editor', sessionId: 's' }) as never;

const document = (id: number, patient: number | null, uploader: number, fields: object = {}): string => {
  const columns = {
    ...{ id, patient_id: patient, uploaded_by_user_id: uploader, file_path: `${id}.pdf`, file_hash: `${id}` },
    ...{ original_filename: 'a.pdf', mime_type: 'application/pdf', file_size: 1, status: 'done' },
    ...{ created_at: 'x', updated_at: 'x', ...fields },
  };
  const values = Object.values(columns).map((value) => (value === null ? 'NULL' : `'${value}'`));
  return `INSERT INTO documents (${Object.keys(columns).join(', ')}) VALUES (${values.join(', ')});`;
};
const alias = (kind: NameKind, entry: number, text: string, auto = 0): string =>
  `INSERT INTO name_aliases (kind, entry_id, alias, alias_key, auto_mapped, created_at)
    VALUES ('${kind}', ${entry}, '${text}', '${aliasKey(kind, text)}', ${auto}, 'x');`;
const read = (id: number, doctor: string): string =>
  `INSERT INTO document_extractions VALUES (${id}, '{"doctor_name":{"value":"${doctor}"}}');`;

const ROWS = `
  INSERT INTO users (id, username, username_key, display_name, role, created_at) VALUES
    (1, 'own', 'own', 'x', 'editor', 'x'),
    (2, 'other', 'other', 'x', 'editor', 'x');
  INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena', 'x'), (2, 'marco', 'Marco', 'x');
  INSERT INTO patient_access (user_id, patient_id, role) VALUES (1, 1, 'owner'), (2, 2, 'owner');
  INSERT INTO norm_diagnoses (id, canonical_code, canonical_display, created_at) VALUES
    (1, 'schlotterkraut', 'Schlotterkraut Nebelsucht', 'x'), (2, 'eisenschwund', 'Eisenschwund', 'x');
  INSERT INTO norm_lab_tests (id, canonical_code, canonical_display, created_at, seeded) VALUES
    (1, 'ferritin', 'Ferritin', 'x', 1);
  INSERT INTO doctors (id, canonical_code, canonical_display, created_at, name) VALUES
    (1, 'peter-frisch', 'Prof. Peter Frisch', 'x', 'Peter Frisch');
  ${document(1, 1, 1, { doctor_id: 1 })} ${document(2, 2, 2, { doctor_id: 1 })} ${document(3, null, 2)}
  ${read(1, 'Dr. P. Frisch')} ${read(2, 'Prof. Peter Frisch')}
  INSERT INTO encounters (document_id, norm_diagnosis_id, diagnosis_original) VALUES (1, 1, 'Nebelsucht'),
    (2, 1, 'Schlotterkraut Nebelsucht'), (3, 1, 'Nebel von niemandem'), (2, 2, 'Eisenschwund');
  INSERT INTO lab_results (document_id, patient_id, norm_lab_test_id, test_name_original) VALUES (1, 1, 1, 'Ferritin'),
    (2, 2, 1, 'Ferritin (geheim)');
  ${alias('diagnoses', 1, 'Schlotterkraut Nebelsucht')} ${alias('diagnoses', 1, 'Nebelsucht', 1)}
  ${alias('diagnoses', 1, 'Nebel von niemandem', 1)} ${alias('diagnoses', 1, 'Geheime Schreibung')}
  ${alias('diagnoses', 2, 'Eisenschwund')} ${alias('diagnoses', 2, 'Von Hand')}
  ${alias('lab_tests', 1, 'Ferritin')} ${alias('lab_tests', 1, 'Ferritin (geheim)', 1)}
  ${alias('doctors', 1, 'Prof. Peter Frisch')} ${alias('doctors', 1, 'Dr. P. Frisch', 1)}`;

let t: TestVault, names: NameService;
const reindexed: number[] = [];

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-old-names-'));
  writeOldDatabase(join(root, 'vault.db'), 13, ROWS);
  t = openTestVault(root);
  const { db, vault, clock } = t;
  names = createNameService({
    ...{ db, vault, clock, access: createAccess({ db }), knowledge: createKnowledge(), language: () => 'en' },
    catchUp: createCatchUp({ db, clock, log: testLog(), transaction: vault.transaction }),
    documents: { reindex: (ids) => void reindexed.push(...ids) },
    announce: () => undefined,
    model: { isAvailable: () => false, ask: () => Promise.reject(new Error('none')) },
  });
  names.separateOldEntries();
});
afterAll(() => t.close());

const shown = (kind: NameKind, caller: number): object[] =>
  names.list(kind, { limit: 50, offset: 0 } as never, user(caller)).items.map((item) => ({
    name: item.canonical_display,
    spellings: item.aliases.map((spelling) => spelling.alias).sort(),
  }));

describe('after an upgrade, names of earlier versions', () => {
  it('are shown as the own records print them', () => {
    expect(shown('diagnoses', OWN)).toEqual([{ name: 'Nebelsucht', spellings: ['Nebelsucht'] }]);
    expect(shown('doctors', OWN)).toEqual([{ name: 'Dr. P. Frisch', spellings: ['Dr. P. Frisch'] }]);
    expect(shown('lab_tests', OWN)).toEqual([{ name: 'Ferritin', spellings: ['Ferritin'] }]);
  });

  it('keep their name and spellings for those whose records print them', () => {
    expect(shown('diagnoses', OTHER)).toEqual(
      expect.arrayContaining([
        { name: 'Schlotterkraut Nebelsucht', spellings: ['Schlotterkraut Nebelsucht'] },
        { name: 'Nebel von niemandem', spellings: ['Nebel von niemandem'] },
      ]),
    );
    expect(shown('doctors', OTHER)).toEqual([{ name: 'Prof. Peter Frisch', spellings: ['Prof. Peter Frisch'] }]);
    expect(shown('lab_tests', OTHER)).toEqual([{ name: 'Ferritin', spellings: ['Ferritin', 'Ferritin (geheim)'] }]);
  });

  it('of one household only keep what a user wrote', () => {
    expect(shown('diagnoses', OTHER)).toContainEqual({ name: 'Eisenschwund', spellings: ['Eisenschwund', 'Von Hand'] });
  });

  it('are found by the search of documents under their new name', () => {
    expect(new Set(reindexed)).toEqual(new Set([1, 3]));
  });

  it('are separated once', () => {
    const before = [t.db.prepare('SELECT count(*) FROM norm_diagnoses').pluck().get(), reindexed.length];
    names.separateOldEntries();
    expect([t.db.prepare('SELECT count(*) FROM norm_diagnoses').pluck().get(), reindexed.length]).toEqual(before);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLabTables, type LabTables } from '../../../test/support/lab-tables.ts';
import { openTestPipeline, type TestPipeline } from '../../../test/support/pipeline.ts';
import { createAccess } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { createKnowledge } from '../../reading/knowledge/service.ts';
import { createLabs, type Labs } from './service.ts';

/** The entry that the resolver finds for every name. */
const FOUND = 1;

let vault: TestPipeline, tables: LabTables, labs: Labs, owner: UserCaller, viewer: UserCaller;
let patient: number, document: number, resolved: unknown[][];
beforeAll(() => {
  vault = openTestPipeline();
  tables = openLabTables(vault.db);
  tables.entry('ferritin', { id: FOUND });
  tables.entry('other');
  labs = createLabs({
    testNames: () => null,
    ...vault,
    access: createAccess(vault),
    knowledge: createKnowledge(),
    knowsTest: (_user, id) => id < 99,
    testOf(_home, ...name) {
      resolved.push(name);
      return FOUND;
    },
  });
  owner = userNamed('owner');
  viewer = userNamed('viewer');
});
afterAll(() => vault.close());
beforeEach(() => {
  patient = tables.patient();
  for (const { userId, username } of [owner, viewer])
    tables.insert('patient_access', { user_id: userId, patient_id: patient, role: username });
  document = tables.document(patient);
  resolved = [];
  vault.messages.length = 0;
});

function userNamed(username: string): UserCaller {
  const names = { username, username_key: username, display_name: username };
  const userId = tables.insert('users', { ...names, role: 'editor', created_at: 'x' });
  return { kind: 'user', ip: '127.0.0.1', userId, username, displayName: username, role: 'editor', sessionId: 's' };
}
/** A result that reading found. */
const read = (more: Record<string, unknown> = {}): number =>
  tables.result(patient, { document_id: document, read_key: 'ferritin#1', ...more });
const update = (id: number, changes: Parameters<Labs['edits']['update']>[1], by = owner) =>
  labs.edits.update(id, changes, by);
const corrections = () =>
  vault.db
    .prepare('SELECT field, old_value, new_value FROM extraction_corrections WHERE document_id = ? ORDER BY field')
    .all(document) as { field: string; old_value: string; new_value: string | null }[];
const announced = () => vault.messages.map((message) => (message.kind === 'document' ? message.document_id : null));
const updatedAt = () => vault.db.prepare('SELECT updated_at FROM documents WHERE id = ?').pluck().get(document);
const failsWith = (code: string) => expect.objectContaining({ code });

describe('an added lab result', () => {
  const create = (changes: Omit<Parameters<Labs['edits']['create']>[0], 'document_id'>) =>
    labs.edits.create({ document_id: document, ...changes }, owner);

  it('has the patient and date of its document, and the entry of its name', () => {
    expect(create({ test_name_original: 'Ferritin', value: 23, unit: ' µg/L ', sample_type: 'Serum' })).toMatchObject({
      document_id: document,
      patient_id: patient,
      test_name_original: 'Ferritin',
      norm_lab_test_id: FOUND,
      value: 23,
      value_text: '23',
      unit: 'µg/L',
      is_abnormal: null,
      test_date: '2025-11-12',
      edited_fields: expect.arrayContaining(['test_date', 'unit', 'value', 'value_text']),
    });
    expect(resolved).toEqual([['Ferritin', 'Serum', 'µg/L']]);
    expect([announced(), updatedAt()]).toEqual([[document], '2026-11-21T08:00:00']);
  });

  it('keeps the given entry and date', () => {
    expect(create({ test_name_original: 'Fe', norm_lab_test_id: 2, test_date: '2024-01-01' })).toMatchObject({
      norm_lab_test_id: 2,
      test_date: '2024-01-01',
      value: null,
      value_text: null,
    });
    expect(create({ test_name_original: 'Fe', norm_lab_test_id: null })).toMatchObject({ norm_lab_test_id: null });
    expect(resolved).toEqual([]);
    create({ test_name_original: 'Fe' });
    expect(resolved).toEqual([['Fe', null, null]]);
  });

  it('is rejected for an unknown document or an unknown entry', () => {
    expect(() => labs.edits.create({ document_id: 987_654, test_name_original: 'Fe' }, owner)).toThrow(
      failsWith('document.not_found'),
    );
    expect(() => create({ test_name_original: 'Fe', norm_lab_test_id: 99 })).toThrow(
      failsWith('lab_result.test_not_found'),
    );
    expect(vault.db.prepare('SELECT count(*) FROM lab_results WHERE patient_id = ?').pluck().get(patient)).toBe(0);
    expect(announced()).toEqual([]);
  });

  it('needs a lower limit that is not above the upper one', () => {
    const range = (reference_range_low: number | null, reference_range_high: number | null) =>
      create({ test_name_original: 'BE', value: 0, reference_range_low, reference_range_high });
    expect(() => range(5, 3)).toThrow(failsWith('lab_result.invalid_range'));
    expect(range(3, 3)).toMatchObject({ reference_range_low: 3, reference_range_high: 3, is_abnormal: true });
    expect(range(3, null)).toMatchObject({ reference_range_low: 3, is_abnormal: true });
    expect(range(null, -2)).toMatchObject({ reference_range_high: -2, is_abnormal: true });
    expect(range(null, 2)).toMatchObject({ is_abnormal: false });
    expect(range(-2, null)).toMatchObject({ is_abnormal: false });
  });
});

describe('value and text of a lab result', () => {
  it('follow each other if only one is sent', () => {
    const id = read();
    expect(update(id, { value_text: '< 0,3' })).toMatchObject({ value: 0.3, value_text: '< 0,3' });
    expect(update(id, { value: 5.2 })).toMatchObject({ value: 5.2, value_text: '5.2' });
    expect(update(id, { value_text: 'trüb' })).toMatchObject({ value: null, value_text: 'trüb' });
    expect(update(id, { value: 4 })).toMatchObject({ value: 4, value_text: '4' });
    expect(update(id, { value: null })).toMatchObject({ value: null, value_text: null });
    update(id, { value: 4 });
    expect(update(id, { value_text: '  ' })).toMatchObject({ value: null, value_text: null });
  });

  it('stay as they are if both are sent', () => {
    expect(update(read(), { value: 5, value_text: 'ca. 5' })).toMatchObject({ value: 5, value_text: 'ca. 5' });
  });
});

describe('the mark of a lab result as abnormal', () => {
  const ranged = (more: Record<string, unknown> = {}) =>
    read({ reference_range_low: 30, reference_range_high: 300, is_abnormal: 1, ...more });

  it('follows the value and each limit', () => {
    expect(update(ranged(), { value: 45 }).is_abnormal).toBe(false);
    expect(update(ranged({ is_abnormal: 0 }), { value_text: '>300' }).is_abnormal).toBe(true);
    expect(update(ranged(), { reference_range_low: 20 }).is_abnormal).toBe(false);
    expect(update(ranged({ value: 40, is_abnormal: null }), { reference_range_high: 39 }).is_abnormal).toBe(true);
    expect(update(read({ is_abnormal: 1 }), { value: 24 }).is_abnormal).toBeNull();
  });

  it('stays if something else changes, or is what the user says', () => {
    expect(update(ranged({ value: 45 }), { unit: 'ng/mL' }).is_abnormal).toBe(true);
    expect(update(ranged(), { value: 45, is_abnormal: true }).is_abnormal).toBe(true);
    expect(update(ranged(), { value: 20, is_abnormal: null }).is_abnormal).toBeNull();
  });

  it('of a text stays as long as the text is the same', () => {
    const text = () => ranged({ value: null, value_text: 'trüb' });
    expect(update(text(), { reference_range_low: 20 }).is_abnormal).toBe(true);
    expect(update(text(), { value_text: 'trüb' }).is_abnormal).toBe(true);
    expect(update(text(), { value_text: 'klar' }).is_abnormal).toBeNull();
    expect(
      labs.edits.create({ document_id: document, test_name_original: 'Farbe', value_text: 'klar' }, owner).is_abnormal,
    ).toBeNull();
  });
});

describe('the name of a lab result', () => {
  const stored = { sample_type: 'Serum', unit: 'µg/L', norm_lab_test_id: 2 };

  it('gets the entry for its sample and unit if it changes', () => {
    expect(update(read(stored), { test_name_original: 'Fe' }).norm_lab_test_id).toBe(FOUND);
    update(read(stored), { test_name_original: 'Fe', sample_type: 'Urin', unit: 'mg/L' });
    expect(resolved).toEqual([
      ['Fe', 'Serum', 'µg/L'],
      ['Fe', 'Urin', 'mg/L'],
    ]);
  });

  it('keeps its entry if it is the same, or another one is chosen', () => {
    expect(update(read(stored), { test_name_original: 'Ferritin' }).norm_lab_test_id).toBe(2);
    expect(update(read(stored), { unit: 'mg/L' }).norm_lab_test_id).toBe(2);
    expect(update(read(), { test_name_original: 'Fe', norm_lab_test_id: 2 }).norm_lab_test_id).toBe(2);
    expect(resolved).toEqual([]);
  });
});

describe('a changed lab result', () => {
  it('is recorded as a correction of what was read, and announced', () => {
    expect(update(read(), { value: 24, unit: 'µg/L' }).edited_fields).toEqual(['value', 'value_text']);
    expect(corrections()).toEqual([
      { field: 'lab_results.value', old_value: '23', new_value: '24' },
      { field: 'lab_results.value_text', old_value: '23', new_value: '24' },
    ]);
    expect([announced(), updatedAt()]).toEqual([[document], '2026-11-21T08:00:00']);
  });

  it('stays as it was read if nothing is sent', () => {
    const id = read();
    expect(update(id, {}).edited_fields).toBeNull();
    expect(update(id, { unit: undefined, document_id: document }).edited_fields).toBeNull();
    expect([corrections(), updatedAt()]).toEqual([[], 'x']);
  });

  it('is rejected with all its changes if one is invalid', () => {
    const id = read();
    expect(() => update(987_654, { value: 1 })).toThrow(failsWith('lab_result.not_found'));
    expect(() => update(id, { value: 24, document_id: 987_654 })).toThrow(failsWith('document.not_found'));
    expect(update(id, {})).toMatchObject({ value: 23, document_id: document });
  });
});

describe('a lab result that moves to another document', () => {
  it('belongs to it, and the earlier document does not get it back', () => {
    const another = tables.document(patient);
    const id = read();
    expect(update(id, { document_id: another })).toMatchObject({
      document_id: another,
      patient_id: patient,
      edited_fields: [],
    });
    const [removal] = corrections();
    expect([removal?.field, JSON.parse(removal?.old_value ?? ''), removal?.new_value]).toMatchObject([
      'lab_results',
      { id, test_name_original: 'Ferritin' },
      null,
    ]);
    expect([announced(), updatedAt()]).toEqual([[document, another], '2026-11-21T08:00:00']);
  });

  it('stays with its patient', () => {
    const other = tables.patient();
    tables.insert('patient_access', { user_id: owner.userId, patient_id: other, role: 'owner' });
    const elsewhere = tables.document(other);
    expect(() => update(read(), { document_id: elsewhere })).toThrow(failsWith('document.not_found'));
    const unassigned = tables.result(null, {
      document_id: tables.document(null, { uploaded_by_user_id: owner.userId }),
    });
    expect(update(unassigned, { document_id: elsewhere })).toMatchObject({ document_id: elsewhere, patient_id: other });
  });

  it('needs a document that the user may change', () => {
    const another = tables.document(patient);
    expect(() => update(read(), { document_id: another }, viewer)).toThrow(failsWith('document.not_found'));
    expect(() => update(read(), { document_id: tables.document(null) })).toThrow(failsWith('document.not_found'));
    expect(corrections()).toEqual([]);
  });
});

describe('a removed lab result', () => {
  it('is in the trash under its name, and does not come back with another reading', () => {
    const id = read({ test_name_original: 'F'.repeat(300) });
    const { ok, trash_id, undo_until } = labs.edits.remove(id, owner);
    expect(vault.db.prepare('SELECT * FROM trash WHERE id = ?').get(trash_id)).toMatchObject({
      kind: 'lab_result',
      label: 'F'.repeat(200),
      patient_id: patient,
      deleted_by_user_id: owner.userId,
    });
    expect([ok, undo_until]).toEqual([true, '2026-12-21T08:00:00']);
    expect(corrections()).toMatchObject([{ field: 'lab_results', new_value: null }]);
    expect([announced(), updatedAt()]).toEqual([[document], '2026-11-21T08:00:00']);
    expect(() => labs.edits.remove(id, owner)).toThrow(failsWith('lab_result.not_found'));
  });

  it('counts as edited after a restore, so that a reading does not replace it', () => {
    const ids = [read(), read({ edited_fields: '["value"]' })];
    for (const id of ids) vault.vault.trash.restore(labs.edits.remove(id, owner).trash_id);
    expect(ids.map((id) => update(id, {}).edited_fields)).toEqual([[], ['value']]);
  });
});

describe('a doubtful lab result', () => {
  const doubtful = () =>
    read({ doubt: '["unit_missing","far_from_range"]', reference_range_comparator: '≤', reference_range_high: 5 });
  const stored = (id: number) =>
    vault.db.prepare('SELECT doubt, edited_fields, reference_range_comparator FROM lab_results WHERE id = ?').get(id);

  it('is settled by a click, and reading the document again does not doubt it', () => {
    const id = doubtful();
    expect(labs.edits.update(id, {}, owner).doubt).toEqual(['unit_missing', 'far_from_range']);
    expect(update(id, { confirmed: true })).toMatchObject({ doubt: [], reference_range_comparator: '≤' });
    expect(stored(id)).toEqual({ doubt: null, edited_fields: '[]', reference_range_comparator: '≤' });
    expect(corrections()).toEqual([]);
  });

  it('is settled by a change of its value, not by one of its sample', () => {
    const id = doubtful();
    expect(update(id, { sample_type: 'serum' }).doubt).toEqual(['unit_missing', 'far_from_range']);
    expect(update(id, { value: 7.3 }).doubt).toEqual([]);
  });

  it('loses the sign of its range with a new bound, unless one is given', () => {
    expect(update(doubtful(), { reference_range_high: 6 }).reference_range_comparator).toBeNull();
    expect(
      update(doubtful(), { reference_range_high: 6, reference_range_comparator: '≤' }).reference_range_comparator,
    ).toBe('≤');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLabTables, type LabTables } from '../../../test/support/lab-tables.ts';
import { createAccess } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { createKnowledge } from '../../reading/knowledge/service.ts';
import { createLabListRepository } from './list-repository.ts';
import { createLabReading } from './reading.ts';
import { createLabRepository } from './repository.ts';
import { createUnitConversion } from './unit-conversion.ts';

let tables: LabTables, reading: ReturnType<typeof createLabReading>, patient: number;
beforeAll(() => {
  tables = openLabTables();
  reading = createLabReading({
    access: createAccess({ db: tables.db }),
    repository: createLabRepository(tables.db, () => null),
    lists: createLabListRepository(tables.db),
    convert: createUnitConversion(),
    knowledge: createKnowledge(),
  });
});
afterAll(() => tables.db.close());
beforeEach(() => {
  patient = tables.patient();
});

type Values = Record<string, unknown>;
/** A result on a day of 2024, or without a date. */
const on = (test_date: string | null, value: number | null, more: Values = {}): number =>
  tables.result(patient, { test_date: test_date === null ? null : `2024-${test_date}`, value, ...more });
const glucose = { test_name_original: 'Glukose', unit: 'mmol/L' };
/** A canonical entry; its code is unique in the database. */
const entryOf = (more: Values): { id: number; code: string } => {
  const code = `code-${patient}-${Object.keys(more).length}`;
  return { id: tables.entry(code, more), code };
};

let users = 0;
const user = (role: UserCaller['role'], ...patients: number[]): UserCaller => {
  users += 1;
  const userId = tables.insert('users', {
    username: `user-${users}`,
    username_key: `user-${users}`,
    display_name: 'Ann',
    role,
    created_at: 'x',
  });
  for (const patient_id of patients) tables.insert('patient_access', { user_id: userId, patient_id, role: 'viewer' });
  return { kind: 'user', ip: '127.0.0.1', userId, username: 'ann', displayName: 'Ann', role, sessionId: 's' };
};
const PAGE = { limit: 100, offset: 0 };

describe('the list of lab results', () => {
  const ids = (query: Partial<Parameters<typeof reading.list>[0]>, by: UserCaller) => {
    const { items, total } = reading.list({ ...PAGE, ...query }, by);
    expect(total).toBe(items.length);
    return items.map(({ id }) => id);
  };

  it('without a patient holds the results that the user may see', () => {
    const [ann, admin] = [user('editor', patient), user('admin')];
    const own = on('01-01', 1);
    tables.result(tables.patient());
    // A document without a patient waits until a user decides whose it is.
    tables.result(null, { document_id: tables.document(null, { uploaded_by_user_id: ann.userId }) });
    expect(ids({}, ann)).toEqual([own]);
    expect(ids({}, user('editor'))).toEqual([]);
    expect(ids({}, admin)).toEqual([]);
    expect(ids({ test_name: 'ferr' }, admin)).toEqual([]);
    expect(ids({ patient_id: patient }, ann)).toEqual([own]);
    tables.db.prepare('DELETE FROM lab_results WHERE patient_id IS NULL').run();
  });

  it('of a patient holds no results of the other patients whom the user may see', () => {
    const other = tables.patient();
    const own = on('01-01', 1);
    tables.result(other);
    const ann = user('editor', patient, other);
    expect([ids({}, ann).length, ids({ patient_id: patient }, ann)]).toEqual([2, [own]]);
    expect(ids({ patient_id: patient, test_name: 'ferr' }, ann)).toEqual([own]);
  });

  it('by name finds printed names, and no results of unassigned documents', () => {
    const ann = user('editor', patient);
    const own = on('01-01', 1);
    on('01-02', 1, { test_name_original: 'Kalium' });
    tables.result(null, {
      document_id: tables.document(null, { uploaded_by_user_id: ann.userId }),
      test_name_original: 'Ferritin i.S.',
    });
    expect(ids({ test_name: 'FERRI' }, ann)).toEqual([own]);
    expect(ids({ test_name: 'FERRI', patient_id: patient }, ann)).toEqual([own]);
    expect(ids({ test_name: 'nothing' }, ann)).toEqual([]);
    tables.db.prepare('DELETE FROM lab_results WHERE patient_id IS NULL').run();
  });

  it('has the total of all pages, which follows new results', () => {
    const ann = user('editor', patient);
    const days = ['01-01', '01-02', '01-03'].map((day) => on(day, 1));
    const page = () => reading.list({ limit: 1, offset: 1, date_from: '2024-01-02' }, ann);
    expect(page()).toMatchObject({ total: 2, items: [{ id: days[1] }] });
    const newest = on('01-04', 1);
    expect(page()).toMatchObject({ total: 3, items: [{ id: days[2] }] });
    expect(reading.list({ ...PAGE, date_to: '2024-01-01' }, ann).items).toMatchObject([{ id: days[0] }]);
    expect(ids({}, ann)[0]).toBe(newest);
  });

  it('of orphans holds results without a document, but none of unassigned documents', () => {
    const admin = user('admin', patient);
    const orphan = on('01-01', 1);
    on('01-02', 1, { document_id: tables.document(patient) });
    tables.result(null);
    const { items, total } = reading.orphans(PAGE, admin);
    expect([items.map(({ id }) => id), total]).toEqual([[orphan], 1]);
    tables.db.prepare('DELETE FROM lab_results WHERE patient_id IS NULL').run();
  });
});

describe('the timeline of a test', () => {
  it('holds its values as printed, oldest first, those without a date last', () => {
    const document_id = tables.document(patient, { event_date: null });
    on(null, 4, { document_id });
    on('03-01', 3, { unit: 'ng/mL' });
    on('01-01', 1, { reference_range_low: 30, reference_range_high: 300 });
    on('02-01', null, { value_text: 'hämolytisch' });
    on('01-15', 9, { test_name_original: 'Kalium' });
    on('02-02', null);
    const line = {
      unit: 'µg/L',
      reference_range_low: null,
      reference_range_high: null,
      is_abnormal: null,
      canonical_display: null,
      comparator: null,
      reference_range_comparator: null,
      doubt: [],
      document_id: null,
    };
    const range = { reference_range_low: 30, reference_range_high: 300 };
    expect(reading.timeline({ patient_id: patient, test_name: 'FERRITIN' }).data).toEqual([
      { ...line, test_date: '2024-01-01', value: 1, value_text: '1', ...range },
      { ...line, test_date: '2024-02-01', value: null, value_text: 'hämolytisch' },
      { ...line, test_date: '2024-03-01', value: 3, value_text: '3', unit: 'ng/mL' },
      { ...line, test_date: null, value: 4, value_text: '4', document_id },
    ]);
    expect(reading.timeline({ patient_id: patient, test_name: 'Ferr' }).data).toEqual([]);
  });
});

describe('the summary of a patient', () => {
  const summary = () => reading.summary({ patient_id: patient });
  const only = () => {
    const { items } = summary();
    expect(items).toHaveLength(1);
    return items[0];
  };

  it('counts tests and results without a document, and names the newest document', () => {
    const document_id = tables.document(patient);
    on('01-01', 1, { document_id });
    on('01-02', 2, { test_name_original: 'Kalium' });
    expect(summary()).toMatchObject({
      total: 2,
      orphans: 1,
      latest_document_id: document_id,
      items: [{ name: 'Ferritin' }, { name: 'Kalium' }],
    });
    on('01-03', 3, { test_name_original: 'Natrium' });
    expect(summary()).toMatchObject({ total: 3, orphans: 2 });
  });

  it('shows the last result as printed, with its flag', () => {
    on('01-01', 20);
    const document_id = tables.document(patient);
    const id = on('02-01', 25, { document_id, value_text: '<25', reference_range_low: 30, reference_range_high: 300 });
    expect(only()).toMatchObject({
      key: 't:ferritin',
      last: {
        id,
        document_id,
        date: '2024-02-01',
        value: 25,
        comparator: '<',
        value_text: '<25',
        unit: 'µg/L',
        reference_range_low: 30,
        reference_range_high: 300,
        flag: 'low',
      },
    });
  });

  it('shows the ten newest values, and the trend of the last two', () => {
    for (let day = 28; day > 15; day -= 1) on(`01-${day}`, day === 28 ? 18 : day);
    expect(only()).toMatchObject({ trend: 'down', last: { value: 18 } });
    expect(only()?.series.map(({ date, value }) => [date, value])).toEqual([
      ...[19, 20, 21, 22, 23, 24, 25, 26, 27].map((day) => [`2024-01-${day}`, day]),
      ['2024-01-28', 18],
    ]);
  });

  it('judges a value without a range by the last range in its unit, unless a user called it normal', () => {
    const unit = { unit: 'mmol/L' };
    on('01-01', 5.1, { ...unit, reference_range_high: 5.5 });
    on('02-01', 5.9, { ...unit, reference_range_low: 3.9, reference_range_high: 5.6 });
    const letter = on('03-01', 6.9, { ...unit, is_abnormal: 0 });
    expect(only()?.last).toMatchObject({ value: 6.9, reference_range_high: 5.6, flag: 'high' });
    tables.db.prepare('UPDATE lab_results SET edited_fields = \'["is_abnormal"]\' WHERE id = ?').run(letter);
    expect(only()?.last).toMatchObject({ reference_range_high: null, flag: null });
    on('04-01', 110, { unit: 'mg/dL', is_abnormal: 0 });
    expect(only()?.last).toMatchObject({ reference_range_high: null, flag: null });
  });

  it('has no trend from a value that may have been read wrongly, nor draws it as sure', () => {
    on('01-01', 20);
    on('02-01', 200, { doubt: '["decimals_differ"]' });
    expect(only()).toMatchObject({ last: { value: 200 }, series: [{ value: 20 }], trend: null });
    on('03-01', 21);
    expect(only()).toMatchObject({ series: [{ value: 20 }, { value: 21 }], trend: 'steady' });
  });

  it('prefers a dated result to later ones without a date, and shows the last of those otherwise', () => {
    const document_id = tables.document(patient, { event_date: null });
    on(null, 6, { document_id });
    on(null, 7, { document_id });
    expect(only()).toMatchObject({ last: { value: 7, date: null }, series: [], trend: null });
    on('01-01', 5);
    on('02-01', 5.1, { document_id });
    on(null, 8, { document_id });
    expect(only()).toMatchObject({ last: { value: 5.1, date: '2024-02-01' }, trend: 'steady' });
  });

  it('shows a result that is not in the sparkline, but none that another one repeats', () => {
    const [first, second] = [tables.document(patient), tables.document(patient)];
    on('01-01', 5, { document_id: first });
    on('01-01', 5, { document_id: second });
    expect(only()).toMatchObject({ last: { document_id: first }, series: [{ value: 5 }], trend: null });
    on('02-01', null, { value_text: 'hämolytisch' });
    expect(only()).toMatchObject({ last: { value: null, value_text: 'hämolytisch' }, series: [{ value: 5 }] });
  });

  it('converts by the substance of the canonical entry, or of the printed name without one', () => {
    on('01-01', 90, { ...glucose, unit: 'mg/dL' });
    on('02-01', 5.2, glucose);
    on('01-01', 90, { test_name_original: 'XYZ', unit: 'mg/dL' });
    on('02-01', 5.2, { test_name_original: 'XYZ', unit: 'mmol/L' });
    const { id } = entryOf({ loinc_code: '14749-6' });
    on('01-01', 90, { test_name_original: 'ABC', unit: 'mg/dL', norm_lab_test_id: id });
    on('02-01', 5.2, { test_name_original: 'ABC', unit: 'mmol/L', norm_lab_test_id: id });
    const own = tables.entry(`own-${patient}`);
    on('01-01', 90, { ...glucose, unit: 'mg/dL', norm_lab_test_id: own });
    on('02-01', 5.2, { ...glucose, norm_lab_test_id: own });
    const byName = new Map(summary().items.map((item) => [item.key, item.series.map(({ value }) => value)]));
    expect(byName).toEqual(
      new Map([
        ['t:glukose', [4.99567, 5.2]],
        ['t:xyz', [5.2]],
        [`n:${id}`, [4.99567, 5.2]],
        // A user's entry without a LOINC code can be any test.
        [`n:${own}`, [5.2]],
      ]),
    );
  });
});

describe('a series of a test', () => {
  const series = (test: string, unit?: string) => reading.series({ patient_id: patient, test, unit });

  it('that is read again has the results that were added and changed meanwhile', () => {
    const first = on('01-01', 5, glucose);
    const values = () => series('Glukose').points.map(({ value }) => value);
    expect(values()).toEqual([5]);
    on('02-01', 6, glucose);
    expect(values()).toEqual([5, 6]);
    tables.db.prepare('UPDATE lab_results SET value = 4 WHERE id = ?').run(first);
    expect(values()).toEqual([4, 6]);
  });

  it('is found by its key, a printed name or the name of its entry', () => {
    const { id, code } = entryOf({ canonical_display: 'Ferritin (serum)' });
    on('01-01', 5, { test_name_original: 'Fe', norm_lab_test_id: id });
    on('02-01', 6, { test_name_original: 'S-Fe', norm_lab_test_id: id });
    on('02-01', 4, { test_name_original: 'Kalium' });
    for (const test of [`n:${id}`, 'fe', 's-fe', 'FERRITIN SERUM', code])
      expect(series(test), test).toMatchObject({
        test: { key: `n:${id}`, name: 'Ferritin (serum)', norm_lab_test_id: id, names: null },
        printed_names: ['Fe', 'S-Fe'],
        points: [{ value: 5 }, { value: 6 }],
      });
    expect(series('t:kalium').points).toHaveLength(1);
    expect(() => series('Natrium')).toThrow(expect.objectContaining({ code: 'lab_result.test_not_found' }));
  });

  it('names each spelling once, and the test as its latest dated result does', () => {
    on('02-01', 6, { test_name_original: 'KALIUM', sample_type: 'Serum', panel_name: 'Elektrolyte' });
    on('01-01', 5, { test_name_original: 'Kalium', panel_name: 'Chemie' });
    on('01-02', 5, { test_name_original: 'KALIUM' });
    on(null, 5, { test_name_original: 'S-Kalium' });
    const { test, printed_names } = series('t:kalium');
    expect([test.name, test.category]).toEqual(['KALIUM', 'Elektrolyte']);
    expect(printed_names.toSorted()).toEqual(['KALIUM', 'Kalium', 'S-Kalium']);
  });

  it('has the names by language of an entry from the knowledge base', () => {
    const seeded = tables.entry('ferritin', { canonical_display: 'Ferritin', loinc_code: '2276-4', seeded: 1 });
    on('01-01', 5, { norm_lab_test_id: seeded });
    expect(series('Ferritin').test.names).toMatchObject({ fr: 'Ferritine' });
  });

  it('without a dated result names the test as the last one', () => {
    on(null, 5, { test_name_original: 'KALIUM' });
    on(null, 5, { test_name_original: 'Kalium' });
    expect(series('t:kalium')).toMatchObject({ test: { name: 'Kalium' }, points: [], events: [], medications: [] });
  });

  it('is in the requested unit, and offers the preferred one of the entry or of the substance', () => {
    on('01-01', 90, { ...glucose, unit: 'mg/dL' });
    const units = (test: string) => series(test).units.map(({ unit }) => unit);
    expect(series('Glukose')).toMatchObject({ unit: 'mg/dL', points: [{ value: 90 }] });
    expect(series('Glukose', 'mmol/L')).toMatchObject({ unit: 'mmol/L', points: [{ value: 4.99567 }] });
    expect(units('Glukose')).toEqual(['mg/dL', 'mmol/L']);
    const { id } = entryOf({ loinc_code: '14749-6', unit_preferred: 'g/L' });
    on('01-01', 90, { test_name_original: 'ABC', unit: 'mg/dL', norm_lab_test_id: id });
    expect(units('ABC')).toEqual(['mg/dL', 'g/L']);
    on('01-01', 90, { test_name_original: 'XYZ', unit: 'mg/dL' });
    expect(units('XYZ')).toEqual(['mg/dL']);
  });

  it('comes with the events and medications between its first and last value', () => {
    for (const day of ['03-01', '01-01', '02-01', null]) on(day, 6);
    for (const [title, date_start] of [
      ['first', '2024-01-01'],
      ['last', '2024-03-01'],
      ['before', '2023-12-31'],
      ['after', '2024-03-02'],
    ])
      tables.insert('events', {
        patient_id: patient,
        title,
        slug: title,
        event_type: 'other',
        date_start,
        created_at: 'x',
        updated_at: 'x',
      });
    const document_id = tables.document(patient);
    for (const prescribed_date of ['2024-01-01', '2024-03-01', '2024-03-02'])
      tables.insert('medications', { document_id, brand_name: 'Ferinject', prescribed_date });
    const { events, medications } = series('Ferritin');
    expect([events.map(({ title }) => title), medications.map(({ date }) => date)]).toEqual([
      ['first', 'last'],
      ['2024-01-01', '2024-03-01'],
    ]);
  });
});

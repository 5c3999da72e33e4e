import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLabTables, type LabTables } from '../../../test/support/lab-tables.ts';
import { createLabMeasurements, type Measurement } from './measurements.ts';
import { createLabRepository } from './repository.ts';

let tables: LabTables, patient: number, entry: number, resolved: unknown[][];
let measurements: ReturnType<typeof createLabMeasurements>;
beforeAll(() => {
  tables = openLabTables();
  entry = tables.entry('body-weight');
  measurements = createLabMeasurements({
    db: tables.db,
    repository: createLabRepository(tables.db, () => null),
    testOf(_home, ...name) {
      resolved.push(name);
      return name[0] === 'Weight' ? entry : null;
    },
  });
});
afterAll(() => tables.db.close());
beforeEach(() => {
  patient = tables.patient();
  resolved = [];
});

const weight = (value: number, more: Partial<Measurement> = {}): Measurement => ({
  name: 'Weight',
  value,
  unit: 'kg',
  date: '2026-01-05',
  source: 'Scale',
  ...more,
});
const stored = () =>
  tables.db.prepare('SELECT * FROM lab_results WHERE patient_id = ? ORDER BY id').all(patient) as Record<
    string,
    unknown
  >[];
const values = () => stored().map(({ value }) => value);

test('adds a measurement without a document, under its source and its canonical test', () => {
  expect(measurements.add(patient, [weight(71.5)], 'each')).toMatchObject({ added: 1, already_there: 0 });
  expect(stored()).toMatchObject([
    {
      document_id: null,
      test_name_original: 'Weight',
      norm_lab_test_id: entry,
      value: 71.5,
      value_text: '71.5',
      unit: 'kg',
      panel_name: 'Scale',
      test_date: '2026-01-05',
      edited_fields: null,
      read_key: null,
    },
  ]);
});

test('resolves the name of many measurements once, and adds one without a canonical test', () => {
  const steps = weight(9000, { name: 'Steps', unit: null });
  measurements.add(patient, [weight(71), weight(72), steps, { ...steps, value: 8000 }], 'each');
  expect(resolved).toEqual([
    ['Weight', null, 'kg'],
    ['Steps', null, null],
  ]);
  expect(stored().map((row) => row['norm_lab_test_id'])).toEqual([entry, entry, null, null]);
});

test('adds a value of an app once, whether it comes from a phone backup or from an export', () => {
  const phone = weight(71, { source: 'Scale 🏠 (iPhone von Ann)' });
  const day = [phone, weight(72, { source: 'Other (iPhone von Ann)' })];
  expect(measurements.add(patient, day, 'each')).toMatchObject({ added: 2 });
  const exported = (value: number, more: Partial<Measurement> = {}) =>
    weight(value, { source: 'Scale 🏠 (Apple Health)', ...more });
  const again = [exported(71), exported(72), exported(71, { unit: 'lb' }), exported(71, { date: '2026-01-06' })];
  expect(measurements.add(patient, again, 'each')).toMatchObject({ added: 3, already_there: 1 });
  expect(measurements.add(patient, [exported(71), { ...phone, date: '2026-01-06' }], 'daily')).toMatchObject({
    added: 0,
    already_there: 2,
  });
});

test('adds each measurement of a day once, however often it is sent', () => {
  const day = [weight(71), weight(72)];
  expect([
    measurements.add(patient, day, 'each'),
    measurements.add(patient, [...day, weight(73)], 'each'),
  ]).toMatchObject([
    { added: 2, already_there: 0 },
    { added: 1, already_there: 2 },
  ]);
  expect(values()).toEqual([71, 72, 73]);
});

test('counts measurements of another day, source, name or patient as new', () => {
  const other = tables.patient();
  measurements.add(patient, [weight(71)], 'daily');
  expect(
    measurements.add(
      patient,
      [weight(71, { date: '2026-01-06' }), weight(71, { source: 'Watch' }), weight(71, { name: 'Lean mass' })],
      'daily',
    ),
  ).toMatchObject({ added: 3, already_there: 0 });
  expect(measurements.add(other, [weight(71)], 'daily')).toMatchObject({ added: 1, already_there: 0 });
});

test('does not take a result on a report for a measurement', () => {
  tables.result(patient, {
    document_id: tables.document(patient),
    test_name_original: 'Weight',
    value: 71,
    test_date: '2026-01-05',
    panel_name: 'Scale',
  });
  expect(measurements.add(patient, [weight(71)], 'each')).toMatchObject({ added: 1, already_there: 0 });
});

test('replaces the daily mean of a day, in number and text', () => {
  measurements.add(patient, [weight(71)], 'daily');
  expect(measurements.add(patient, [weight(71.4)], 'daily')).toMatchObject({ added: 0, already_there: 1 });
  expect(stored()).toMatchObject([{ value: 71.4, value_text: '71.4', edited_fields: null }]);
});

test('keeps a daily mean that a user has changed', () => {
  measurements.add(patient, [weight(71)], 'daily');
  tables.db
    .prepare(`UPDATE lab_results SET value = 70, value_text = '70', edited_fields = '["value"]' WHERE patient_id = ?`)
    .run(patient);
  expect(measurements.add(patient, [weight(71.4)], 'daily')).toMatchObject({ added: 0, already_there: 1 });
  expect(stored()).toMatchObject([{ value: 70, value_text: '70' }]);
});

test('does not write a daily mean that is the same', () => {
  measurements.add(patient, [weight(71)], 'daily');
  const changes = () => tables.db.prepare('SELECT total_changes()').pluck().get();
  const before = changes();
  measurements.add(patient, [weight(71)], 'daily');
  expect(changes()).toBe(before);
});

test('adds nothing if one of the measurements cannot be stored', () => {
  expect(() => measurements.add(patient, [weight(71), weight(72, { name: null as never })], 'each')).toThrow();
  expect(values()).toEqual([]);
});

test('removes what was added, unless a user changed it', () => {
  const { ids } = measurements.add(patient, [weight(71), weight(72, { date: '2026-01-06' })], 'each');
  expect(ids).toHaveLength(2);
  tables.db.prepare('UPDATE lab_results SET edited_fields = \'["value"]\' WHERE id = ?').run(ids[1]);
  measurements.remove(ids);
  expect(values()).toEqual([72]);
});

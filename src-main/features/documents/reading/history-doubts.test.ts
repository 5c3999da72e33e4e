import { beforeEach, describe, expect, it } from 'vitest';
import { openLabTables, type LabTables } from '../../../../test/support/lab-tables.ts';
import { compareWithHistory } from './history-doubts.ts';

let tables: LabTables, patient: number, test: number, laboratory: number;
beforeEach(() => {
  tables = openLabTables();
  patient = tables.patient();
  test = tables.entry('ferritin');
  laboratory = tables.insert('facilities', {
    name: 'Lab',
    canonical_code: 'lab',
    canonical_display: 'Lab',
    created_at: 'x',
  });
});

const report = (date: string, more: Record<string, unknown> = {}) => {
  const document_id = tables.document(patient, { facility_id: laboratory });
  const id = tables.result(patient, { document_id, test_date: date, norm_lab_test_id: test, ...more });
  return { document_id, id };
};
/** The doubts about the result of a report after it was stored. */
function doubtsOf({ document_id, id }: { document_id: number; id: number }): unknown {
  compareWithHistory(tables.db, document_id);
  return tables.db.prepare('SELECT doubt FROM lab_results WHERE id = ?').pluck().get(id);
}

describe('a stored result', () => {
  it('is doubtful far from the own curve of the person', () => {
    for (const [date, value] of [
      ['2025-01-01', 40],
      ['2025-03-01', 55],
    ] as const)
      report(date, { value });
    expect(doubtsOf(report('2025-05-01', { value: 480 }))).toBe('["curve_differs"]');
    expect(doubtsOf(report('2025-06-01', { value: 9 }))).toBe('["curve_differs"]');
    expect(doubtsOf(report('2025-07-01', { value: 90 }))).toBeNull();
  });

  it('has no curve after one result, in another unit, or of another person', () => {
    report('2025-01-01', { value: 40 });
    report('2025-02-01', { value: 41, unit: 'pmol/L' });
    report('2025-03-01', { value: 42, patient_id: tables.patient() });
    expect(doubtsOf(report('2025-05-01', { value: 480 }))).toBeNull();
  });

  it('is doubtful when its range is not the last one of the same laboratory', () => {
    report('2025-01-01', { value: 40, reference_range_low: 15, reference_range_high: 150 });
    const other = { value: 41, reference_range_low: 15, reference_range_high: 15 };
    expect(doubtsOf(report('2025-02-01', { ...other, doubt: '["poor_print"]' }))).toBe(
      '["poor_print","range_differs"]',
    );
    laboratory = tables.insert('facilities', {
      name: 'Lab 2',
      canonical_code: 'lab2',
      canonical_display: 'Lab 2',
      created_at: 'x',
    });
    expect(doubtsOf(report('2025-03-01', other))).toBeNull();
  });

  it('keeps what a user edited, and is not compared with doubtful ones', () => {
    for (const date of ['2025-01-01', '2025-02-01']) report(date, { value: 4000, doubt: '["decimals_differ"]' });
    for (const date of ['2025-03-01', '2025-04-01']) report(date, { value: 40 });
    expect(doubtsOf(report('2025-05-01', { value: 44 }))).toBeNull();
    expect(doubtsOf(report('2025-06-01', { value: 900, edited_fields: '["value"]' }))).toBeNull();
  });
});

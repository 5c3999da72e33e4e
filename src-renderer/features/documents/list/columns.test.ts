import { describe, expect, it } from 'vitest';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { columnsFrom, emptyColumns, firstOrder, fitColumns, shownColumns, withColumn } from './columns.ts';

describe('columns', () => {
  it('default to date, title, doctor, event and state, with the patient where all people are shown', () => {
    expect(columnsFrom(null, false)).toEqual(['event_date', 'title', 'doctor', 'event', 'status']);
    expect(columnsFrom(null, true)).toEqual(['event_date', 'patient', 'title', 'doctor', 'event', 'status']);
  });
  it("always include date and title, drop unknown ids, and keep the table's order", () => {
    expect(columnsFrom('status,shoe_size,doctor', false)).toEqual(['event_date', 'title', 'doctor', 'status']);
    expect(columnsFrom('', false)).toEqual(['event_date', 'title']);
  });
  it('are added and removed one at a time', () => {
    const fewer = withColumn('doctor,status', 'doctor', false);
    expect(columnsFrom(fewer, false)).toEqual(['event_date', 'title', 'status']);
    expect(columnsFrom(withColumn(fewer, 'patient', false), false)).toEqual([
      'event_date',
      'patient',
      'title',
      'status',
    ]);
  });
  it('keep the patient hidden where all people are shown once it was hidden there', () => {
    const hidden = withColumn('doctor', 'patient', true);
    expect(columnsFrom(hidden, true)).toEqual(['event_date', 'title', 'doctor']);
    const more = withColumn(hidden, 'status', false);
    expect(columnsFrom(more, true)).toEqual(['event_date', 'title', 'doctor', 'status']);
    expect(columnsFrom(withColumn(more, 'patient', true), true)).toContain('patient');
  });
  it('disappear while no document has anything in them, unless they were chosen nevertheless', () => {
    const row = { doctor_name: null, facility_name: 'Synlabor', event_title: null, tags: '', status: 'done' };
    const empty = emptyColumns([row as DocumentListItem]);
    expect(shownColumns(null, false, empty)).toEqual(['event_date', 'title']);
    expect(shownColumns('doctor,facility,tags', false, empty)).toEqual(['event_date', 'title', 'facility']);
    const chosen = withColumn('doctor,facility,tags', 'doctor', false, empty);
    expect(shownColumns(chosen, false, empty)).toEqual(['event_date', 'title', 'doctor', 'facility']);
    const filled = emptyColumns([row as DocumentListItem, { ...row, tags: 'knee' } as DocumentListItem]);
    expect(shownColumns(chosen, false, filled)).toContain('tags');
    expect(shownColumns(withColumn(chosen, 'doctor', false, empty), false)).not.toContain('doctor');
  });
  it('sort dates from the newest and texts from A', () =>
    expect(['event_date', 'created_at', 'doctor'].map(firstOrder)).toEqual(['desc', 'desc', 'asc']));

  it('fill the width, most of it with the title', () => {
    const fitted = fitColumns(columnsFrom('doc_type,doctor,facility,status', false), 1100);
    const width = (id: string): number => fitted.find((column) => column.id === id)?.width ?? 0;
    expect(fitted.map(({ id }) => id)).toEqual(['event_date', 'title', 'doc_type', 'doctor', 'facility', 'status']);
    expect(width('title')).toBeGreaterThan(width('doctor'));
    const sum = fitted.reduce((total, column) => total + column.width, 0);
    expect(sum).toBeLessThanOrEqual(1100);
    expect(sum).toBeGreaterThan(1100 - fitted.length);
  });
  it('are dropped on narrow screens, the least important first', () => {
    const ids = (width: number): string =>
      fitColumns(columnsFrom('doc_type,doctor,facility,event,tags,status', false), width)
        .map(({ id }) => id)
        .join(' ');
    expect(ids(2000)).toBe('event_date title doc_type doctor facility event tags status');
    expect(ids(860)).toBe('event_date title doctor facility event status');
    expect(ids(560)).toBe('event_date title status');
    expect(ids(320)).toBe('event_date title');
    expect(ids(0)).toBe('event_date title');
  });
});

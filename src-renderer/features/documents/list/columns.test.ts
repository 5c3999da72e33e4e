import { describe, expect, it } from 'vitest';
import { columnsFrom, firstOrder, fitColumns, withColumn } from './columns.ts';

describe('columns', () => {
  it('default to date, type, title and people', () =>
    expect(columnsFrom(null)).toEqual(['event_date', 'doc_type', 'title', 'doctor', 'facility', 'event', 'status']));
  it("always include date and title, drop unknown ids, and keep the table's order", () => {
    expect(columnsFrom('status,shoe_size,doctor')).toEqual(['event_date', 'title', 'doctor', 'status']);
    expect(columnsFrom('')).toEqual(['event_date', 'title']);
  });
  it('are added and removed one at a time', () => {
    const fewer = withColumn(columnsFrom('doctor,status'), 'doctor');
    expect(columnsFrom(fewer)).toEqual(['event_date', 'title', 'status']);
    expect(columnsFrom(withColumn(columnsFrom(fewer), 'patient'))).toEqual([
      'event_date',
      'title',
      'patient',
      'status',
    ]);
  });
  it('sort dates from the newest and texts from A', () =>
    expect(['event_date', 'created_at', 'doctor'].map(firstOrder)).toEqual(['desc', 'desc', 'asc']));

  it('fill the width, most of it with the title', () => {
    const fitted = fitColumns(columnsFrom('doc_type,doctor,facility,status'), 1100);
    const width = (id: string): number => fitted.find((column) => column.id === id)?.width ?? 0;
    expect(fitted.map(({ id }) => id)).toEqual(['event_date', 'doc_type', 'title', 'doctor', 'facility', 'status']);
    expect(width('title')).toBeGreaterThan(width('doctor'));
    const sum = fitted.reduce((total, column) => total + column.width, 0);
    expect(sum).toBeLessThanOrEqual(1100);
    expect(sum).toBeGreaterThan(1100 - fitted.length);
  });
  it('are dropped on narrow screens, the least important first', () => {
    const ids = (width: number): string =>
      fitColumns(columnsFrom('doc_type,doctor,facility,event,tags,status'), width)
        .map(({ id }) => id)
        .join(' ');
    expect(ids(2000)).toBe('event_date doc_type title doctor facility event tags status');
    expect(ids(860)).toBe('event_date doc_type title doctor facility status');
    expect(ids(560)).toBe('event_date title status');
    expect(ids(320)).toBe('event_date title');
    expect(ids(0)).toBe('event_date title');
  });
});

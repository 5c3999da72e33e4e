import { expect, test } from 'vitest';
import type { TimelineReply } from '../../../src-shared/contract/timeline.ts';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { CELL_PX, cellsOf, shareOf } from './cells.ts';

const year = { from: dayNumber('2024-01-01'), to: dayNumber('2025-01-01') };
const document = (id: number, date: string) => ({
  id,
  patient_id: 1,
  date,
  event_date: date,
  doc_type: null,
  title: `d${id}`,
  original_filename: `d${id}.pdf`,
  doctor_name: null,
  facility_name: null,
  specialty_display: null,
  specialty: null,
  highlights: {
    ...{ results: 0, in_range: 0, out_of_range: 0, doubtful: 0 },
    ...{ subjects: [], more: 0, stay: null, total: null },
  },
  event_id: null,
  event_color: null,
});
const reply = (more: Partial<TimelineReply>): TimelineReply => ({
  extent: null,
  range: null,
  events: [],
  documents: [],
  labs: [],
  imaging: [],
  unit: 'day',
  intervals: [],
  totals: { documents: 0, results: 0, imaging: 0, undated_documents: 0 },
  undated_events: [],
  specialties: [],
  ...more,
});

test('overlapping marks share a cell, separate ones do not', () => {
  const cells = cellsOf(
    'documents',
    reply({ documents: [document(1, '2024-03-01'), document(2, '2024-03-02'), document(3, '2024-09-01')] }),
    year,
    1000,
  );
  expect(cells.map(({ count, from, to }) => [count, from, to])).toEqual([
    [2, '2024-03-01', '2024-03-02'],
    [1, '2024-09-01', '2024-09-01'],
  ]);
  expect(cells.every(({ marks }) => marks.every(({ x }) => x >= 0 && x <= CELL_PX))).toBe(true);
});

test('cells keep their marks while panning', () => {
  const documents = Array.from({ length: 60 }, (_, i) =>
    document(i, `2024-0${1 + (i % 9)}-${String(1 + (i % 28)).padStart(2, '0')}`),
  );
  const counts = (shift: number) =>
    cellsOf('documents', reply({ documents }), { from: year.from + shift, to: year.to + shift }, 1000).map(
      ({ key, count }) => [key, count],
    );
  expect(counts(0.37)).toEqual(counts(0));
});

test('counted intervals become cells without items', () => {
  const [cell] = cellsOf(
    'results',
    reply({
      labs: null,
      unit: 'month',
      intervals: [{ date: '2024-02-01', documents: 0, results: 40, abnormal: 3, uncertain: 2, imaging: 0 }],
    }),
    year,
    1000,
  );
  expect(cell).toMatchObject({ count: 40, abnormal: 3, uncertain: 2, items: null, marks: [], from: '2024-02-01' });
  expect(
    cellsOf(
      'documents',
      reply({
        documents: null,
        intervals: [{ date: '2024-02-01', documents: 0, results: 1, abnormal: 0, uncertain: 0, imaging: 0 }],
      }),
      year,
      1000,
    ),
  ).toEqual([]);
});

test('results out of range are few when they are a single one of several, or a small share', () => {
  expect([
    shareOf({ count: 14, abnormal: 0 }),
    shareOf({ count: 14, abnormal: 1 }),
    shareOf({ count: 20, abnormal: 4 }),
    shareOf({ count: 20, abnormal: 5 }),
    shareOf({ count: 1, abnormal: 1 }),
  ]).toEqual(['none', 'few', 'few', 'many', 'many']);
});

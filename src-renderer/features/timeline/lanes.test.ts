import { expect, test } from 'vitest';
import type { TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { lanesOf } from './lanes.ts';

const event = (
  id: number,
  date_start: string,
  date_end: string | null = null,
  more: Partial<TimelineSpan> = {},
): TimelineSpan => ({
  id,
  patient_id: 1,
  title: 'Event',
  event_type: 'other',
  date_start,
  date_end,
  is_ongoing: false,
  severity: null,
  color: null,
  specialty: null,
  document_count: 0,
  ...more,
});
const year = { from: dayNumber('2024-01-01'), to: dayNumber('2025-01-01') };
const lanes = (...events: TimelineSpan[]) => lanesOf(events, year, 1000, '2026-11-21');

test('separate events share a lane, overlapping ones do not', () => {
  expect(
    lanes(
      event(1, '2024-01-01', '2024-03-01'),
      event(2, '2024-02-01', '2024-05-01'),
      event(3, '2024-04-01', '2024-06-01'),
    ).placed.map(({ lane }) => lane),
  ).toEqual([0, 1, 0]);
});

test('a title beside a short bar reserves its space', () => {
  expect(lanes(event(1, '2024-01-01', null, { title: 'A long title beside' }), event(2, '2024-01-20')).lanes).toBe(2);
});

test('ongoing events reach today or the edge; events outside the span are omitted', () => {
  const [ongoing] = lanes(event(1, '2023-06-01', null, { is_ongoing: true })).placed;
  expect([ongoing?.x, ongoing?.width]).toEqual([-8, 1016]);
  expect(lanes(event(1, '2020-01-01', '2020-02-01'), event(2, '2026-01-01')).placed).toEqual([]);
});

test('a one-day event is wide enough to click', () => {
  expect(lanes(event(1, '2024-05-05')).placed[0]?.width).toBe(24);
});

test('a title is placed before its bar near the end of the chart and reserves its space', () => {
  const late = lanes(
    event(1, '2024-10-01', null, { title: 'A long title before' }),
    event(2, '2024-12-20', null, { title: 'A long title before' }),
  );
  expect(late.placed.map(({ title }) => title)).toEqual(['after', 'before']);
  expect(late.lanes).toBe(2);
  expect(lanes(event(1, '2024-01-01', '2024-06-01')).placed[0]?.title).toBe('inside');
});

test('a long title has all the room of its lane beside its bar', () => {
  const title = 'Community-acquired pneumonia with pleural effusion';
  const [alone] = lanes(event(1, '2024-03-01', '2024-05-01', { title })).placed;
  expect([alone?.title, Math.round((alone?.x ?? 0) + (alone?.width ?? 0) + (alone?.room ?? 0))]).toEqual([
    'after',
    1000,
  ]);
  const [first, second] = lanes(
    event(1, '2024-01-02', null, { title: 'Fall' }),
    event(2, '2024-04-01', null, { title: 'Check' }),
  ).placed;
  expect([first?.lane, second?.lane]).toEqual([0, 0]);
  expect((first?.x ?? 0) + (first?.width ?? 0) + (first?.room ?? 0)).toBeLessThan(second?.x ?? 0);
  const [, late] = lanes(event(1, '2024-01-02'), event(2, '2024-11-20', null, { title })).placed;
  expect(late?.title).toBe('before');
  expect(late?.room).toBeGreaterThan(title.length * 6);
});

test('a title without room on both sides is on the wider one, or in a wide bar', () => {
  const title = 'x'.repeat(200);
  expect(lanes(event(1, '2024-02-01', null, { title }), event(2, '2024-11-01', null, { title })).placed).toMatchObject([
    { title: 'after' },
    { title: 'before' },
  ]);
  expect(lanes(event(1, '2024-01-02', '2024-12-01', { title })).placed[0]?.title).toBe('inside');
});

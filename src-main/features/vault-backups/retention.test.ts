import { describe, expect, it } from 'vitest';
import { expired, weekOf } from './retention.ts';
import { localDate, nextDue } from './schedule.ts';

const DAY = 86_400_000;
/** One backup per day, the newest first; ids count from the newest. */
const daily = (last: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: n,
    date: new Date(Date.parse(`${last}T00:00:00Z`) - n * DAY).toISOString().slice(0, 10),
  }));
const retained = (items: { id: number; date: string }[], daily_: number, weekly: number, monthly: number): string[] => {
  const gone = new Set(expired(items, { keep_daily: daily_, keep_weekly: weekly, keep_monthly: monthly }));
  return items.filter((item) => !gone.has(item.id)).map((item) => item.date);
};

describe('retention of backups', () => {
  it('retains the last of each day, week and month', () => {
    // 2026-11-21 is a Saturday.
    expect(retained(daily('2026-11-21', 100), 3, 3, 3)).toEqual([
      '2026-11-21',
      '2026-11-20',
      '2026-11-19',
      '2026-11-15',
      '2026-11-08',
      '2026-10-31',
      '2026-09-30',
    ]);
  });
  it('retains one a day, however many were made', () => {
    expect(
      expired(
        [
          { id: 9, date: '2026-11-21' },
          { id: 8, date: '2026-11-21' },
          { id: 7, date: '2026-11-20' },
        ],
        { keep_daily: 2, keep_weekly: 0, keep_monthly: 0 },
      ),
    ).toEqual([8]);
  });
  it('does not count days on which the machine was off', () => {
    expect(
      retained(
        [
          { id: 3, date: '2026-11-21' },
          { id: 2, date: '2026-08-02' },
          { id: 1, date: '2025-01-01' },
        ],
        3,
        0,
        0,
      ),
    ).toHaveLength(3);
  });
  it('always retains the newest', () => {
    expect(expired([{ id: 1, date: '2026-11-21' }], { keep_daily: 0, keep_weekly: 0, keep_monthly: 0 })).toEqual([]);
    expect(expired([], { keep_daily: 1, keep_weekly: 1, keep_monthly: 1 })).toEqual([]);
  });
  it('counts weeks from Monday', () => {
    expect(['2026-11-15', '2026-11-16', '2026-11-22', '2027-01-01'].map(weekOf)).toEqual([
      '2026-11-09',
      '2026-11-16',
      '2026-11-16',
      '2026-12-28',
    ]);
  });
});

describe('schedule of backups', () => {
  const at = (text: string): number => new Date(text).getTime();
  const plan = { folder: '/backups', every: 'day', at: '03:30' } as const;

  it('is due at the next planned time after the last backup, in local time', () => {
    expect(nextDue(plan, at('2026-11-21T08:00:00'))).toBe(at('2026-11-22T03:30:00'));
    expect(nextDue(plan, at('2026-11-21T03:29:59'))).toBe(at('2026-11-21T03:30:00'));
    expect(nextDue({ ...plan, every: 'week' }, at('2026-11-18T08:00:00'))).toBe(at('2026-11-22T03:30:00'));
  });
  it('is overdue when the machine slept through the planned time', () => {
    expect(nextDue(plan, at('2026-11-01T03:30:01'))).toBe(at('2026-11-02T03:30:00'));
  });
  it('is never due without a plan or a folder', () => {
    expect([nextDue({ ...plan, every: 'off' }, 0), nextDue({ ...plan, folder: null }, 0)]).toEqual([null, null]);
  });
  it('uses the local date', () => {
    expect(localDate(at('2026-03-01T00:30:00'))).toBe('2026-03-01');
  });
});

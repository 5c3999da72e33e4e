import { describe, expect, it } from 'vitest';
import { formatsOf } from './formats.ts';

const english = formatsOf('en-GB', () => 2026);
const german = formatsOf('de-CH', () => 2026);

describe('short dates', () => {
  it('have a year if it is not this one', () => {
    expect([english.day('2026-11-17'), english.day('2025-11-17'), english.day(null)]).toEqual([
      '17 Nov',
      '17 Nov 2025',
      '',
    ]);
    expect([german.day('2026-11-17'), german.day('2025-11-17')]).toEqual(['17. Nov.', '17. Nov. 2025']);
    expect(english.moment('2025-11-17T09:30:00')).toContain('2025');
    expect(english.moment('2026-11-17T09:30:00')).not.toContain('2026');
    expect([english.period('2026-10-05', '2026-10-09'), english.period('2025-10-05', '2025-10-09')]).toEqual([
      '5–9 Oct',
      '5–9 Oct 2025',
    ]);
  });
  it('shorten every month of British English to three letters', () => {
    const months = Array.from({ length: 12 }, (_, month) =>
      english.month(`2026-${String(month + 1).padStart(2, '0')}-01`),
    );
    expect(months.map((month) => month.length)).toEqual(Array.from({ length: 12 }, () => 3));
    expect(english.date('2026-09-03')).toBe('3 Sep 2026');
    expect(english.dateFull('2026-09-03')).toBe('3 September 2026');
  });
});

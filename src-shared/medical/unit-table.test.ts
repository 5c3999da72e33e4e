import { describe, expect, it, test } from 'vitest';
import { UNIT_TABLE } from './generated/unit-table.ts';
import { ucumOf } from './ucum-code.ts';
import { cleanUnit, isUnit, usualUnitsByGroup } from './unit.ts';

/** A count is only a unit in front of a slash. */
const wholeUnit = (kind: string, spelling: string): string => (kind === 'count' ? `${spelling}/L` : spelling);
const onPage = (kind: string, spelling: string): string => (kind === 'count' ? `${spelling}/µL` : spelling);
const SPELLINGS = UNIT_TABLE.flatMap((row) =>
  [...row.printed, ...row.aliases].map((spelling) => ({ ...row, spelling })),
);

describe('units.tsv', () => {
  test.each(SPELLINGS)('$kind "$spelling" has the UCUM code $ucum', ({ kind, spelling, ucum }) =>
    expect(ucumOf(wholeUnit(kind, spelling))).toBe(kind === 'count' ? `${ucum}/L` : ucum),
  );

  test.each(UNIT_TABLE.flatMap((row) => row.printed.map((spelling) => ({ ...row, spelling }))))(
    'the reader recognizes $kind "$spelling"',
    ({ kind, use, spelling }) => {
      const isPart = kind !== 'count' && use.includes('part');
      expect(isUnit(isPart ? `${spelling}/µL` : onPage(kind, spelling), { inColumn: true })).toBe(true);
      if (use.includes('column') || isPart) expect(isUnit(spelling)).toBe(false);
    },
  );

  test.each(UNIT_TABLE.filter((row) => row.use.includes('repair')))(
    'cleaning keeps the whole unit "$printed.0"',
    ({ printed: [spelling = ''], ucum }) => expect(ucumOf(cleanUnit(spelling))).toBe(ucum),
  );

  it('has a printed spelling and a code for every unit', () => {
    expect(UNIT_TABLE.length).toBeGreaterThan(100);
    expect(UNIT_TABLE.filter((row) => row.printed.length === 0 || row.ucum === '')).toEqual([]);
  });

  it('ranks each unit once within its group of tests', () => {
    for (const group of usualUnitsByGroup().keys()) {
      const ranks = UNIT_TABLE.flatMap((row) => row.usual[group] ?? []);
      expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks.map((_, index) => index + 1));
    }
  });
});

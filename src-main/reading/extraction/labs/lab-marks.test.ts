import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const rows = (lines: readonly string[]) =>
  readPrinted(lines).lab_results.map((row) => [
    row.test_name_original,
    row.value,
    row.unit,
    row.reference_range_low,
    row.reference_range_high,
    row.is_abnormal,
  ]);

describe('results with a mark', () => {
  it.each(['!', '!!', '(!)', '⚠', '[H]', '(H)', '!H', 'HI', '#', '•', '>', '-', '†'])(
    'have "%s" before their name, in a column of its own or not',
    (mark) => {
      for (const width of [6, mark.length + 1])
        expect(
          rows([
            `${' '.repeat(width)}Serum sodium              137 mmol/L      [133 - 146]`,
            `${mark.padEnd(width)}Serum urea level          9.1 mmol/L      [2.5 - 7.8]`,
            `${mark.padEnd(width)}Serum creatinine          102 umol/L      [45 - 84]`,
          ]),
        ).toEqual([
          ['Serum sodium', 137, 'mmol/L', 133, 146, false],
          ['Serum urea level', 9.1, 'mmol/L', 2.5, 7.8, true],
          ['Serum creatinine', 102, 'umol/L', 45, 84, true],
        ]);
    },
  );

  it('are flagged by a sign before their name, but not by a bullet', () => {
    const abnormal = (mark: string) => rows([`${mark}   Serum urea level     9.1     mmol/L`])[0]?.at(-1);
    expect(['!', '-', '•', '#'].map(abnormal)).toEqual([true, false, false, false]);
  });
});

describe('a cumulative table with lines', () => {
  it.each(['I', '|', 'l'])('has no result "%s" where a scan read a line as a letter', (sign) => {
    const found = readPrinted([
      'Kumulativbefund',
      'Parameter        Einheit     02.06.2025    04.06.2025    06.06.2025     Normbereich',
      'Natrium          mmol/l      129           133           137            135 - 145',
      'Kalium           mmol/l      3,3           3,8           4,1            3,5 - 5,1',
      `Kreatinin        mg/dl     ${sign} 1,61                        1,12           0,50 - 0,90`,
      `Ferritin         ng/ml       145    ${sign}                    151            30 - 400`,
    ]);
    const results = found.lab_results.slice(-4).map((row) => [row.test_name_original, row.value, row.test_date]);
    expect(results).toHaveLength(4);
    expect(results).toEqual(
      expect.arrayContaining([
        ['Kreatinin', 1.61, '2025-06-02'],
        ['Kreatinin', 1.12, '2025-06-06'],
        ['Ferritin', 145, '2025-06-02'],
        ['Ferritin', 151, '2025-06-06'],
      ]),
    );
  });
});

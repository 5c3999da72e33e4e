import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readLabResults } from './labs.ts';

const ctx: RowContext = {
  language: 'en',
  sex: 'F',
  dates: () => ({ collected: '2024-05-02', event: null }),
  parseDate: () => null,
};
const read = (lines: readonly string[]) =>
  readLabResults(buildLayout([printedPage(lines)]), ctx).map((row) => [
    row.test_name_original,
    row.value,
    row.unit,
    row.reference_range_low,
    row.reference_range_high,
    row.is_abnormal,
  ]);

describe('readLabResults', () => {
  it('reads a table by its headings', () => {
    expect(
      read([
        'Test               Result     Unit        Reference range',
        'Sodium             141        mmol/L      136 - 145',
        'Potassium          5.6        mmol/L      3.5 - 5.1',
      ]),
    ).toEqual([
      ['Sodium', 141, 'mmol/L', 136, 145, false],
      ['Potassium', 5.6, 'mmol/L', 3.5, 5.1, true],
    ]);
  });

  it('takes a unit in square brackets from the name', () => {
    expect(
      read([
        'Ferritine [µg/L]                  136      (15 - 150)',
        'Zinc [µmol/L]                     8,4 *    (11,0 - 19,0)',
      ]),
    ).toEqual([
      ['Ferritine', 136, 'µg/L', 15, 150, false],
      ['Zinc', 8.4, 'µmol/L', 11, 19, true],
    ]);
  });

  it('reads two tables side by side', () => {
    expect(
      read([
        'Analyse      Wert    Einheit   Referenz       Analyse      Wert    Einheit   Referenz',
        'Natrium      139     mmol/L    136 - 145      Lipase       72      U/L       13 - 60',
      ]),
    ).toEqual([
      ['Natrium', 139, 'mmol/L', 136, 145, false],
      ['Lipase', 72, 'U/L', 13, 60, true],
    ]);
  });

  it('does not read a medicine as a result', () => {
    expect(read(['Discharge medication', 'Januvia (sitagliptin)    100 mg    1-0-0-0    14 days'])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readVaccinations } from './vaccinations.ts';

const ctx: RowContext = {
  language: 'de',
  sex: null,
  dates: () => ({ collected: null, event: null }),
  parseDate: (text) =>
    text.replace(/^.*?(\d\d)\.(\d\d)\.(\d{4}).*$/s, '$3-$2-$1').match(/^\d{4}-\d\d-\d\d$/)?.[0] ?? null,
};
const read = (lines: readonly string[]) =>
  readVaccinations(buildLayout([printedPage(lines)]), ctx).map((row) => [
    row.vaccine_name,
    row.date_administered,
    row.lot_number,
    row.dose_number,
  ]);

describe('readVaccinations', () => {
  it('keeps dates and diseases out of the name when their headings are known', () => {
    expect(
      read([
        'Geimpft am     Impfstoff        Schutz gegen      Charge        Dosis',
        '03.02.2019     Havrix 1440      HAV               AB12345       2',
      ]),
    ).toEqual([['Havrix 1440', '2019-02-03', 'AB12345', 2]]);
  });

  it('separates columns with unknown headings', () => {
    expect(
      read([
        'Wann           Impfstoff        Wofür             Charge        Dosis',
        '03.02.2019     Havrix 1440      HAV               AB12345       2',
      ]),
    ).toEqual([['Havrix 1440', '2019-02-03', 'AB12345', 2]]);
  });

  it('takes the lot from a cell that a long abbreviation reaches into', () => {
    const [row] = read(['Data           Vaccino          Lotto', '03.02.2019     Infanrix hexa    Td-IPV-Hib  U84560']);
    expect(row?.[2]).toBe('U84560');
  });

  it('separates product and lot of one cell', () => {
    expect(
      read([
        'Datum          Handelsname und Chargen-Nr.      gegen',
        '03.02.2019     Varivax Ch.-B.: FE6878B          VZV',
      ]),
    ).toEqual([['Varivax', '2019-02-03', 'FE6878B', null]]);
  });

  it('takes the product beside its disease without a heading', () => {
    expect(
      read([
        'Vaccine                        Date Given     Lot #',
        'FSME / TBE     Encepur         03.02.2019     P33428B',
        'MMR            M-M-RVAXPRO     04.03.2019     FE6367B',
      ]).map((row) => row[0]),
    ).toEqual(['Encepur', 'M-M-RVAXPRO']);
  });

  it('reads a line without a table', () => {
    expect(read(['Boostrix   03.02.2019   Lot AC37B123'])).toEqual([['Boostrix', '2019-02-03', 'AC37B123', null]]);
  });

  it('records nothing from a sentence that only names a vaccine', () => {
    expect(read(['Next tetanus booster in ten years.'])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readMedications } from './medicines.ts';

const ctx: RowContext = {
  language: 'en',
  sex: null,
  dates: () => ({ collected: null, event: '2024-05-02' }),
  parseDate: () => null,
};
const read = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), ctx).map((row) => [
    row.brand_name,
    row.active_ingredient_original,
    row.dosage,
    row.frequency,
  ]);

describe('readMedications', () => {
  it('reads a list with the substance under each brand and directions on separate lines', () => {
    expect(
      read([
        'Rp.',
        'Zestril 10 mg tablets',
        'lisinopril',
        'S: 1-0-0-0',
        'Lasix 40 mg tablets',
        'furosemide',
        'S: 1-1-0-0',
      ]),
    ).toEqual([
      ['Zestril', 'lisinopril', '10 mg', '1-0-0-0'],
      ['Lasix', 'furosemide', '40 mg', '1-1-0-0'],
    ]);
  });

  it('reads directions under each medicine without a heading above them', () => {
    expect(
      read([
        'Glucophage 850 mg, cpr',
        '1 1 fois par jour pendant 10 jours',
        'Unheardofin 10 mg, cpr',
        '1 2 fois par jour',
      ]),
    ).toEqual([
      ['Glucophage', null, '850 mg', '1 fois par jour'],
      ['Unheardofin', null, '10 mg', '2 fois par jour'],
    ]);
    expect(
      read([
        'Concor 5 mg tablets',
        'Sig: take 1 by mouth at night',
        'Voltaren 75 mg cpr   n. 2 conf.',
        'S. 1 2 volte al giorno',
      ]).map((row) => row[3]),
    ).toEqual(['1 by mouth at night', '2 volte al giorno']);
  });

  it('reads the half tablets that a scan shows as per cent', () =>
    expect(read(['Arzneimittel     Stärke     Einnahme', 'Glucophage       850 mg     %-0-%'])[0]?.[3]).toBe('½-0-½'));

  it('writes the sign of micro', () => expect(read(['Rp.', 'Symbicort 200 ug at night'])[0]?.[2]).toBe('200 µg'));

  it('excludes the number of a row from its name', () => {
    const [row] = read(['No    Medicine              Directions', '1     Lipitor 20 mg         once daily']);
    expect(row).toEqual(['Lipitor', null, '20 mg', 'once daily']);
  });

  it('takes the brand below the substance of the same row', () => {
    expect(
      read([
        'Medikament                Stärke          Dosierung',
        'pantoprazol               40 mg           1-0-0-0',
        'Pantozol',
      ]),
    ).toEqual([['Pantozol', 'pantoprazol', '40 mg', '1-0-0-0']]);
  });

  it('counts the numbers under the times of day', () => {
    const [row] = read([
      'Farmaco            Dosaggio      Mattino    Mezzogiorno    Sera    Notte',
      'Concor             5 mg          1          0              1       0',
    ]);
    expect(row).toEqual(['Concor', null, '5 mg', '1-0-1-0']);
  });

  it('reads no medicine from a sentence or a laboratory value', () => {
    expect(
      read([
        'Therapy',
        'Serum glucose 5.4 mmol/L',
        'The patient was seen twice and felt well at the last visit in our clinic on Monday.',
      ]),
    ).toEqual([]);
  });
});

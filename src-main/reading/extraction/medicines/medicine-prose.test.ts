import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readMedications } from './medicines.ts';

const ctx: RowContext = {
  language: 'en',
  sex: null,
  dates: () => ({ collected: null, event: null }),
  parseDate: () => null,
};
const read = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), ctx).map((row) => [
    row.brand_name ?? row.active_ingredient_original,
    row.dosage,
    row.frequency,
  ]);

describe('medicines in running text', () => {
  it('are known names with a strength or a frequency, across lines', () => {
    expect(
      read([
        'She remains well on her present treatment, which is lisinopril 10 mg once daily and',
        'simvastatin 40 mg at night, and I have added omeprazole 20 mg twice daily for a month.',
      ]),
    ).toEqual([
      ['lisinopril', '10 mg', 'once daily'],
      ['simvastatin', '40 mg', 'at night'],
      ['omeprazole', '20 mg', 'twice daily'],
    ]);
  });

  it('are read in German, French and Italian', () => {
    expect(
      read(['Wir empfehlen bis zur nächsten Kontrolle eine Therapie mit Torasemid 10 mg täglich und salzarme Kost.']),
    ).toEqual([['Torasemid', '10 mg', 'täglich']]);
    expect(
      read(['Nous avons introduit ce jour un traitement par furosémide 40 mg le matin avec un bon effet clinique.']),
    ).toEqual([['furosémide', '40 mg', 'le matin']]);
    expect(
      read(['Si consiglia di iniziare una terapia con furosemide 25 mg al mattino e di controllare il peso corporeo.']),
    ).toEqual([['furosemide', '25 mg', 'al mattino']]);
  });

  it('are not those that are denied, of the past, or without a dose', () => {
    expect(
      read([
        'He was treated with amoxicillin 500 mg three times daily in the spring without success at that time.',
        'He is allergic to penicillin and takes no ibuprofen 400 mg because of the pain in his stomach now.',
        'We discussed whether methotrexate could be an option for him in the future if the pain returns again.',
      ]),
    ).toEqual([]);
  });
});

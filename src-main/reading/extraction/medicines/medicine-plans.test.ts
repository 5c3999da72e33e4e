import { describe, expect, it } from 'vitest';
import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';

import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readMedications } from './medicines.ts';

const ctx: RowContext = {
  language: 'de',
  sex: null,
  dates: () => ({ collected: null, event: null }),
  parseDate: () => null,
};
const read = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), ctx).map((row) => [row.brand_name, row.dosage, row.frequency]);

describe('medication plans', () => {
  it('keep a medicine whose reason or note names a vital sign', () => {
    expect(
      read([
        'Handelsname        Stärke    Morgens   Mittags   Abends   Grund',
        'Candesartan 1A     8 mg      1         0         0        Blutdruck',
        'Nebivolol          5 mg      ½         0         0        Puls über 100',
      ]),
    ).toEqual([
      ['Candesartan 1A', '8 mg', '1-0-0'],
      ['Nebivolol', '5 mg', '½-0-0'],
    ]);
  });

  it('read headings that are broken by a hyphen', () => {
    expect(
      read([
        'Handelsname        Stärke    Mor-      Mit-      Abends   Hinweise',
        '                             gens      tags',
        'Torasemid          10 mg     1         0         1        -',
      ]),
    ).toEqual([['Torasemid', '10 mg', '1-0-1']]);
  });

  it('read hours with an h above the columns, and a number with a speck behind it', () => {
    expect(
      read([
        'Médicament             Dosage    08h00   12h00   18h00   22h00',
        'Beloc (métoprolol)     50 mg     1       0       1       0',
        'Toujeo                 300 E     0       0       0       14.',
      ]),
    ).toEqual([
      ['Beloc', '50 mg', '1-0-1-0'],
      ['Toujeo', '300 E', '0-0-0-14'],
    ]);
  });
});

it('reads schedules by the clock, times a day by pieces, and conditions', () => {
  const schedules: [string, string][] = [
    ['Furosemide 25 mg 2 cpr alle ore 9 e ore 17', '2 cpr alle ore 9 e ore 17'],
    ['Levodopa 100 mg um 7 Uhr und 19 Uhr', 'um 7 Uhr und 19 Uhr'],
    ['Prednisone 20 mg à 8 h et 20 h', 'à 8 h et 20 h'],
    ['Warfarin 3 mg at 6 pm', 'at 6 pm'],
    ['Novalgin 500 mg 3 x 2', '3 x 2'],
    ['Paracétamol 1 g trois fois par jour si douleur ou fièvre', 'trois fois par jour si douleur ou fièvre'],
    ['Eltroxin 100 µg täglich nüchtern', 'täglich nüchtern'],
    ['Metformina 850 mg due volte al giorno ai pasti', 'due volte al giorno ai pasti'],
  ];
  expect(schedules.map(([text]) => findFrequency(text)?.text)).toEqual(schedules.map(([, printed]) => printed));
});

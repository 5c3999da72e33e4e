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

  it('go on in the second line of each cell, with the form below the name', () => {
    expect(
      read([
        'Medicine                    Dose         How often        For how    Change',
        'Augmentin (co-amoxiclav)    625 mg       three times a    5 days     NEW',
        'tablet                                   day',
        'Eltroxin (levothyroxine)    100          once a day       ongoing    was 75',
        'tablet                      micrograms                               micrograms',
      ]),
    ).toEqual([
      ['Augmentin', '625 mg', 'three times a day'],
      ['Eltroxin', '100 micrograms', 'once a day'],
    ]);
  });

  it('read counts between the two lines of a row, of which the second one is the substance', () => {
    const page = printedPage([
      'Medikament             Früh    Mittag   Abend   Nacht',
      'Norvasc 5 mg',
      '                       1       0        0       0',
      'Amlodipin, Tablette',
      '',
      '',
      'Sortis 40 mg',
      '                       0       0        0       1',
      'Atorvastatin, Filmtablette',
    ]);
    const counts = page.words.filter(({ text }) => /^[01]$/.test(text));
    const words = page.words.map((word) => (counts.includes(word) ? { ...word, y: word.y - 0.004 } : word));
    const found = readMedications(buildLayout([{ ...page, words }]), ctx);
    expect(found.map((row) => [row.brand_name, row.active_ingredient_original, row.dosage, row.frequency])).toEqual([
      ['Norvasc', 'Amlodipin', '5 mg', '1-0-0-0'],
      ['Sortis', 'Atorvastatin', '40 mg', '0-0-0-1'],
    ]);
  });

  it('read milliliters that a scan spoilt, and the substance with its form below', () => {
    const page = printedPage([
      'Medikamente',
      'Amoxicillin 250 mg/5 mil   5 mi dreimal täglich',
      'Doliprane 200 mg   1 sachet toutes les 6 heures',
      'paracétamol - sachet',
    ]);
    const found = readMedications(buildLayout([{ ...page, source: 'ocr' }]), ctx);
    expect(found.map((row) => [row.brand_name, row.active_ingredient_original, row.dosage, row.frequency])).toEqual([
      ['Amoxicillin', null, '250 mg/5 ml', '5 ml dreimal täglich'],
      ['Doliprane', 'paracétamol', '200 mg', '1 sachet toutes les 6 heures'],
    ]);
  });

  it('read the one of a gram that a scan took for a letter', () => {
    const page = printedPage([
      'Medicines on discharge',
      'Medicine           Dose           Frequency',
      'Co-amoxiclav       625 mg         three times a day',
      'Paracetamol        lg             four times a day',
      'Metformin          I g            twice a day',
    ]);
    const found = readMedications(buildLayout([{ ...page, source: 'ocr' }]), ctx);
    expect(found.map((row) => [row.brand_name, row.dosage?.replace(/\s/g, '')])).toEqual([
      ['Co-amoxiclav', '625mg'],
      ['Paracetamol', '1g'],
      ['Metformin', '1g'],
    ]);
  });

  it('read cards with a labelled strength below the name', () => {
    expect(
      read([
        'CURRENT (2)',
        'Ventolin salbutamol',
        'Strength: 100 mcg   inhaler',
        'Directions: 2 puffs when needed',
        'Singulair montelukast',
        'Strength: 5 mg   chewable tablet',
        'Directions: 1 tablet at bedtime',
      ]),
    ).toEqual([
      ['Ventolin salbutamol', '100 mcg', '2 puffs when needed'],
      ['Singulair montelukast', '5 mg', '1 tablet at bedtime'],
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

import { expect, test } from 'vitest';
import { MEDICINE_LAYOUTS } from '../../../../test/support/medicine-layouts.ts';
import { medicineRows, medicinesIn } from '../../../../test/support/printed-rows.ts';

test.each(MEDICINE_LAYOUTS)('reads the medicines of: $title', ({ lines, rows }) => {
  const read = medicineRows(lines).map(({ brand_name, active_ingredient_original, dosage, frequency }) => {
    const substance = active_ingredient_original === null ? '' : `/${active_ingredient_original}`;
    return `${brand_name ?? ''}${substance} | ${dosage ?? '-'} | ${frequency ?? '-'}`;
  });
  expect(read.sort()).toEqual([...rows].sort());
});

test('reads a substance without a brand, and one with its label below the brand', () => {
  expect(
    medicineRows([
      'Handelsname    Wirkstoff     Stärke    Morgen   Mittag   Abend   Nacht',
      '–              Lisinopril    20 mg     1        0        0       0',
      'Nomexor        Nebivolol     5 mg      1        0        0       0',
    ]).map((row) => [row.brand_name, row.active_ingredient_original, row.frequency]),
  ).toEqual([
    ['Lisinopril', 'Lisinopril', '1-0-0-0'],
    ['Nomexor', 'Nebivolol', '1-0-0-0'],
  ]);
  expect(
    medicineRows(['Ricetta', 'BISOPROLOLO ABC 2,5 mg', 'principio attivo: bisoprololo', '1 compressa al mattino']).map(
      (row) => [row.brand_name, row.active_ingredient_original, row.frequency],
    ),
  ).toEqual([['BISOPROLOLO ABC', 'bisoprololo', '1 compressa al mattino']]);
});

test('does not take the strength of a long name for a number of pieces', () => {
  expect(
    medicinesIn([
      'Arzneimittel               früh   mittags   abends   nachts',
      'Ramilich 5 mg              1      0         0        0',
      'Bisoprolol-ratiopharm 2,5 mg      1      0         1        0',
    ])[1]?.slice(0, 2),
  ).toEqual(['Bisoprolol-ratiopharm', '2,5 mg']);
});

test('reads cards side by side, each with how it is taken below', () => {
  expect(
    medicinesIn([
      'Traitement à poursuivre',
      'INNOVAIR 200/6 µg             SPIRIVA RESPIMAT 2,5 µg',
      '2 bouffées matin et soir      2 bouffées le matin',
      'MONTELUKAST 10 mg             VENTOLINE 100 µg',
      '1 comprimé le soir            2 bouffées si gêne',
    ]),
  ).toEqual([
    ['INNOVAIR', '200/6 µg', '2 bouffées matin et soir'],
    ['SPIRIVA RESPIMAT', '2,5 µg', '2 bouffées le matin'],
    ['MONTELUKAST', '10 mg', '1 comprimé le soir'],
    ['VENTOLINE', '100 µg', '2 bouffées si gêne'],
  ]);
});

test('reads lists with circled numbers, squares of codes beside them, and "as before" in front of a name', () => {
  expect(
    medicineRows([
      'Rezept',
      '▞▚▞▚      1. Pantoprazol Aristo 20 mg 14 Tabl. PZN 09999922',
      '▚▞▞▚      1-0-0',
      '▞▚▞▚      2. Ortoton 750 mg 30 Tabletten, PZN 09999933',
      '▚▞▞▚      1-1-1',
    ]).map((row) => [row.brand_name, row.frequency]),
  ).toEqual([
    ['Pantoprazol Aristo', '1-0-0'],
    ['Ortoton', '1-1-1'],
  ]);
  expect(
    medicineRows([
      'Ordonnance',
      '① VENTOLINE 100 µg',
      '2 bouffées si gêne',
      '② FLIXOTIDE 125 µg',
      '1 bouffée le soir',
    ]).map((row) => row.brand_name),
  ).toEqual(['VENTOLINE', 'FLIXOTIDE']);
  expect(
    medicineRows([
      'Medikation',
      'NEU              Rivaroxaban 15 mg       1-0-1',
      'WIE BISHER       Lactulose 10 g          2x tgl.',
    ]).map((row) => row.active_ingredient_original ?? row.brand_name),
  ).toEqual(['Rivaroxaban', 'Lactulose']);
});

test('does not take a share of the heart, of work or of the air for a strength', () => {
  const TABLE = 'Medikation bei Austritt';
  expect(
    medicineRows([TABLE, 'Dafalgan 500 mg 1-1-1-1', 'AUF 100 %', 'Sinusrhythmus, EF 60%', 'Vaselin 10 %']).map(
      (row) => row.brand_name,
    ),
  ).toEqual(['Dafalgan', 'Vaselin']);
});

import { describe, expect, it } from 'vitest';
import { medicineRows, medicinesIn } from '../../../../test/support/printed-rows.ts';

/** A title, the printed lines, and name, dosage and frequency of each medicine. */
type Case = readonly [string, readonly string[], readonly (readonly (string | null)[])[]];

const read = (_: string, lines: Case[1], expected: Case[2]): void => expect(medicinesIn(lines)).toEqual(expected);

describe('names of medicines', () => {
  it.each<Case>([
    [
      'leave out what to do with them from now on',
      ['Plan:', '1. Start Meloxicam 7.5 mg once daily with food', '2. Continue Metformin 500 mg twice daily'],
      [
        ['Meloxicam', '7.5 mg', 'once daily with food'],
        ['Metformin', '500 mg', 'twice daily'],
      ],
    ],
    [
      'end at a strength without a unit',
      ['Medication', 'Fostair 200/6 two puffs twice daily', 'Atorvastatin 40 at night'],
      [
        ['Fostair', '200/6', 'two puffs twice daily'],
        ['Atorvastatin', '40', 'at night'],
      ],
    ],
    [
      'are no sentence about the stay',
      ['Medikamente', 'Dafalgan 1 g 1-1-1-1', 'Fadenzug beim Hausarzt. Arbeitsunfähigkeit 100 % bis Freitag.'],
      [['Dafalgan', '1 g', '1-1-1-1']],
    ],
    [
      'are above the lines of a prescription that say how much is handed out',
      ['Rx Mupirocin ointment 2%', 'Sig: apply to affected area twice daily x 5 days', 'Dispense: 22 g    Refills: 0'],
      [['Mupirocin', '2%', 'apply to affected area twice daily']],
    ],
    [
      'go on below with the unit of their strength',
      ['Repeat medication', 'Clenil Modulite (beclometasone) 100', 'micrograms/ml inhaler', 'Two puffs twice a day'],
      [['Clenil', '100 micrograms/ml', 'Two puffs twice a day']],
    ],
  ])('%s', read);

  it('have their substance in brackets, not a note', () => {
    const substancesIn = (line: string) =>
      medicineRows(['Medication', line]).map((row) => row.active_ingredient_original);
    expect(substancesIn('Xarelto (rivaroxaban) 15 mg once daily')).toEqual(['rivaroxaban']);
    expect(substancesIn('Xarelto (rivaroxabon) 15 mg once daily')).toEqual(['rivaroxabon']);
    expect(substancesIn('Losartan 50 mg daily (last given at noon)')).toEqual([null]);
    expect(substancesIn('Losartan 50 mg daily (Blutdruck)')).toEqual([null]);
  });
});

describe('directions of medicines', () => {
  it.each<Case>([
    [
      'say how many puffs, which are no strength',
      ['Medications:', 'Ventolin 2 puffs PRN'],
      [['Ventolin', null, '2 puffs PRN']],
    ],
    [
      'are broken into two lines',
      [
        'Medicines on discharge',
        'Levetiracetam 500 mg tablets',
        'Take ONE tablet in the morning and TWO',
        'tablets at night',
        'Omeprazole 20 mg capsules one capsule each morning before',
        'breakfast',
      ],
      [
        ['Levetiracetam', '500 mg', 'ONE tablet in the morning and TWO tablets at night'],
        ['Omeprazole', '20 mg', 'one capsule each morning before breakfast'],
      ],
    ],
    [
      'are in a sentence that prescribes',
      ['Si prescrive amoxicillina 1 g ogni 12 ore per 6 giorni.'],
      [['amoxicillina', '1 g', 'ogni 12 ore']],
    ],
    [
      'are under headings with other words before the medicines',
      [
        'Current Outpatient Medications',
        '• metFORMIN (GLUCOPHAGE) 1000 MG tablet, Take 1,000 mg by mouth 2 times daily with meals.',
        '• albuterol 90 mcg/actuation inhaler, Inhale 2 puffs every 6 hours as needed for wheezing.',
      ],
      [
        ['metFORMIN', '1000 MG', 'by mouth 2 times daily with meals'],
        ['albuterol', '90 mcg', '2 puffs every 6 hours as needed for wheezing'],
      ],
    ],
    [
      'are between the lines of a table that were read as bars',
      ['Medikation', 'Ramipril 5 mg | 1 | 0 | 0 | 0', 'Torasemid 10 mg | 1 | 0 | ½ | 0'],
      [
        ['Ramipril', '5 mg', '1-0-0-0'],
        ['Torasemid', '10 mg', '1-0-½-0'],
      ],
    ],
    [
      'are not the numbers of strength and pack',
      ['Rp.', 'Xylometazolin 0,1 % 10 ml', 'S: 3 x tgl. 1 Sprühstoß'],
      [['Xylometazolin', '0,1 %', '3 x tgl. 1 Sprühstoß']],
    ],
  ])('%s', read);
});

describe('a list beside other text', () => {
  it('is read in its own column, and slips without directions add nothing', () => {
    expect(
      medicinesIn([
        'Amlodipine 5 mg tablets                      ☐ Amlodipine 5 mg tablets',
        'Supply 28 tablets                            One to be taken each day',
        'Clenil Modulite 100 micrograms inhaler       ☐ Clenil Modulite (beclometasone) 100',
        'Supply 1                                     micrograms/dose inhaler',
        'No. of items: 2                              Two puffs twice a day',
        '                                             ☐ Lansoprazole 15 mg capsules',
        '                                             One to be taken each morning',
      ]),
    ).toEqual([
      ['Amlodipine', '5 mg', 'One to be taken each day'],
      ['Clenil', '100 micrograms', 'Two puffs twice a day'],
      ['Lansoprazole', '15 mg', 'One to be taken each morning'],
    ]);
  });
});

describe('plans of the day on scans', () => {
  it.each<Case>([
    [
      'have counts under headings that were not read',
      [
        'Farmaco                      Dose      M    Note',
        'Xarelto (rivaroxaban)        15 mg     0    (0)   1   |0   ripreso',
      ],
      [['Xarelto', '15 mg', '0-0-1-0']],
    ],
    [
      'have letters instead of digits',
      ['Terapia alla dimissione', 'Concor (bisoprololo)      2.5 mg      Il    o    (0)    (0)'],
      [['Concor', '2.5 mg', '1-0-0-0']],
    ],
    [
      'have an unknown heading over the names',
      [
        'Zubereitungen        Stärke   früh   mittag   abend   Nacht',
        'Novalgin             500 mg   1      1        1       1',
      ],
      [['Novalgin', '500 mg', '1-1-1-1']],
    ],
    [
      'go on below with the amount',
      [
        'Arznei               Stärke     früh   mittag   abend   Nacht',
        'Oleovit D3 Tropfen              1x wöchentlich 30',
        '                                Tropfen',
      ],
      [['Oleovit D3', null, '1x wöchentlich 30 Tropfen']],
    ],
    [
      'have a percent sign for a half',
      ['Medikation', 'Metoprolol 47,5 mg   1-0-%'],
      [['Metoprolol', '47,5 mg', '1-0-½']],
    ],
  ])('%s', read);
});

it('has the strengths of both substances, and no number of the pharmacy before its name', () => {
  expect(medicinesIn(['Terapia:', 'Cosopt collirio 20 mg/ml + 5 mg/ml: 1 goccia x 2/die OO'])).toEqual([
    ['Cosopt', '20 mg/ml + 5 mg/ml', '1 goccia x 2/die OO'],
  ]);
  expect(medicinesIn(['Medicines:', 'Adcal-D3 1500 mg/400 units two tablets once daily'])).toEqual([
    ['Adcal-D3', '1500 mg/400 units', 'two tablets once daily'],
  ]);
  expect(medicinesIn(['Pharmacy record', 'Rx 700413 sertraline 100 mg 1 tablet by mouth once daily'])).toEqual([
    ['sertraline', '100 mg', '1 tablet by mouth once daily'],
  ]);
});

import { describe, expect, it } from 'vitest';
import { medicinesIn } from '../../../../test/support/printed-rows.ts';

describe('plans of medicines', () => {
  it('read the columns of the German medication plan', () => {
    expect(
      medicinesIn([
        'Wirkstoff       Handelsname            Stärke    Form     Mo  Mi  Ab  zN   Einheit  Hinweise',
        'Nebivolol       Nebilet                5 mg      Tabl     1   0   0   0    Stück',
        'Pravastatin     Pravasin               20 mg     Tabl     0   0   1   0    Stück',
        'Insulin glulisin  Apidra               100 E/ml  Lösung   12  0   14  0    I.E.     vor dem Essen',
      ]),
    ).toEqual([
      ['Nebilet', '5 mg', '1-0-0-0'],
      ['Pravasin', '20 mg', '0-0-1-0'],
      ['Apidra', '100 E/ml', '12-0-14-0'],
    ]);
  });

  it('read hours above the columns, and words across them', () => {
    expect(
      medicinesIn([
        'Medikament          Stärke    7 Uhr    12 Uhr    19 Uhr    Hinweis',
        'Carvedilol          6,25 mg   1        0         1         zum Essen',
        'Acenocoumarol       1 mg               nach INR            Pass mitnehmen',
        'Metamizol           500 mg             bei Bedarf          max. 4 x 1',
      ]),
    ).toEqual([
      ['Carvedilol', '6,25 mg', '1-0-1'],
      ['Acenocoumarol', '1 mg', 'nach INR'],
      ['Metamizol', '500 mg', 'bei Bedarf'],
    ]);
  });

  it('leave out what a column says was stopped', () => {
    expect(
      medicinesIn([
        'Drug            Dose      Route   Frequency        Status       Comments',
        'Felodipine      5 mg      PO      OD               Continued',
        'Losartan        50 mg     PO      OD               Stopped      potassium',
      ]),
    ).toEqual([['Felodipine', '5 mg', 'OD']]);
  });
});

describe('lists of medicines', () => {
  it('begin beside a heading or after its colon', () => {
    expect(
      medicinesIn([
        'Therapie                 Maxalt (Rizatriptan) 10 mg: bei Bedarf',
        '                         Metoprolol 50 mg: 1-0-1',
        'Verlauf                  Kontrolle in drei Monaten',
      ]),
    ).toEqual([
      ['Maxalt', '10 mg', 'bei Bedarf'],
      ['Metoprolol', '50 mg', '1-0-1'],
    ]);
    expect(medicinesIn(['Terapia: Naprossene 500 mg, 1 compressa ogni 12 ore per 5 giorni.'])).toEqual([
      ['Naprossene', '500 mg', '1 compressa ogni 12 ore'],
    ]);
    expect(medicinesIn(['Medication: lansoprazole 15 mg once daily, citalopram 20 mg once daily.'])).toEqual([
      ['lansoprazole', '15 mg', 'once daily'],
      ['citalopram', '20 mg', 'once daily'],
    ]);
  });

  it('have bullets and numbers that are not part of a name', () => {
    for (const bullet of ['Rx 2: ', '— ', '☐ ', '3.) ', '2] '])
      expect([bullet, medicinesIn(['Current medication', `${bullet}Telmisartan 40 mg tablet, once daily`])]).toEqual([
        bullet,
        [['Telmisartan', '40 mg', 'once daily']],
      ]);
  });

  it('in a column to the right have no names from the column to the left', () => {
    expect(
      medicinesIn([
        'ATTENDING               Medications at discharge',
        'Ada Moss, MD            ☐ Torsemide 20 mg tablet every morning',
        'EMERGENCY CONTACT       ☐ Apixaban 5 mg tablet twice daily',
        'Tom Moss (husband)      ☐ Metoprolol 25 mg tablet twice daily',
      ]),
    ).toEqual([
      ['Torsemide', '20 mg', 'every morning'],
      ['Apixaban', '5 mg', 'twice daily'],
      ['Metoprolol', '25 mg', 'twice daily'],
    ]);
  });

  it('have medicines without a strength above their directions', () => {
    expect(
      medicinesIn(['ORDONNANCE', 'NASACORT spray nasal', '2 pulvérisations 1 fois par jour pendant 10 jours'])[0],
    ).toEqual(['NASACORT', null, '2 pulvérisations 1 fois par jour']);
    expect(medicinesIn(['Repeat medication', 'Senna 7.5mg tablets', 'Two to be taken at night'])[0]).toEqual([
      'Senna',
      '7.5 mg',
      'Two to be taken at night',
    ]);
  });

  it('have no medicines that were stopped, given once or not tolerated', () => {
    expect(
      medicinesIn([
        'Aktuelle Medikation:',
        'Rivaroxaban 20 mg 1-0-0',
        'Verapamil 80 mg wurde wegen Bradykardie gestoppt.',
        'Nicht mehr einnehmen: Diclofenac 75 mg, Piroxicam 20 mg',
        'Past item, no longer issued: Cetirizine 10 mg tablets',
        'Given in ED: ondansetron 4 mg IV once.',
        'Antibioprophylaxie par céfazoline 2 g à l’induction.',
        'Allergies: amoxicilline 1 g (urticaire)',
        'Dabigatran: stop dal 04.05.2024',
        'Sospende: Allopurinolo 300 mg',
      ]),
    ).toEqual([['Rivaroxaban', '20 mg', '1-0-0']]);
  });

  it('have no medicines on the line that continues such a sentence', () => {
    expect(
      medicinesIn([
        'Discharge medication',
        'Bumetanide 1 mg once daily',
        'Stopped: Doxazosin 4 mg because of dizziness, and after the bleeding also',
        'Diclofenac 50 mg twice daily.',
      ]),
    ).toEqual([['Bumetanide', '1 mg', 'once daily']]);
  });
});

it('reads names without the sentence around them, and units of a scheme as no strength', () => {
  expect(medicinesIn(['We agreed to increase sulfasalazine to 1 g twice daily'])).toEqual([
    ['sulfasalazine', '1 g', 'twice daily'],
  ]);
  expect(medicinesIn(['Traitement actuel : Xarelto 20 mg x 1/j, nébivolol 5 mg le matin.'])).toEqual([
    ['Xarelto', '20 mg', 'x 1/j'],
    ['nébivolol', '5 mg', 'le matin'],
  ]);
  expect(medicinesIn(['Medikation bei Entlassung', 'Insulin glargin        0-0-0-14 IE'])).toEqual([
    ['Insulin glargin', null, '0-0-0-14'],
  ]);
  expect(medicinesIn(['Cefuroxime 1.5 g IV was given prior to incision.'])).toEqual([]);
});

it('reads what replaced a stopped medicine in the same sentence', () => {
  expect(
    medicinesIn([
      'Amlodipine was stopped because of ankle swelling and she was started on losartan 50 mg once daily instead.',
    ]),
  ).toEqual([['losartan', '50 mg', 'once daily']]);
});

it('has items that nobody knows among others with a number, but no other advice', () => {
  expect(
    medicinesIn([
      'Therapie:',
      '1. Enstilar Schaum, 1x täglich abends',
      '2. Soolantra Creme 10 mg/g, 1x täglich',
      '3. Zinksalbe bei Bedarf',
      '4. Physiotherapie bei Bedarf',
    ]).map(([name]) => name),
  ).toEqual(['Enstilar', 'Soolantra', 'Zinksalbe']);
  expect(
    medicinesIn([
      '1) DOLIPRANE 2,4 %',
      '1 dose toutes les 6 heures si fièvre',
      '2) STERIMAR',
      '1 pulvérisation par narine 4 fois par jour',
    ]).map(([name, , frequency]) => [name, frequency]),
  ).toEqual([
    ['DOLIPRANE', '1 dose toutes les 6 heures si fièvre'],
    ['STERIMAR', '1 pulvérisation par narine 4 fois par jour'],
  ]);
});

it('has directions below a name, also where a scan lost the colon of their label', () => {
  expect(
    medicinesIn([
      'ORDONNANCE',
      '1) DESLORATADINE 5 mg, comprimé',
      '   Posologie   1 fois par jour — Durée   30 jours',
      '2) AMOXICILLINE 500 mg, gélule',
      '   Posologie   3 fois par jour — Durée   6 jours',
      '3) COVERSYL 5 mg, comprimé',
      '   Posologie   1-0-1-0',
    ]),
  ).toEqual([
    ['DESLORATADINE', '5 mg', '1 fois par jour'],
    ['AMOXICILLINE', '500 mg', '3 fois par jour'],
    ['COVERSYL', '5 mg', '1-0-1-0'],
  ]);
});

it('reads cards with the substance and the directions below the brand, but none that was stopped', () => {
  expect(
    medicinesIn([
      'La mia terapia',
      'Eutirox 50 mcg',
      'levotiroxina, compresse',
      '1 volta al giorno',
      'Xanax 0,25 mg',
      'alprazolam',
      'SOSPESO dal 10 gennaio 2025',
      'Pantorc 40 mg',
      'pantoprazolo, compresse',
      '1 volta al giorno',
    ]),
  ).toEqual([
    ['Eutirox', '50 mcg', '1 volta al giorno'],
    ['Pantorc', '40 mg', '1 volta al giorno'],
  ]);
});

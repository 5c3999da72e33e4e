import { describe, expect, it } from 'vitest';
import { medicinesIn } from '../../../../test/support/printed-rows.ts';

describe('what is not taken any more', () => {
  it('is left out by a cell with a reason, a yes or no, or a word in front', () => {
    expect(
      medicinesIn([
        'Medication        Dose      Frequency     Action',
        'Indapamide        1.5 mg    od            Stopped due to gout',
        'Losartan          50 mg     od            Started',
      ]),
    ).toEqual([['Losartan', '50 mg', 'od']]);
    expect(
      medicinesIn([
        'Name            Dose      When            Continue?',
        'Omeprazole      20 mg     morning         Yes',
        'Diclofenac      50 mg     three times a day   No',
      ]),
    ).toEqual([['Omeprazole', '20 mg', 'morning']]);
    expect(
      medicinesIn([
        'Status      Medikament        Dosis     Einnahme',
        'NEU         Apixaban          5 mg      1-0-1',
        'STOPP       Rivaroxaban       20 mg     1-0-0',
      ]),
    ).toEqual([['Apixaban', '5 mg', '1-0-1']]);
    expect(
      medicinesIn([
        'Medicamento      Dosis     Frecuencia         Estado',
        'Enalapril        10 mg     cada 12 horas      Activo',
        'Naproxeno        500 mg    cada 12 horas      Suspendido',
      ]),
    ).toEqual([['Enalapril', '10 mg', 'cada 12 horas']]);
  });

  it('is left out by words of the present behind it', () => {
    expect(
      medicinesIn([
        'Medikamente:',
        'Metformin 500 mg 1-0-1, aktuell pausiert',
        'Candesartan 8 mg 1-0-0',
        'Marcumar 3 mg - derzeit nicht',
        'Gabapentin 300 mg TID (patient not taking)',
      ]),
    ).toEqual([['Candesartan', '8 mg', '1-0-0']]);
  });

  it('is left out under headings, and so is what a table of allergies or a stay lists', () => {
    expect(
      medicinesIn([
        'Medicines not to be taken any more:',
        'Digoxin 125 mcg once daily',
        'Medicines to take at home:',
        'Edoxaban 60 mg once daily',
      ]),
    ).toEqual([['Edoxaban', '60 mg', 'once daily']]);
    expect(
      medicinesIn([
        'Allergy            Reaction',
        'Codeine 30 mg      Nausea',
        'Medication         Dose       Frequency',
        'Sertraline         50 mg      once daily',
      ]),
    ).toEqual([['Sertraline', '50 mg', 'once daily']]);
    expect(
      medicinesIn([
        'Therapie während des Aufenthalts:',
        'Ceftriaxon 2 g i.v. vom 01.03. bis 05.03.2024',
        'Entlassungsmedikation:',
        'Cefuroxim 500 mg 1-0-1',
      ]),
    ).toEqual([['Cefuroxim', '500 mg', '1-0-1']]);
  });
});

it('leaves out what was given then and there, and the rest of a sentence in brackets', () => {
  expect(
    medicinesIn([
      'Polypropylene mesh fixed with 2/0 Prolene. Bupivacaine 0.25% infiltrated. Wound closed in layers.',
      'Il paziente ha avuto un carico con ticagrelor 180 mg in pronto soccorso e poi la coronarografia.',
      'Therapie:',
      'Adalimumab) zu erwägen.',
      'Candesartan 8 mg 1-0-0',
    ]),
  ).toEqual([['Candesartan', '8 mg', '1-0-0']]);
});

describe('what was taken before', () => {
  it('is not read where a table says what is taken after', () => {
    expect(
      medicinesIn([
        'Medikament      bei Eintritt     bei Austritt',
        'Bisoprolol      2,5 mg 1-0-0     5 mg 1-0-0',
        'Torasemid       -                10 mg 1-0-0',
        'Enalapril       5 mg 1-0-1       -',
        'Ibuprofen       600 mg 1-1-1     gestoppt',
      ]),
    ).toEqual([
      ['Bisoprolol', '5 mg', '1-0-0'],
      ['Torasemid', '10 mg', '1-0-0'],
    ]);
    expect(medicinesIn(['Medikament     Alt            Neu', 'Torasemid      5 mg 1-0-0     10 mg 1-0-0'])).toEqual([
      ['Torasemid', '10 mg', '1-0-0'],
    ]);
  });

  it('is not the dose behind an arrow', () => {
    expect(
      medicinesIn(['Medikation bei Austritt:', 'Torasemid 5 mg -> 10 mg 1-0-0', 'Candesartan 8 mg 1-0-0 → 1-0-1']),
    ).toEqual([
      ['Torasemid', '10 mg', '1-0-0'],
      ['Candesartan', '8 mg', '1-0-1'],
    ]);
  });
});

describe('rows of tables', () => {
  it('have numbers with pieces under hours, and no scheme of zeros', () => {
    expect(
      medicinesIn([
        'Farmaco              Dose       Ore 8    Ore 13    Ore 20',
        'Ramipril             5 mg       1 cp',
        'Metformina           850 mg     1 cp     1 cp      1 cp',
        'Atorvastatina        20 mg      0        0         0',
      ]),
    ).toEqual([
      ['Ramipril', '5 mg', '1-0-0'],
      ['Metformina', '850 mg', '1-1-1'],
      ['Atorvastatina', '20 mg', null],
    ]);
  });

  it('are not headings because of the parts of the day, and have counts rather than what a note says', () => {
    expect(medicinesIn(['Traitement', 'Ramipril      5 mg    matin midi soir'])).toEqual([
      ['Ramipril', '5 mg', 'matin midi soir'],
    ]);
    expect(
      medicinesIn([
        'Handelsname        Stärke   Form   Mo Mi Ab zN   Einheit   Hinweis',
        'Lasix              40 mg    Tabl   1  1  0  0    Stück     nicht abends',
      ]),
    ).toEqual([['Lasix', '40 mg', '1-1-0-0']]);
  });

  it('go on below with the rest of their name and directions', () => {
    expect(
      medicinesIn([
        'Medication        Directions                      Qty   Status',
        'Levothyroxine     1 tablet every morning on an    28    active',
        '88mcg             empty stomach',
        'Vitamin D3 1000   1 capsule daily with food       90    active',
        'IU',
      ]),
    ).toEqual([
      ['Levothyroxine', '88 mcg', '1 tablet every morning on an empty stomach'],
      ['Vitamin D3', '1000 IU', '1 capsule daily with food'],
    ]);
  });

  it('may have their pack between name and directions, or a name of two words without a dose', () => {
    expect(medicinesIn(['1 x Lisinopril Ratio 10 mg', '30 Stk       12,40', '1x täglich morgens'])).toEqual([
      ['Lisinopril Ratio', '10 mg', '1x täglich morgens'],
    ]);
    expect(medicinesIn(['Ordonnance', '2. Sérum physiologique   1 dosette dans chaque narine matin et soir'])).toEqual([
      ['Sérum physiologique', null, '1 dosette dans chaque narine matin et soir'],
    ]);
  });

  it('say on which days and when a scheme counts', () => {
    expect(
      medicinesIn([
        'Medikation:',
        'Methotrexat 15 mg 1-0-0 (Mo)',
        'Torasemid 10 mg 1-0-0 (Mo-Fr)',
        'Euthyrox 75 µg 1-0-0 nüchtern',
        'Novalgin 500 mg 1-1-1-1 bei Bedarf',
        'Candesartan 8 mg 1-0-0 (Motiv: Blutdruck)',
      ]).map(([, , frequency]) => frequency),
    ).toEqual(['1-0-0 (Mo)', '1-0-0 (Mo-Fr)', '1-0-0 nüchtern', '1-1-1-1 bei Bedarf', '1-0-0']);
  });
});

it('is not what was ceased, not continued, or given then and there', () => {
  expect(
    medicinesIn(['Médicaments :', 'Atorvastatine 80 mg 1 co le soir', 'Cessé : metformine 500 mg']).map(
      ([name]) => name,
    ),
  ).toEqual(['Atorvastatine']);
  expect(
    medicinesIn(['Medikation:', 'Amoxicillin 500 mg 1-1-1', 'Nicht fortgeführt: Prednisolon 5 mg']).map(
      ([name]) => name,
    ),
  ).toEqual(['Amoxicillin']);
  expect(
    medicinesIn(['Medikation:', 'Ramipril 5 mg 1-0-0', 'Gabe von Cefazolin 2 g vor dem Schnitt']).map(([name]) => name),
  ).toEqual(['Ramipril']);
});

it('is left out under a numbered heading, with the reason why it was stopped, and if it was not prescribed', () => {
  expect(
    medicinesIn(['4. Traitement', 'Lixiana 30 mg 0-0-1', '5. Arrêtés', 'Temesta 2,5 mg, Amlor 10 mg, Colchicine.']),
  ).toEqual([['Lixiana', '30 mg', '0-0-1']]);
  expect(
    medicinesIn(['Dauermedikation:', 'Plavix 75 mg 1-0-0', 'Simvastatin wegen Muskelschmerzen abgesetzt.']),
  ).toEqual([['Plavix', '75 mg', '1-0-0']]);
  expect(
    medicinesIn([
      'Terapia:',
      'Lasix 25 mg 1 cpr al giorno',
      'Tachipirina al bisogno solo su chiamata: non prescritta.',
    ]),
  ).toEqual([['Lasix', '25 mg', '1 cpr al giorno']]);
});

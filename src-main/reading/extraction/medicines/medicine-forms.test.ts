import { describe, expect, it } from 'vitest';
import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { medicinesIn, rowContext } from '../../../../test/support/printed-rows.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import { readMedications } from './medicines.ts';

const namesIn = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), rowContext).map((row) => [
    row.brand_name,
    row.active_ingredient_original,
    row.dosage,
    row.frequency,
  ]);

describe('medicines in a form with labels on the left', () => {
  const FORM = [
    'Medications –             Amoxicillin 500 mg capsules, three times a day',
    'continue or new           Paracetamol 1 g tablets, four times a day',
    '                          Donepezil 10 mg tablets, at night',
    'Medications –             Oxybutynin 5 mg (confusion)',
    'stopped                   Zopiclone 3.75 mg',
    'Medications – on          Warfarin 3 mg, restart when INR below 3',
    'hold',
    'Investigations            Legionella antigen',
    'outstanding',
  ];

  it('are read under a label of two lines, and not where the label says that they were stopped', () => {
    expect(medicinesIn(FORM)).toEqual([
      ['Amoxicillin', '500 mg', 'three times a day'],
      ['Paracetamol', '1 g', 'four times a day'],
      ['Donepezil', '10 mg', 'at night'],
    ]);
  });

  it('are taken again under the next label', () => {
    expect(
      medicinesIn([
        'Allergies and adverse     Trimethoprim: rash. Morphine: confusion.',
        'reactions',
        'Medication                Ramipril 5 mg once daily',
      ]),
    ).toEqual([['Ramipril', '5 mg', 'once daily']]);
  });
});

describe('plans of the day', () => {
  it('need no heading over the names, and their halves may be misread', () => {
    expect(
      medicinesIn([
        '                                        Morgen     Mittag     Abend     Nacht',
        'Torem 10 mg Tabl.                       1          Y2         0         0',
        'Nebilet 5 mg Tabl.                      Ya         0          0         0',
      ]),
    ).toEqual([
      ['Torem', '10 mg', '1-½-0-0'],
      ['Nebilet', '5 mg', '½-0-0-0'],
    ]);
  });

  it('go on in the line below their cells', () => {
    expect(
      namesIn([
        'Item                          Strength        Form          Directions',
        'Metformin                     1 g             tablets       one twice daily with',
        '                                                            meals',
        'Fostair                       100/6           inhaler       two puffs twice daily',
        '(beclometasone/formoterol)    micrograms',
      ]),
    ).toEqual([
      ['Metformin', null, '1 g', 'one twice daily with meals'],
      ['Fostair', 'beclometasone/formoterol', '100/6 micrograms', 'two puffs twice daily'],
    ]);
  });
});

describe('medicines in sentences', () => {
  it('are not those of the husband or under a word that stopped them', () => {
    expect(
      medicinesIn([
        'Anamnese: Sturz zu Hause. Ehemann Ottmar Klingenbiel (geb. 03.11.1950) leidet an Gicht und',
        'nimmt Allopurinol 300 mg. Eine Demenz ist nicht bekannt und wurde nie vermutet.',
        'Nicht weiter: Ramipril 5 mg (Hypotonie), Zopiclon 7,5 mg.',
        'SOSPESI: Warfarin 5 mg; Teofillina 200 mg. IN PAUSA: Metformina 500 mg.',
        'D/C: hydrochlorothiazide 12.5 mg',
      ]),
    ).toEqual([]);
  });

  it('were given there and then in the emergency room', () =>
    expect(
      medicinesIn([
        'Therapie: Gips. Auf der Station erhalten: Fentanyl 100 µg nasal, Dafalgan 1 g vor der Reposition.',
      ]),
    ).toEqual([]));

  it('have a brand that nobody lists before their substance', () =>
    expect(
      namesIn([
        'Medikamente seit dem letzten Besuch: Quellixan (Insulin degludec) 22 E abends, Naproxen 500 mg abends.',
      ]),
    ).toEqual([
      ['Quellixan', 'Insulin degludec', '22 E', 'abends'],
      [null, 'Naproxen', '500 mg', 'abends'],
    ]));
});

describe('directions', () => {
  it.each([
    ['gel once daily to plaques', 'once daily to plaques'],
    ['6 UI prima di colazione, pranzo e cena', 'prima di colazione, pranzo e cena'],
    ['1 ampoule par trimestre', '1 ampoule par trimestre'],
    ['one spray each nostril daily', 'one spray each nostril daily'],
    ['1 comprimé jusqu’à 3 fois par jour si douleur', '1 comprimé jusqu’à 3 fois par jour si douleur'],
  ])('%s', (printed, frequency) => expect(findFrequency(printed)?.text).toBe(frequency));
});

describe('what is said around a medicine', () => {
  it('is not its substance when it says until when', () =>
    expect(
      namesIn(['Empfohlene Medikation:', 'Lovenox 40 mg Fertigspritze 0-0-1 (bis 20.03.2023)', 'Sortis 20 mg 0-0-1']),
    ).toEqual([
      ['Lovenox', null, '40 mg', '0-0-1'],
      ['Sortis', null, '20 mg', '0-0-1'],
    ]));

  it('may stop it at the end of its line, or say in the line above that it was given once', () =>
    expect(
      medicinesIn([
        'Therapie: Hemiprothese am 10.02.2023. Perioperativ einmalig',
        'Cefazolin 2 g. Eine tiefe Beinvenenthrombose wurde ausgeschlossen.',
        'Empfohlene Medikation:',
        'Ramipril 5 mg Tabletten 1-0-0',
        'Thrombo ASS 50 mg bitte nicht mehr einnehmen!',
      ]),
    ).toEqual([['Ramipril', '5 mg', '1-0-0']]));

  it('may be directions alone, and a sentence that only considers it is not a row', () =>
    expect(
      medicinesIn([
        'Terapia domiciliare:',
        'Trimbow 2 inalazioni due volte al giorno',
        'Bei ungenügendem Ansprechen nach drei Monaten erwägen wir Adalimumab.',
      ]),
    ).toEqual([['Trimbow', null, '2 inalazioni due volte al giorno']]));
});

describe('lists of a prescription', () => {
  it('go on below a field of allergies, and have boxes that were ticked', () =>
    expect(
      medicinesIn([
        'ALLERGIES: ERYTHROMYCIN',
        '1. Sertraline 100 mg tablets',
        'ONE daily. Supply 28',
        '2. Mirtazapine 15 mg tablets',
        'ONE at night. Supply 28',
        '[x] Losartan 50 mg tablet, 1 tablet daily',
        'Muscoril 4 mg fiale',
        'S: 1 fiala intramuscolo due volte al giorno per 5 giorni',
      ]),
    ).toEqual([
      ['Sertraline', '100 mg', 'ONE daily'],
      ['Mirtazapine', '15 mg', 'ONE at night'],
      ['Losartan', '50 mg', '1 tablet daily'],
      ['Muscoril', '4 mg', '1 fiala intramuscolo due volte al giorno'],
    ]));
});

describe('lists in columns', () => {
  it('are read one after another, and the stopped one not at all', () =>
    expect(
      medicinesIn([
        'Poursuivis                          Nouveaux                            Arrêtés',
        'Bisoprolol 1,25 mg comprimé : 1     Furosémide 40 mg comprimé : 1       Hydrochlorothiazide 25 mg',
        'le matin                            le matin                            Kétoprofène gel',
        'Eliquis 2,5 mg comprimé : 1         Dapagliflozine 10 mg comprimé',
        'matin et soir                       : 1 le matin',
      ]),
    ).toEqual([
      ['Bisoprolol', '1,25 mg', '1 le matin'],
      ['Eliquis', '2,5 mg', '1 matin et soir'],
      ['Furosémide', '40 mg', '1 le matin'],
      ['Dapagliflozine', '10 mg', '1 le matin'],
    ]));

  it('may be beside a letter', () =>
    expect(
      namesIn([
        'Dear Dr Pugh                              Current treatment',
        '                                          Epiduo (adapalene/benzoyl',
        'Bronwen Treharne, born 3 September 2001   peroxide) 0.3%/2.5% gel at night',
        'Seen in clinic on 22 January 2025         Hydrocortisone 1% cream twice',
        '                                          daily to the elbows',
      ]),
    ).toEqual([
      ['Epiduo', 'adapalene/benzoyl peroxide', '0.3%/2.5%', 'at night'],
      ['Hydrocortisone', null, '1%', 'twice daily to the elbows'],
    ]));
});

describe('medicines of the past', () => {
  it('were given during the stay, or stopped in a word', () =>
    expect(
      medicinesIn([
        'Verlauf     Kaiserschnitt in Spinalanästhesie. Einmalig Cefazolin 2 g und Carbetocin. Kein Fieber.',
        'Decorso     Regolare, senza febbre. Esclusa perforazione. Profilassi con',
        'cefazolina 2 g in sala. Il fratello è stato operato per tumore del colon.',
        'Medikamente bei     Maltofer 100 mg Kautabletten 1-0-1',
        'Austritt            Insulatard gestoppt',
        "L'aspirine est stoppée.",
      ]),
    ).toEqual([['Maltofer', '100 mg', '1-0-1']]));

  it('end with their line, though the next one goes on', () =>
    expect(
      medicinesIn([
        'Thrombo ASS 100 mg 1-0-0 ab heute nicht mehr',
        'Schlafmittel auf Wunsch der Gattin nicht verordnet. Unverträglichkeit: Diclofenac, nie wieder geben.',
      ]),
    ).toEqual([]));

  it('have both strengths of a combination', () =>
    expect(medicinesIn(['Medications:', 'Carbidopa-levodopa 25-100 mg tablet, 1 tablet three times daily'])).toEqual([
      ['Carbidopa-levodopa', '25-100 mg', '1 tablet three times daily'],
    ]));
});

describe('tables of medicines', () => {
  it('under a heading that says that they were stopped are not taken', () =>
    expect(
      medicinesIn([
        'Medicine          Dose      Frequency',
        'Furosemide        80 mg     once daily in the morning',
        'Medicines stopped',
        'Medicine          Reason',
        'Amlodipine 10 mg  ankle swelling',
        'Naproxen 250 mg   kidney function',
      ]),
    ).toEqual([['Furosemide', '80 mg', 'once daily in the morning']]));

  it('that have ended are not taken, under a heading or by a word behind them', () => {
    const taken = ['Your medicines', 'bisoprolol 2.5 mg tablets', 'Take one once daily'];
    const names = (...ended: string[]) => medicinesIn([...taken, ...ended]).map(([name]) => name);
    expect(names('Ended', 'ramipril 5 mg tablets')).toEqual(['bisoprolol']);
    expect(names('ramipril 5 mg tablets, ended 4 March 2025 (cough)')).toEqual(['bisoprolol']);
    expect(names('ramipril 5 mg tablets', 'Take one once daily')).toEqual(['bisoprolol', 'ramipril']);
  });

  it('may have dashes for the times of the day without a dose', () =>
    expect(
      medicinesIn([
        'Farmaco           Dose       Mattino     Pranzo     Sera     Note',
        'Cardioaspirin     100 mg     –           1          –        a stomaco pieno',
        'Pantorc           20 mg      1           –          –        prima di colazione',
      ]).map((row) => row[2]),
    ).toEqual(['0-1-0', '1-0-0']));

  it('write a misread microgram as it was printed', () =>
    expect(medicinesIn(['Terapia:', 'Spiriva Respimat 2,5 meg: 2 inalazioni al mattino'])[0]?.[1]).toBe('2,5 mcg'));
});

it('names a medicine without the pack that is printed behind a star', () =>
  expect(medicinesIn(['CARDIOASPIRIN*30CPR 100 MG – 1 compressa dopo pranzo'])).toEqual([
    ['CARDIOASPIRIN', '100 MG', '1 compressa dopo pranzo'],
  ]));

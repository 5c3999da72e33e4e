import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../test/support/printed-document.ts';

const medicinesOf = (lines: readonly string[]) =>
  readPrinted(lines).medications.map(({ brand_name: brand, active_ingredient_original: substance }) =>
    [brand, substance].filter(Boolean).join(' / '),
  );

describe('a medicine that is said to be stopped right behind its strength', () => {
  it.each([
    'Kardégic 75 mg arrêté, remplacé par l’anticoagulant.',
    'Tahor 40 mg cp arrêté en mai',
    'Aspirin 100 mg abgesetzt, ersetzt durch Eliquis',
    'Ramipril 5 mg Tabl. pausiert wegen Hypotonie',
    'Ramipril 5 mg tablets stopped because of cough',
    'Cardioaspirina 100 mg sospesa, sostituita da apixaban',
  ])('is not taken: %s', (line) => {
    expect(medicinesOf(['Traitement de sortie', 'Eliquis 5 mg 1 comprimé matin et soir', line])).toEqual(['Eliquis']);
  });

  it('is taken if the words are about the end of a course, or about another medicine', () => {
    expect(medicinesOf(['Traitement', 'Augmentin 1 g arrêt le 12/05/2025'])).toHaveLength(1);
    expect(medicinesOf(['Medikation', 'Ramipril 5 mg 1-0-0'])).toHaveLength(1);
  });
});

it('reads medicines under START TAKING', () => {
  expect(
    medicinesOf(['START TAKING', 'Vascepa (icosapent ethyl) 1 g - 2 capsules by mouth twice daily with food']),
  ).toEqual(['Vascepa / icosapent ethyl']);
});

describe('the day on which a batch expires', () => {
  it('is not the day of a vaccination, whose visit has a field', () => {
    const { vaccinations } = readPrinted([
      'Client: Harlan Whitcombe      Date of birth: March 30, 1957',
      'Date of visit: October 9, 2025',
      'Vaccine              Manufacturer       Lot number    Expires       Site',
      'Fluzone High-Dose    Sanofi Pasteur     UT8844AB      2026-05-31    L deltoid',
      'Adacel               Sanofi Pasteur     C6120BA       2026-08-31    L deltoid',
    ]);
    expect(vaccinations.map((row) => [row.vaccine_name, row.date_administered, row.lot_number])).toEqual([
      ['Fluzone High-Dose', '2025-10-09', 'UT8844AB'],
      ['Adacel', '2025-10-09', 'C6120BA'],
    ]);
  });
});

it('reads a table of results whose names are under another word for results', () => {
  const { lab_results: rows } = readPrinted([
    'Labor vom 24.02.2025',
    'Wert            Ergebnis       Einheit     Normbereich',
    'Hämoglobin      10,9 (–)       g/dl        12,0 - 16,0',
    'Kalium          4,3            mmol/l      3,5 - 5,1',
  ]);
  expect(rows.map((row) => [row.test_name_original, row.value, row.is_abnormal])).toEqual([
    ['Hämoglobin', 10.9, true],
    ['Kalium', 4.3, false],
  ]);
});

it('dates results by the day on which the sample was taken ("gewonnen am")', () => {
  const { lab_results: rows } = readPrinted([
    'Material: Mittelstrahlurin gewonnen am 26.02.2025 um 08:30',
    'Messgröße                 Ergebnis   Einheit   Referenz',
    'Spezifisches Gewicht      1,018      g/ml      1,005 - 1,030',
    'Freigegeben am 27.02.2025 durch Dr. rer. nat. B. Seyfarth',
  ]);
  expect(rows.map((row) => row.test_date)).toEqual(['2025-02-26']);
});

describe('the type of a paper', () => {
  it('is not taken from the heading of a column ("Atteso")', () => {
    const { doc_type: type } = readPrinted([
      'Laboratorio Bioverzasca SA',
      'Nata il: 15.03.1994      Data del prelievo: 02.07.2025',
      'Analisi            Risultato      Unità      Atteso        Nota',
      'HBs-Antigene       negativo                  negativo',
      'Anti-HBs           8              UI/L       > 10          basso',
      'Emoglobina         109            g/L        120 - 155     basso',
    ]);
    expect(type.value).toBe('lab_test');
  });

  it('is a prescription without a title also if directions are long', () => {
    const { doc_type: type } = readPrinted([
      'Cabinet médical des Tilleuls',
      'Dr Clémence Barthélemy, médecine générale',
      'Le 9 janvier 2025',
      'Noé Lacassagne, né le 30/01/2019, 18 kg',
      'Ventoline 100 µg      2 bouffées matin, midi et soir, pendant 5 jours',
      'Doliprane 2,4 %       1 dose de 18 kg toutes les 6 heures si besoin',
    ]);
    expect(type.value).toBe('prescription');
  });
});

it('does not take the day of an appointment for that of the letter', () => {
  const { issued_date: issued } = readPrinted([
    'DISCHARGE SUMMARY',
    'Admit date: 04/08/2025      Discharge date: 04/11/2025',
    'Keep a low-fat diet. See Dr. Alma Reyes on 04/25/2025 with a fasting lipid panel.',
    'Signed: Gregory Tennyson, MD      04/11/2025',
  ]);
  expect(issued?.value).toBe('2025-04-11');
});

describe('a medicine that a line says to be stopped', () => {
  it.each([
    ['Bisoprolol STOPPED today'],
    ['Xylometazolin Nasentropfen bitte absetzen.'],
    ['Lorazepam      0.5 mg      finished'],
    ['STOP      naproxen 500 mg tablet'],
  ])('is not taken: %s', (line) => {
    expect(medicinesOf(['Medication', 'Flecainide 50 mg twice daily', line])).toEqual(['Flecainide']);
  });
});

it('reads medicines beside what to do with them, and behind the number of packs', () => {
  expect(
    medicinesOf([
      'DISCHARGE MEDICATIONS',
      'NEW       cephalexin 500 mg capsule      1 capsule by mouth four times daily',
      'CHANGED   furosemide 40 mg tablet      1 tablet by mouth every morning',
      'SAME      sertraline 100 mg tablet      1 tablet by mouth daily',
    ]),
  ).toEqual(['cephalexin', 'furosemide', 'sertraline']);
  expect(medicinesOf(['Kassenbeleg', '1 x Amlodipin Hexal 10 mg', '2 x Parkemed 500 mg'])).toEqual([
    'Amlodipin Hexal',
    'Parkemed',
  ]);
});

it('does not take a certificate that is not needed for one', () => {
  const { doc_type: type } = readPrinted([
    'Docteur Rozenn Guillemot',
    'Vannes, le 30 janvier 2025',
    '1. Amoxicilline 500 mg      1 gélule matin, midi et soir pendant 6 jours',
    '2. Doliprane 300 mg         1 sachet toutes les 6 heures si fièvre, 1 boîte',
    'Pas d’argument pour une grippe. Certificat pour l’école non nécessaire.',
  ]);
  expect(type.value).toBe('prescription');
});

it('knows a report of bone density', () => {
  const { doc_type: type } = readPrinted([
    'KELVINBANK IMAGING CENTRE      DXA REPORT',
    'Scan performed: 06/10/2025',
    'Conclusion: Osteopenia. Repeat scan in three years.',
    'Reported by Dr Shazia Mirza, Consultant Radiologist',
  ]);
  expect(type.value).toBe('imaging_report');
});

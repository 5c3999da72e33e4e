import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';
import { isTitle } from './document-type.ts';

const typeOf = (...lines: string[]): string => readPrinted(lines).doc_type.value;

describe('titles of documents', () => {
  it.each([
    ['ACUTE MEDICAL UNIT DISCHARGE SUMMARY', 'discharge'],
    ['Kardiologische Konsultation vom 03.02.2025: Herr Kurt Amsler, geb. 11.07.1951', 'specialist_report'],
    ['Nachsorge am 03.02.2025: Frau Rita Amsler, geb. 11.07.1951', 'specialist_report'],
    ['Notfallbericht', 'specialist_report'],
    ['Verbale di Pronto Soccorso', 'specialist_report'],
    ['Bilan thyroïdien', 'lab_test'],
    ['Esami ematici', 'lab_test'],
    ['Mikrobiologischer Befundbericht', 'lab_test'],
    ['Medikamentenübersicht', 'prescription'],
    ['Ricetta elettronica', 'prescription'],
    ['État vaccinal', 'vaccination'],
    ['Impfbüchlein', 'vaccination'],
    ['Liquidation', 'invoice'],
    ['Fattura per prestazioni sanitarie', 'invoice'],
    ['Rapport chirurgical', 'surgical_report'],
    ['Ecografia addome', 'imaging_report'],
    ['Échographie thyroïdienne', 'imaging_report'],
    ['Attestation d’incapacité de travail', 'medical_certificate'],
    ['Krankenstandsmeldung', 'medical_certificate'],
    ['Zuweisungsschreiben', 'other'],
    ['Lettre d’orientation', 'other'],
  ])('%s is %s', (title, type) => {
    expect(typeOf('Dr. med. Anna Muster, Hauptstrasse 1, 8000 Zürich', '', title)).toBe(type);
  });

  it('are not a line of a bill that names a method', () => {
    expect(typeOf('Note d’honoraires', 'Consultation       60,00 €', 'Spirométrie        40,00 €')).toBe('invoice');
  });

  it('are not the names of houses', () => {
    expect(['Röntgeninstitut Alpenblick', 'Imagerie médicale des Cévennes'].map(isTitle)).toEqual([false, false]);
    expect(['Röntgen Thorax', 'Imagerie médicale'].map(isTitle)).toEqual([true, true]);
  });
});

it('takes a paper without a title for what it holds', () => {
  const house = ['Institut am Auenweg', '20095 Hamburg   03.04.2023'];
  const report = [
    'Diagnose: Epicondylitis lateralis links',
    'Befund: Druckschmerz am Ellenbogen, kräftiger Puls,',
    'keine Schwellung und keine Rötung der Haut,',
    'Beweglichkeit des Ellenbogens nach allen Seiten frei.',
  ];
  const doses = ['Voltaren Emulgel 1 % 3x täglich für 7 Tage', 'Ibuprofen Tabletten 400 mg 1-1-1 für 7 Tage'];
  expect(typeOf(...house, ...report)).toBe('specialist_report');
  expect(typeOf(...house, ...report, 'Therapie:', ...doses)).toBe('specialist_report');
  expect(typeOf(...house, ...doses)).toBe('prescription');
  expect(
    typeOf(
      'Dott. Ugo Neri',
      'R/ Amoxicillina sospensione 250 mg',
      'S/ 1 misurino ogni 8 ore per sei giorni a stomaco pieno, agitare bene',
      'R/ Paracetamolo supposte 250 mg',
      'S/ 1 supposta ogni 6 ore solo se febbre sopra i 38 gradi',
    ),
  ).toBe('prescription');
  expect(
    typeOf(
      'Laboratorio Valle Sole',
      'Adenovirus DNA      non rilevato     (atteso: non rilevato)',
      'Norovirus RNA       rilevato         (atteso: non rilevato)',
      'Rotavirus Ag        negativo         (atteso: negativo)',
      'Salmonella          negativo         (atteso: negativo)',
    ),
  ).not.toBe('medical_certificate');
});

it('takes a letter that is called a referral and refers for one, whatever it asks for', () => {
  expect(
    typeOf(
      'Lausanne, le 11 mai 2026',
      'Consultation de rhumatologie',
      'Lettre d’adressage : Paul Rochat, 12.03.1965',
      'Cher confrère, je vous adresse ce patient pour des douleurs articulaires depuis trois mois.',
    ),
  ).toBe('other');
});

it('takes a letter without a title for what it reports', () => {
  expect(typeOf('Cher confrère,', 'J’ai vu en consultation Monsieur Paul Favre pour le suivi de son arythmie.')).toBe(
    'specialist_report',
  );
  expect(
    typeOf(
      'Vorläufiger Arztbrief',
      'wir berichten über Herrn Kurt Amsler, geb. am 11.07.1951, der sich vom 03.02.2025 bis 09.02.2025',
      'in unserer stationären Behandlung befand.',
      'Diagnosen:',
      '1. Pneumonie',
    ),
  ).toBe('discharge');
});

it('takes a letter without a title that asks to see the patient for a referral', () => {
  for (const request of [
    'Many thanks for seeing this 52-year-old teacher who has had headaches since March and needs advice.',
    'Ich überweise Ihnen Herrn Kurt Amsler mit der Bitte um Abklärung der seit Monaten bestehenden Beschwerden.',
    'Je vous remercie de recevoir Madame Rochat qui présente depuis trois mois des douleurs du genou gauche.',
    'Si richiede visita specialistica per la paziente che riferisce da mesi dolori al ginocchio sinistro.',
  ])
    expect([request, typeOf(request)]).toEqual([request, 'other']);
});

it.each([
  [
    'the form of address of a patient',
    'Mr Winston Moore',
    ['Repeat items', 'Lercanidipine 10 mg tablets   every morning'],
  ],
  [
    'an examination in a sentence',
    'ward. Chest X-ray: pneumonia excluded. Oxygen Stopped',
    ['Course', 'Given nebulised salbutamol and ipratropium on the'],
  ],
  [
    'an examination beside its result',
    'Échographie      FEVG 60 %, gradient moyen aortique 26 mmHg, surface normale',
    ['Chère amie,', 'Je viens de voir en consultation Madame Jeanne Morel.'],
  ],
])('does not take %s for the title of an imaging report', (_, line, before) => {
  expect(typeOf(...before, line)).not.toBe('imaging_report');
  expect(typeOf('MR Schulter links', 'Befund: kein Nachweis einer Ruptur.')).toBe('imaging_report');
});

it('takes a note with the reason of a visit for a report, also with a table of results', () => {
  const results = [
    'Test      Result      Units      Range',
    'Creatinine      1.62      mg/dL      0.57-1.00',
    'eGFR      35      mL/min/1.73m2      >59',
    'Potassium      4.8      mmol/L      3.5-5.2',
    'Hemoglobin      11.2      g/dL      11.1-15.9',
    'PTH, Intact      92      pg/mL      15-65',
  ];
  const note = [
    'Bluegrass Kidney Associates',
    'Date of visit: 04/16/2025',
    'Assessment',
    '1. Hypertension',
    ...results,
  ];
  expect(typeOf('Reason for visit', 'Follow-up of kidney function. Feels well, no swelling.', ...note)).toBe(
    'specialist_report',
  );
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { readDocument } from '../read-document.ts';
import { isTitle } from './document-type.ts';

const typeOf = (...lines: string[]): string =>
  readDocument([printedPage(lines)], {
    patient: null,
    household: [],
    isOnlyPatient: false,
    today: '2026-01-01',
    original_filename: 'x.pdf',
  }).doc_type.value;

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

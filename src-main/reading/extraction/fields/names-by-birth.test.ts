import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const patientOf = (lines: readonly string[]): (string | null)[] => {
  const { name, date_of_birth: birth } = readPrinted(lines).patient;
  // The page does not tell which part of "Sommer Karl-Heinz" is the family name.
  return [name?.value.split(' ').sort().join(' ') ?? null, birth?.value ?? null];
};

describe('a stranger is recognized beside the birth date', () => {
  it.each([
    ['Rehabilitand: Sommer, Karl-Heinz, geb. 29.07.1954'],
    ['Patient report for Karl-Heinz Sommer (Male, born 07/29/1954)', 'Date collected: 02/18/2025'],
    ['Karl-Heinz Sommer · DOB: 29 July 1954 · Ordered by Rosalind Archer, MD'],
    ['Investigations for: Mr Karl-Heinz Sommer DOB: 29-Jul-1954      NHS: 611 402 7759'],
    ['Patient      Sommer Karl-Heinz — né le 29/07/1954 — sexe M'],
    ['Si certifica che l’atleta Karl-Heinz Sommer, nato a Perugia il 29/07/1954, pratica nuoto'],
    ['For: Karl-Heinz Sommer, date of birth 29 July 1954, boy, 34 kg'],
    ['Für ärztliche Leistungen bei Ihrem Sohn Karl-Heinz Sommer, geb. 29.07.1954, am 31.01.2025:'],
    ['Enfant Karl-Heinz Sommer, né le 29/07/1954 - Poids      12,4 kg'],
    ['SOMMER, KARL-HEINZ      M      DOB 29 Jul 1954'],
    ['Sig.      SOMMER KARL-HEINZ      Nato il      29/07/1954'],
    ['NAME SOMMER, Karl-Heinz      DOB 29-07-1954 M'],
    ['J’ai vu ce jour M. Karl-Heinz Sommer, né le', '29/07/1954.'],
    ['Kind: Karl-Heinz Sommer, Knabe, geboren 29.07.1954 – ausgestellt 17.04.2024'],
    ['Concerne M. Karl-Heinz Sommer, né le 29.07.1954'],
    ['Nom SOMMER Prénom Karl-Heinz', 'Né le 29/07/1954'],
    ['Spett.le Karl-Heinz Sommer', 'nato il 29/07/1954'],
    ['PT: SOMMER, KARL-HEINZ', 'DOB:      29 Jul 1954 SEX: M'],
    ['Lenk Praxis', 'Karl-Heinz Sommer', 'Am Markt 3', '6003 Luzern', 'geb. 29.07.1954'],
    // Without a word for "born", the date is years older than the paper.
    ['Sommer Karl-Heinz, 29.07.1954, Konsultation vom 08.07.2025'],
    ['Sommer, Karl-Heinz | 29.07.1954 | Datum der Untersuchung 03.02.2026 | Behandelnder Arzt: Dr. med. Ada Halloran'],
    ['SOMMER Karl-Heinz – M – 29/07/1954 – C.F. SMMKLH54L29E388X', 'Refertato il 20/11/2024'],
    ['Sommer Karl-Heinz      29.07.1954      m      Fall 80041277', 'Entnahme: 12.01.2025'],
  ])('%s', (...lines) => expect(patientOf(lines)).toEqual(['Karl-Heinz Sommer', '1954-07-29']));
});

describe('a name beside a birth date is not the patient', () => {
  it.each([
    [['Paziente: SOMMER ADA', 'Data di nascita: 22/07/1949', 'Familiare: moglie, Eva Lang, nata il 05/05/1952']],
    [['Patient: Ada Sommer      22.07.1949', 'Vater: Emil Sommer, geb. 01.02.1920']],
    [['Ada Sommer, 22.07.1949, weiblich', 'Kind      Knabe Laurin, geboren am 17.11.2025, 3420 g']],
  ])('if it is that of a relative: %j', (lines) => expect(patientOf(lines)[0]).toBe('Ada Sommer'));

  it('if it is that of a doctor, or only a word for "born"', () => {
    expect(patientOf(['Dr. med. Hans Muster, geb. 01.02.1960'])[0]).toBeNull();
    expect(patientOf(['Née Dossier le 11.10.1966'])[0]).toBeNull();
  });
});

describe('a date beside a name is not a birth date', () => {
  it.each([
    [['Ada Sommer 22.07.2010 operiert', 'Bericht vom 01.02.2025']],
    [['wie Ada Sommer 22.07.2010, berichtete, war damals in der Klinik alles in bester Ordnung', 'am 01.02.2025']],
  ])('if other words follow, or it is in a sentence: %j', (lines) => expect(patientOf(lines)[1]).toBeNull());
});

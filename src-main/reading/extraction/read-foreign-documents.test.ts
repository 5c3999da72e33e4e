import { describe, expect, it } from 'vitest';
import { readLines } from '../../../test/support/printed-document.ts';

describe('documents of other countries', () => {
  it('distinguishes recipient and signing doctor, hospital and department, and reads a stay from a sentence', () => {
    const found = readLines([
      'Stadtspital Limmat                                     Klinik für Innere Medizin',
      '',
      '',
      '',
      '',
      'Stadtspital Limmat, Birmensdorferstrasse 497, 8063 Zürich',
      'Herrn',
      'Dr. med. Reto Gasser',
      'Rebbergstrasse 112',
      '6003 Luzern',
      '',
      'Keller, Elena, geb. am 12.03.1961',
      'wir berichten über Ihre Patientin, die sich vom 12.08.2023 bis zum 18.08.2023 in unserer stationären',
      'Behandlung befand.',
      'Anamnese: Die Aufnahme erfolgte über die Notaufnahme wegen zunehmender Beschwerden seit drei Tagen.',
      'Therapie und Verlauf: Unter der Behandlung rasche Besserung des Zustandes und der Beschwerden.',
      '',
      'Dr. med. Eveline Schüpbach',
    ]);
    expect(found).toMatchObject({
      type: 'discharge',
      event: '2023-08-12',
      doctor: 'Dr. med. Eveline Schüpbach',
      facility: 'Stadtspital Limmat',
    });
  });

  it('takes the day in an imaging title, not the one of the comparison', () => {
    const found = readLines([
      'Ospedale San Leonardo',
      'Salerno, 5 luglio 2020',
      '',
      'RM ginocchio sinistro del 2 luglio 2020',
      'Referto: Confronto con esame del 13 ottobre 2019. Legamenti continui.',
      'Conclusioni: nella norma.',
      'Dott. Roberto Mancuso',
    ]);
    expect([found.type, found.event, found.issued]).toEqual(['imaging_report', '2020-07-02', '2020-07-05']);
  });

  it('takes the day of treatment from the rows of a bill', () => {
    const found = readLines([
      'Praxis für Orthopädie am Dom',
      'Paderborn, den 21.11.2022',
      'Liquidation Nr. 4711',
      'Datum        GOÄ    Leistung            Faktor   EUR',
      '13.10.2022   1      Beratung            2,30     10,72',
      '             651    EKG                 2,30     26,54',
      'Rechnungsbetrag: 37,26 EUR',
    ]);
    expect(found).toMatchObject({
      type: 'invoice',
      event: '2022-10-13',
      issued: '2022-11-21',
      facility: 'Praxis für Orthopädie am Dom',
    });
  });

  it('reads rows of labels with their values below', () => {
    const found = readLines([
      'THE WIMBORNE LABORATORY',
      '',
      'Patient name           Date of birth    Referring doctor',
      'Elena Keller           12 Mar 1961      Mr Jasper Whitlock',
      'Date collected         Date reported    Lab reference',
      '01 Feb 2023            02 Feb 2023      55-939250',
      'TEST             RESULT     REFERENCE     UNITS',
      'Sodium           139        133 - 146     mmol/L',
      'Albumin          49         35 - 50       g/L',
    ]);
    expect(found).toMatchObject({
      name: 'Elena Keller',
      event: '2023-02-01',
      issued: '2023-02-02',
      doctor: 'Mr Jasper Whitlock',
    });
  });

  it('reads an ordering physician printed family name first', () => {
    const found = readLines([
      'QuestPoint Diagnostics',
      'ORDERING PHYSICIAN',
      'KOWALSKI, JENNIFER A.',
      'COLLECTED: 05/18/2017',
      'Test Name     In Range    Reference Range',
      'SODIUM        140         135-146 mmol/L',
    ]);
    expect(found.doctor).toBe('Jennifer A. Kowalski');
  });

  it('reads an American excuse whose period breaks over two lines', () => {
    expect(
      readLines([
        'Prairie Creek Internal Medicine',
        'Work / School Excuse',
        'Patient: Elena Keller',
        'Please excuse Elena Keller from work or school from 01/16/2020 through',
        '01/26/2020 for medical reasons. May return without restrictions.',
        'Omaha, 01/16/2020',
        'Timothy Nguyen, DO',
      ]),
    ).toMatchObject({ type: 'medical_certificate', event: '2020-01-16', facility: 'Prairie Creek Internal Medicine' });
  });

  it('reads a summary after a visit: no weekday for a patient, no heading for a diagnosis, directions under each medicine', () => {
    const found = readLines([
      'After Visit Summary',
      'Elena Keller   MRN: 8017958   DOB: 03/12/1961',
      'Wednesday June 3, 2020 10:40 AM',
      'Prairie Creek Internal Medicine',
      '350 Oak Ave, Omaha, NE 68114',
      'You saw Andrea Castellano, MD',
      'Diagnoses this visit',
      '  • Paroxysmal atrial fibrillation (I48.0)',
      '  • Left renal calculus (N20.0)',
      'Your medications',
      'Esidrex 25 mg tabs',
      'Take 1 tablet by mouth three times daily.',
      'What’s next',
      'Follow up in 3 months.',
    ]);
    expect(found).toMatchObject({
      type: 'specialist_report',
      name: 'Elena Keller',
      facility: 'Prairie Creek Internal Medicine',
      doctor: 'Andrea Castellano, MD',
    });
    expect(found.diagnoses.map((row) => row.diagnosis_code)).toEqual(['I48.0', 'N20.0']);
    expect(found.medications.map((row) => [row.brand_name, row.frequency])).toEqual([
      ['Esidrex', '1 tablet by mouth three times daily'],
    ]);
  });

  it('detects the language of a short text by its letters and months', () => {
    expect(
      readLines([
        'Dr. med. Regula Tschudi      16. Juni 2022',
        'Doktorhuus Wiedlisbach',
        'Städtli 24',
        'Rezept',
        'Zinat 250 mg   1 OP',
        'S: 1-1-1',
      ]).language,
    ).toBe('de');
  });

  it('takes the date at the head of a letter, not one in a sentence', () => {
    expect(
      readLines([
        'Alla cortese attenzione',
        'Osimo, 4 settembre 2020',
        'Relazione di visita neurologica',
        'Egregio Collega,',
        'ho visitato in data 31 agosto 2020 la Sig.ra Elena Keller, nata il 12 marzo 1961 a Lugano.',
        'Diagnosi: Emicrania senza aura (G43.0)',
        'Cordiali saluti',
        'Dott.ssa Sara Venturini',
      ]),
    ).toMatchObject({ type: 'specialist_report', event: '2020-08-31', issued: '2020-09-04' });
  });

  it('assigns the type other to documents whose title says so', () => {
    expect(
      readLines([
        'Spitex Rheinhof',
        'Pflegebericht',
        'Klient/in: Keller Elena',
        'Gerichtete Medikamente',
        'Concor 5 mg     Tbl.    1-0-0',
        'Torem 10 mg     Tbl.    1-0-0',
      ]).type,
    ).toBe('other');
  });

  it('does not take a starred value for a birth date', () => {
    expect(
      readLines(['Laboratorio Analisi Salus', 'Sig.ra KELLER ELENA', 'S-Globuli Bianchi *12,00     4,00 - 10,00']).name,
    ).toBe('Elena Keller');
  });
});

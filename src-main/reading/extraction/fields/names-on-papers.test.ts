import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const doctorOf = (...lines: string[]) => readPrinted(lines).doctor_name?.value ?? null;
const houseOf = (...lines: string[]) => readPrinted(lines).facility_name?.value ?? null;
const nameOf = (...lines: string[]) => readPrinted(lines).patient.name?.value ?? null;
const SPACE = ['', '', '', '', '', '', '', ''];

describe('the doctor of a paper', () => {
  it.each([
    [['Plan:', '1. Rest', '', 'Vanessa   Oduya, DPM'], 'Vanessa Oduya, DPM'],
    [
      ['Repeat prescription', 'Signature of  04/02/2026    Dr Angharad', 'prescriber                  Bevan'],
      'Dr Angharad Bevan',
    ],
    [['Client #: 30019942', 'HALVORSEN, KRISTEN MD', 'Final report'], 'KRISTEN HALVORSEN MD'],
    [['Ambulatorio', 'Visita del 14/04/2025', 'Dott. Pasquale lannone'], 'Dott. Pasquale Iannone'],
    [['Ordination Dr. Glanzer Mauterndorf', 'Dr. Severin Glanzer, Arzt für Allgemeinmedizin'], 'Dr. Severin Glanzer'],
  ])('is put together and repaired: %j', (lines, name) => {
    expect(doctorOf(...lines)).toBe(name);
  });

  it('is named with a given name if one line does so', () => {
    expect(
      doctorOf(
        'Entlassungsbrief',
        '11.10.2025: Reposition (OA Dr. Gmeiner)',
        'Mit freundlichen Grüßen',
        'OA Dr. Florian Gmeiner',
      ),
    ).toBe('OA Dr. Florian Gmeiner');
  });

  it('signs above the name of an office, and is not whom the letter is for', () => {
    expect(
      doctorOf(
        'Marienstift',
        'Chefarzt: Prof. Dr. med. Ulf Abendroth',
        'Frau Dr. med. Ilse Kornblum',
        ...SPACE,
        'Mit freundlichen Grüßen',
        'Dr. med. Samir Haddad',
        'Stationsarzt',
      ),
    ).toBe('Dr. med. Samir Haddad');
  });

  it('is who completed the summary, not the consultant in charge or the family doctor', () => {
    expect(doctorOf('Discharge Summary', 'Consultant   Dr P. Auchterlonie   Completed by   Dr Meera Sandhu')).toBe(
      'Dr Meera Sandhu',
    );
    expect(
      doctorOf(
        'COMPTE RENDU D’HOSPITALISATION',
        'Revoir le médecin traitant, Dr Santoni, dans 48 heures.',
        ...SPACE,
        'Bastia, le 04/02/2025',
        'Dr Laetitia Casabianca',
        'À.',
      ),
    ).toBe('Dr Laetitia Casabianca');
  });

  it('is who gave the services of a bill', () =>
    expect(
      doctorOf('INVOICE', 'Consultation with Dr Aoife Brannigan on 02/07/2025   €220.00', 'Total due   €220.00'),
    ).toBe('Dr Aoife Brannigan'));
});

describe('the house of a paper', () => {
  it.each([
    [['Blue Heron Health         Patient portal', 'Lab results'], 'Blue Heron Health'],
    [
      [
        'Harbourside Neurology',
        'Dr Bronwyn Castellari',
        '25 August 2025',
        'Dr Kim Tran',
        'Seaforth Medical Practice',
        'Dear Kim,',
      ],
      'Harbourside Neurology',
    ],
    [['Walgrove Pharmacy #1120', 'Vaccine administration record'], 'Walgrove Pharmacy'],
    [
      ['Department of Clinical Biochemistry', 'Wyreford General Hospital, Castle Lane, Wyreford'],
      'Wyreford General Hospital',
    ],
    [
      ['REGIONE VENETO', 'Servizio Igiene e Sanità Pubblica Bassano', 'Certificato vaccinale'],
      'Servizio Igiene e Sanità Pubblica Bassano',
    ],
    [
      ['Ambulatorio di Diabetologia', 'ASL Napoli Litorale, Via Caracciolo 10, Pozzuoli'],
      'Ambulatorio di Diabetologia',
    ],
    [
      ['Sonnenhof Mitte', 'Ärztliches Zeugnis', 'Dr. med. Ida Muster', 'Fachärztin Allgemeine Innere Medizin FMH'],
      'Sonnenhof Mitte',
    ],
    [
      ['Preuve de prescription à présenter au pharmacien', 'Cabinet Dr Quentin Marlier, Grand-Place 4, 7500 Tournai'],
      'Cabinet Dr Quentin Marlier',
    ],
    [
      [
        'Portal – Test Results',
        'Results',
        'Collected Oct 15, 2025 7:58 AM · Resulted Oct 17, 2025 · Willamette Laboratory',
      ],
      'Willamette Laboratory',
    ],
  ])('is found in %j', (lines, house) => {
    expect(houseOf(...lines)).toBe(house);
  });
});

describe('the patient of a paper', () => {
  it.each([
    [['Techniker Krankenkasse', 'Adler, Miriam', 'geb. am 03.11.1984'], 'Miriam Adler'],
    [['Patient Name   ENTWISTLE, Carol     Sex F   DOB 12/10/1967'], 'Carol Entwistle'],
    [['Travis Nakamura    MRN: 00481223    DOB: 11/30/1991'], 'Travis Nakamura'],
    [['To Whom It May Concern:', 'Owen Pritchett was seen in our clinic on 10/06/2025.'], 'Owen Pritchett'],
    [
      ['Je soussignée, Dr Ida Othmani, certifie que l’enfant Louise PERROT, née le 01/09/2024, a reçu'],
      'Louise Perrot',
    ],
    [['Fattura n. 88 del 24/06/2025', 'Spett.le Pietro Landi, Via Piave 9, 20129 Milano'], 'Pietro Landi'],
  ])('is found in %j', (lines, name) => {
    expect(nameOf(...lines)).toBe(name);
  });

  it('may have the birth date between name and address, or behind a title', () => {
    const born = (line: string) =>
      readPrinted(['Austrittsbericht', line, 'Hospitalisation vom 02.05.2025 bis 08.05.2025']).patient;
    for (const line of [
      'Aregger Verena, 19.12.1950, Seestrasse 3, 6006 Luzern',
      'Rapporto di degenza: Aregger Verena, 19.12.1950',
    ])
      expect([born(line).name?.value.split(' ').sort(), born(line).date_of_birth?.value]).toEqual([
        ['Aregger', 'Verena'],
        '1950-12-19',
      ]);
  });
});

import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const houseOf = (...lines: string[]): string | null => readPrinted(lines).facility_name?.value ?? null;
const BODY = Array.from({ length: 12 }, () => 'Der Patient ist beschwerdefrei.');

describe('the facility', () => {
  it('is not that of the doctor who is addressed, when its own is in the footer', () => {
    expect(
      houseOf(
        'Herrn Dr. med. Beat Frei',
        'Hausarztpraxis Seeblick',
        '3700 Spiez',
        'Bericht vom 03.02.2025',
        ...BODY,
        'Gastropraxis Aare · Dr. med. Lea Roth · Marktgasse 4 · 3011 Bern',
      ),
    ).toBe('Gastropraxis Aare');
  });

  it('is not the head of a fax, nor the path or title of a page of an app', () => {
    const house = ['Labor Achtziger und Moll', 'Ravensburg'];
    for (const head of [
      '06.05.2025 16:31     VON: LABOR ACHTZIGER     AN: 07564555019',
      'Fascicolo sanitario > Referti di laboratorio',
      'Meine Laborwerte',
    ])
      expect(houseOf(head, ...house, 'Patient: Elena Keller')).toBe('Labor Achtziger und Moll');
  });

  it('may be called like an examination', () => {
    expect(
      houseOf('Röntgeninstitut Alpenblick', 'MRT des Knies vom 03.02.2025', ...BODY, 'Facharzt für Radiologie'),
    ).toBe('Röntgeninstitut Alpenblick');
    expect(houseOf('Imagerie médicale des Cévennes', 'ÉCHOGRAPHIE CERVICALE', 'Résultats : thyroïde normale.')).toBe(
      'Imagerie médicale des Cévennes',
    );
  });

  it('is the house that issued the paper, not one of its parts', () => {
    expect(houseOf('ASST Valle Olona – Centro vaccinale di Saronno', 'CERTIFICATO VACCINALE')).toBe('ASST Valle Olona');
    expect(houseOf('SEVERN VALE MICROBIOLOGY          Gloucester Road', 'Location   Ledbury Health Centre')).toBe(
      'SEVERN VALE MICROBIOLOGY',
    );
  });

  it('has a name of its own, not only that of a kind of house or department', () => {
    expect(houseOf('MVZ für Pathologie · Domplatz 3', 'labor donautal', '93047 Regensburg')).toBe('labor donautal');
    expect(houseOf('Chirurgie  Urologie', 'Kreiskrankenhaus Sonnberg', '83471 Berchtesgaden', ...BODY)).toBe(
      'Kreiskrankenhaus Sonnberg',
    );
    expect(houseOf('CytoVal', 'Laboratoire de cytologie médicale - 73000 Chambéry', ...BODY)).toBe('CytoVal');
    expect(houseOf('LABOR PUSTERTAL        Auftrag 12-34', 'Befunddatum: 23.02.2024', ...BODY)).toBe('LABOR PUSTERTAL');
    expect(houseOf('Innere Medizin', 'Bericht vom 03.02.2025', ...BODY)).toBe('Innere Medizin');
  });

  it('may be printed over two lines, or beside a town alone, and not the heading of a column', () => {
    expect(houseOf('Bluestem County        Discharge Summary', 'Hospital               Diagnoses', ...BODY)).toBe(
      'Bluestem County Hospital',
    );
    expect(houseOf('Cascade Hand and Wrist        Bend, OR', 'CONSULTATION NOTE', ...BODY)).toBe(
      'Cascade Hand and Wrist',
    );
    expect(houseOf('PLAN DE TRAITEMENT', 'EMS Les Tilleuls', 'Médicament       Dosage', ...BODY)).toBe(
      'EMS Les Tilleuls',
    );
  });

  it('is not the patient', () => {
    expect(
      houseOf('Impfbescheinigung', 'Name: Nora Wieland   geb. 03.04.1990', 'Seestrasse 12, 8002 Zürich'),
    ).toBeNull();
  });

  it('may be in the last lines', () => {
    expect(houseOf('CARNET DE SANTÉ', 'Nom: FAVRE Line', ...BODY, 'Cabinet de pédiatrie des Lilas, 69001 Lyon')).toBe(
      'Cabinet de pédiatrie des Lilas',
    );
  });

  it('is neither a doctor with a discipline nor an earlier office', () => {
    expect(
      houseOf('Dr. med. Livia Roth FMH Dermatologie', 'Hautzentrum Aare', 'Bahnhofplatz 5, 4600 Olten', ...BODY),
    ).toBe('Hautzentrum Aare');
    expect(
      houseOf(
        'Docteur Benoît CHARRETON',
        'Ophtalmologiste — ancien chef de clinique',
        'Centre ophtalmologique des Brotteaux',
        ...BODY,
      ),
    ).toBe('Centre ophtalmologique des Brotteaux');
  });

  it('is named in the sentence of a portal, and by who produced the paper', () => {
    expect(
      houseOf(
        'Full blood count',
        'Taken on 2 September 2025 at Harbour View Medical',
        'Centre',
        'Requested by Dr Morwenna Hosking',
        ...BODY,
      ),
    ).toBe('Harbour View Medical Centre');
    expect(
      houseOf(
        'Immunisation Record',
        'Produced by Larne Lough Family Practice on 03 March 2026 for Dr Hugh Mount',
        ...BODY,
      ),
    ).toBe('Larne Lough Family Practice');
    expect(
      houseOf(
        'Blutbild',
        'Entnommen am 02.09.2025 in der Praxis Seeblick',
        'Hämoglobin  14,1 g/dl  13,5 - 17,2',
        ...BODY,
      ),
    ).toBe('Praxis Seeblick');
  });

  it('is the body that runs a vaccination service, the prescribing centre, and not the insurer of a form', () => {
    expect(
      houseOf(
        'AZIENDA SANITARIA TERRITORIALE COLLI',
        'Dipartimento di Prevenzione — Ambulatorio vaccinale di Este',
        ...BODY,
      ),
    ).toBe('AZIENDA SANITARIA TERRITORIALE COLLI');
    expect(
      houseOf('SCHEDA DI PRESCRIZIONE', 'Centro prescrittore: Ospedale Valle Imagna — Ambulatorio, Bergamo', ...BODY),
    ).toBe('Ospedale Valle Imagna');
    expect(
      houseOf(
        'Überweisungsschein',
        'BARMER',
        'Zschoche, Ronny geb. 16.06.1977',
        ...BODY,
        'Hausarztpraxis Muster',
        'Dr. med. Ida Melzer',
      ),
    ).toBe('Hausarztpraxis Muster');
  });

  it('is behind the day of the print, and not the body that it is a part of or a sentence for the pharmacist', () => {
    expect(houseOf('Immunization Record', 'Printed 10/09/2025 by Red River Pharmacy', ...BODY)).toBe(
      'Red River Pharmacy',
    );
    expect(
      houseOf(
        'Tidewater Children’s Services',
        'Lowestoft Family Hub · part of East Shore Community NHS Trust',
        'Dear Mr and Mrs Oduya-Finch',
        ...BODY,
      ),
    ).toBe('Tidewater Children’s Services');
    expect(
      houseOf(
        'PREUVE DE PRESCRIPTION ÉLECTRONIQUE',
        'Veuillez présenter cette preuve à votre pharmacien.',
        'Prescripteur',
        'Dr Maïté Corbisier',
        'Maison médicale du Piéton',
        ...BODY,
      ),
    ).toBe('Maison médicale du Piéton');
  });

  it('may be a consultation with a place or a short word for a laboratory', () => {
    expect(houseOf("Consultation d'allergologie du Chablais", 'Dr Anouk Zufferey · Monthey', ...BODY)).toBe(
      "Consultation d'allergologie du Chablais",
    );
    expect(
      houseOf(
        'LABO BROYE SA             Dresse Corinne Jaquier',
        '                          Cabinet médical des Arcades',
        ...BODY,
      ),
    ).toBe('LABO BROYE SA');
  });
});

it('is the name above a legal form, and no words about appointments', () => {
  const lab = [
    'SUD-BIO MINERVOIS',
    'SELAS de biologistes médicaux',
    '11200 Lézignan',
    'Résultats   Valeur',
    'Sodium   139   mmol/L',
  ];
  expect(houseOf(...lab)).toBe('SUD-BIO MINERVOIS');
  expect(houseOf('Prof. Dr. Adalbert Kern', '1090 Wien, Alser Gasse 77 - Ordination nach Vereinbarung')).toBeNull();
});

it('is a service, a house of a discipline, and who put a paper into a record', () => {
  expect(
    houseOf('Pennine Diabetes Service', 'Community clinic at Rossendale Health Hub', 'Re: Mr Tariq Aslam', ...BODY),
  ).toBe('Pennine Diabetes Service');
  expect(houseOf('Laborwerte 17.09.2025', 'Einsteller: Endokrinologikum Saarpfalz', 'Calcium: 2,31 mmol/l')).toBe(
    'Endokrinologikum Saarpfalz',
  );
});

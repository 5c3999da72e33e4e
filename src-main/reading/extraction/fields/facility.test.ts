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
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { rowContext } from '../../../../test/support/printed-rows.ts';
import { rowsOf } from '../../../../test/support/printed-labs.ts';
import { readDiagnoses } from '../diagnoses/diagnoses.ts';
import { buildLayout } from '../layout/layout.ts';
import { readMedications } from '../medicines/medicines.ts';
import { isDenied, isStopped } from './assertion.ts';

const diagnoses = (lines: readonly string[]) =>
  readDiagnoses(buildLayout([printedPage(lines)]), rowContext).map((row) => row.diagnosis_original);
const medicines = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), rowContext).map(
    (row) => row.brand_name ?? row.active_ingredient_original,
  );

describe('what a page denies', () => {
  it('is not a diagnosis, in four languages', () => {
    expect(
      diagnoses(['Diagnoses:', '1. Coeliac disease – excluded on biopsy', '2. Gout', '3. No evidence of lupus']),
    ).toEqual(['Gout']);
    expect(
      diagnoses([
        'Diagnosen:',
        '- Kein Anhalt für Sarkoidose',
        '- Migräne ohne Aura',
        '- Lungenembolie, ausgeschlossen',
      ]),
    ).toEqual(['Migräne ohne Aura']);
    expect(
      diagnoses(['Diagnostics:', '- Absence de sténose carotidienne', '- Goutte', '- Sclérose en plaques : écartée']),
    ).toEqual(['Goutte']);
    expect(diagnoses(['Diagnosi:', '- Embolia polmonare, esclusa', '- Gotta', '- Nessun segno di recidiva'])).toEqual([
      'Gotta',
    ]);
  });

  it('keeps names that contain a denial', () => {
    const names = [
      'Non-Hodgkin-Lymphom',
      'Diabetes mellitus ohne Komplikationen',
      'Nicht primär insulinabhängiger Diabetes',
      'Non-alcoholic fatty liver disease',
      'Insuffisance rénale sans précision',
    ];
    expect(names.filter(isDenied)).toEqual([]);
  });

  it('excludes a code marked as excluded, and a relative', () => {
    expect(
      diagnoses(['Diagnosen:', 'Asthma bronchiale J45.9 G', 'Herzinsuffizienz I50.9 A', 'Mutter: Psoriasis']),
    ).toEqual(['Asthma bronchiale']);
  });
});

describe('what is no longer taken', () => {
  it('is not a medicine, on its line or under its heading', () => {
    expect(
      medicines([
        'Discharge medications',
        'Lisinopril 10 mg daily',
        'STOP TAKING: Naproxen 500 mg',
        'Amlodipine 5 mg daily',
      ]),
    ).toEqual(['Lisinopril', 'Amlodipine']);
    expect(
      medicines([
        'Medikation:',
        'Torasemid 10 mg 1-0-0',
        'Abgesetzt:',
        'Digitoxin 0,07 mg 1-0-0',
        'Spironolacton 25 mg',
      ]),
    ).toEqual(['Torasemid']);
    expect(
      medicines([
        'Traitement:',
        'Furosémide 40 mg 1-0-0',
        'Amiodarone 200 mg (arrêtée le 3 mai)',
        'Bisoprolol 5 mg 1-0-0',
      ]),
    ).toEqual(['Furosémide', 'Bisoprolol']);
    expect(
      medicines([
        'Terapia:',
        'Ramipril 5 mg 1-0-0',
        'Farmaci sospesi:',
        'Allopurinolo 300 mg',
        'Proseguire:',
        'Furosemide 25 mg 1-0-0',
      ]),
    ).toEqual(['Ramipril', 'Furosemide']);
  });

  it('is not what a person must not get', () => {
    expect(medicines(['Allergies', 'Amoxicillin 500 mg', 'Ibuprofen 400 mg'])).toEqual([]);
  });

  it('is still taken when it shall stop later', () => {
    expect(isStopped('Prednisolone 30 mg for 5 days, then stop')).toBe(false);
  });
});

it('reads no result that a sentence says to be of another time', () => {
  expect(
    rowsOf([
      'His ferritin in March was 640 µg/L and rose later.',
      'Das Kreatinin lag bei 180 µmol/l.',
      'La créatinine était à 180 µmol/L.',
      'La ferritina era 640 µg/L.',
    ]),
  ).toEqual([]);
});

it('takes what is said to be absent behind its name, or begins with "not", for no diagnosis', () => {
  expect(diagnoses(['Diagnosen:', 'Heuschnupfen', 'Asthma bronchiale liegt nicht vor.'])).toEqual(['Heuschnupfen']);
  expect(diagnoses(['Diagnosi:', 'Cataratta', 'Degenerazione maculare: assente.'])).toEqual(['Cataratta']);
  expect(diagnoses(['Diagnostics :', 'Goutte', 'Albuminurie : absente'])).toEqual(['Goutte']);
  expect(diagnoses(['Diagnoses:', 'Hearing loss', 'Not depressed'])).toEqual(['Hearing loss']);
});

it('takes a medicine that is said to be replaced for none', () => {
  expect(medicines(['Traitement :', 'Trulicity 1,5 mg, 1 injection par semaine (remplace Januvia)'])).toEqual([
    'Trulicity',
  ]);
  expect(medicines(['Prescription', 'Elvanse 50 mg one each morning', 'Replaces Strattera 40 mg.'])).toEqual([
    'Elvanse',
  ]);
});

it('takes what relatives have and what Italian lists deny for no diagnosis', () => {
  expect(diagnoses(['Diagnosi:', 'Gastroenterite', 'Non diabete', 'Il padre ha l’epilessia'])).toEqual([
    'Gastroenterite',
  ]);
  expect(diagnoses(['Diagnosen:', 'Gestationsdiabetes', 'Mutter mit Brustkrebs'])).toEqual(['Gestationsdiabetes']);
  expect(diagnoses(['Diagnostic', 'Gastrite chronique', 'Dre Sylvie Matthey, pathologiste'])).toEqual([
    'Gastrite chronique',
  ]);
});

it('takes a medicine that was taken away for none', () => {
  expect(
    medicines([
      'Medicamento          Principio attivo     Mattino   Sera',
      'Crestor 10 mg        rosuvastatina        0         1',
      'Tolto dal 23.02.2026: Concor 5 mg (bradicardia).',
    ]),
  ).toEqual(['Crestor']);
});

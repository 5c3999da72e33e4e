import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { rowContext } from '../../../../test/support/printed-rows.ts';
import { buildLayout } from '../layout/layout.ts';
import { readDiagnoses } from './diagnoses.ts';

const read = (lines: readonly string[]) =>
  readDiagnoses(buildLayout([printedPage(lines)]), rowContext).map((row) => [
    row.diagnosis_original,
    row.diagnosis_code,
  ]);

describe('readDiagnoses', () => {
  it('reads a list under its heading up to the next heading', () => {
    expect(read(['Diagnosen', '1. Arterielle Hypertonie (I10)', '2. Gicht', 'Befund', 'Herztöne rein'])).toEqual([
      ['Arterielle Hypertonie', 'I10'],
      ['Gicht', null],
    ]);
  });

  it('excludes a heading in a separate column from the diagnosis', () => {
    expect(read(['Diagnostics          Diverticulose sigmoïdienne (K57.3)'])).toEqual([
      ['Diverticulose sigmoïdienne', 'K57.3'],
    ]);
  });

  it('reads a short code after labeled text, and the condition of a fit note', () => {
    expect(read(['Indikation:     Benigne Prostatahyperplasie, N40'])).toEqual([
      ['Benigne Prostatahyperplasie', 'N40'],
    ]);
    expect(read(['and, because of the following condition(s): acute low back pain'])).toEqual([
      ['acute low back pain', null],
    ]);
  });

  it('does not take the name of a hospital for a heading', () =>
    expect(read(['QuestPoint', 'Diagnostics', '8812 Juniper Ct'])).toEqual([]));

  it('removes the lines of a form in front of words', () => {
    expect(read(['Diagnosi:', '_Calcolosi renale (N20.0)'])).toEqual([['Calcolosi renale', 'N20.0']]);
  });

  it('excludes details, certainties and dates from a diagnosis', () => {
    expect(
      read([
        'Diagnosen:',
        '1. NSTEMI, I21.4 G',
        '   - Koronarangiographie vom 12.03.2024: Stent RIVA',
        '2. Arterielle Hypertonie I10.90 G',
        'Anamnese:',
        'Brustschmerzen seit gestern',
      ]),
    ).toEqual([
      ['NSTEMI', 'I21.4'],
      ['Arterielle Hypertonie', 'I10.90'],
    ]);
    expect(read(['Dauerdiagnosen', 'M54.5 G L   Kreuzschmerz', 'K21.0       Refluxösophagitis         G'])).toEqual([
      ['Kreuzschmerz', 'M54.5'],
      ['Refluxösophagitis', 'K21.0'],
    ]);
    expect(read(['Dx: Lumbago (M54.5)   Rezidiv am: 12.03.2024'])).toEqual([['Lumbago', 'M54.5']]);
  });

  it('reads states after an illness or operation as printed', () => {
    expect(
      read([
        'Diagnostics secondaires :',
        '• HTA',
        '• Status après AVC en 2019',
        'Motif d’hospitalisation :',
        'Dyspnée',
      ]),
    ).toEqual([
      ['HTA', null],
      ['Status après AVC en 2019', null],
    ]);
    expect(
      read([
        'DISCHARGE DIAGNOSES:',
        '1) Pneumonia (J18.1)',
        '2) Status post appendectomy',
        'HOSPITAL COURSE: uneventful',
      ]),
    ).toEqual([
      ['Pneumonia', 'J18.1'],
      ['Status post appendectomy', null],
    ]);
  });

  it('separates diagnoses of one line at their codes', () => {
    expect(read(['Nebendiagnosen: Diabetes mellitus Typ 2 (E11.90), Adipositas Grad II (E66.01)'])).toEqual([
      ['Diabetes mellitus Typ 2', 'E11.90'],
      ['Adipositas Grad II', 'E66.01'],
    ]);
  });

  it('reads main and secondary diagnoses under their own headings, up to an operation', () => {
    expect(
      read([
        'Hauptdiagnose',
        'Schenkelhalsfraktur rechts (S72.01)',
        'Nebendiagnosen',
        '- Osteoporose (M81.9)',
        'Operation vom 12.03.2024',
        'Implantation einer Hüft-TEP rechts',
      ]),
    ).toEqual([
      ['Schenkelhalsfraktur rechts', 'S72.01'],
      ['Osteoporose', 'M81.9'],
    ]);
  });

  it('finds no diagnosis where none is stated', () => {
    expect(read(['Diagnosis: none', 'Vitamin B12 Mangel, L5/S1 unauffällig'])).toEqual([]);
  });

  it('finds no diagnosis in prose', () => {
    expect(read(['The patient came for a routine visit and was in good health.'])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { nobody, readPrinted } from '../../../../test/support/printed-document.ts';
import { readDocument } from '../read-document.ts';

type Row = ReturnType<typeof readPrinted>['lab_results'][number];
const cells = (rows: readonly Row[]) =>
  rows.map((row) => [
    row.test_name_original,
    row.value,
    row.unit,
    row.reference_range_low,
    row.reference_range_high,
    row.test_date,
  ]);
/** The rows of a scan of these lines. */
const scanned = (lines: readonly string[]) =>
  readDocument([{ ...printedPage(lines), source: 'ocr' }], nobody).lab_results;

describe('tests as columns', () => {
  it('are read below abbreviations that nobody knows, if their units are below them', () => {
    expect(
      cells(
        readPrinted([
          'Laborverlauf',
          'Datum        Hb        Leukz    Thrz      Krx      CRP',
          'Einheit      g/l       G/l      G/l       µmol/l   mg/l',
          'Norm         117-153   3,9-10   150-400   44-80    <5',
          '18.03.2026   109       3,1      142       71       <1',
          '18.02.2026   112       3,8      161       69       2',
        ]).lab_results,
      ),
    ).toEqual([
      ['Hb', 109, 'g/l', 117, 153, '2026-03-18'],
      ['Leukz', 3.1, 'G/l', 3.9, 10, '2026-03-18'],
      ['Thrz', 142, 'G/l', 150, 400, '2026-03-18'],
      ['Krx', 71, 'µmol/l', 44, 80, '2026-03-18'],
      ['CRP', 1, 'mg/l', null, 5, '2026-03-18'],
      ['Hb', 112, 'g/l', 117, 153, '2026-02-18'],
      ['Leukz', 3.8, 'G/l', 3.9, 10, '2026-02-18'],
      ['Thrz', 161, 'G/l', 150, 400, '2026-02-18'],
      ['Krx', 69, 'µmol/l', 44, 80, '2026-02-18'],
      ['CRP', 2, 'mg/l', null, 5, '2026-02-18'],
    ]);
  });

  const card = (result: string) => [
    'Renal Unit    result card',
    'taken 26/01/2026',
    '          Na       K        Creat    Urea     eGFR     Hb',
    'unit      mmol/L   mmol/L   umol/L   mmol/L   mL/min   g/dL',
    'normal    133-146  3.5-5.3  59-104   2.5-7.8  >60      13.0-18.0',
    result,
  ];

  it('have no heading above the word for units', () => {
    expect(cells(readPrinted(card('result    137      6.1      201      18.4     28       11.1')).lab_results)).toEqual(
      [
        ['Na', 137, 'mmol/L', 133, 146, '2026-01-26'],
        ['K', 6.1, 'mmol/L', 3.5, 5.3, '2026-01-26'],
        ['Creat', 201, 'umol/L', 59, 104, '2026-01-26'],
        ['Urea', 18.4, 'mmol/L', 2.5, 7.8, '2026-01-26'],
        ['eGFR', 28, 'mL/min', 60, null, '2026-01-26'],
        ['Hb', 11.1, 'g/dL', 13, 18, '2026-01-26'],
      ],
    );
  });

  it('lose arrows that a scan read as last digits, and ask for a look where that is not sure', () => {
    const rows = scanned(card('result    137      6.11     2011     18.41    28.      11.14'));
    expect(rows.map(({ value }) => value)).toEqual([137, 6.1, 201, 18.4, 28, 11.1]);
    expect(rows.filter(({ doubt }) => doubt.includes('poor_print')).map((row) => row.test_name_original)).toEqual(
      expect.arrayContaining(['Creat']),
    );
  });

  it('keep a last digit where only one number has a decimal more', () => {
    const rows = scanned(card('result    137      6.11     201      9.2      28       11.1'));
    expect(rows.map(({ value }) => value)).toEqual([137, 6.11, 201, 9.2, 28, 11.1]);
  });
});

it('takes limits in columns of their own, beside an earlier result and without the lower one', () => {
  expect(
    cells(
      readPrinted([
        'Prelievo: 09/02/2026',
        'Analisi        Val. attuale   Val. prec. (08/09/2025)   U.M.    Min    Max',
        'Emoglobina     15,2           15,0                      g/dL    13,0   17,5',
        'AST            29             —                         U/L            40',
      ]).lab_results,
    ),
  ).toEqual([
    ['Emoglobina', 15.2, 'g/dL', 13, 17.5, '2026-02-09'],
    ['AST', 29, 'U/L', null, 40, '2026-02-09'],
  ]);
});

it('reads each row by itself where the heading of the numbers is above the names', () => {
  expect(
    cells(
      readPrinted([
        'Blutabnahme 25.09.2025',
        'Ihr Wert                                   liegt              Normbereich',
        'Cholesterin gesamt        243 mg/dl        zu hoch            unter 200',
        'LDL-Cholesterin           164 mg/dl        zu hoch            unter 116',
        'HDL-Cholesterin           51 mg/dl         im Normbereich     über 40',
      ]).lab_results,
    ),
  ).toEqual([
    ['Cholesterin gesamt', 243, 'mg/dl', null, 200, '2025-09-25'],
    ['LDL-Cholesterin', 164, 'mg/dl', null, 116, '2025-09-25'],
    ['HDL-Cholesterin', 51, 'mg/dl', 40, null, '2025-09-25'],
  ]);
});

it('reads two columns of cards of different heights, one after the other', () => {
  expect(
    cells(
      readPrinted([
        '19 November 2025',
        'Your blood test of 14 November 2025 shows the following:',
        'Vitamin B12                                  Mean cell volume (MCV)',
        '148 pmol/L – abnormal                        79 fL – abnormal',
        'expected 180 to 700                          expected 80 to 100',
        'Serum folate                                 CRP',
        '6.1 nmol/L – abnormal                        4 mg/L',
        'expected 7.0 to 45.0                         Ferritin',
        'Haemoglobin                                  9 ug/L – abnormal',
        '104 g/L – abnormal                           expected 13 to 150',
        'expected 115 to 165',
        '',
        'I would like to start injections; please make an appointment with the nurse.',
      ]).lab_results,
    ),
  ).toEqual([
    ['Vitamin B12', 148, 'pmol/L', 180, 700, '2025-11-14'],
    ['Serum folate', 6.1, 'nmol/L', 7, 45, '2025-11-14'],
    ['Haemoglobin', 104, 'g/L', 115, 165, '2025-11-14'],
    ['Mean cell volume (MCV)', 79, 'fL', 80, 100, '2025-11-14'],
    ['CRP', 4, 'mg/L', null, null, '2025-11-14'],
    ['Ferritin', 9, 'ug/L', 13, 150, '2025-11-14'],
  ]);
});

it('takes unit and range from the line below a name and its number', () => {
  expect(
    cells(
      readPrinted([
        '05.02.2026',
        'Lc                                 14,6',
        'G/L· 4,0-10,0',
        'Hb                                  138',
        'g/l: 120-155',
        'CRP                            87 mg/l',
        '<5',
      ]).lab_results,
    ),
  ).toEqual([
    ['Lc', 14.6, 'G/L', 4, 10, '2026-02-05'],
    ['Hb', 138, 'g/l', 120, 155, '2026-02-05'],
    ['CRP', 87, 'mg/l', null, 5, '2026-02-05'],
  ]);
});

it('takes "Positive – abnormal" of a portal, and genes that are changed in one or both copies', () => {
  const rows = readPrinted([
    'Your blood test of 14 November 2025',
    'Vitamin B12',
    '148 pmol/L – abnormal',
    'expected 180 to 700',
    'Serum folate',
    '16.1 nmol/L',
    'expected 7.0 to 45.0',
    'Ferritin',
    '90 ug/L',
    'expected 13 to 150',
    'Intrinsic factor antibody',
    'Positive – abnormal',
    'HFE gene C282Y',
    'homozygous',
    'HFE gene H63D',
    'wild type',
  ]).lab_results;
  expect(rows.slice(3).map((row) => [row.test_name_original, row.value_text, row.is_abnormal])).toEqual([
    ['Intrinsic factor antibody', 'Positive', true],
    ['HFE gene C282Y', 'homozygous', true],
    ['HFE gene H63D', 'wild type', false],
  ]);
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { findDates } from '../fields/date-text.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readVaccinations } from './vaccinations.ts';

const ctx: RowContext = {
  language: 'en',
  sex: null,
  dates: () => ({ collected: null, event: '2026-01-01' }),
  parseDate: (text) => findDates(text, '2026-01-01')[0]?.dmy ?? null,
};
/** Vaccine, day and lot of each vaccination. */
const read = (lines: readonly string[], confidence = 1) => {
  const page = printedPage(lines);
  const words = page.words.map((word) => ({ ...word, confidence }));
  return readVaccinations(buildLayout([{ ...page, words }]), ctx).map((row) => [
    row.vaccine_name,
    row.date_administered,
    row.lot_number,
  ]);
};

type Case = readonly [string, readonly string[], readonly (readonly (string | null)[])[]];

describe('days of vaccinations', () => {
  it.each<Case>([
    [
      'are stated by a sentence of two lines above a table without days',
      [
        'Frau Gudrun Hasselbach, geb. 04.09.1953, erhielt am',
        '14.10.2025 folgende Impfungen:',
        'Impfstoff          Hersteller        Charge',
        'Efluelda           Sanofi            Y3C811V',
      ],
      [['Efluelda', '2025-10-14', 'Y3C811V']],
    ],
    [
      'are those of the document for a table without days',
      ['Vaccine           Manufacturer        Batch', 'Havrix 1440       GSK                 AHAVC311'],
      [['Havrix 1440', '2026-01-01', 'AHAVC311']],
    ],
    [
      'are printed alone above the vaccines',
      ['03/05/2024', 'MMR II', 'Varivax        Lot X998877', '04/09/2025', 'Boostrix       Lot AC37B123'],
      [
        ['MMR II', '2024-05-03', null],
        ['Varivax', '2024-05-03', 'X998877'],
        ['Boostrix', '2025-09-04', 'AC37B123'],
      ],
    ],
    [
      'are printed once for several rows',
      [
        'Datum          Impfstoff        Charge',
        '12.03.2021     Infanrix hexa    A21CB123',
        '               Prevenar 13      DX1234',
        '14.05.2021     Infanrix hexa    A21CB456',
      ],
      [
        ['Infanrix hexa', '2021-03-12', 'A21CB123'],
        ['Prevenar 13', '2021-03-12', 'DX1234'],
        ['Infanrix hexa', '2021-05-14', 'A21CB456'],
      ],
    ],
    [
      'are above columns of marks or lots',
      [
        'Vaccino          12/03/2021    14/05/2021    20/02/2022',
        'Esavalente       X                           A21CB123',
      ],
      [
        ['Esavalente', '2021-03-12', null],
        ['Esavalente', '2022-02-20', 'A21CB123'],
      ],
    ],
  ])('%s', (_, lines, expected) => expect(read(lines)).toEqual(expected));
});

describe('names of vaccines', () => {
  it.each<Case>([
    [
      'are in sentences beside what they protect against',
      [
        'Heute, am 14.10.2025, wurde Herr Weber gegen Influenza (Efluelda, Ch.-B. Y3C811V) und Pneumokokken',
        '(Apexxnar, Ch.-B. HG5521) geimpft.',
      ],
      [
        ['Efluelda', '2025-10-14', 'Y3C811V'],
        ['Apexxnar', '2025-10-14', 'HG5521'],
      ],
    ],
    [
      'are without the words around them',
      [
        'Mme Jeanne Dubois, née le 02/03/1990, a reçu le 14 mars 2024 une dose',
        'du vaccin Gardasil 9 (lot W036363).',
        'Wundnaht, Boostrix am 16.08.2025 gegeben, Überwachung',
      ],
      [
        ['Gardasil 9', '2024-03-14', 'W036363'],
        ['Boostrix', '2025-08-16', null],
      ],
    ],
    [
      'are without bullets and without the number of the dose in brackets',
      [
        'Your child received the following on 12 March 2024:',
        '- Bexsero (batch ABX12D)',
        'Data           Vaccino               Lotto',
        '16/01/2025     Shingrix (1° dose)    H5X29',
      ],
      [
        ['Bexsero', '2024-03-12', 'ABX12D'],
        ['Shingrix', '2025-01-16', 'H5X29'],
      ],
    ],
    [
      'are in a column of brands beside one of diseases',
      ['Date            Immunisation     Brand given', '05 May 2025     Influenza        Qxflu'],
      [['Qxflu', '2025-05-05', null]],
    ],
    [
      'are those of a row below a heading with diseases',
      ['Diphtherie, Tetanus, Polio', '15.01.2020     Boostrix Polio     Ch. AC39B     Dr. Frei'],
      [['Boostrix Polio', '2020-01-15', 'AC39B']],
    ],
    [
      'are not the town of a signature below the table',
      ['Data           Vaccino      Lotto', '24/10/2024     Fluad        401822A', 'Bassano del Grappa, 20/03/2025'],
      [['Fluad', '2024-10-24', '401822A']],
    ],
  ])('%s', (_, lines, expected) => expect(read(lines)).toEqual(expected));

  it('are mended where a short one was read with little confidence', () => {
    const lines = ['Data           Vaccino      Lotto', '24/10/2024     Fiuad        401822A'];
    expect(read(lines, 0.8)).toEqual([['Fluad', '2024-10-24', '401822A']]);
    expect(read(lines)).toEqual([['Fiuad', '2024-10-24', '401822A']]);
  });
});

it('records nothing that is due or in a list of what is', () => {
  expect(
    read([
      'Twinrix   2nd dose   03.03.2019   AHABC2',
      'Twinrix   3rd dose   due 03.09.2019',
      'Upcoming:',
      'Shingrix       01.06.2026',
      'Administered',
      'Boostrix       01.06.2020',
    ]),
  ).toEqual([
    ['Twinrix', '2019-03-03', 'AHABC2'],
    ['Boostrix', '2020-06-01', null],
  ]);
});

describe('lots of a booklet', () => {
  it.each([
    [
      'Datum         Handelsname        Tetanus   Unterschrift',
      '14.05.2018    Repevax            X         Dr. A. Huth',
    ],
    ['Date          Vaccine            Tetanus   Signature', '14.05.2018    Repevax            X         Dr A. Huth'],
    ['Date          Vaccin             Tétanos   Signature', '14.05.2018    Repevax            X         Dr A. Huth'],
    ['Data          Vaccino            Tetano    Firma', '14.05.2018    Repevax            X         Dott. A. Huth'],
  ])('are alone below the name under %j', (header, row) =>
    expect(read([header, row, '              N2E441V'])).toEqual([['Repevax', '2018-05-14', 'N2E441V']]),
  );

  it('have digits, unlike the words of a stamp', () =>
    expect(
      read([
        'Datum         Handelsname        Tetanus',
        '14.05.2018    Repevax            X',
        '              KAISERSTUHL',
      ]),
    ).toEqual([['Repevax', '2018-05-14', null]]));
});

it('is named without the day in words behind it, and its lot has digits where a scan shows letters', () => {
  expect(read(['Certificate of vaccination', 'Varivax on 15 April 2025, batch Y011822'])).toEqual([
    ['Varivax', '2025-04-15', 'Y011822'],
  ]);
  const page = {
    ...printedPage([
      'Datum         Impfstoff       Charge',
      '23.05.2023    Varilrix        A70CFII8',
      '19.04.2022    Rotarix         AROLC77I',
    ]),
    source: 'ocr' as const,
  };
  expect(readVaccinations(buildLayout([page]), ctx).map((row) => row.lot_number)).toEqual(['A70CF118', 'AROLC771']);
});

it('does not record what is only advised, and no year of expiry as part of a lot', () => {
  expect(read(['Prise de sang le 27/03/2026. Vaccination contre le zona conseillée.'])).toEqual([]);
  expect(
    read([
      'Datum         Impfstoff     Art               Charge / verwendbar bis    Arzt',
      '24.03.2026    FSME-Immun    3. Teilimpfung    FS26A014 / 2027            KR',
    ]),
  ).toEqual([['FSME-Immun', '2026-03-24', 'FS26A014']]);
});

it('reads cards side by side with the diseases below their names', () => {
  expect(
    read([
      'NIMENRIX               GARDASIL 9             REPEVAX',
      'Méningocoques ACWY     Papillomavirus         Rappel dTcaP',
      'Fait le 11/03/2026     Fait le 11/03/2026     Fait le 03/09/2024',
      'Lot : FN4471           Lot : X018822          Lot : W3C512V',
    ]),
  ).toEqual([
    ['NIMENRIX', '2026-03-11', 'FN4471'],
    ['GARDASIL 9', '2026-03-11', 'X018822'],
    ['REPEVAX', '2024-09-03', 'W3C512V'],
  ]);
});

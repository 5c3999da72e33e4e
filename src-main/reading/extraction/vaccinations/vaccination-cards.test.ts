import { expect, it } from 'vitest';
import { readLines } from '../../../../test/support/printed-document.ts';

const given = (lines: readonly string[]) =>
  readLines(lines).vaccinations.map((row) => [
    row.vaccine_name,
    row.date_administered,
    row.lot_number,
    row.manufacturer,
    row.dose_number,
  ]);

it('reads cards side by side, each with its own day and lot', () => {
  expect(
    given([
      'Impfnachweis',
      'Repevax                              Typhim Vi',
      'verabreicht am 17.01.2022            verabreicht am 02.03.2022',
      'Lot W2A411V                          Lot V1A903V',
      'Sanofi                               Sanofi',
      'Havrix 1440 – Dosis 1                Stamaril',
      'verabreicht am 02.03.2022            verabreicht am 16.03.2022',
      'Lot AHAVC077BA                       Lot X5D211V',
      'GSK                                  Sanofi',
      'Empfohlen, aber nicht verabreicht: Tollwut.',
    ]),
  ).toEqual([
    ['Repevax', '2022-01-17', 'W2A411V', 'Sanofi', null],
    ['Typhim Vi', '2022-03-02', 'V1A903V', 'Sanofi', null],
    ['Havrix 1440', '2022-03-02', 'AHAVC077BA', 'GSK', 1],
    ['Stamaril', '2022-03-16', 'X5D211V', 'Sanofi', null],
  ]);
});

it('does not take a vaccine that is only due', () => {
  expect(given(['Impfausweis', 'Boostrix', 'nächste Impfung fällig 17.01.2032', 'Lot W2A411V'])).toEqual([]);
});

it('takes the day that introduces a list, and the product behind what it protects against', () => {
  expect(
    given([
      'CERTIFICAT DE VACCINATION',
      '02/02/1979, a reçu ce jour, le 21/10/2025 :',
      '– contre la fièvre jaune : Stamaril (Sanofi), lot V2E441M, dose 1',
      '– contre l’hépatite A : Havrix 1440 (GSK), lot AHAVC311, dose 1',
    ]),
  ).toEqual([
    ['Stamaril', '2025-10-21', 'V2E441M', 'Sanofi', 1],
    ['Havrix 1440', '2025-10-21', 'AHAVC311', 'GSK', 1],
  ]);
});

it('gives a card without a lot none of the card beside it', () => {
  expect(
    given(['Impfnachweis', 'Stamaril            Repevax', 'am 17.01.2022       am 02.03.2022', 'Lot W2A411V']),
  ).toEqual([
    ['Stamaril', '2022-01-17', 'W2A411V', null, null],
    ['Repevax', '2022-03-02', null, null, null],
  ]);
});

const namesAndLots = (lines: readonly string[]) => given(lines).map((row) => row.slice(0, 3));

it('has its lot beside the day below its name, and is not read below a heading of what is recommended', () => {
  expect(
    namesAndLots([
      'Vaccines given at this visit',
      'Boostrix (Tdap)',
      'Date given: 08/26/2025    Lot: 7K4ZB    Exp: 03/31/2027',
      'Menveo (MenACWY)',
      'Date given: 08/26/2025    Lot: N018224    Exp: 11/30/2026',
    ]),
  ).toEqual([
    ['Boostrix', '2025-08-26', '7K4ZB'],
    ['Menveo', '2025-08-26', 'N018224'],
  ]);
  expect(
    namesAndLots([
      'Impfung gegen    Impfstoff     Charge      Datum',
      'Hepatitis A/B    Twinrix       AHAB0912    05.01.2026',
      'Nächste empfohlene Impfungen',
      'Hepatitis A/B 2. Dosis ab 02.02.2026',
    ]),
  ).toEqual([['Twinrix', '2026-01-05', 'AHAB0912']]);
});

it('reads cards with the number of the dose beside the name', () => {
  expect(
    given([
      'Le mie vaccinazioni',
      'Shingrix                    dose 1',
      '08/03/2024  -  Lotto 4AX82',
      'GSK',
      'Shingrix                    dose 2',
      '17/05/2024  -  Lotto 5BK17',
      'GSK',
    ]),
  ).toEqual([
    ['Shingrix', '2024-03-08', '4AX82', 'GSK', 1],
    ['Shingrix', '2024-05-17', '5BK17', 'GSK', 2],
  ]);
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { findDates } from '../fields/date-text.ts';
import { buildLayout } from '../layout/layout.ts';
import { readDocument } from '../read-document.ts';
import type { RowContext } from '../row-context.ts';
import { readVaccinations } from './vaccinations.ts';

const ctx: RowContext = {
  language: 'en',
  sex: null,
  dates: () => ({ collected: null, event: null }),
  parseDate: (text) => findDates(text, '2026-01-01')[0]?.dmy ?? null,
};
const rowsOf = (lines: readonly string[], confidence = 1) => {
  const page = printedPage(lines);
  const words = page.words.map((word) => ({ ...word, confidence }));
  return readVaccinations(buildLayout([{ ...page, words }]), ctx);
};
const read = (lines: readonly string[], confidence = 1) =>
  rowsOf(lines, confidence).map((row) => [row.vaccine_name, row.date_administered, row.lot_number, row.dose_number]);

describe('records of vaccinations', () => {
  it('state the lot and the number of the dose below a row', () => {
    expect(
      read([
        'Datum          Impfstoff        Hersteller    Unterschrift',
        '14.03.2022     Encepur          Bavarian      Praxis am Markt',
        '                                              Dr. med. Ute Kern',
        '               Ch.-B.: 4B1127A',
        '2. Impfung',
        '20.09.2022     Revaxis          Sanofi        Praxis am Markt',
        '               Ch. -B.: ein T3D102V',
      ]),
    ).toEqual([
      ['Encepur', '2022-03-14', '4B1127A', 2],
      ['Revaxis', '2022-09-20', 'T3D102V', null],
    ]);
  });

  it('name dose, vaccine, lot and date in one line', () => {
    expect(
      read([
        'Dose 1 Nuvaxovid (Novavax) — lot 4302MF0 — injection du 07/03/2022',
        '2. Impfung: Nuvaxovid, Ch.-B. 4302MF9, am 28.03.2022',
      ]),
    ).toEqual([
      ['Nuvaxovid', '2022-03-07', '4302MF0', 1],
      ['Nuvaxovid', '2022-03-28', '4302MF9', 2],
    ]);
  });

  it('have a column for each dose', () => {
    expect(
      read([
        'Vaccinazione            1a dose       2a dose      3a dose',
        'Esavalente              15/04/2015    18/06/2015   20/02/2016',
      ]),
    ).toEqual([
      ['Esavalente', '2015-04-15', null, 1],
      ['Esavalente', '2015-06-18', null, 2],
      ['Esavalente', '2016-02-20', null, 3],
    ]);
  });

  it('do not count what is planned, due or refused', () => {
    expect(
      read([
        'Vaccine              Date Given    Lot         Next Due',
        'Gardasil 9           17/05/2023    W031229     17/11/2023',
        'Varivax                                        20/01/2026',
        'Influenza            declined',
        'Prossimo appuntamento: Priorix seconda dose 21/01/2024.',
        'Nächste Auffrischung Tetanus: 15.01.2024',
      ]),
    ).toEqual([['Gardasil 9', '2023-05-17', 'W031229', null]]);
  });

  it('are spelled like the only vaccine that a doubtful word can be', () => {
    const line = 'Datum          Impfstoff\n12.06.2023     Badstrix'.split('\n');
    expect(read(line, 0.7)[0]?.[0]).toBe('Boostrix');
    expect(read(line)[0]?.[0]).toBe('Badstrix');
  });

  it('ask for a look if a name is not the printed one', () => {
    const page = printedPage(['Impfausweis', 'Datum          Impfstoff', '12.06.2023     Badstrix']);
    const reasonsAt = (confidence: number) =>
      readDocument([{ ...page, words: page.words.map((word) => ({ ...word, confidence })) }], {
        patient: null,
        household: [],
        isOnlyPatient: false,
        today: '2026-01-01',
        original_filename: 'x.pdf',
      }).review_reasons;
    expect(reasonsAt(0.7)).toContainEqual({ code: 'low_confidence_rows', params: { count: 1 } });
    expect(reasonsAt(1).map(({ code }) => code)).not.toContain('low_confidence_rows');
  });

  it('have the maker and the number of the dose beside the name in its cell', () => {
    expect(
      rowsOf([
        'Vaccin                      Lot        Date          Médecin',
        'Nimenrix (Pfizer) dose 1    FX201K     20.03.2022    Cabinet du Lac',
        'Gardasil 9 (MSD)            U012345    21.09.2022    Cabinet du Lac',
      ]).map((row) => [row.vaccine_name, row.manufacturer, row.dose_number, row.lot_number]),
    ).toEqual([
      ['Nimenrix', 'Pfizer', 1, 'FX201K'],
      ['Gardasil 9', 'MSD', null, 'U012345'],
    ]);
  });

  it('are not dates of birth beside a word like a vaccine', () => {
    expect(read(['Personne à prévenir   Paul Martin (frère), né le 30/01/1998'])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const read = (lines: readonly string[], household: { display_name: string; date_of_birth: string }[] = []) =>
  readPrinted(
    lines,
    household.map((one, id) => ({ ...one, id, sex: null })),
  );
const datesOf = (...args: Parameters<typeof read>) => {
  const { event_date, issued_date } = read(...args);
  return [event_date?.value, issued_date?.value];
};
const SENTENCE = 'The patient has remained well since the last review and reports no new complaints of any kind today.';

describe('a date beside a name', () => {
  it.each([
    ['BRANDNER Alois, 02.03.1951'],
    ['Patient: Brandner, Alois - 02.03.1951'],
    ['BRANDNER Alois (02/03/1951)'],
    ['BRANDNER Alois – M – 02.03.1951'],
  ])('is the birth date in "%s"', (line) => {
    expect(datesOf([line, 'Ultraschall Schilddrüse am 05.06.2024', SENTENCE])).toEqual(['2024-06-05', '2024-06-05']);
  });

  it('is the birth date under the name', () => {
    expect(
      datesOf([
        'Klinik am Hang           Brandner Alois',
        '                         02.03.1951',
        'Echo vom 05.06.2024',
      ]),
    ).toEqual(['2024-06-05', '2024-06-05']);
  });

  it('is the birth date of a known person, also of a baby', () => {
    const baby = { display_name: 'Mia Brandner', date_of_birth: '2024-01-09' };
    expect(datesOf(['Mia Brandner 09.01.2024', 'Hüftsonographie 20.02.2024', SENTENCE], [baby])[0]).toBe('2024-02-20');
  });

  it('is the day of the paper if no other one is much later', () => {
    expect(datesOf(['Praxis Seeblick', 'Ida Brandner 05.06.2024', SENTENCE])[0]).toBe('2024-06-05');
  });
});

describe('the subject of a letter', () => {
  it.each([
    ['Gastroscopie du 04.06.2024', 'fr'],
    ['Scintigraphie osseuse du 04.06.2024', 'fr'],
    ['EEG vom 04.06.2024', 'de'],
    ['Spirometria del 04.06.2024', 'it'],
  ])('gives the day of the service: %s', (subject) => {
    expect(
      datesOf([
        'Cabinet des Alpes',
        '11.06.2024',
        'Concerne : Mme Ida Brandner',
        subject,
        'Diagnostics : asthme',
        SENTENCE,
      ]),
    ).toEqual(['2024-06-04', '2024-06-11']);
  });

  it('does not name a service with the words of a paper or a place', () => {
    expect(datesOf(['Praxis am Markt', 'Linz am 11.06.2024', SENTENCE])).toEqual(['2024-06-11', '2024-06-11']);
    expect(read(['Praxis am Markt', 'Ihr Schreiben vom 04.06.2024', '11.06.2024', SENTENCE]).issued_date?.value).toBe(
      '2024-06-11',
    );
  });
});

it('reads a label at the end of the line above its date', () => {
  const { admission_date, discharge_date } = read([
    'Lettera di dimissione',
    'Si dimette in data 12/02/2024 la Sig.ra Ida Moretti, nata a Lodi il 08/08/1970, ricoverata dal',
    '05/02/2024.',
    'Diagnosi di dimissione: polmonite',
  ]);
  expect([admission_date?.value, discharge_date?.value]).toEqual(['2024-02-05', '2024-02-12']);
});

it('takes "au" before a day for the day of a plan, and for the end of a period behind its start', () => {
  expect(datesOf(['Plan de traitement', 'au 20.04.2025', 'Dafalgan 500 mg    1-0-1-0'])[0]).toBe('2025-04-20');
  expect(datesOf(['Certificat médical', 'Incapacité de travail du 02.04.2025', 'au 20.04.2025'])[0]).not.toBe(
    '2025-04-20',
  );
});

it('takes the newest row of a vaccination card, not a day on which the next one is due', () => {
  expect(
    datesOf([
      'Vaccination record',
      'Vaccine            Lot        Given          Next due',
      'Boostrix           A1234      03.02.2014     03.02.2024',
      'Dr Ida Brandner',
      'Boostrix           B9876      05.02.2024     05.02.2034',
      'Dr Ida Brandner',
      'Fluarix Tetra      C5555      10.10.2024     10.10.2025',
    ]),
  ).toEqual(['2024-10-10', '2024-10-10']);
});

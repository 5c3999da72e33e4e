import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const datesOf = (...lines: string[]) => {
  const { event_date, issued_date } = readPrinted(lines);
  return [event_date?.value, issued_date?.value];
};

describe('the verb of a sentence', () => {
  it.each([
    ['Vielen Dank für die Überweisung Ihrer Patientin, die ich am 11.09.2025 untersucht habe.'],
    ['Thank you for referring Lachlan, whom I was pleased to see, as on 11 September 2025 he was seen by us.'],
    ['Le patient que vous nous avez adressé le 11 septembre 2025 a été revu dans notre service.'],
    ['Il Suo paziente, che Lei conosce bene, in data 11/09/2025 è stato visitato da noi.'],
  ])('gives the date before it its role: %s', (sentence) => {
    expect(datesOf('Praxis am Markt', '12.09.2025', sentence)).toEqual(['2025-09-11', '2025-09-12']);
  });

  it('may be in the next line', () => {
    expect(
      datesOf(
        'Klinik am Hang',
        '15.01.2025',
        'wir berichten über Herrn Kurt Amsler, geb. am 30.04.1947, der sich vom 08.01.2025 bis 14.01.2025 in',
        'unserer stationären Behandlung befand.',
      ),
    ).toEqual(['2025-01-08', '2025-01-15']);
  });
});

it('reads the label of a service before the birth date of its sentence', () => {
  expect(
    datesOf(
      'Hamburg, 14.02.2025',
      'Liquidation',
      'Für ärztliche Leistungen bei Ihrer Tochter Ida Muster, geb. 28.11.2017, am 31.01.2025:',
    ),
  ).toEqual(['2025-01-31', '2025-02-14']);
});

it('takes a coming visit for none, whatever periods are printed', () => {
  expect(
    datesOf(
      'Arztzeugnis',
      '100%    vom 10.11.2025 bis 23.11.2025',
      '50%     vom 24.11.2025 bis 07.12.2025',
      'Nächste Konsultation: 21.11.2025',
      'Flüelen, 10.11.2025',
    ),
  ).toEqual(['2025-11-10', '2025-11-10']);
});

it('takes the day beside a place for that of the paper, not a day under the heading of a table', () => {
  expect(
    datesOf(
      'Certificato vaccinale',
      'Data            Vaccino       Malattia        Lotto',
      '24/10/2024      Fluad         influenza       401822A',
      'Bassano del Grappa, 20/03/2025',
    )[1],
  ).toBe('2025-03-20');
});

it('takes the heading of results for their day, not that of the print', () => {
  expect(
    datesOf(
      'Test results',
      'Full blood count - 18 June 2025',
      'Haemoglobin   118 g/L   115 to 165',
      'Viewed on 20 June 2025',
    )[0],
  ).toBe('2025-06-18');
});

it('takes the newest row of a booklet that has no other date', () => {
  expect(
    datesOf(
      'Prenatal Record',
      'Ida Muster   EDD 09/30/2025',
      'Visit date   Weeks   Weight   BP',
      '01/14/2025   7w0d    142      110/70',
      '02/11/2025   11w0d   144      112/72',
      '03/25/2025   15w0d   146      108/68',
    )[0],
  ).toBe('2025-03-25');
});

it('takes the day of the sample in a margin that lists the days of a report', () => {
  expect(
    datesOf(
      'Labor Surtal        Laborbefund Frau Ina Moser, geb. 03.03.1970',
      'Probe',
      '02.09.2025 08:30',
      'Auftrag',
      '02.09.2025',
      'Befund              Natrium     139     135 - 145',
      '03.09.2025',
      '                    Kalium      3,9     3,5 - 5,1',
    )[0],
  ).toBe('2025-09-02');
});

it('takes a day behind the range of a result for no end of a period', () => {
  expect(
    datesOf(
      'Test results',
      'Ms Ida Muster · Born 17-Apr-1979',
      'Serum ferritin level',
      '8 ug/L',
      'Range 13 to 150 · Below range · 12 Feb 2025',
    )[0],
  ).toBe('2025-02-12');
});

it('takes the answer to a request for no service of that day', () => {
  expect(
    datesOf('BARMER', '20.01.2025', 'Ihr Antrag auf Leistungen zur Rehabilitation vom 06.01.2025', 'Muster')[0],
  ).toBe('2025-01-20');
});

it('takes an S behind a day for the blur that a scan has there', () => {
  expect(
    datesOf('Blood results', 'Taken: 5S Nov 2025 - Seen by Dr Bowen 7 Nov 2025', 'Urea   4.1   mmol/L   2.5-7.8')[0],
  ).toBe('2025-11-05');
});

it.each([
  ['Sprechstundenbericht', 'ich untersuchte Herrn Boldt am 11.09.2025 und fand einen Restharn von 110 ml.'],
  ['Clinic letter', 'I saw Mr Leonard Ashdown on 11 September 2025, who has been well.'],
  ['Lettre de consultation', 'J’ai vu Madame Solange Darricau le 11 septembre 2025, qui se porte bien.'],
  ['Referto di visita', 'Ho visitato il Sig. Guerrino Tommasi il 11/09/2025, in buone condizioni.'],
])('takes the day on which the writer saw the patient for the visit: %s %s', (title, sentence) => {
  expect(datesOf(title, 'Wismar, 15.09.2025   Ihr Patient Klaus Boldt, geb. 16.11.1955', sentence)).toEqual([
    '2025-09-11',
    '2025-09-15',
  ]);
});

it('takes the day of a referral for that of the paper, unlike that of an earlier one', () => {
  const paper = (label: string) => [
    'Ordination Dr. Beate Kofler',
    label,
    'Patient: Peter Ortner, geb. 18.08.1977',
    'Bitte um Abklärung.',
  ];
  expect(datesOf(...paper('Zuweisung vom 04.11.2025'))).toEqual(['2025-11-04', '2025-11-04']);
  expect(datesOf(...paper('Vorbefund vom 04.11.2025'))).toEqual([undefined, undefined]);
});

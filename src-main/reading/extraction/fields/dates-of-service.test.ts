import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../../test/support/printed-document.ts';

const datesOf = (lines: readonly string[]) => {
  const { event_date, issued_date } = readPrinted(lines);
  return [event_date?.value, issued_date?.value];
};

describe('the day of a cumulative laboratory report', () => {
  it('is the newest of its columns if only its printing has a label', () => {
    expect(
      datesOf([
        'Labor Seeblick',
        'Verlaufsbericht für Herrn Anton Graf, geb. 01.02.1960',
        'Zuweiser: Dr. Ida Roth, 6020 Innsbruck, Ausdruck 09.07.2024',
        'Analyse            Einheit    Norm          08.07.2024    02.04.2024',
        'Natrium            mmol/l     136 - 145     140           139',
        'Kalium             mmol/l     3,5 - 5,1     4,0           4,4',
        'Kreatinin          mg/dl      0,7 - 1,2     1,0           1,1',
      ]),
    ).toEqual(['2024-07-08', '2024-07-09']);
  });
});

describe('the day of a visit', () => {
  it('may be called a check if the letter is later', () => {
    const letter = (check: string) => [
      'Praxis am Markt',
      '14.11.2024',
      check,
      'Sehr geehrte Frau Kollegin,',
      'Diagnose: Asthma bronchiale',
      'Die Patientin berichtet über eine gute Belastbarkeit ohne nächtliche Beschwerden in den letzten Monaten.',
    ];
    expect(datesOf(letter('Nachsorge am 11.11.2024: Frau Ina Moser, geb. 03.03.1970'))).toEqual([
      '2024-11-11',
      '2024-11-14',
    ]);
    expect(datesOf(letter('Nachsorge am 11.11.2025: Frau Ina Moser, geb. 03.03.1970'))).toEqual([
      '2024-11-14',
      '2024-11-14',
    ]);
  });
});

it('takes the day on which a letter was typed, not dictated', () => {
  expect(
    datesOf([
      'Heart Clinic',
      'Clinic date 2 May 2023',
      'Dictated 3 May 2023, typed 9 May 2023',
      'Dear Dr Hall',
      'Diagnoses: Atrial fibrillation',
      'It was a pleasure to see this patient again in the clinic, who has remained well since the last review.',
    ]),
  ).toEqual(['2023-05-02', '2023-05-09']);
});

it('reads the boxes of a form and a sign of currency as digits of a date', () => {
  const report = (date: string) => [
    'Compte rendu de laboratoire',
    `Prélevé le ${date}`,
    'Sodium        140     mmol/L     136 - 145',
  ];
  expect(datesOf(report('04 06 2024'))[0]).toBe('2024-06-04');
  expect(datesOf(report('0$.06.2024'))[0]).toBe('2024-06-05');
});

describe('the day of a visit in a letter', () => {
  it.each([
    ['Vielen Dank für die Überweisung Ihres Patienten, den ich am 04.11.2025 koloskopierte.', '2025-11-04'],
    ["J'ai examiné ce mardi 4 novembre 2025 votre patiente pour une baisse de vision.", '2025-11-04'],
    ['Sprechstundenbericht vom 04.11.2025', '2025-11-04'],
  ])('is known by %j', (line, day) =>
    expect(datesOf(['Praxis am Markt', 'Olten, 06.11.2025', line, 'Diagnose: Cataracta senilis'])).toEqual([
      day,
      '2025-11-06',
    ]),
  );

  it('is not that of an appointment below a heading, nor a later one beside a label', () => {
    expect(
      datesOf(['Praxis am Markt', '03.03.2025', 'Ihre Termine:', '10.03.2025  09:00', '17.03.2025  09:00'])[0],
    ).toBe('2025-03-03');
    expect(
      datesOf([
        'Riverside Urgent Care',
        'Date of service: 01/28/2025',
        'Assessment: Acute sinusitis',
        'Follow up with PCP on 02/04/2025 if not improved.',
      ])[0],
    ).toBe('2025-01-28');
  });
});

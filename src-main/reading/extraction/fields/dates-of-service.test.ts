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

describe('the day of a sample', () => {
  const report = (below: string) => [
    'Shannonside Pathology                              issued 15 May 2026',
    'Clara Pichler    11 Dec 2014      female    Dr Niamh Feeney    12 May 2026',
    'Patient          Date of birth    Sex       Clinician          Sample date',
    below,
    'Haemoglobin      131              g/L       115 - 155',
    'Potassium        4.4              mmol/L    3.5 - 5.0',
  ];
  it('is above its label on a form that prints all labels below', () => {
    expect(datesOf(report('Analyte          Result           Unit      Range'))).toEqual(['2026-05-12', '2026-05-15']);
  });

  it('is not above a label that heads a row', () => {
    const row = 'Lukas Pichler    2 Aug 2019       male      Dr Niamh Feeney    14 May 2026';
    expect(datesOf(report(row))[0]).not.toBe('2026-05-12');
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

it.each([
  ['Assessed        24/11/2025', '2025-11-24'],
  ['Tests effectués le : 24.11.2025', '2025-11-24'],
  ['Testung am 24.11.2025', '2025-11-24'],
  ['Data valutazione: 24/11/2025', '2025-11-24'],
])('takes the day of a visit or of tests from %j', (line, day) =>
  expect(datesOf(['Praxis am Markt', line, 'Report date     27/11/2025', 'Diagnosis: Asthma'])[0]).toBe(day),
);

it('reads a stay that is broken between two lines, or printed without a blank behind the sentence before', () => {
  const stayOf = (...lines: string[]) => {
    const { admission_date, discharge_date } = readPrinted(lines);
    return [admission_date?.value, discharge_date?.value];
  };
  expect(
    stayOf(
      'Klinikum Marienstift',
      'Münster, 12.12.2025',
      'wir berichten über Ihren Patienten Heinz Muster, geb. 21.03.1949, der sich vom 02.12.2025',
      'bis 11.12.2025 in unserer stationären Behandlung befand.',
      'Diagnosen: COPD',
    ),
  ).toEqual(['2025-12-02', '2025-12-11']);
  expect(
    stayOf(
      'LETTERA DI DIMISSIONE',
      'Sig.ra Adriana Tartarini,nata a Sarzana il 25/12/1950.Ricoverata dal 07/03/2025 al 16/03/2025.',
      'Diagnosi di dimissione: Ictus ischemico',
    ),
  ).toEqual(['2025-03-07', '2025-03-16']);
});

describe('the day of a paper', () => {
  const issued = (...lines: string[]) => readPrinted(lines).issued_date?.value;

  it('is that of its report, however many words follow, not of the check by another doctor', () => {
    expect(
      issued(
        'Bann Valley Hospital — Radiology',
        'CT KUB 14/03/2026',
        'Findings: 5 mm calculus at the left vesicoureteric junction.',
        'Reported 14/03/2026 22:41 by Dr Paul Gormley, Radiology SpR',
        'Verified 15/03/2026 by Dr Siobhan McVeigh, Consultant',
      ),
    ).toBe('2026-03-14');
  });

  it('may be below the title of a letter of discharge, and is then not the end of the stay', () => {
    expect(
      issued(
        'CLINIQUE MUTUALISTE DU LÉON                        Courrier de sortie',
        'Service de pneumologie, 29400 Landivisiau          12/02/2026',
        'Patient : Monsieur Yann QUILLEVERE, né le 09/12/1960',
        'Entrée : 03/02/2026 – Sortie : 11/02/2026',
        'Diagnostics :',
        '– BPCO stade II',
      ),
    ).toBe('2026-02-12');
  });

  it('is not a coming examination with a preposition alone', () => {
    expect(
      issued(
        'Servizio di Oculistica – Clinica San Zeno           Verona, 26/01/2026',
        'Paziente TOMMASI GUERRINO nato il 15/05/1944',
        'Visita oculistica del 26/01/2026',
        'Diagnosi:',
        'Glaucoma cronico semplice',
        'Campo visivo in data 20/07/2026.',
      ),
    ).toBe('2026-01-26');
  });

  it('is not that of a dose in a sentence', () => {
    expect(
      issued(
        'Certificate of vaccination',
        'Hepatitis B (Engerix B) on 11 March 2025, batch AHBVC901',
        'Varivax on 15 April 2025, batch Y011822',
        'Issued 22 September 2025',
      ),
    ).toBe('2025-09-22');
  });
});

it('takes the day on which a prescription was made out for its own, not that of the pharmacy', () => {
  const { issued_date } = readPrinted([
    'Dr. Ferdinand Szabo, Arzt für Allgemeinmedizin',
    'Rp.',
    'Pantoloc 20 mg, 1 OP',
    'S: 1-0-0 nüchtern',
    'Ausgestellt am 12.01.2026',
    'Apotheke zur Kirche, abgegeben 13.01.2026',
  ]);
  expect(issued_date?.value).toBe('2026-01-12');
});

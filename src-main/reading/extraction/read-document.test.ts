import { describe, expect, it } from 'vitest';
import { elena, readLines, rene } from '../../../test/support/printed-document.ts';

describe('letters and reports in four languages', () => {
  it('reads a German letter whose receiver is a practice, written by the doctor who signs', () => {
    const found = readLines([
      'Klinik Rosenhof                                        Abteilung für Kardiologie',
      'Seestrasse 14, 8800 Thalwil',
      '',
      'An: Praxis Dr. med. Urs Baumann',
      'Dorfstrasse 2',
      '8810 Horgen',
      '',
      'Thalwil, 3. März 2024',
      '',
      'Ambulanter Bericht',
      'Betrifft: Keller, Elena, geb. 12.03.1961',
      'Vorstellung am 28.02.2024 in unserer Sprechstunde',
      '',
      'Sehr geehrter Herr Dr. Baumann',
      'Wir danken Ihnen für die Zuweisung der Patientin, die wir in unserer Sprechstunde gesehen haben.',
      'Anamnese: Seit Wochen Palpitationen bei Belastung, keine Synkopen und keine Dyspnoe in Ruhe.',
      '',
      'Freundliche Grüsse',
      'PD Dr. med. Sabine Hirt',
      'Leitende Ärztin Kardiologie',
    ]);
    expect(found).toMatchObject({
      type: 'specialist_report',
      language: 'de',
      event: '2024-02-28',
      issued: '2024-03-03',
      doctor: 'PD Dr. med. Sabine Hirt',
      facility: 'Klinik Rosenhof',
      name: 'Elena Keller',
    });
    expect(found.patient.match?.id).toBe(1);
    expect(found.reasons).not.toContain('other_patient');
  });

  it('reads a French consultation report with name of birth and ordinal dates', () => {
    const found = readLines([
      'Centre médical du Lac',
      'Rue du Lac 8, 1003 Lausanne',
      '',
      'Rapport de consultation',
      'Nom de naissance : ROCHAT',
      'Nom et prénom : MULLER-ROCHAT Rene',
      'Né le 04.11.1958',
      'Consultation du 12 mars 2024',
      'Lausanne, le 1er avril 2024',
      '',
      'Motif de consultation : douleurs lombaires depuis trois semaines, sans irradiation ni déficit.',
      'Examen clinique : la mobilité est réduite, les réflexes sont présents et symétriques.',
      '',
      'Dre Mathilde Favre',
    ]);
    expect(found).toMatchObject({
      type: 'specialist_report',
      language: 'fr',
      event: '2024-03-12',
      issued: '2024-04-01',
      doctor: 'Dre Mathilde Favre',
      facility: 'Centre médical du Lac',
      name: 'René Müller-Rochat',
    });
    expect(found.patient.match?.id).toBe(2);
    expect(found.reasons).toContain('other_patient');
  });

  it('reads an Italian radiology report signed at the foot', () => {
    const found = readLines([
      'Ospedale San Carlo - Servizio di Radiologia',
      'Via Monte 3, 6600 Locarno',
      '',
      'REFERTO RADIOLOGICO',
      'Paziente: Keller Elena        Data di nascita: 12.03.1961',
      'Data esame: 7 ottobre 2023    Data referto: 9 ottobre 2023',
      'Quesito clinico: dolore al ginocchio destro',
      'Tecnica: sequenze multiplanari senza mezzo di contrasto',
      'Conclusioni: lesione del corno posteriore del menisco mediale.',
      '',
      'Medico radiologo: Dott.ssa Chiara Conti',
    ]);
    expect(found).toMatchObject({
      type: 'imaging_report',
      language: 'it',
      event: '2023-10-07',
      issued: '2023-10-09',
      doctor: 'Dott.ssa Chiara Conti',
      name: 'Elena Keller',
    });
    expect(found.facility).toContain('Ospedale San Carlo');
    expect(found.findings?.value).toContain('menisco mediale');
  });

  it('reads a British clinic letter of a surgeon called Mr, and a British day before month', () => {
    const found = readLines([
      'Northgate Infirmary NHS Trust                          Orthopaedics',
      'Station Road, York YO1 7HH',
      '',
      'Clinic letter',
      'Re: Elena Keller, DOB 12/03/1961, NHS number 485 777 3456',
      'Clinic date: 03/04/2024',
      'Date typed: 05/04/2024',
      '',
      'Dear Dr Hughes,',
      'Thank you for referring this lady with a painful right knee, whom I examined in our clinic today.',
      'She walks without aid and there is no effusion, but the medial joint line is tender on pressure.',
      '',
      'Yours sincerely',
      'Mr Alan Pike',
      'Consultant Orthopaedic Surgeon',
    ]);
    expect(found).toMatchObject({
      type: 'specialist_report',
      language: 'en',
      event: '2024-04-03',
      issued: '2024-04-05',
      doctor: 'Mr Alan Pike',
      name: 'Elena Keller',
    });
    expect(found.facility).toContain('Northgate Infirmary');
  });

  it('reads an American laboratory report month first, for the doctor who ordered it', () => {
    const found = readLines([
      'Prairie Clinical Laboratories, Inc.',
      '400 Cedar Ave, Portland, OR 97205   (503) 555-0142',
      '',
      'LABORATORY REPORT',
      'Patient: KELLER, ELENA      DOB: 03/12/1961     Sex: F',
      'Ordering physician: Anna Smith, MD',
      'Collected: 03/04/2024 07:40    Reported: 03/05/2024',
      '',
      'Test                     Result     Units      Reference range',
      'Hemoglobin               11.2       g/dL       12.0 - 16.0     L',
      'Potassium                4.1        mmol/L     3.5 - 5.1',
      'Creatinine               0.9        mg/dL      0.6 - 1.1',
      'Laboratory director: Paul Stone, MD',
    ]);
    expect(found).toMatchObject({
      type: 'lab_test',
      event: '2024-03-04',
      issued: '2024-03-05',
      doctor: 'Anna Smith, MD',
      facility: 'Prairie Clinical Laboratories, Inc.',
      name: 'Elena Keller',
    });
    expect(found.lab_results.map((row) => [row.test_name_original, row.value, row.is_abnormal, row.test_date])).toEqual(
      [
        ['Hemoglobin', 11.2, true, '2024-03-04'],
        ['Potassium', 4.1, false, '2024-03-04'],
        ['Creatinine', 0.9, false, '2024-03-04'],
      ],
    );
  });

  it('reads the stay and both dates of a discharge letter', () => {
    const found = readLines([
      'Kantonsspital Auenwald',
      'Austrittsbericht',
      'Patientin: Frau Elena Keller, geboren am 12.03.1961',
      'Hospitalisation vom 12.02.2024 bis 19.02.2024',
      'Auenwald, den 21. Februar 2024',
      'Verlauf: Komplikationsloser Verlauf nach der Operation, Entlassung in gutem Allgemeinzustand.',
      'Dr. med. Peter Graf',
      'Oberarzt',
    ]);
    expect(found).toMatchObject({
      type: 'discharge',
      event: '2024-02-12',
      issued: '2024-02-21',
      doctor: 'Dr. med. Peter Graf',
      facility: 'Kantonsspital Auenwald',
    });
    expect([found.admission_date?.value, found.discharge_date?.value]).toEqual(['2024-02-12', '2024-02-19']);
  });

  it('takes the author of two doctors who sign side by side', () => {
    const found = readLines([
      'Clinique des Tilleuls',
      'Compte rendu d’hospitalisation',
      'Nom et prénom: Keller Elena',
      'Date d’entrée: 12/02/2024    Date de sortie: 19/02/2024',
      'Dr Luc Perret                      Docteur Aline Morand',
      'Chef de clinique                   Rédigé par',
    ]);
    expect(found.doctor).toBe('Docteur Aline Morand');
  });
});

describe('the patient of a document', () => {
  it('does not take a city before its postal code for a person', () => {
    const found = readLines(
      [
        'Cornerstone Health Plan',
        'Hartford, CT 06103',
        'Date: March 3rd, 2024',
        'Your claim has been settled and your excess for this year has been reached.',
      ],
      { patient: null },
    );
    expect(found.name).toBeNull();
    expect(found.type).toBe('other');
    expect(found.reasons).toContain('no_patient');
    expect(found.issued).toBe('2024-03-03');
  });

  it('warns of another patient, but not of the patient’s name in another spelling', () => {
    const form = (name: string): string[] => [
      'Praxis am Tor',
      'Arztzeugnis',
      `Patient: ${name}`,
      'Datum: 04.05.2024',
      'ist arbeitsunfähig vom 04.05.2024 bis 08.05.2024',
      'Dr. med. Ursula Roth',
    ];
    expect(readLines(form('Franz Tobler, geb. 01.01.1990')).reasons).toContain('other_patient');
    expect(readLines(form('MULLER-ROCHAT RENE, geb. 04.11.1958'), { patient: rene }).reasons).not.toContain(
      'other_patient',
    );
  });

  it('finds a patient named in a sentence with the birth date behind it', () => {
    expect(
      readLines([
        'Elmwood Surgery',
        'Statement of fitness for work',
        'I assessed Elena Keller, born 12 March 1961, on 14 May 2024.',
      ]).name,
    ).toBe('Elena Keller');
  });
});

describe('review reasons', () => {
  it('reports that nothing could be read', () => expect(readLines(['']).reasons).toEqual(['no_text']));

  it('reports an ambiguous order of day and month', () => {
    const found = readLines(
      ['Medical note', 'Patient: Elena Keller', 'Date: 03/04/2024', 'Seen for a cold, advised rest and fluids.'],
      { patient: { ...elena, date_of_birth: null }, household: [] },
    );
    expect(found.reasons).toContain('ambiguous_date_order');
  });

  it.each([
    ['the unit is not used in the United States', ['Sample date: 01/07/2025', 'Creatinine   104   umol/L   45 - 84']],
    ['a sample is reported within days', ['Collected: 01/07/2025', 'Reported: 02/07/2025', 'Iron   14   5 - 30']],
  ])('does not report it where %s', (_, lines) => {
    const found = readLines(['Langholm Medical Group', 'Patient: Rosalind Ash', ...lines], { household: [] });
    expect([found.event, found.reasons.includes('ambiguous_date_order')]).toEqual(['2025-07-01', false]);
  });
});

it('creates a file name and an English summary', () => {
  const found = readLines([
    'Labor Süd AG',
    'Laborbefund',
    'Patientin: Elena Keller',
    'Entnahme: 04.05.2024',
    'Kalium    5.8    mmol/L    3.5 - 5.1',
    'Natrium    140    mmol/L    135 - 145',
    'Kreatinin    70    µmol/L    45 - 84',
  ]);
  expect(found.filename_stem).toBe('lab-test_labor-sued-ag');
  expect(found.summary_en).toContain('Laboratory report from Labor Süd AG');
  expect(found.summary_en).toContain('Kalium 5.8 mmol/L');
});

describe('summary', () => {
  it('contains examined part and conclusion, or the subject of an unknown document', () => {
    expect(
      readLines([
        'Harbour Street Surgery',
        'MRI right knee',
        'Patient: Elena Keller',
        'Examination date: 28 October 2025',
        'Findings',
        'Small joint effusion. Menisci and ligaments intact after repair.',
        'Impression',
        'No acute abnormality.',
        'Dr Paul Lindqvist',
      ]).summary_en,
    ).toBe(
      'Imaging report from Harbour Street Surgery (Dr Paul Lindqvist) of 2025-10-28. Examination: MRI right knee. Conclusion: No acute abnormality.',
    );
    expect(
      readLines(['Praxis am See', 'Terminbestätigung', 'Guten Tag, hiermit bestätigen wir Ihren Termin am 03.04.2024.'])
        .summary_en,
    ).toContain('Subject: Terminbestätigung.');
  });
});

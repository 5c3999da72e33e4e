import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../test/fixtures/printed-page.ts';
import type { KnownPatient, ReaderContext } from './extraction.ts';
import { readDocument } from './read-document.ts';

const elena: KnownPatient = { id: 1, display_name: 'Elena Keller', date_of_birth: '1961-03-12', sex: 'F' };
const rene: KnownPatient = { id: 2, display_name: 'René Müller-Rochat', date_of_birth: '1958-11-04', sex: 'M' };
const context: ReaderContext = {
  patient: elena,
  household: [elena, rene],
  today: '2026-08-01',
  original_filename: 'scan.pdf',
};

function read(lines: readonly string[], own: Partial<ReaderContext> = {}) {
  const found = readDocument([printedPage(lines)], { ...context, ...own });
  return {
    ...found,
    type: found.doc_type.value,
    language: found.language?.value ?? null,
    event: found.event_date?.value ?? null,
    issued: found.issued_date?.value ?? null,
    doctor: found.doctor_name?.value ?? null,
    facility: found.facility_name?.value ?? null,
    name: found.patient.name?.value ?? null,
    reasons: found.review_reasons.map((reason) => reason.code),
  };
}

describe('letters and reports in four languages', () => {
  it('reads a German letter whose receiver is a practice, written by the doctor who signs', () => {
    const found = read([
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
    const found = read([
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
    const found = read([
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
    const found = read([
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
    const found = read([
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
    const found = read([
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

  it('takes the one who wrote the report of two that sign side by side', () => {
    const found = read([
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

describe('whose paper it is', () => {
  it('does not take a town before its postal code for a person', () => {
    const found = read(
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

  it('warns of a stranger, not of the patient in another order and without accents', () => {
    const form = (name: string): string[] => [
      'Praxis am Tor',
      'Arztzeugnis',
      `Patient: ${name}`,
      'Datum: 04.05.2024',
      'ist arbeitsunfähig vom 04.05.2024 bis 08.05.2024',
      'Dr. med. Ursula Roth',
    ];
    expect(read(form('Franz Tobler, geb. 01.01.1990')).reasons).toContain('other_patient');
    expect(read(form('MULLER-ROCHAT RENE, geb. 04.11.1958'), { patient: rene }).reasons).not.toContain('other_patient');
  });

  it('finds a patient named in a sentence with the birth date behind it', () => {
    expect(
      read([
        'Elmwood Surgery',
        'Statement of fitness for work',
        'I assessed Elena Keller, born 12 March 1961, on 14 May 2024.',
      ]).name,
    ).toBe('Elena Keller');
  });
});

describe('what a person should look at', () => {
  it('says when nothing could be read', () => expect(read(['']).reasons).toEqual(['no_text']));

  it('says when day and month could be either', () => {
    const found = read(
      ['Medical note', 'Patient: Elena Keller', 'Date: 03/04/2024', 'Seen for a cold, advised rest and fluids.'],
      { patient: { ...elena, date_of_birth: null }, household: [] },
    );
    expect(found.reasons).toContain('ambiguous_date_order');
  });
});

it('names and sums up in English what it read', () => {
  const found = read([
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

describe('files of more than five pages', () => {
  const head = (title: string): string[] => [
    'Kantonsspital Auenwald',
    title,
    'Patientin: Elena Keller, geb. 12.03.1961',
  ];
  const lab = (title: string): string[] => [
    ...head(title),
    'Entnahme: 13.02.2024',
    'Kalium    5.8    mmol/L    3.5 - 5.1',
    'Natrium    140    mmol/L    135 - 145',
  ];
  const pages = [
    [
      ...head('Austrittsbericht'),
      'Hospitalisation vom 12.02.2024 bis 19.02.2024',
      'Datum: 21.02.2024',
      'Diagnosen',
      'Arterielle Hypertonie (I10)',
      'Dr. med. Peter Graf',
    ],
    lab('Laborbefund'),
    lab('Laborbefund'),
    [...head('Pflegebericht'), 'Patientin mobil, isst selbständig.'],
    ['Weiter gute Mobilisation, keine Schmerzen.'],
    [...head('Einwilligungserklärung'), 'Diagnose', 'Arterielle Hypertonie (I10)'],
  ].map((lines, i) => printedPage(lines, i + 1));

  it('puts neighbouring pages of one kind together and untitled ones to the page before', () => {
    const { sections } = readDocument(pages, context);
    expect(sections.map(({ section_type, page_start, page_end }) => [section_type, page_start, page_end])).toEqual([
      ['discharge_summary', 1, 1],
      ['lab_results_page', 2, 3],
      ['nursing_notes', 4, 5],
      ['consent_form', 6, 6],
    ]);
    expect(sections.every((section) => (section.summary_en ?? '').length > 0)).toBe(true);
  });

  it('reads each section by itself and says each thing once', () => {
    const found = readDocument(pages, context);
    expect(found.lab_results.map((row) => row.test_name_original)).toEqual(['Kalium', 'Natrium']);
    expect(found.diagnoses.map((row) => row.diagnosis_code)).toEqual(['I10']);
    expect(found.event_date?.value).toBe('2024-02-12');
  });

  it('has no sections for five pages', () => expect(readDocument(pages.slice(0, 5), context).sections).toEqual([]));
});

describe('papers of other countries', () => {
  it('tells the receiver in the window from the doctor who signs, a stay told in a sentence, and the house from its department', () => {
    const found = read([
      'Stadtspital Limmat                                     Klinik für Innere Medizin',
      '',
      '',
      '',
      '',
      'Stadtspital Limmat, Birmensdorferstrasse 497, 8063 Zürich',
      'Herrn',
      'Dr. med. Reto Gasser',
      'Rebbergstrasse 112',
      '6003 Luzern',
      '',
      'Keller, Elena, geb. am 12.03.1961',
      'wir berichten über Ihre Patientin, die sich vom 12.08.2023 bis zum 18.08.2023 in unserer stationären',
      'Behandlung befand.',
      'Anamnese: Die Aufnahme erfolgte über die Notaufnahme wegen zunehmender Beschwerden seit drei Tagen.',
      'Therapie und Verlauf: Unter der Behandlung rasche Besserung des Zustandes und der Beschwerden.',
      '',
      'Dr. med. Eveline Schüpbach',
    ]);
    expect(found).toMatchObject({
      type: 'discharge',
      event: '2023-08-12',
      doctor: 'Dr. med. Eveline Schüpbach',
      facility: 'Stadtspital Limmat',
    });
  });

  it('takes the day in an imaging title, not the one of the comparison', () => {
    const found = read([
      'Ospedale San Leonardo',
      'Salerno, 5 luglio 2020',
      '',
      'RM ginocchio sinistro del 2 luglio 2020',
      'Referto: Confronto con esame del 13 ottobre 2019. Legamenti continui.',
      'Conclusioni: nella norma.',
      'Dott. Roberto Mancuso',
    ]);
    expect([found.type, found.event, found.issued]).toEqual(['imaging_report', '2020-07-02', '2020-07-05']);
  });

  it('takes the day of treatment from the rows of a bill', () => {
    const found = read([
      'Praxis für Orthopädie am Dom',
      'Paderborn, den 21.11.2022',
      'Liquidation Nr. 4711',
      'Datum        GOÄ    Leistung            Faktor   EUR',
      '13.10.2022   1      Beratung            2,30     10,72',
      '             651    EKG                 2,30     26,54',
      'Rechnungsbetrag: 37,26 EUR',
    ]);
    expect(found).toMatchObject({
      type: 'invoice',
      event: '2022-10-13',
      issued: '2022-11-21',
      facility: 'Praxis für Orthopädie am Dom',
    });
  });

  it('reads rows of labels with their values below', () => {
    const found = read([
      'THE WIMBORNE LABORATORY',
      '',
      'Patient name           Date of birth    Referring doctor',
      'Elena Keller           12 Mar 1961      Mr Jasper Whitlock',
      'Date collected         Date reported    Lab reference',
      '01 Feb 2023            02 Feb 2023      55-939250',
      'TEST             RESULT     REFERENCE     UNITS',
      'Sodium           139        133 - 146     mmol/L',
      'Albumin          49         35 - 50       g/L',
    ]);
    expect(found).toMatchObject({
      name: 'Elena Keller',
      event: '2023-02-01',
      issued: '2023-02-02',
      doctor: 'Mr Jasper Whitlock',
    });
  });

  it('reads an ordering physician printed family name first', () => {
    const found = read([
      'QuestPoint Diagnostics',
      'ORDERING PHYSICIAN',
      'KOWALSKI, JENNIFER A.',
      'COLLECTED: 05/18/2017',
      'Test Name     In Range    Reference Range',
      'SODIUM        140         135-146 mmol/L',
    ]);
    expect(found.doctor).toBe('Jennifer A. Kowalski');
  });

  it('reads an American excuse whose period breaks over two lines', () => {
    expect(
      read([
        'Prairie Creek Internal Medicine',
        'Work / School Excuse',
        'Patient: Elena Keller',
        'Please excuse Elena Keller from work or school from 01/16/2020 through',
        '01/26/2020 for medical reasons. May return without restrictions.',
        'Omaha, 01/16/2020',
        'Timothy Nguyen, DO',
      ]),
    ).toMatchObject({ type: 'medical_certificate', event: '2020-01-16', facility: 'Prairie Creek Internal Medicine' });
  });

  it('reads a summary after a visit: no weekday for a patient, no heading for a diagnosis, directions under each medicine', () => {
    const found = read([
      'After Visit Summary',
      'Elena Keller   MRN: 8017958   DOB: 03/12/1961',
      'Wednesday June 3, 2020 10:40 AM',
      'Prairie Creek Internal Medicine',
      '350 Oak Ave, Omaha, NE 68114',
      'You saw Andrea Castellano, MD',
      'Diagnoses this visit',
      '  • Paroxysmal atrial fibrillation (I48.0)',
      '  • Left renal calculus (N20.0)',
      'Your medications',
      'Esidrex 25 mg tabs',
      'Take 1 tablet by mouth three times daily.',
      'What’s next',
      'Follow up in 3 months.',
    ]);
    expect(found).toMatchObject({
      type: 'specialist_report',
      name: 'Elena Keller',
      facility: 'Prairie Creek Internal Medicine',
      doctor: 'Andrea Castellano, MD',
    });
    expect(found.diagnoses.map((row) => row.diagnosis_code)).toEqual(['I48.0', 'N20.0']);
    expect(found.medications.map((row) => [row.brand_name, row.frequency])).toEqual([['Esidrex', 'three times daily']]);
  });

  it('tells the language of a slip by its letters and months', () => {
    expect(
      read([
        'Dr. med. Regula Tschudi      16. Juni 2022',
        'Doktorhuus Wiedlisbach',
        'Städtli 24',
        'Rezept',
        'Zinat 250 mg   1 OP',
        'S: 1-1-1',
      ]).language,
    ).toBe('de');
  });

  it('takes the day at the head of a letter for its own, not the one that it tells', () => {
    expect(
      read([
        'Alla cortese attenzione',
        'Osimo, 4 settembre 2020',
        'Relazione di visita neurologica',
        'Egregio Collega,',
        'ho visitato in data 31 agosto 2020 la Sig.ra Elena Keller, nata il 12 marzo 1961 a Lugano.',
        'Diagnosi: Emicrania senza aura (G43.0)',
        'Cordiali saluti',
        'Dott.ssa Sara Venturini',
      ]),
    ).toMatchObject({ type: 'specialist_report', event: '2020-08-31', issued: '2020-09-04' });
  });

  it('calls papers that say so something else', () => {
    expect(
      read([
        'Spitex Rheinhof',
        'Pflegebericht',
        'Klient/in: Keller Elena',
        'Gerichtete Medikamente',
        'Concor 5 mg     Tbl.    1-0-0',
        'Torem 10 mg     Tbl.    1-0-0',
      ]).type,
    ).toBe('other');
  });

  it('takes a starred value for no birth date', () => {
    expect(
      read(['Laboratorio Analisi Salus', 'Sig.ra KELLER ELENA', 'S-Globuli Bianchi *12,00     4,00 - 10,00']).name,
    ).toBe('Elena Keller');
  });
});

describe('summary', () => {
  it('says which part was examined and what came out, and what a paper of no type of ours is', () => {
    expect(
      read([
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
      read(['Praxis am See', 'Terminbestätigung', 'Guten Tag, hiermit bestätigen wir Ihren Termin am 03.04.2024.'])
        .summary_en,
    ).toContain('Subject: Terminbestätigung.');
  });
});

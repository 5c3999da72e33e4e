import type { NewEvent } from '../../../src-shared/contract/events.ts';
import type { LinkType } from '../../../src-shared/contract/rows.ts';
import { PDFDocument, StandardFonts, type PDFFont } from '@cantoo/pdf-lib';

interface Person {
  name: string;
  born: string;
  sex: 'F' | 'M';
}
/** The demo household. All of these people are fictional. */
export const DEMO_PEOPLE: readonly [Person, ...Person[]] = [
  { name: 'Elena Keller', born: '1979-05-09', sex: 'F' },
  { name: 'Marco Keller', born: '1976-11-02', sex: 'M' },
  { name: 'Lia Keller', born: '2014-03-21', sex: 'F' },
];

/** A sample document: letterhead, title, lines (`label: value`), then rows of cells at fixed columns. */
export interface SampleDocument {
  file: string;
  person: string;
  facility: string;
  street: string;
  title: string;
  lines: readonly string[];
  rows?: readonly (readonly string[])[];
  columns?: readonly number[];
  text?: readonly string[];
  signed?: string;
}

const LAB_COLUMNS = [60, 250, 330, 400];
const LAB_HEAD = ['Test', 'Resultat', 'Einheit', 'Referenzbereich'];
const lab = (
  file: string,
  collected: string,
  reported: string,
  rows: readonly (readonly string[])[],
): SampleDocument => ({
  file,
  person: 'Elena Keller',
  facility: 'Synlabor Mittelland AG',
  street: 'Hauptstrasse 12, 5000 Aarau',
  title: 'Laborbefund',
  columns: LAB_COLUMNS,
  rows: [LAB_HEAD, ...rows],
  lines: [
    'Patient: Elena Keller',
    'Geburtsdatum: 09.05.1979',
    'Geschlecht: weiblich',
    `Probenentnahme: ${collected}`,
    `Ausgang: ${reported}`,
    'Zuweiser: Dr. med. Regula Aebischer',
  ],
});

export const DEMO_DOCUMENTS: readonly SampleDocument[] = [
  lab('befund-november.pdf', '12.11.2026', '13.11.2026', [
    ['Hämoglobin', '12.9', 'g/dL', '12.0 - 16.0'],
    ['Leukozyten', '6.4', 'G/L', '4.0 - 10.0'],
    ['Ferritin', '24', 'µg/L', '30 - 300'],
    ['Transferrinsättigung', '14', '%', '16 - 45'],
    ['CRP', '< 0.6', 'mg/L', '< 5.0'],
    ['LDL-Cholesterin', '3.4', 'mmol/L', '< 3.0'],
  ]),
  lab('befund-juni.pdf', '30.06.2026', '01.07.2026', [
    ['Hämoglobin', '13.1', 'g/dL', '12.0 - 16.0'],
    ['Ferritin', '31', 'µg/L', '30 - 300'],
    ['TSH', '2.1', 'mU/L', '0.4 - 4.0'],
    ['LDL-Cholesterin', '3.1', 'mmol/L', '< 3.0'],
  ]),
  lab('befund-januar.pdf', '15.01.2026', '15.01.2026', [
    ['Hämoglobin', '13.6', 'g/dL', '12.0 - 16.0'],
    ['Ferritin', '42', 'µg/L', '30 - 300'],
    ['LDL-Cholesterin', '2.8', 'mmol/L', '< 3.0'],
    ['CRP', '1.2', 'mg/L', '< 5.0'],
  ]),
  {
    file: 'rezept.pdf',
    person: 'Elena Keller',
    facility: 'Praxis Oberdorf',
    street: 'Dorfgasse 4, 5600 Lenzburg',
    title: 'Rezept',
    lines: ['Patientin: Elena Keller', 'Geburtsdatum: 09.05.1979', 'Datum: 14.09.2026'],
    columns: [60, 220, 320, 420],
    rows: [
      ['Rp.'],
      ['Maltofer', '100 mg', 'Tabletten', '1-0-0-0'],
      ['Pantoprazol', '40 mg', 'Filmtabletten', '1-0-0-0'],
    ],
    signed: 'Dr. med. Karin Lüthi',
  },
  {
    file: 'kardiologie.pdf',
    person: 'Elena Keller',
    facility: 'Klinik Sonnenhalde',
    street: 'Seestrasse 80, 6004 Luzern',
    title: 'Bericht Sprechstunde',
    lines: [
      'Kardiologie',
      'Patientin: Elena Keller',
      'Geburtsdatum: 09.05.1979',
      'Konsultation vom: 03.11.2026',
      'Datum: 04.11.2026',
    ],
    text: [
      'Diagnosen',
      '1. Arterielle Hypertonie (I10)',
      '2. Vorhofflimmern (I48.0)',
      '',
      'Die Patientin stellt sich zur Verlaufskontrolle vor. Blutdruck 138/84 mmHg, Puls regelmässig.',
      'Herz und Lunge ohne pathologischen Befund.',
      '',
      'Procedere',
      'Kontrolle am 12.02.2027 mit Ferritin und Blutbild.',
    ],
    signed: 'PD Dr. med. Jana Weidmann',
  },
  {
    file: 'austritt.pdf',
    person: 'Elena Keller',
    facility: 'Klinik Sonnenhalde',
    street: 'Seestrasse 80, 6004 Luzern',
    title: 'Austrittsbericht',
    lines: [
      'Patientin: Elena Keller',
      'Geburtsdatum: 09.05.1979',
      'Eintritt: 12.08.2026',
      'Austritt: 19.08.2026',
      'Datum: 20.08.2026',
    ],
    text: [
      'Diagnosen',
      '1. Innenmeniskusriss rechts (S83.2)',
      '2. Arterielle Hypertonie (I10)',
      '',
      'Der Verlauf war komplikationslos. Entlassung in gutem Allgemeinzustand.',
    ],
    signed: 'Dr. med. Regula Aebischer',
  },
  {
    file: 'invoice.pdf',
    person: 'Elena Keller',
    facility: 'Harbour Street Surgery',
    street: '8 Harbour Street, Bristol',
    title: 'Invoice 88121',
    lines: [
      'Patient: Elena Keller',
      'Date of birth: 9 May 1979',
      'Date of visit: 28 October 2026',
      'Date: 30 October 2026',
      'Dr Paul Lindqvist',
    ],
    columns: [60, 420],
    rows: [
      ['Consultation, 20 minutes', 'GBP 85.00'],
      ['ECG', 'GBP 60.00'],
      ['Total due', 'GBP 145.00'],
    ],
  },
  {
    file: 'mri.pdf',
    person: 'Elena Keller',
    facility: 'Harbour Street Surgery',
    street: '8 Harbour Street, Bristol',
    title: 'MRI right knee',
    lines: [
      'Patient: Elena Keller',
      'Date of birth: 9 May 1979',
      'Examination date: 28 October 2026',
      'Date: 29 October 2026',
    ],
    text: [
      'Findings',
      'Small joint effusion. Menisci and ligaments intact after repair.',
      '',
      'Impression',
      'No acute abnormality.',
    ],
    signed: 'Dr Paul Lindqvist',
  },
  {
    file: 'impfausweis.pdf',
    person: 'Lia Keller',
    facility: 'Kinderarztpraxis am Bach',
    street: 'Bachweg 2, 5000 Aarau',
    title: 'Impfausweis',
    lines: ['Patientin: Lia Keller', 'Geburtsdatum: 21.03.2014'],
    columns: [60, 150, 300, 440],
    rows: [
      ['Datum', 'Impfstoff', 'Hersteller', 'Charge'],
      ['11.05.2026', 'FSME-Immun', 'Pfizer', 'PT4412A'],
      ['02.06.2025', 'Gardasil 9', 'MSD', 'W018832'],
      ['14.04.2015', 'Priorix', 'GlaxoSmithKline', 'A69CD112'],
    ],
    signed: 'Dr. med. Anna Roth',
  },
  {
    file: 'zeugnis.pdf',
    person: 'Marco Keller',
    facility: 'Praxis Oberdorf',
    street: 'Dorfgasse 4, 5600 Lenzburg',
    title: 'Arztzeugnis',
    lines: ['Patient: Marco Keller', 'Geburtsdatum: 02.11.1976', 'Datum: 05.10.2026'],
    text: ['Der Patient ist krankheitshalber arbeitsunfähig vom 05.10.2026 bis 09.10.2026 zu 100 %.'],
    signed: 'Dr. med. Karin Lüthi',
  },
  {
    file: 'dimissione.pdf',
    person: 'Marco Keller',
    facility: 'Ospedale Santa Chiara',
    street: 'Via Roma 2, 6600 Locarno',
    title: 'Lettera di dimissione',
    lines: [
      'Paziente: Marco Keller',
      'Data di nascita: 02.11.1976',
      'Ricovero: 03.03.2025',
      'Dimissione: 06.03.2025',
      'Data: 07.03.2025',
    ],
    text: ['Diagnosi', 'Gastrite cronica (K29.5)', '', 'Terapia alla dimissione'],
    columns: [60, 220, 320, 420],
    rows: [['Omeprazolo', '20 mg', 'capsule', '1-0-0-0']],
    signed: 'Dott. Luca Ferrari',
  },
];

interface DemoEvent {
  person: string;
  fields: Omit<NewEvent, 'patient_id'>;
  files: readonly string[];
}
/** Events of the household, with their documents. */
export const DEMO_EVENTS: readonly DemoEvent[] = [
  {
    person: 'Elena Keller',
    fields: {
      title: 'Hypertension',
      event_type: 'chronic_condition',
      date_start: '2019-04-02',
      is_ongoing: true,
      severity: 'mild',
      diagnosis_text: 'Arterielle Hypertonie',
      icd10_code: 'I10',
      specialty_text: 'Kardiologie',
    },
    files: ['kardiologie.pdf'],
  },
  {
    person: 'Elena Keller',
    fields: {
      title: 'Knee: torn meniscus',
      event_type: 'surgery',
      date_start: '2026-08-12',
      date_end: '2026-10-29',
      severity: 'moderate',
      diagnosis_text: 'Innenmeniskusriss rechts',
      icd10_code: 'S83.2',
    },
    files: ['austritt.pdf', 'mri.pdf', 'invoice.pdf'],
  },
  {
    person: 'Elena Keller',
    fields: { title: 'Iron deficiency', event_type: 'diagnosis', date_start: '2026-06-30', is_ongoing: true },
    files: ['befund-november.pdf', 'befund-juni.pdf', 'rezept.pdf'],
  },
  {
    person: 'Marco Keller',
    fields: {
      title: 'Gastritis',
      event_type: 'hospitalization',
      date_start: '2025-03-03',
      date_end: '2025-03-06',
      diagnosis_text: 'Gastrite cronica',
      icd10_code: 'K29.5',
    },
    files: ['dimissione.pdf'],
  },
];
/** Linked documents: source, kind of link, target. */
export const DEMO_LINKS: readonly [string, LinkType, string][] = [
  ['invoice.pdf', 'invoice_for', 'mri.pdf'],
  ['mri.pdf', 'follow_up', 'austritt.pdf'],
];

const MARGIN = 60,
  LINE = 17,
  PAGE = { width: 595, height: 842 };

/** Renders a sample document as a one-page PDF. */
export async function renderSampleDocument({
  facility,
  street,
  title,
  lines,
  rows = [],
  columns = [MARGIN],
  text = [],
  signed,
}: SampleDocument): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [plain, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ];
  const page = document.addPage([PAGE.width, PAGE.height]);
  let y = PAGE.height - MARGIN;
  const write = (words: string, font: PDFFont, size: number, x = MARGIN): void =>
    page.drawText(words, { x, y, size, font });
  write(facility, bold, 14);
  y -= LINE;
  write(street, plain, 9);
  y -= 2.4 * LINE;
  write(title, bold, 18);
  y -= 2 * LINE;
  for (const line of lines) {
    write(line, plain, 11);
    y -= LINE;
  }
  y -= LINE;
  for (const line of text) {
    write(line, plain, 11);
    y -= LINE;
  }
  for (const row of rows) {
    row.forEach((cell, i) => write(cell, plain, 11, columns[i] ?? MARGIN));
    y -= 1.25 * LINE;
  }
  y -= LINE;
  if (signed) write(signed, plain, 11);
  return document.save();
}

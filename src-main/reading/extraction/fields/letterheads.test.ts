import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { linesOfPage } from '../layout/lines.ts';
import { readLines, readPrinted } from '../../../../test/support/printed-document.ts';

const facilityOf = (lines: readonly string[]): string | null => readLines(lines, { patient: null }).facility;

describe('the house of a letterhead', () => {
  it('is in the small line above the recipient, not in the address', () => {
    expect(
      facilityOf([
        'Kinderkardiologie Sennwald · 95632 Wunsiedel',
        'Praxis Dr. Egon Lautner',
        '95100 Selb',
        '',
        'Arztbrief',
        '26.06.2025',
        'Patient: Fynn Sörgel, geb. 25.09.2016',
      ]),
    ).toBe('Kinderkardiologie Sennwald');
  });

  it('goes on in the line below its preposition', () => {
    expect(facilityOf(['Ambulatorio di', 'cardiologia San', 'Gottardo', '', 'Referto di visita'])).toBe(
      'Ambulatorio di cardiologia San Gottardo',
    );
  });

  it('is known by the towns below it and is not the discipline beside it', () => {
    expect(facilityOf(['Analyses Vendée Bocage', 'Les Herbiers · Pouzauges · Mortagne', '', 'Résultats'])).toBe(
      'Analyses Vendée Bocage',
    );
    expect(facilityOf(['Hygienelabor Ortenau - 77652 Offenburg - Stuhldiagnostik', '', 'Laborbefund'])).toBe(
      'Hygienelabor Ortenau',
    );
  });

  it('has its kind above its name', () => {
    expect(facilityOf(['Laboratoire', 'Biolittoral', '6 quai des Salines', '34200 Sète', '', 'Résultats'])).toBe(
      'Laboratoire Biolittoral',
    );
    expect(facilityOf(['Test results', 'Performed by Bluestem Clinical Labs · Ordered by Lucinda Farrow, NP'])).toBe(
      'Bluestem Clinical Labs',
    );
  });

  it('is not a sentence at the end of the page', () =>
    expect(
      facilityOf([
        'PRAIRIE NEUROLOGY ASSOCIATES',
        '7400 W. Kellogg Dr., Suite 210, Wichita, KS 67209',
        'PLAN',
        'Continue present medications. Headache diary. Return to the clinic in 6 months.',
        'Electronically signed by Dana Whitcomb, MD on 05/02/2025 at 4:52 PM',
      ]),
    ).toBe('PRAIRIE NEUROLOGY ASSOCIATES'));

  it('is named without its doctor', () =>
    expect(facilityOf(['Cabinet médical de Lavaux, Dr Loïc Perroud', '', 'Certificat de vaccination'])).toBe(
      'Cabinet médical de Lavaux',
    ));

  it('is named without the kind of paper behind it', () =>
    expect(facilityOf(['Bowfell Infirmary eDischarge', '', 'Admission   24 Dec 2024'])).toBe('Bowfell Infirmary'));
});

describe('the patient of a paper', () => {
  const nameIn = (lines: readonly string[]): string | undefined => readPrinted(lines).patient.name?.value;

  it('is the child, not the mother at whose home it lives', () =>
    expect(
      nameIn([
        'DELAMARE Zoé, enfant, née le 5 mai 2014',
        'chez Mme Aurore Delamare (mère, née le 09/02/1986)',
        'Prélevé le 29 janvier 2025',
      ]),
    ).toBe('Zoé Delamare'));

  it('is the mother, not the child that was born', () =>
    expect(
      nameIn([
        'Austrittsbericht',
        'Seraina Caduff, 18.06.1992, weiblich | Hospitalisation 17.11.2025 – 21.11.2025',
        'Kind     Knabe Laurin, geboren am 17.11.2025, 3420 g',
      ]) ?? '',
    ).not.toContain('Laurin'));

  it('is named across the end of a line', () =>
    expect(
      nameIn([
        "Je vous remercie de m'avoir adressé en consultation le 12/06/2023 Madame Bernadette",
        'Coquelin, née le 31/08/1959, suivie pour',
      ]),
    ).toBe('Bernadette Coquelin'));
});

describe('the doctor of a paper', () => {
  it('ends with the sentence', () =>
    expect(readLines(['Vaccinazioni', '', 'Medico: Dott.ssa Noemi Trevisani. Rinviato: MenACWY']).doctor).toBe(
      'Dott.ssa Noemi Trevisani',
    ));

  it('is the one who signs, not the consultant in charge', () =>
    expect(
      readLines([
        'Discharge letter',
        'Stopped: Amlodipine (ankle swelling).',
        'Dr Perpetua Lindqvist, Specialty Registrar, 03/11/2023',
        'Consultant: Dr M. Threlfall',
      ]).doctor,
    ).toBe('Dr Perpetua Lindqvist'));

  it('keeps the title of a British surgeon', () =>
    expect(readLines(['INVOICE', 'Consultant: Mr Alistair Drummond-Hay', 'Total due     £430.00']).doctor).toBe(
      'Mr Alistair Drummond-Hay',
    ));

  it('is the one who is said to request', () =>
    expect(
      readLines([
        'Corrib University Hospital Laboratory',
        'Consultant: Dr Sinéad Mulqueen (requesting) Ward: St Enda’s',
        'Digoxin     1.9     ug/L     0.5 – 1.0',
        'Potassium   4.1     mmol/L   3.5 – 5.1',
        'Digoxin result phoned to Dr P. Geraghty (registrar) at 09:50.',
      ]).doctor,
    ).toBe('Dr Sinéad Mulqueen'));

  it('is named under a signature that begins with an initial', () =>
    expect(
      readLines(['Lettre de sortie', 'Traitement de sortie', 'À. Besençon', 'Dre Anouk Besençon, cheffe de clinique'])
        .doctor,
    ).toBe('Dre Anouk Besençon'));

  it('has the family name of the letterhead where the signature lost it', () =>
    expect(
      readLines([
        'Cabinet de neurologie',
        'Dr Thibaut Fauquembergue — Dr Nadège Hochart',
        'Calais, le 14 juin 2023',
        'Chère Consœur,',
        'Votre patiente va bien et ne prend plus de traitement depuis le mois de janvier de cette année.',
        'Bien à vous,',
        'Dr Thibaut',
      ]).doctor,
    ).toBe('Dr Thibaut Fauquembergue'));
});

describe('the days of a paper', () => {
  it('are not the day on which a browser printed it', () => {
    const found = readLines([
      '10/20/2025, 9:41 PM          MyHealthPortal – Test Results',
      'Results from Oct 15, 2025',
      'Collected Oct 15, 2025 7:58 AM · Resulted Oct 17, 2025',
      'Hemoglobin A1C',
      'Your value 6.2 %',
    ]);
    expect([found.event, found.issued]).toEqual(['2025-10-15', '2025-10-17']);
  });

  it('are known by short labels', () => {
    const found = readLines([
      'Pathology Partnership',
      'NAME BOATENG, Kwame          DOB 24-02-1975 M',
      'REQ Dr S Lister          COLL 16-02-2023',
      'REP 17-02-2023',
      'Hb     142     g/L     [130-180]',
    ]);
    expect([found.event, found.issued]).toEqual(['2023-02-16', '2023-02-17']);
  });

  it('are the ends of a stay, though the sentence is broken before them', () => {
    const found = readLines([
      'Entlassungsbericht',
      'Vilsbiburg, 04.04.2025',
      'wir berichten über Ihren Patienten Gottfried Wanninger, geb. 14.02.1951, der sich vom',
      '25.03.2025 bis 03.04.2025 in unserer stationären Behandlung befand.',
    ]);
    expect([found.event, found.issued]).toEqual(['2025-03-25', '2025-04-04']);
  });

  it('are not those of an operation within the stay, or of a clinic to come', () => {
    const stay = readLines([
      'Kurzarztbrief zur Entlassung',
      'Aufenthalt: 09.02.2023 bis 17.02.2023',
      'Therapie: Hemiprothese am 10.02.2023.',
    ]);
    expect([stay.event, stay.issued]).toEqual(['2023-02-09', '2023-02-17']);
    const note = readLines([
      'Theatre 2 – OPERATION NOTE',
      'Date of operation     22/08/2025',
      'Surgeon               Mr Gethin Llewellyn',
      'Post-operative plan   Weight bear as tolerated. Clinic on 05/09/2025.',
      'Signed: Mr Gethin Llewellyn, Consultant Orthopaedic Surgeon, 22/08/2025',
    ]);
    expect([note.type, note.event]).toEqual(['surgical_report', '2025-08-22']);
  });

  it('is the day of the letter for a patient who was seen that day', () =>
    expect(
      readLines([
        'Cabinet de pneumologie',
        'Lannilis, le 18 mai 2022',
        'Cher confrère,',
        'J’ai vu ce jour en consultation M. Armel Kerguelen, né le 12 janvier 1959.',
        'Pas de dyspnée de repos ; la radiographie du 2 mai 2022 est normale et une tuberculose a été écartée.',
        'Dr Solenne Quéméneur',
      ]).event,
    ).toBe('2022-05-18'));

  it('are legible where a colon was read in place of a point', () =>
    expect(readLines(['Laborbefund', 'Entnahme 02:10.2023', 'Natrium   140   mmol/l   135-145']).event).toBe(
      '2023-10-02',
    ));

  it('are not before the visit, and not days that are planned', () => {
    const note = readLines([
      'SANDHILLS NEUROLOGY ASSOCIATES',
      'DATE OF VISIT: 08/27/2024',
      'No evidence of dementia. Hydrocephalus was ruled',
      'out on MRI 06/13/2024.',
    ]);
    expect([note.event, note.issued]).toEqual(['2024-08-27', '2024-08-27']);
    const letter = readLines([
      'Lettre de liaison à la sortie',
      'Hospitalisée du 03/02/2025 au 14/02/2025',
      'Ionogramme le 21/02/2025.',
      'Dr Bastien Lagarde, praticien hospitalier, le 14/02/2025',
    ]);
    expect(letter.issued).toBe('2025-02-14');
  });

  it('are the ends of a stay behind a word that says from when', () =>
    expect(
      readLines([
        'Relazione di dimissione',
        'Ricovero       dal 30.09.2024 al 04.10.2024',
        'Intervento     Appendicectomia il 30.09.2024',
        'Lovere, 4 ottobre 2024',
      ]).issued,
    ).toBe('2024-10-04'));

  it('is the day in the title of a check', () =>
    expect(readLines(['VISITA PNEUMOLOGICA DI CONTROLLO — 15/10/2024', 'Terapia:', 'Ramipril 5 mg']).event).toBe(
      '2024-10-15',
    ));

  it('are found under other names', () => {
    const plan = readLines(['Schema terapeutico del 27/11/2024', 'Lasix 25 mg compresse     1     0     0']);
    expect([plan.event, plan.issued]).toEqual(['2024-11-27', '2024-11-27']);
    const fit = readLines(['CERTIFICATO MEDICO', 'Rilasciato il 10/09/2024. Valido fino al 09/09/2025.']);
    expect([fit.event, fit.issued]).toEqual(['2024-09-10', '2024-09-10']);
  });

  it('are not the birthday of a partner with a telephone number', () => {
    const found = readLines([
      'Austrittsbericht Notfallstation',
      'Name     Fässler Regula     Geb.     12.12.1979',
      'Eintritt     08.02.2026 15:20     Austritt     08.02.2026 19:05',
      'Angehörige     Partner: Marcel Nüssli, 21.06.1975, 079 000 00 00',
      'Kontrolle Handsprechstunde am 15.02.2026.',
    ]);
    expect([found.event, found.issued]).toEqual(['2026-02-08', '2026-02-08']);
  });
});

describe('the type of a paper', () => {
  it('is not that of an examination which a letter quotes', () =>
    expect(
      readLines([
        'Réseau de neurologie',
        'Calais, le 14 juin 2023',
        'Chère Apolline,',
        "Je vous remercie de m'avoir adressé en consultation le 12/06/2023 Madame Bernadette Coquelin",
        'IRM du 30/05/2023          absence de lésion active au contrôle.',
        'Dr Thibaut Fauquembergue',
      ]).type,
    ).toBe('specialist_report'));

  it('is that of a letter about a visit, though it has a table of results', () =>
    expect(
      readLines([
        'Sehr geehrte Frau Kollegin,',
        'über Cordula Weishaupt, geb. 26.03.1953, vorgestellt am 06.06.2024, berichte ich.',
        'Diagnosen: Chronische Niereninsuffizienz Stadium G4; Renale Anämie',
        'Parameter     Wert     Einheit     Norm',
        'Kreatinin     2,41     mg/dl       0,50 - 0,90',
        'GFR           20       ml/min      > 60',
        'Kalium        5,2      mmol/l      3,5 - 5,1',
        'Hämoglobin    9,8      g/dl        12,0 - 15,5',
        'Phosphat      4,7      mg/dl       2,5 - 4,5',
        'Mit freundlichen Grüßen',
      ]).type,
    ).toBe('specialist_report'));

  it('is that of a specialist who says so in the title', () =>
    expect(
      readLines([
        'Augenfachärztlicher Befund',
        'Diagnosen: Glaucoma chronicum simplex',
        'Therapie: Xalatan Augentropfen',
      ]).type,
    ).toBe('specialist_report'));

  it('is imaging under the short name of an ultrasound', () =>
    expect(
      readLines([
        'Cairngorm Centre',
        'US Pelvis — 12 Sep 2025',
        'Report: Uterus anteverted, normal size. No free fluid.',
        'Dr Magnus Rennie, Radiologist',
      ]).type,
    ).toBe('imaging_report'));

  it('is none of ours for a referral with its reader in the title', () =>
    expect(
      readLines([
        'Gemeinschaftspraxis Kinzigtal',
        'Überweisungsschreiben an die Physiotherapie und',
        'Schulterambulanz',
        'Liebe Kolleginnen und Kollegen, wir bitten um Mitbehandlung.',
        'Diagnosen: Frozen Shoulder rechts',
      ]).type,
    ).toBe('other'));
});

it('reads two small lines beside a large title as two', () => {
  const page = printedPage(['Befundbericht', 'Befund : 15.01.2026', 'Leukozyten   7.2   G/l   4.0-9.4']);
  const beside = (text: string, x: number, y: number) => ({
    text,
    x,
    y,
    w: text.length * 0.009,
    h: 0.015,
    confidence: 1,
  });
  const words = page.words.map((word, i) => (i === 0 ? { ...word, y: 0.056, h: 0.024 } : { ...word, y: word.y + 0.1 }));
  words.push(
    ...[beside('Dr.', 0.5728, 0.056), beside('med.', 0.613, 0.056), beside('Irmela', 0.664, 0.056)],
    ...[beside('Zott', 0.734, 0.056), beside('Hauptplatz', 0.573, 0.073), beside('17', 0.684, 0.073)],
  );
  const lines = linesOfPage({ ...page, words }).map((line) => line.words.map(({ text }) => text).join(' '));
  expect(lines.slice(0, 2)).toEqual(['Befundbericht Dr. med. Irmela Zott', 'Hauptplatz 17']);
});

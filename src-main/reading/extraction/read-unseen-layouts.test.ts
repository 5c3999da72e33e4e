import { describe, expect, it } from 'vitest';
import { readPrinted } from '../../../test/support/printed-document.ts';

const TABLE = [
  'Analyse            Ergebnis     Einheit     Referenzbereich',
  'Natrium            141          mmol/l      136 - 145',
  'Kalium             4.1          mmol/l      3.5 - 5.1',
  'Kreatinin          80           µmol/l      45 - 84',
  'Ferritin           64           µg/l        15 - 150',
  'TSH                1.9          mU/l        0.4 - 4.0',
];

describe('the type of a laboratory report', () => {
  it('follows from its title in German, French and Italian', () => {
    for (const title of ['Befundbericht Labor', 'Compte rendu de laboratoire', 'Relazione di laboratorio'])
      expect([title, readPrinted([title, '', ...TABLE.slice(0, 2)]).doc_type.value]).toEqual([title, 'lab_test']);
  });

  it('follows from a table of results under a general title', () => {
    for (const title of ['Befundbericht', 'Compte rendu', 'Rapporto medico'])
      expect([title, readPrinted([title, '', ...TABLE]).doc_type.value]).toEqual([title, 'lab_test']);
  });

  it('is not that of a letter that quotes results', () => {
    const letter = [
      'Sprechstundenbericht',
      'Sehr geehrte Frau Kollegin, wir berichten über die Patientin, die sich gestern bei uns vorstellte.',
      'Diagnosen:',
      '1. Hypothyreose',
      'Die Patientin klagt seit mehreren Wochen über Müdigkeit und eine vermehrte Kälteempfindlichkeit am Abend.',
      'Der Blutdruck war in der Untersuchung normal und der Puls regelmässig, das Gewicht war unverändert geblieben.',
      ...TABLE,
      'Wir empfehlen eine Kontrolle der Schilddrüsenwerte in drei Monaten und eine Anpassung der Dosis bis dahin.',
      'Wir danken für die Zuweisung und stehen für Fragen jederzeit gerne telefonisch zur Verfügung in der Praxis.',
      'Bei Verschlechterung der Beschwerden bitten wir um eine frühere Vorstellung in unserer Sprechstunde hier.',
    ];
    expect(readPrinted(letter).doc_type.value).toBe('specialist_report');
  });
});

describe('the name of the patient', () => {
  it('is whole after the label of a family name', () => {
    for (const line of ['Nom : FAVRE Camille', 'Cognome: FAVRE Camille', 'Nachname: Favre Camille'])
      expect([line, readPrinted([line, 'Résultats de laboratoire']).patient.name?.value]).toEqual([
        line,
        'Camille Favre',
      ]);
  });

  it('is in two fields when a given name has its own label', () => {
    expect(readPrinted(['Nom : FAVRE', 'Prénom : Camille Jeanne']).patient.name?.value).toBe('Camille Jeanne Favre');
  });

  it('is not the name of birth', () => {
    expect(readPrinted(['Nom de naissance : ROCHAT Camille', 'Attestation']).patient.name).toBeNull();
  });

  it('may stand over two lines under its label', () => {
    expect(
      readPrinted([
        'Name, Vorname des Versicherten       Erstbescheinigung',
        'Aeberhard',
        'Lukas         geb. am 03.04.88',
      ]).patient.name?.value,
    ).toBe('Lukas Aeberhard');
  });
});

it('completes a date that a hyphen breaks at the end of a line', () => {
  expect(readPrinted(['Laboratory report', 'Sample collected: 21-Mar-', '2025', ...TABLE]).event_date?.value).toBe(
    '2025-03-21',
  );
});

describe('the name of a house', () => {
  const house = (lines: readonly string[]) => readPrinted(lines).facility_name?.value ?? null;

  it('is not taken from a title, a heading or a sentence', () => {
    for (const first of [
      'Clinical Indication',
      'CARNET DE SANTÉ',
      'Anamnese',
      'Patient presents with cough since May.',
    ])
      expect([first, house([first, '', 'The chest is clear and the heart is regular.'])]).toEqual([first, null]);
  });

  it('needs an address or telephone when it has no word of a house', () => {
    expect(house(['Sonnenhof Mitte', 'Bahnhofstrasse 12, 8001 Zürich', 'Befund'])).toBe('Sonnenhof Mitte');
    expect(house(['Sonnenhof Mitte', 'Befund', 'Der Patient ist beschwerdefrei.'])).toBeNull();
  });

  it('is not the insurer of a certificate', () => {
    expect(
      house(['Muster Krankenkasse', 'Arbeitsunfähigkeitsbescheinigung', 'arbeitsunfähig seit 06.01.2025']),
    ).toBeNull();
  });
});

it('detects the language of a short certificate by the words of its form', () => {
  const lines = [
    'ATTESTATION DE VACCINATION',
    'Nom LEROUX',
    'Prénom Paul',
    'Date de naissance  04/02/1951',
    'Dose 1 Vaxzevria — lot ABV5811 — injection du 04/05/2021',
    'Effet indésirable  aucun. Antécédent de Covid-19  non.',
  ];
  expect(readPrinted(lines).language?.value).toBe('fr');
});

it('reads neither results from doses of a plan nor diagnoses from codes of a bill', () => {
  const plan = readPrinted([
    'Medikationsplan',
    'Wirkstoff        Handelsname     Stärke     Form     Mo  Mi  Ab  zN   Einheit',
    'Insulin aspart   Novorapid       100 E/ml   Lösung   8   0   9   0    I.E.',
    'Insulin degludec 100 E/ml        abends 12',
  ]);
  expect([plan.lab_results, plan.medications.length > 0]).toEqual([[], true]);
  const bill = readPrinted([
    'Rechnung',
    'Datum        Position    Leistung             Betrag',
    '03.04.2025   C08.30B     Verbandswechsel      30.00',
    'Total                                         30.00',
  ]);
  expect([bill.doc_type.value, bill.diagnoses]).toEqual(['invoice', []]);
});

import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { rowContext } from '../../../../test/support/printed-rows.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readDiagnoses } from './diagnoses.ts';

const read = (lines: readonly string[], language: RowContext['language'] = 'en') =>
  readDiagnoses(buildLayout([printedPage(lines)]), {
    ...rowContext,
    language,
  }).map((row) => row.diagnosis_original);

describe('lists of diagnoses', () => {
  it('may be in a column beside the letterhead', () => {
    expect(
      read(
        [
          'Médecin chef            Cher confrère,',
          'Dr Luc Favre            Diagnostics retenus :',
          '                        – Thrombose veineuse profonde',
          'Secrétariat             – Hypothyroïdie',
          '021 000 00 00           Antécédents familiaux : mère diabétique.',
        ],
        'fr',
      ),
    ).toEqual(['Thrombose veineuse profonde', 'Hypothyroïdie']);
  });

  it('are separated by commas if each item is a known disease', () => {
    expect(read(['Diagnosen: Arterielle Hypertonie, Hyperlipidämie, Adipositas'], 'de')).toEqual([
      'Arterielle Hypertonie',
      'Hyperlipidämie',
      'Adipositas',
    ]);
    expect(read(['Diagnose: Kolonkarzinom, pT2 pN0'], 'de')).toEqual(['Kolonkarzinom, pT2 pN0']);
  });

  it('may be indented under a heading without a colon in a column', () => {
    expect(
      read([
        'Bluestem County        Discharge Summary',
        'Hospital               Discharge diagnoses',
        '2200 Elm Rd               Community acquired pneumonia',
        'Salina, KS 67401          Atrial fibrillation',
        'DOB 09/14/1946         Family history Mother: stroke. Son: type 1 diabetes.',
      ]),
    ).toEqual(['Community acquired pneumonia', 'Atrial fibrillation']);
  });

  it('go on under the first item beside the heading, but not with a sentence', () => {
    expect(
      read(
        ['Diagnosen: Arterielle Hypertonie', 'Gonarthrose links', 'Die Patientin klagt über Schmerzen im Knie.'],
        'de',
      ),
    ).toEqual(['Arterielle Hypertonie', 'Gonarthrose links']);
    expect(read(['Diagnose: Fibromyalgie', 'Kontrolle in zwei Wochen.'], 'de')).toEqual(['Fibromyalgie']);
  });

  it('are separated by dashes and conjunctions if each item is a known disease', () => {
    expect(read(['Diagnosi: Ipertensione arteriosa – Fibrillazione atriale'], 'it')).toEqual([
      'Ipertensione arteriosa',
      'Fibrillazione atriale',
    ]);
    expect(read(['Problèmes actifs : Asthme et Hypothyroïdie.'], 'fr')).toEqual(['Asthme', 'Hypothyroïdie']);
    expect(read(['Diagnose: Fraktur des Radius und der Ulna'], 'de')).toEqual(['Fraktur des Radius und der Ulna']);
  });

  it('are behind A: of a note with S:, O: and P:', () => {
    expect(
      read([
        'S: Knee pain for 2 weeks. Denies locking.',
        'O: No effusion. Lachman negative.',
        'A: Patellofemoral pain syndrome, right',
        'P: Exercises. Follow up 6 weeks.',
      ]),
    ).toEqual(['Patellofemoral pain syndrome, right']);
  });

  it('end at the next label of their line', () => {
    expect(read(['Active problems: Asthma; Gout. Past: appendicectomy'])).toEqual(['Asthma', 'Gout']);
  });

  it('have no suspected or differential diagnoses', () => {
    expect(
      read(
        ['Diagnosen:', '1. Akute Sinusitis', '2. V.a. Pneumonie', 'DD: Influenza', '4. Zustand nach Apoplex 2019'],
        'de',
      ),
    ).toEqual(['Akute Sinusitis', 'Zustand nach Apoplex 2019']);
    expect(read(['Diagnosen:', '- Gicht', '- V. a. Schlafapnoe'], 'de')).toEqual(['Gicht']);
    expect(read(['Diagnosis: ?Appendicitis'])).toEqual([]);
    expect(read(['Preoperative diagnosis: Gallstones', 'Postoperative diagnosis: Same'])).toEqual(['Gallstones']);
    expect(read(['Preoperative diagnosis: Biliary colic', 'Postoperative diagnosis: Chronic cholecystitis'])).toEqual([
      'Chronic cholecystitis',
    ]);
    expect(read(['Diagnosi: sospetta polmonite'], 'it')).toEqual([]);
  });

  it('may be the numbered items of an assessment', () => {
    expect(
      read(['Assessment:', '1. Gout, left first toe', '2. Allopurinol to start', 'Plan: review in a month']),
    ).toEqual(['Gout, left first toe']);
  });
});

describe('diagnoses in sentences', () => {
  it('are known diseases that the patient has', () => {
    expect(read(['He has type 2 diabetes and hypertension and is a smoker of twenty cigarettes a day.'])).toEqual([
      'type 2 diabetes',
      'hypertension',
    ]);
    expect(
      read(['Bei der Patientin besteht eine bekannte Hypothyreose, die seit vielen Jahren behandelt wird.'], 'de'),
    ).toEqual(['Hypothyreose']);
  });

  it('are not those of relatives, denied or merely named', () => {
    expect(
      read([
        'There is a family history of asthma and his mother has type 2 diabetes since her sixtieth birthday.',
        'He has no known hypertension and we discussed what gout would mean for his work as a cook.',
      ]),
    ).toEqual([]);
  });
});

describe('diagnoses behind their heading', () => {
  it('may follow a dash or a first number', () => {
    expect(read(['Diagnoses — Chronic plaque psoriasis; Psoriatic arthritis'])).toEqual([
      'Chronic plaque psoriasis',
      'Psoriatic arthritis',
    ]);
    expect(read(['Diagnostics 1) Ulcère bulbaire hémorragique 2) Anémie ferriprive.'], 'fr')).toEqual([
      'Ulcère bulbaire hémorragique',
      'Anémie ferriprive',
    ]);
  });

  it('may be apart in its line, or behind a misread colon', () => {
    expect(read(['Diagnostics     Polyarthralgies inflammatoires     Hypertension artérielle.'], 'fr')).toEqual([
      'Polyarthralgies inflammatoires',
      'Hypertension artérielle',
    ]);
    expect(read(['Diagnosen; Hörsturz links', 'Tinnitus aurium links'], 'de')).toContain('Hörsturz links');
  });

  it('may be said to be known', () =>
    expect(read(['Diagnosi note: Emicrania con aura; Ipotiroidismo.'], 'it')).toEqual([
      'Emicrania con aura',
      'Ipotiroidismo',
    ]));

  it('are named without how they were found', () =>
    expect(read(['Diagnose: Zöliakie (histologisch gesichert)'], 'de')).toEqual(['Zöliakie']));
});

describe('diagnoses of an assessment', () => {
  it.each([
    [
      ['ASSESSMENT AND PLAN:', '1. Hiatal hernia. Small on EGD.', '2. Gout. Continue diet.'],
      ['Hiatal hernia', 'Gout'],
    ],
    [['Impression: Moderate persistent asthma', 'PLAN: two puffs twice daily.'], ['Moderate persistent asthma']],
    [['Assessment:', '1. Gout', '2. Visite dans six mois, petite dose'], ['Gout']],
  ])('are its items and statements, without their plans: %j', (lines, found) => {
    expect(read(lines)).toEqual(found);
  });

  it('are what a letter sums up, and what it says to be treated', () => {
    expect(
      read(['Au total   Hypertrophie bénigne de la prostate. Hypertension artérielle traitée.', 'Traitement'], 'fr'),
    ).toEqual(['Hypertrophie bénigne de la prostate', 'Hypertension artérielle']);
    expect(
      read(
        [
          'Anamnesi: ex fumatore. Ipertensione arteriosa in terapia. La moglie ha avuto la tubercolosi.',
          'Conclusioni: BPCO di grado moderato. Si esclude asma bronchiale.',
        ],
        'it',
      ),
    ).toEqual(['BPCO di grado moderato', 'Ipertensione arteriosa']);
  });

  it('are not what may come: "if you have fever"', () => {
    expect(read(['Call if you have fever over 101 F, worse pain or bleeding from the wound at any time.'])).toEqual([]);
  });
});

describe('the end of a list of diagnoses', () => {
  it.each([
    ['Durchgeführte Maßnahmen', '11.10.2025: Marknagel links'],
    ['11.10.2025: Marknagel links', '13.10.2025: Gabe von Erythrozyten'],
    ['Histoire toux et fièvre depuis trois jours. Pas d’antécédent personnel.', 'Un frère avec un eczéma.'],
    ['Breathless for one week with swelling. Troponin not raised.', 'Lives alone.'],
  ])('is where passages of other kinds begin: %s', (...lines) => {
    expect(read(['Diagnosen', 'Osteoporose', ...lines])).toEqual(['Osteoporose']);
  });
});

it.each([
  ['ricoverata dal 01/09/2025 con diagnosi di:', '- Polmonite', 'it'],
  ['Most responsible diagnosis:', 'Pneumonia', 'en'],
  ['Why you were in the hospital', 'Pneumonia', 'en'],
] as const)('knows the heading "%s"', (heading, item, language) => {
  expect(read([heading, item], language)).toEqual([item.replace('- ', '')]);
});

it('has no scores and no codes of tumors', () =>
  expect(read(['Diagnosen:', 'Vorhofflimmern (I48.0)', 'CHA2DS2-VASc 4', 'ICD-O: M8211/0'], 'de')).toEqual([
    'Vorhofflimmern',
  ]));

describe('what is not a diagnosis', () => {
  it('is a treatment with its date, or a sentence about what was normal', () => {
    expect(
      read(
        [
          'Diagnosen:',
          'Pertrochantäre Femurfraktur links',
          'Nagelung am 28.01.2025 im Marienhospital',
          'CPAP seit 2021',
        ],
        'de',
      ),
    ).toEqual(['Pertrochantäre Femurfraktur links']);
    expect(
      read([
        'What we discussed',
        '    Chronic urticaria',
        '    Allergic rhinitis due to pollen',
        'Spirometry was normal today, so you do not have asthma.',
      ]),
    ).toEqual(['Chronic urticaria', 'Allergic rhinitis due to pollen']);
  });

  it('is the label of what was treated too, or the word for its follow-up', () => {
    expect(read(['Diagnosis: Pneumonia', 'Also treated: Hypokalemia'])).toEqual(['Pneumonia', 'Hypokalemia']);
    expect(
      read(['J’ai revu votre patient en consultation pour le suivi de sa maladie rénale chronique stade 3b.'], 'fr'),
    ).toEqual(['maladie rénale chronique stade 3b']);
  });
});

it('are read without what was done about them and its day, and not if they were excluded on a day', () => {
  expect(read(['Diagnose: Gonarthrose rechts (Knie-TEP am 12.08.2025)'])).toEqual(['Gonarthrose rechts']);
  expect(
    read([
      'Diagnosen: Prostatahyperplasie (N40), Blasenstörung (R39.1),',
      'Nierenzyste (N28.1).',
      'Karzinom bioptisch ausgeschlossen (12.1.2026). Gicht.',
    ]),
  ).toEqual(['Prostatahyperplasie', 'Blasenstörung', 'Nierenzyste', 'Gicht']);
});

it('are under why a child was here', () =>
  expect(read(['Why your child was here', 'Severe persistent asthma', 'Hypokalemia'], 'en')).toEqual([
    'Severe persistent asthma',
    'Hypokalemia',
  ]));

it('are in the left of two columns with headings in one line, and not under earlier illnesses', () => {
  expect(
    read(
      [
        'Diagnosi                                   Anamnesi',
        'Cardiomiopatia dilatativa                  Defibrillatore impiantato nel 2023.',
        'Fibrillazione atriale permanente           Ictus: mai.',
      ],
      'it',
    ),
  ).toEqual(['Cardiomiopatia dilatativa', 'Fibrillazione atriale permanente']);
  expect(read(['Aktuelle Diagnosen', 'Akute Nierenschädigung', 'Frühere Erkrankungen', 'Gicht 2009'])).toEqual([
    'Akute Nierenschädigung',
  ]);
});

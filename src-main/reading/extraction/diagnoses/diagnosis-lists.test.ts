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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testLog } from '../../../test/support/vault.ts';
import { createCatchUp } from '../../platform/database/catch-up.ts';
import { openDatabaseInMemory } from '../../../test/support/new-database.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { createKnowledge } from '../../reading/knowledge/service.ts';
import { createMerges } from './merges.ts';
import { createReferenceRepository } from './reference-repository.ts';
import { TABLES } from './references.ts';
import { createNameReindex } from './reindex.ts';
import { createNameRepository } from './repository.ts';
import { createEntryResolver, type ResolveOptions } from './resolve-name.ts';
import { reseedFromKnowledgeBase } from './seed-entries.ts';

const knowledge = createKnowledge();
const now = () => '2026-11-21T08:00:00';
const clock = { now: () => 0, sleep: async () => false };

let db: Database,
  repository: ReturnType<typeof createNameRepository>,
  resolver: ReturnType<typeof createEntryResolver>,
  language: string;
beforeEach(() => {
  language = 'en';
  db = openDatabaseInMemory();
  repository = createNameRepository(db);
  resolver = createEntryResolver({ repository, knowledge, language: () => language, now });
});
afterEach(() => db.close());

const read = (kind: NameKind, printed: string, options: Omit<ResolveOptions, 'auto'> = {}): number =>
  resolver.resolve(kind, printed, { auto: true, ...options });
const typed = (kind: NameKind, printed: string): number => resolver.resolve(kind, printed, { auto: false });
const entry = (kind: NameKind, id: number) => repository.entry(kind, id);
/** The spellings of an entry, with a question mark for those that need review. */
const spellings = (kind: NameKind, id: number): string[] =>
  repository
    .aliasesOf(kind, [id])
    .map(({ alias, auto_mapped }) => `${alias}${auto_mapped ? '?' : ''}`)
    .sort();
const entries = (kind: NameKind): number => db.prepare(`SELECT count(*) FROM ${TABLES[kind]}`).pluck().get() as number;

describe('a printed test', () => {
  it('is the entry of the knowledge base, seeded at its first use', () => {
    const id = read('lab_tests', 'Ferritin');
    expect(entry('lab_tests', id)).toMatchObject({
      canonical_code: 'ferritin',
      canonical_display: 'Ferritin',
      loinc_code: '2276-4',
      seeded: 1,
    });
    expect([
      read('lab_tests', 's-FERRITIN'),
      read('lab_tests', 'Ferritin im Serum'),
      read('lab_tests', 'Ferritine'),
    ]).toEqual([id, id, id]);
    expect(entries('lab_tests')).toBe(1);
  });
  it('that the knowledge base knows only in a folded form waits for review', () => {
    const id = read('lab_tests', 'Kreatinin (enzymatisch)');
    expect(spellings('lab_tests', id)).toEqual(['Creatinine', 'Kreatinin (enzymatisch)?']);
  });
  it('in urine differs from the one in blood', () =>
    expect(read('lab_tests', 'Natrium', { sample: 'Urin' })).not.toBe(
      read('lab_tests', 'Natrium', { sample: 'Serum' }),
    ));
  it('with an OCR error is mapped and waits for review, unless the name is short', () => {
    const id = read('lab_tests', 'Hämatokrlt');
    expect([entry('lab_tests', id)?.canonical_display, spellings('lab_tests', id)]).toEqual([
      entry('lab_tests', read('lab_tests', 'Hämatokrit'))?.canonical_display,
      expect.arrayContaining(['Hämatokrlt?']),
    ]);
    expect(read('lab_tests', 'Kalum')).not.toBe(read('lab_tests', 'Kalium'));
  });
  it('with a slip is not guessed when a user typed it', () =>
    expect(typed('lab_tests', 'Hämatokrlt')).not.toBe(typed('lab_tests', 'Hämatokrit')));
  it('with a slip that fits two entries is mapped to neither, even if only one is in use', () => {
    const neurology = read('specialties', 'Neurologia');
    expect(entry('specialties', neurology)?.canonical_code).toBe('neurology');
    expect(read('specialties', 'Neirologia')).not.toBe(neurology);
    expect(read('specialties', 'Neurollogia')).toBe(neurology);
  });
  it('with a longer known name is not the test whose name is a part of it', () => {
    const mch = read('lab_tests', 'Mean corpuscular haemoglobin');
    expect(entry('lab_tests', read('lab_tests', 'Mean corpuscular haemoglobin concentration'))?.canonical_code).toBe(
      'mean-corpuscular-haemoglobin-concentration',
    );
    expect(entry('lab_tests', mch)?.canonical_code).toBe('mean-corpuscular-haemoglobin');
    expect(read('lab_tests', 'Natrium im 24-h-Urin')).not.toBe(read('lab_tests', 'Natrium im Urin'));
  });
  it('that is unknown gets an entry of its own', () => {
    const id = read('lab_tests', 'Quittenprobe  nach Keller');
    expect(entry('lab_tests', id)).toMatchObject({
      canonical_display: 'Quittenprobe nach Keller',
      seeded: 0,
      loinc_code: null,
    });
    expect([read('lab_tests', 'QUITTENPROBE NACH KELLER'), spellings('lab_tests', id)]).toEqual([
      id,
      ['Quittenprobe nach Keller?'],
    ]);
  });
});

describe('a printed diagnosis or medicine', () => {
  it('is found by its code first, also with the fifth character of national editions', () => {
    const id = read('diagnoses', 'E11.9 irgendwie benannt', { code: 'E11.90' });
    expect(entry('diagnoses', id)).toMatchObject({ icd10_code: 'E11.9', seeded: 1 });
    expect([
      read('diagnoses', 'Zuckerkrankheit nach Keller', { code: 'E11.9' }),
      spellings('diagnoses', id).filter((text) => text.endsWith('?')),
    ]).toEqual([id, ['E11.9 irgendwie benannt?', 'Zuckerkrankheit nach Keller?']]);
  });
  it('is mapped to its substance from a brand with dose and form', () => {
    const id = read('medications', 'Dafalgan 500 mg Filmtabl.');
    expect(entry('medications', id)).toMatchObject({ atc_code: 'N02BE01' });
    expect([read('medications', 'Paracetamol'), read('medications', 'Dafalgan Brausetabl. 1 g')]).toEqual([id, id]);
  });
});

describe('an unknown medicine', () => {
  it('is the same in another dose and form', () => {
    const id = read('medications', 'Quittosan forte 10 mg Filmtabl.');
    expect([read('medications', 'QUITTOSAN FORTE 20 mg'), read('medications', 'Quittosan forte Tabletten')]).toEqual([
      id,
      id,
    ]);
    expect(read('medications', 'Ferrous sulfate')).not.toBe(read('medications', 'Ferrous fumarate'));
  });
});

describe('a doctor', () => {
  it('with an abbreviated first name is mapped to the one it fits, and waits for review', () => {
    const anna = read('doctors', 'Dr. med. Anna Meier');
    expect([read('doctors', 'Dr. A. Meier'), spellings('doctors', anna)]).toEqual([
      anna,
      ['Dr. A. Meier?', 'Dr. med. Anna Meier?'],
    ]);
    expect(entries('doctors')).toBe(1);
  });
  it('is not mapped if it fits two, or if another spelling contradicts it', () => {
    const [anna, andreas] = [read('doctors', 'Anna Meier'), read('doctors', 'Andreas Meier')];
    expect([anna, andreas]).not.toContain(read('doctors', 'A. Meier'));
    const beat = read('doctors', 'B. Keller');
    expect([read('doctors', 'Beat Keller'), read('doctors', 'Bruno Keller') === beat]).toEqual([beat, false]);
  });
  it('keeps its name when another spelling has an initial, too', () => {
    const meier = read('doctors', 'A. B. Meier');
    expect([read('doctors', 'Anna B. Meier'), entry('doctors', meier)?.canonical_display]).toEqual([
      meier,
      'A. B. Meier',
    ]);
  });
  it('spells an initial out with either title, but renames no full name', () => {
    const meier = read('doctors', 'Dr. A. Meier');
    const keller = read('doctors', 'B. Keller');
    expect([read('doctors', 'Anna Meier'), read('doctors', 'Dr. med. Beat Keller')]).toEqual([meier, keller]);
    expect(entry('doctors', meier)).toMatchObject({ canonical_display: 'Dr. Anna Meier', name: 'Anna Meier' });
    expect(entry('doctors', keller)).toMatchObject({ canonical_display: 'Dr. med. Beat Keller', title: 'Dr. med.' });
    expect([read('doctors', 'A. Meier'), read('doctors', 'Prof. B. Keller')]).toEqual([meier, keller]);
    expect(entry('doctors', meier)).toMatchObject({ canonical_display: 'Dr. Anna Meier' });
    expect(entry('doctors', keller)).toMatchObject({ canonical_display: 'Dr. med. Beat Keller' });
  });
  it('is shown by a first name spelled out later, unless a user reviewed the entry', () => {
    const [auto, seen] = [read('doctors', 'Dr. R. Aebischer'), read('doctors', 'B. Keller')];
    repository.confirm('doctors', seen);
    expect([read('doctors', 'Regula Aebischer'), read('doctors', 'Beat Keller')]).toEqual([auto, seen]);
    expect(entry('doctors', auto)).toMatchObject({
      canonical_display: 'Dr. Regula Aebischer',
      name: 'Regula Aebischer',
      title: 'Dr.',
    });
    expect(entry('doctors', seen)).toMatchObject({ canonical_display: 'B. Keller' });
  });
  it('with only a surname is not guessed', () =>
    expect(read('doctors', 'Dr. Weidmann')).not.toBe(read('doctors', 'Jana Weidmann')));
});

describe('a facility', () => {
  it('with its city behind a comma is the known one, unless that is in another city', () => {
    const lab = read('facilities', 'Synlab AG');
    expect(read('facilities', 'Synlab AG, Bern')).toBe(lab);
    const clinic = read('facilities', 'Klinik Aare, Weg 1, 5000 Aarau');
    expect(entry('facilities', clinic)).toMatchObject({
      canonical_display: 'Klinik Aare',
      city: 'Aarau',
      address: 'Weg 1, 5000 Aarau',
    });
    expect([read('facilities', 'Klinik Aare, Aarau'), read('facilities', 'Klinik Aare, Bern') === clinic]).toEqual([
      clinic,
      false,
    ]);
  });
});

describe("a user's change", () => {
  it('of an entry is never overwritten, while unchanged entries follow language and edition', () => {
    const [changed, untouched] = [read('lab_tests', 'Natrium'), read('lab_tests', 'Kalium')];
    repository.update('lab_tests', changed, { canonical_display: 'Salz' });
    language = 'de';
    const references = createReferenceRepository(db);
    const reindex = createNameReindex({
      catchUp: createCatchUp({ db, clock, log: testLog(), transaction: db.transaction }),
      references,
      reindex: () => undefined,
    });
    reseedFromKnowledgeBase({ repository, knowledge, reindex, language: () => language, now });
    expect([entry('lab_tests', changed)?.canonical_display, entry('lab_tests', untouched)?.canonical_display]).toEqual([
      'Salz',
      'Kalium',
    ]);
    expect(read('lab_tests', 'Sodium')).toBe(changed);
  });
  it('that merges a seeded entry away holds for later spellings', () => {
    const [own, seeded] = [typed('lab_tests', 'Hausferritin'), read('lab_tests', 'Ferritin')];
    createMerges({ db, repository, references: createReferenceRepository(db) }).merge(
      'lab_tests',
      [seeded],
      { id: own },
      { userId: 1, now: now() },
    );
    expect([read('lab_tests', 'Ferritin'), read('lab_tests', 'Ferritine')]).toEqual([own, own]);
    expect(entries('lab_tests')).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { createKnowledge, KNOWLEDGE_KINDS } from '../../reading/knowledge/service.ts';
import { comparePeople, readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';
import { compareSpellings } from './similarity.ts';
import { aliasKey } from './name-key.ts';

describe('a doctor', () => {
  it.each([
    'Dr. med. Anna Meier',
    'Anna Meier',
    'Meier Anna',
    'Meier, Anna',
    'Dr.med. Anna Meier',
    'Prof. Dr. med. Anna Meier',
    'PD Dr. Anna Meier, FMH Innere Medizin',
    'Dre Anna Meier',
    'Dott.ssa Anna Meier',
    'Frau Dr. med. Anna Meier',
    'Meier, Dr. med. Anna',
    'Dr. ANNA MEIER',
    'Anna Meier FMH',
    'Anna Meier, Fachärztin für Kardiologie',
    'M. le Dr Anna Meier',
    'Oberärztin Dr. Anna Meier',
  ])('has one key for %s', (printed) => expect(aliasKey('doctors', printed)).toBe('anna meier'));
  it.each([
    ['Dr. med. Andreas Meier', 'andreas meier'],
    ['Dr. Anna Müller', 'anna mueller'],
    ['Dr. A. Meier', 'a meier'],
    ['Dr. A.M. Meier', 'a m meier'],
    ['Dr. med.', 'dr med'],
    ['Dr. M. Rossi', 'm rossi'],
  ])('%s has the key %s', (printed, key) => expect(aliasKey('doctors', printed)).toBe(key));
  it('separates title and name', () => {
    expect(readDoctorName('PD Dr.med. Weidmann, Jana, FMH Kardiologie')).toMatchObject({
      title: 'PD Dr. med.',
      name: 'Jana Weidmann',
    });
    expect(readDoctorName('Dott.ssa Lucia Bianchi')).toMatchObject({ title: 'Dott.ssa', name: 'Lucia Bianchi' });
    expect(readDoctorName('Jana Weidmann')).toMatchObject({ title: null, name: 'Jana Weidmann' });
  });
  it.each([
    ['anna meier', 'anna meier', 'same'],
    ['a meier', 'anna meier', 'initial'],
    ['anna m meier', 'anna meier', 'initial'],
    ['meier', 'anna meier', 'part_of_name'],
    ['anna maria meier', 'anna meier', 'part_of_name'],
    ['andreas meier', 'anna meier', null],
    ['anna meier', 'anna keller', null],
    ['b meier', 'anna meier', null],
    ['a', 'anna meier', null],
    ['a m', 'anna meier', null],
  ] as const)('compares %s with %s as %s', (a, b, similarity) => {
    expect(comparePeople(a.split(' '), b.split(' '))).toBe(similarity);
    expect(comparePeople(b.split(' '), a.split(' '))).toBe(similarity);
  });
});

describe('a facility', () => {
  it.each([
    'Synlab Bern AG',
    'Synlab Bern',
    'SYNLAB Bern S.A.',
    'Synlab Bern GmbH, Laborstrasse 3, 3012 Bern',
    'Synlab Bern, 3012 Bern',
    'Synlab Bern AG · Tel. 031 300 00 00',
  ])('is the same as %s', (printed) => expect(aliasKey('facilities', printed)).toBe('synlab bern'));
  it('reads the city of an address and leaves departments in the name', () => {
    expect(readFacilityName('Klinik Aare AG, Musterweg 4, CH-5000 Aarau')).toMatchObject({
      name: 'Klinik Aare AG',
      city: 'Aarau',
      address: 'Musterweg 4, CH-5000 Aarau',
    });
    expect(readFacilityName('Kantonsspital Aarau, Klinik für Kardiologie')).toMatchObject({
      name: 'Kantonsspital Aarau, Klinik für Kardiologie',
      city: null,
      withoutPlace: null,
    });
    expect(readFacilityName('Synlab AG, Bern').withoutPlace).toEqual(['synlab']);
  });
});

describe('a test and a medicine', () => {
  it.each([
    ['Ferritin', 'ferritin'],
    ['S-Ferritin', 'ferritin'],
    ['FERRITIN im Serum', 'ferritin'],
    ['B-Ferritin', 'ferritin'],
    ['Ferritin (enzym.)', 'ferritin'],
    ['U-Natrium', 'urine natrium'],
    ['Natrium im Urin', 'urine natrium'],
    ['Créatinine', 'creatinine'],
  ])('%s has the key %s', (printed, key) => expect(aliasKey('lab_tests', printed)).toBe(key));
  it('includes a sample from another column', () => {
    expect([
      aliasKey('lab_tests', 'Natrium', 'Spontanurin'),
      aliasKey('lab_tests', 'Natrium', 'Serum'),
      aliasKey('lab_tests', 'U-Natrium', 'Spontanurin'),
    ]).toEqual(['urine natrium', 'natrium', 'urine natrium']);
  });
  it.each(['Metformin', 'Metformin 500 mg', 'METFORMIN Mepha Filmtabl. 1000 mg', 'Metformin hydrochlorid'])(
    '%s is one medicine',
    (printed) => expect(aliasKey('medications', printed)).toBe('metformin'),
  );
});

describe('the keys of the knowledge base', () => {
  const knowledge = createKnowledge();
  const SAMPLES: Record<string, string | null> = { blood: 'Serum', urine: 'Urin', csf: 'Liquor', stool: 'Stuhl' };
  // A key must be unique to one thing, because it finds everything that is stored under it.
  it.each(KNOWLEDGE_KINDS)('%s are unique to each entry', (kind) => {
    const holders = new Map<string, Set<string>>();
    for (const entry of knowledge.entries(kind))
      for (const { alias, ambiguous } of entry.aliases) {
        if (ambiguous || (entry.kind === 'lab_tests' && entry.specimen === 'other')) continue;
        const key = aliasKey(kind, alias, entry.kind === 'lab_tests' ? SAMPLES[entry.specimen] : null);
        holders.set(key, (holders.get(key) ?? new Set()).add(entry.canonicalCode));
      }
    expect([...holders].filter(([, codes]) => codes.size > 1).map(([key, codes]) => [key, ...codes])).toEqual([]);
  });
  it.each([
    ['Mean corpuscular haemoglobin concentration', 'Mean corpuscular haemoglobin'],
    ['P-Amylase', 'Amylase'],
    ['p-ANCA', 'ANCA'],
    ['Natrium im 24-h-Urin', 'Natrium im Urin'],
    ['pH venös', 'pH'],
  ])('%s is not %s', (a, b) => expect(aliasKey('lab_tests', a)).not.toBe(aliasKey('lab_tests', b)));
  it('of red cells in urine are not those of blood', () =>
    expect(aliasKey('lab_tests', 'Red blood cells', 'Urin')).not.toBe(aliasKey('lab_tests', 'Red blood cells')));
  it('of minerals keep the salt', () =>
    expect(aliasKey('medications', 'Magnesium citrate 300 mg')).not.toBe(aliasKey('medications', 'Magnesium sulfate')));
});

describe('similarity of spellings', () => {
  it.each([
    ['kreatinin', 'kreatlnin', 'sure'],
    ['kreatinin', 'kreatinn', 'sure'],
    ['kreatinin', 'kreatniin', 'sure'],
    ['gamma glutamyl', 'gamma glutamyll', 'sure'],
    ['kalium', 'kallum', 'likely'],
  ] as const)('%s and %s: %s', (a, b, similarity) => expect(compareSpellings(a, b)).toBe(similarity));
  it.each([
    ['t3', 't4'],
    ['igg', 'igm'],
    ['ca 125', 'ca 153'],
    ['hdl cholesterin', 'ldl cholesterin'],
    ['hypothyreose', 'hyperthyreose'],
    ['vitamin b1', 'vitamin b12'],
    ['kreatinin', 'kreatinin'],
    ['apolipoprotein a', 'apolipoprotein b'],
    ['natrium', 'kalium'],
  ])('%s and %s are different', (a, b) => expect(compareSpellings(a, b)).toBeNull());
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../../../test/support/vault.ts';
import { createKnowledge, type Knowledge, type KnowledgeEntry } from '../../reading/knowledge/service.ts';
import { createNameRepository, type NameRepository } from './repository.ts';
import { createEntryResolver, type EntryResolver } from './resolve-name.ts';
import { reseedFromKnowledgeBase } from './seed-entries.ts';

const NOW = '2026-11-21T09:00:00';
const base = createKnowledge();
let test: TestVault;
let repository: NameRepository;
let reindexed: string[];
let language: string;

beforeEach(() => {
  test = openTestVault();
  repository = createNameRepository(test.db);
  reindexed = [];
  language = 'en';
});
afterEach(() => test.close());

const resolverWith = (knowledge: Knowledge): EntryResolver =>
  createEntryResolver({ repository, knowledge, language: () => language, now: () => NOW });
const reseed = (knowledge: Knowledge): void =>
  reseedFromKnowledgeBase({
    repository,
    knowledge,
    language: () => language,
    now: () => NOW,
    reindex: {
      reindexEntry: (kind: string, id: number) => void reindexed.push(`${kind} ${id}`),
    } as unknown as Parameters<typeof reseedFromKnowledgeBase>[0]['reindex'],
  });
/** A later edition of the knowledge base, in which one entry differs. */
function nextEdition(canonicalCode: string, changes: object): Knowledge {
  const changed = (entry: KnowledgeEntry | null): KnowledgeEntry | null =>
    entry?.canonicalCode === canonicalCode ? ({ ...entry, ...changes } as KnowledgeEntry) : entry;
  return {
    ...base,
    edition: () => '2027.1',
    byCanonicalCode: (kind, code) => changed(base.byCanonicalCode(kind, code)) as never,
  };
}
const rowOf = (id: number) => repository.entry('lab_tests', id);
const count = (): number => test.db.prepare('SELECT count(*) FROM norm_lab_tests').pluck().get() as number;

describe('a newer edition of the knowledge base', () => {
  const better = { unit: 'mg/dL', category: 'Metabolism' };

  it('updates entries that no user changed', () => {
    const id = resolverWith(base).resolve('lab_tests', 'Glukose', { auto: true });
    reseed(base);
    expect(rowOf(id)).toMatchObject({ seeded: 1, unit_preferred: 'mmol/L' });
    reseed(nextEdition(rowOf(id)?.canonical_code ?? '', better));
    expect(rowOf(id)).toMatchObject({ seeded: 1, unit_preferred: 'mg/dL', category: 'Metabolism' });
    expect(reindexed).toEqual([]);
  });
  it('leaves entries alone that a user changed or added', () => {
    const id = resolverWith(base).resolve('lab_tests', 'Glukose', { auto: true });
    const own = resolverWith(base).resolve('lab_tests', 'Hausinterner Quotient', { auto: false });
    const code = rowOf(id)?.canonical_code ?? '';
    reseed(base);
    repository.update('lab_tests', id, { canonical_display: 'Blutzucker nüchtern' });
    const before = [rowOf(id), rowOf(own)];
    reseed(nextEdition(code, { ...better, names: { en: 'Sugar', de: 'Zucker', fr: 'Sucre', it: 'Zucchero' } }));
    expect([rowOf(id), rowOf(own)]).toEqual(before);
  });
  it('adds no entries, and is applied once', () => {
    const id = resolverWith(base).resolve('lab_tests', 'Glukose', { auto: true });
    reseed(base);
    const next = nextEdition(rowOf(id)?.canonical_code ?? '', better);
    reseed(next);
    repository.reseed('lab_tests', id, { unit_preferred: 'changed directly' });
    reseed(next);
    expect(rowOf(id)).toMatchObject({ unit_preferred: 'changed directly' });
    expect(count()).toBe(1);
  });
  it('renames entries for another language and reindexes their documents', () => {
    const id = resolverWith(base).resolve('lab_tests', 'Glukose', { auto: true });
    reseed(base);
    language = 'de';
    reseed(base);
    expect(rowOf(id)?.canonical_display).toBe(
      base.byCanonicalCode('lab_tests', rowOf(id)?.canonical_code ?? '')?.names.de,
    );
    expect(reindexed).toEqual([`lab_tests ${id}`]);
  });
});

describe('an entry is seeded', () => {
  it('once for all its spellings, when a name first needs it', () => {
    expect(count()).toBe(0);
    const resolver = resolverWith(base);
    const ids = ['GOT', 'ASAT', 'Aspartat-Aminotransferase', 'AST (SGOT) im Serum'].map((printed) =>
      resolver.resolve('lab_tests', printed, { auto: true }),
    );
    expect(new Set(ids).size).toBe(1);
    expect(count()).toBe(1);
  });
  it('for each of several diseases that share a code', () => {
    const resolver = resolverWith(base);
    const [folate, cobalamin] = ['Folsäuremangel', 'Vitamin-B12-Mangel'].map((printed) =>
      resolver.resolve('diagnoses', printed, { auto: true, code: 'E53.8' }),
    );
    expect(folate).not.toBe(cobalamin);
    expect(resolver.resolve('diagnoses', 'Carence en folates', { auto: true, code: 'E53.8' })).toBe(folate);
    expect([folate, cobalamin]).not.toContain(
      resolver.resolve('diagnoses', 'Biotinmangel', { auto: true, code: 'E53.8' }),
    );
  });
});

describe('a test whose name is ambiguous without the unit', () => {
  const resolve = (printed: string, unit: string | null): number =>
    resolverWith(base).resolve('lab_tests', printed, { auto: true, unit });
  const code = (id: number) => rowOf(id)?.['loinc_code'];

  it('is the one that the unit fits, in any order and language', () => {
    expect([
      code(resolve('Neutrophile', '%')),
      code(resolve('Neutrophile', 'G/L')),
      code(resolve('Neutrophils', '%')),
      code(resolve('Polynucléaires neutrophiles', '10^9/L')),
    ]).toEqual(['770-8', '751-8', '770-8', '751-8']);
    expect(code(resolve('Neutrophile abs.', 'G/L'))).toBe('751-8');
  });
  it('without a unit gets an entry of its own, which later results with a unit do not join', () => {
    const own = resolve('Neutrophile', null);
    expect(code(own)).toBeNull();
    expect(code(resolve('Neutrophile', '%'))).toBe('770-8');
    expect(resolve('Neutrophile', null)).toBe(own);
  });
  it('is the one that a user entered', () => {
    const own = resolverWith(base).resolve('lab_tests', 'Neutrophile', { auto: false });
    expect(resolve('Neutrophile', '%')).toBe(own);
  });
});

it('distinguishes 24-hour urine, spot urine and blood in any order of reading', () => {
  const code = (printed: string, sample: string | null, unit: string | null) =>
    rowOf(resolverWith(base).resolve('lab_tests', printed, { auto: true, sample, unit }))?.['loinc_code'];
  expect([
    code('Red blood cells', 'Urin', '/µl'),
    code('Red blood cells', 'Blut', 'T/l'),
    code('Natrium', 'Urin', 'mmol/24h'),
    code('Natrium', 'Urin', 'mmol/l'),
    code('Natrium', 'Serum', 'mmol/l'),
    code('Natrium', 'Sammelurin', null),
  ]).toEqual(['20409-9', '789-8', '2956-1', '2955-3', '2951-2', '2956-1']);
  expect([
    code('Mean corpuscular haemoglobin concentration', null, 'g/l'),
    code('Mean corpuscular haemoglobin', null, 'pg'),
  ]).toEqual(['786-4', '785-6']);
});

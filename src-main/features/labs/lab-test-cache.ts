import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { LabRepository } from './repository.ts';
import type { Spelling } from './spelling-repository.ts';
import { nameKeyOf, testsOf, type PatientTest } from './tests-of-patient.ts';

/** What the cache knows of one patient, or of documents without one. Counts and values are filled on demand. */
interface PatientCache<T> {
  spellings: Map<string, Spelling>;
  tests: Map<string, PatientTest> | null;
  counts: Map<string, number> | null;
  /** The caller's value of each test, by its key. */
  values: Map<string, T>;
}

interface CacheState<T> {
  repository: LabRepository;
  patients: Map<number | null, PatientCache<T>>;
  /** Spellings whose results changed since the last update. */
  changedSpellings: Map<string, { patientId: number | null; spelling: Spelling }>;
  /** Documents whose date changed. */
  redatedDocuments: Set<number>;
  /** Canonical tests that changed. */
  changedEntries: Set<number>;
}

const MAX_PATIENTS = 200;
const spellingKey = ({ norm_lab_test_id, name, sample_type }: Spelling): string =>
  JSON.stringify([norm_lab_test_id, name, sample_type]);

export interface LabTestCache<T> {
  /** The patient's tests by key; `null` for documents without a patient. */
  tests(patientId: number | null): ReadonlyMap<string, PatientTest>;
  /** Counts results; `names` are printed names, null for all. */
  count(patientId: number, names: ReadonlySet<string> | null): number;
  /** Returns one value for each test of the patient; `make` gets the tests without a cached value. */
  each(patientId: number, make: (tests: readonly PatientTest[]) => T[]): T[];
}

/**
 * Caches the tests of patients, their numbers of results, and a value of the caller's for each test (its line in the
 * summary). A changed result invalidates only its own test. Writes by other connections are not observed, so they
 * invalidate the whole cache.
 */
export function createLabTestCache<T>(repository: LabRepository): LabTestCache<T> {
  const state: CacheState<T> = {
    repository,
    patients: new Map(),
    changedSpellings: new Map(),
    redatedDocuments: new Set(),
    changedEntries: new Set(),
  };
  repository.watch({
    result: (patientId, spelling) => markChanged(state, patientId, spelling),
    documentDate: (id) => void state.redatedDocuments.add(id),
    entry: (id) => void state.changedEntries.add(id),
  });
  return {
    ...bindFirst(state, { tests: listTests, count: countResults }),
    each: (patientId, make) => valuesOfTests(state, patientId, make),
  };
}

function markChanged<T>({ changedSpellings }: CacheState<T>, patientId: number | null, spelling: Spelling): void {
  changedSpellings.set(`${patientId} ${spellingKey(spelling)}`, { patientId, spelling });
}

const listTests = (state: CacheState<unknown>, patientId: number | null): ReadonlyMap<string, PatientTest> =>
  testsIn(state, patientCacheOf(state, patientId));

function countResults(state: CacheState<unknown>, patientId: number, names: ReadonlySet<string> | null): number {
  const cache = patientCacheOf(state, patientId);
  cache.counts ??= new Map(
    state.repository.counts(patientId).map(({ count, ...spelling }) => [spellingKey(spelling), count]),
  );
  let total = 0;
  for (const [key, spelling] of cache.spellings)
    if (names === null || names.has(spelling.name)) total += cache.counts.get(key) ?? 0;
  return total;
}

function valuesOfTests<T>(state: CacheState<T>, patientId: number, make: (tests: readonly PatientTest[]) => T[]): T[] {
  const cache = patientCacheOf(state, patientId);
  const tests = [...testsIn(state, cache).values()];
  const missing = tests.filter(({ key }) => !cache.values.has(key));
  for (const [index, value] of make(missing).entries()) cache.values.set(missing[index]!.key, value);
  return tests.map(({ key }) => cache.values.get(key) as T);
}

function testsIn<T>({ repository }: CacheState<T>, cache: PatientCache<T>): Map<string, PatientTest> {
  cache.tests ??= testsOf(repository, [...cache.spellings.values()]);
  return cache.tests;
}

/** Returns the up-to-date cache of a patient. */
function patientCacheOf<T>(state: CacheState<T>, patientId: number | null): PatientCache<T> {
  applyChanges(state);
  const known = state.patients.get(patientId);
  if (known) return known;
  if (state.patients.size >= MAX_PATIENTS) state.patients.clear();
  const cache: PatientCache<T> = {
    spellings: new Map(state.repository.spellings(patientId).map((spelling) => [spellingKey(spelling), spelling])),
    tests: null,
    counts: null,
    values: new Map(),
  };
  state.patients.set(patientId, cache);
  return cache;
}

/** Applies the changes observed since the last call. */
function applyChanges<T>(state: CacheState<T>): void {
  const { repository, patients, changedSpellings, redatedDocuments, changedEntries } = state;
  if (repository.hasForeignWrites()) patients.clear();
  else {
    for (const id of redatedDocuments)
      for (const { patient_id, ...spelling } of repository.spellingsOfDocument(id))
        markChanged(state, patient_id, spelling);
    for (const { patientId, spelling } of changedSpellings.values()) {
      const cache = patients.get(patientId);
      if (cache) refreshSpelling(repository, cache, patientId, spelling);
    }
    if (changedEntries.size > 0) for (const cache of patients.values()) dropEntries(cache, changedEntries);
  }
  changedSpellings.clear();
  redatedDocuments.clear();
  changedEntries.clear();
}

function refreshSpelling<T>(
  repository: LabRepository,
  cache: PatientCache<T>,
  patientId: number | null,
  spelling: Spelling,
): void {
  const key = spellingKey(spelling);
  cache.values.delete(`n:${spelling.norm_lab_test_id}`);
  cache.values.delete(nameKeyOf(spelling));
  const count = cache.counts ? repository.count(patientId, spelling) : Number(repository.has(patientId, spelling));
  if (cache.counts) cache.counts.set(key, count);
  if (count > 0 === cache.spellings.has(key)) return;
  if (count > 0) cache.spellings.set(key, spelling);
  else cache.spellings.delete(key);
  cache.tests = null;
}

function dropEntries<T>(cache: PatientCache<T>, entries: ReadonlySet<number>): void {
  cache.tests = null;
  for (const id of entries) cache.values.delete(`n:${id}`);
  // The results of a deleted entry appear under their printed names again.
  for (const spelling of cache.spellings.values())
    if (spelling.norm_lab_test_id !== null && entries.has(spelling.norm_lab_test_id))
      cache.values.delete(nameKeyOf(spelling));
}

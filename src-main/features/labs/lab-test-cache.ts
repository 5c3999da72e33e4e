import { nameKeyOf, testsOf, type PatientTest } from './tests-of-patient.ts';
import type { LabRepository, Spelling } from './repository.ts';

/**
 * What is kept of one patient, or of documents that have none. `counts` and `made` are filled as they are asked for.
 */
interface Kept<T> {
  spellings: Map<string, Spelling>;
  tests: Map<string, PatientTest> | null;
  counts: Map<string, number> | null;
  made: Map<string, T>;
}

const MAX_PATIENTS = 200;
const spellingKey = ({ norm_lab_test_id, name, sample_type }: Spelling): string =>
  JSON.stringify([norm_lab_test_id, name, sample_type]);

export type LabTestCache<T> = ReturnType<typeof createLabTestCache<T>>;

/**
 * Tests of patients, how many results each has, and what is made of a test (its line in the summary), kept up to date
 * with every change of a result: only the tests of which a result came, went or changed are looked at again. What
 * another connection wrote is not told; then everything is.
 */
export function createLabTestCache<T>(repository: LabRepository) {
  const kept = new Map<number | null, Kept<T>>();
  const dirty = new Map<string, { patientId: number | null; spelling: Spelling }>();
  const redated = new Set<number>(),
    renamed = new Set<number>();
  const mark = (patientId: number | null, spelling: Spelling): void =>
    void dirty.set(`${patientId} ${spellingKey(spelling)}`, { patientId, spelling });
  repository.watch({ result: mark, documentDate: (id) => void redated.add(id), entry: (id) => void renamed.add(id) });

  function forget(): void {
    kept.clear();
    dirty.clear();
    redated.clear();
    renamed.clear();
  }
  function lookAgain(one: Kept<T>, patientId: number | null, spelling: Spelling): void {
    const key = spellingKey(spelling);
    one.made.delete(`n:${spelling.norm_lab_test_id}`);
    one.made.delete(nameKeyOf(spelling));
    const isThere = one.counts ? repository.countOf(patientId, spelling) : Number(repository.has(patientId, spelling));
    if (one.counts) one.counts.set(key, isThere);
    if (isThere > 0 === one.spellings.has(key)) return;
    if (isThere > 0) one.spellings.set(key, spelling);
    else one.spellings.delete(key);
    one.tests = null;
  }
  /** Brings what is kept up to what changed since. */
  function catchUp(): void {
    if (repository.hasForeignWrites()) return forget();
    for (const id of redated)
      for (const { patient_id, ...spelling } of repository.spellingsOfDocument(id)) mark(patient_id, spelling);
    for (const { patientId, spelling } of dirty.values()) {
      const one = kept.get(patientId);
      if (one) lookAgain(one, patientId, spelling);
    }
    if (renamed.size > 0)
      for (const one of kept.values()) {
        one.tests = null;
        for (const id of renamed) one.made.delete(`n:${id}`);
        // An entry that went leaves its results under their printed names.
        for (const spelling of one.spellings.values())
          if (spelling.norm_lab_test_id !== null && renamed.has(spelling.norm_lab_test_id))
            one.made.delete(nameKeyOf(spelling));
      }
    dirty.clear();
    redated.clear();
    renamed.clear();
  }
  function ofPatient(patientId: number | null): Kept<T> {
    catchUp();
    const known = kept.get(patientId);
    if (known) return known;
    if (kept.size >= MAX_PATIENTS) kept.clear();
    const one: Kept<T> = {
      spellings: new Map(repository.spellings(patientId).map((spelling) => [spellingKey(spelling), spelling])),
      tests: null,
      counts: null,
      made: new Map(),
    };
    kept.set(patientId, one);
    return one;
  }
  const tests = (one: Kept<T>): Map<string, PatientTest> =>
    (one.tests ??= testsOf(repository, [...one.spellings.values()]));

  return {
    /** `null`: of documents that have no patient. */
    tests: (patientId: number | null): ReadonlyMap<string, PatientTest> => tests(ofPatient(patientId)),
    /** Number of results; `names` are printed names, null for all. */
    count(patientId: number, names: ReadonlySet<string> | null): number {
      const one = ofPatient(patientId);
      one.counts ??= new Map(
        repository.counts(patientId).map(({ count, ...spelling }) => [spellingKey(spelling), count]),
      );
      let total = 0;
      for (const [key, spelling] of one.spellings)
        if (names === null || names.has(spelling.name)) total += one.counts.get(key) ?? 0;
      return total;
    },
    /** One thing for each test of the patient; `make` gets the tests for which none is kept. */
    each(patientId: number, make: (tests: readonly PatientTest[]) => T[]): T[] {
      const one = ofPatient(patientId);
      const all = [...tests(one).values()];
      const missing = all.filter(({ key }) => !one.made.has(key));
      for (const [index, made] of make(missing).entries()) one.made.set(missing[index]!.key, made);
      return all.map(({ key }) => one.made.get(key) as T);
    },
  };
}

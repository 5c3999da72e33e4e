import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { randomFrom } from '../../../test/fixtures/corpus/random.ts';
import { openDatabase, type Database } from '../../platform/database/connection.ts';
import { createLabTestCache, type LabTestCache } from './lab-test-cache.ts';
import { createLabRepository, type LabRepository } from './repository.ts';

const NAMES = ['Ferritin', 'Natrium', 'Kalium', 'Glukose'];
const MAX_ROWS = 100;

let folder: string, db: Database, repository: LabRepository, cache: LabTestCache<string>;
/** Keys of the tests whose value was computed. */
let computed: string[];
const run = (sql: string, ...values: unknown[]): number => Number(db.prepare(sql).run(...values).lastInsertRowid);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-labs-'));
  db = openDatabase(join(folder, 'vault.db'));
  for (const [id, name] of NAMES.entries())
    run(
      "INSERT INTO norm_lab_tests (id, canonical_code, canonical_display, created_at) VALUES (?, ?, ?, 'x')",
      id + 1,
      name.toLowerCase(),
      name,
    );
  for (const id of [1, 2])
    run("INSERT INTO patients (id, slug, display_name, created_at) VALUES (?, ?, 'P', 'x')", id, `p-${id}`);
  for (const id of [1, 2, 3, 4])
    run(
      `INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
        event_date, created_at, updated_at)
        VALUES (?, ?, ?, 'a.pdf', 'x', 1, ?, 'done', '2024-01-01', 'x', 'x')`,
      id,
      1 + (id % 2),
      `patients/${id}.pdf`,
      `${id}`,
    );
  repository = createLabRepository(db);
  cache = createLabTestCache(repository);
  computed = [];
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that the cache answers, as text that can be compared. */
function readAll(tests: LabTestCache<string>, patient: number): unknown {
  const make = (key: string, ids: number[]): string =>
    `${key}: ${JSON.stringify([...repository.summaryRows(ids).values()].sort((a, b) => a.id - b.id))}`;
  return {
    tests: [...tests.tests(patient).values()]
      .map(({ key, norm, spellings }) =>
        JSON.stringify([key, norm, spellings.map((one) => JSON.stringify(one)).sort()]),
      )
      .sort(),
    counts: [null, ...NAMES].map((name) => tests.count(patient, name === null ? null : new Set([name]))),
    each: tests
      .each(patient, (all) =>
        all.map((test) => {
          computed.push(test.key);
          return make(test.key, repository.latestIds(patient, test.spellings, MAX_ROWS));
        }),
      )
      .sort(),
  };
}

it('answers like a new cache after any changes', () => {
  const random = randomFrom('kept tests');
  const ids: number[] = [];
  const pick = () => random.pick(ids);
  const change: (() => void)[] = [
    () =>
      ids.push(
        run(
          `INSERT INTO lab_results (document_id, patient_id, norm_lab_test_id, test_name_original, sample_type, value,
            test_date) VALUES (?, ?, ?, ?, ?, ?, ?)`,
          random.pick([1, 2, 3, 4, null]),
          random.pick([1, 2, null]),
          random.pick([1, 2, 3, null]),
          random.pick(NAMES),
          random.pick(['urine', null]),
          random.int(1, 99),
          random.pick(['2024-02-01', '2023-02-01', null]),
        ),
      ),
    () => run('UPDATE lab_results SET value = ? WHERE id = ?', random.int(1, 99), pick()),
    () => run('UPDATE lab_results SET norm_lab_test_id = ? WHERE id = ?', random.pick([1, 2, 3, 4, null]), pick()),
    () => run('UPDATE lab_results SET patient_id = ? WHERE id = ?', random.pick([1, 2, null]), pick()),
    () => run('DELETE FROM lab_results WHERE id = ?', pick()),
    () =>
      run(
        'UPDATE documents SET event_date = ? WHERE id = ?',
        random.pick(['2022-01-01', '2025-05-05', null]),
        random.int(1, 4),
      ),
    () =>
      run(
        'UPDATE norm_lab_tests SET canonical_display = ? WHERE id = ?',
        random.pick(['Eisen', 'Salz', 'Zucker']),
        random.int(1, 4),
      ),
    () => {
      try {
        db.transaction(() => {
          run("UPDATE lab_results SET test_name_original = 'Nie' WHERE id = ?", pick());
          throw new Error('back');
        });
      } catch {
        /* rolled back */
      }
    },
  ];
  for (let n = 0; n < 12; n += 1) change[0]!();
  for (let step = 0; step < inDepth(30, 120); step += 1) {
    for (let n = random.int(1, 3); n > 0; n -= 1) random.pick(change)();
    for (const patient of [1, 2])
      expect(readAll(cache, patient), `step ${step}`).toEqual(
        readAll(createLabTestCache<string>(createLabRepository(db)), patient),
      );
  }
  run('DELETE FROM norm_lab_tests WHERE id = 2');
  for (const patient of [1, 2])
    expect(readAll(cache, patient)).toEqual(readAll(createLabTestCache<string>(createLabRepository(db)), patient));
}, 60_000);

it('computes only the tests that a change affects', () => {
  for (const [n, name] of NAMES.entries())
    run(
      `INSERT INTO lab_results (document_id, patient_id, norm_lab_test_id, test_name_original, value, test_date)
        VALUES (2, 1, ?, ?, 5, '2024-01-01')`,
      n + 1,
      name,
    );
  readAll(cache, 1);
  computed = [];
  readAll(cache, 1);
  expect(computed).toEqual([]);
  run("UPDATE lab_results SET value = 6 WHERE test_name_original = 'Natrium'");
  readAll(cache, 1);
  expect(computed).toEqual(['n:2']);
});

it('sees writes by another connection', () => {
  readAll(cache, 1);
  const other = openDatabase(join(folder, 'vault.db'));
  other
    .prepare(
      "INSERT INTO lab_results (patient_id, norm_lab_test_id, test_name_original, value) VALUES (1, 1, 'Ferritin', 5)",
    )
    .run();
  other.close();
  expect(cache.count(1, null)).toBe(1);
  expect([...cache.tests(1).keys()]).toEqual(['n:1']);
});

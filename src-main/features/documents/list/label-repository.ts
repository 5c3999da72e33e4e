import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import type { ReplyInput } from '../../../../src-shared/contract/endpoint.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { foldName, VISIBLE_ALIAS } from '../../names/service.ts';
import type { TestNames } from '../row-repository.ts';
import type { Visibility } from './list-query.ts';

export type NameLabels = ReturnType<typeof createLabels>;

const DISPLAY = {
  doctors: 'canonical_display',
  facilities: 'canonical_display',
  norm_specialties: 'canonical_display',
  events: 'title',
} as const;
const COLUMN = { doctors: 'doctor_id', facilities: 'facility_id' } as const;

/** Display names for filter ids, and name suggestions for typed text. */
export const createLabels = (db: Database, testNames: TestNames) => ({
  of:
    (table: keyof typeof DISPLAY) =>
    (id: string): string =>
      displayOf(db, table, id),
  ...bindFirst(db, { like: suggestNames }),
  ...bindFirst({ db, testNames }, { testsLike: suggestTests }),
});

const displayOf = (db: Database, table: keyof typeof DISPLAY, id: string): string =>
  (db.prepare(`SELECT ${DISPLAY[table]} FROM ${table} WHERE id = ?`).pluck().get(Number(id)) as string | undefined) ??
  id;

/** Suggests entries used by documents of these patients with a visible alias that has a word starting with the text. */
function suggestNames(
  db: Database,
  kind: 'doctors' | 'facilities',
  text: string,
  { userId, patientIds, isAdmin }: Visibility,
  ofPatients: number[],
  limit: number,
): { id: number; name: string }[] {
  const key = foldName(text);
  if (key === '') return [];
  return db
    .prepare(
      `SELECT DISTINCT n.id, n.canonical_display AS name FROM name_aliases AS a
        JOIN ${kind} AS n ON n.id = a.entry_id
        WHERE a.kind = @kind AND (a.alias_key LIKE @start OR a.alias_key LIKE @word) AND ${VISIBLE_ALIAS}
        AND EXISTS (SELECT 1 FROM record_documents AS d WHERE d.${COLUMN[kind]} = n.id
          AND d.patient_id IN (SELECT value FROM json_each(@ofPatients)))
        ORDER BY name, n.id LIMIT @limit`,
    )
    .all({
      kind,
      start: `${key}%`,
      word: `% ${key}%`,
      patients: JSON.stringify(patientIds),
      user: userId,
      admin: Number(isAdmin),
      ofPatients: JSON.stringify(ofPatients),
      limit,
    }) as { id: number; name: string }[];
}

type LastResult = ReplyInput<typeof contract.suggest>['tests'][number];

/** Suggests tests whose printed name starts with one of the texts, each with the last result of each patient. */
function suggestTests(
  { db, testNames }: { db: Database; testNames: TestNames },
  texts: readonly string[],
  patientIds: number[],
  limit: number,
): LastResult[] {
  const starts = texts.map((text) => capitalize(text.trim())).filter((start) => start !== '');
  const results = patientIds.flatMap((patientId) =>
    starts
      .flatMap((start) => namesWithStart(db, patientId, start, limit))
      .flatMap((name) => lastOf(db, patientId, name)),
  );
  return newestOfEachTest(results)
    .slice(0, limit)
    .map((row) => toSuggestion(row, testNames));
}

const namesWithStart = (db: Database, patientId: number, start: string, limit: number): string[] =>
  db
    .prepare(
      // Bounds instead of LIKE, so that SQLite uses the index on patient and name.
      `SELECT DISTINCT test_name_original FROM lab_results
        WHERE patient_id = ? AND test_name_original >= ? AND test_name_original < ? LIMIT ?`,
    )
    .pluck()
    .all(patientId, start, `${start}\u{10FFFF}`, limit) as string[];

type LastRow = Omit<LastResult, 'doubt' | 'is_abnormal' | 'test_names'> & {
  norm_lab_test_id: number | null;
  /** The code of a test of the knowledge base, which has names for it. */
  code: string | null;
  doubt: string | null;
  is_abnormal: number | null;
};

const lastOf = (db: Database, patientId: number, name: string): LastRow[] =>
  db
    .prepare(
      `SELECT l.test_name_original AS test, l.norm_lab_test_id, l.patient_id, p.display_name AS patient_name, l.value,
          l.value_text, l.unit, l.reference_range_low, l.reference_range_high, l.is_abnormal, l.test_date, l.doubt,
          n.canonical_display AS test_name_canonical, iif(n.seeded, n.canonical_code, NULL) AS code
        FROM lab_results AS l JOIN patients AS p ON p.id = l.patient_id
        LEFT JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id
        WHERE l.patient_id = ? AND l.test_name_original = ? ORDER BY l.test_date DESC, l.id DESC LIMIT 1`,
    )
    .all(patientId, name) as LastRow[];

/** Several spellings of one test become one suggestion, with the newest result. */
function newestOfEachTest(results: readonly LastRow[]): LastRow[] {
  const newest = new Map<string, LastRow>();
  for (const result of results) {
    const key = `${result.patient_id} ${result.norm_lab_test_id ?? result.test}`;
    const known = newest.get(key);
    if (!known || (result.test_date ?? '') > (known.test_date ?? '')) newest.set(key, result);
  }
  return [...newest.values()];
}

const toSuggestion = (
  { norm_lab_test_id: _test, code, doubt, is_abnormal, ...row }: LastRow,
  testNames: TestNames,
): LastResult => ({
  ...row,
  test_names: code === null ? null : testNames(code),
  is_abnormal: is_abnormal === null ? null : is_abnormal === 1,
  doubt: doubt === null ? [] : (JSON.parse(doubt) as LastResult['doubt']),
});

/** Test names are printed with a capital letter: `gluc` → `Gluc`. */
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

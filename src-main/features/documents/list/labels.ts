import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { foldName, VISIBLE_ALIAS } from '../../names/service.ts';
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
export const createLabels = (db: Database) => ({
  of:
    (table: keyof typeof DISPLAY) =>
    (id: string): string =>
      displayOf(db, table, id),
  ...bindFirst(db, { like: suggestNames, testsLike: suggestTests }),
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

/** Suggests printed test names that start with the text. */
function suggestTests(db: Database, text: string, patientIds: number[], limit: number): string[] {
  const start = capitalize(text.trim());
  if (start === '' || patientIds.length === 0) return [];
  // Bounds instead of LIKE, so that SQLite uses the index on patient and name.
  const names = patientIds.flatMap(
    (patientId) =>
      db
        .prepare(
          `SELECT DISTINCT test_name_original FROM lab_results
            WHERE patient_id = ? AND test_name_original >= ? AND test_name_original < ? LIMIT ?`,
        )
        .pluck()
        .all(patientId, start, `${start}\u{10FFFF}`, limit) as string[],
  );
  return [...new Set(names)].slice(0, limit);
}

/** Test names are printed with a capital letter: `gluc` → `Gluc`. */
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

import type { Database } from '../database/connection.ts';
import type { TableRows } from './snapshot.ts';

/** Columns that refer to name entries, with the kind of name. */
const NAME_COLUMNS: Readonly<Record<string, string>> = {
  norm_lab_test_id: 'lab_tests',
  norm_specialty_id: 'specialties',
  norm_diagnosis_id: 'diagnoses',
  norm_medication_id: 'medications',
  doctor_id: 'doctors',
  facility_id: 'facilities',
};

/** Redirects references in snapshot rows from name entries that were merged since then to their merge targets. */
export function resolveMerged(db: Database, snapshot: readonly TableRows[]): TableRows[] {
  const cache = new Map<string, unknown>();
  const successor = (kind: string, id: unknown): unknown => {
    const key = `${kind} ${String(id)}`;
    if (!cache.has(key)) cache.set(key, mergedInto(db, kind, id));
    return cache.get(key);
  };
  return snapshot.map((part) => ({
    ...part,
    rows: part.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => {
          const kind = NAME_COLUMNS[column];
          return [column, kind !== undefined && typeof value === 'number' ? successor(kind, value) : value];
        }),
      ),
    ),
  }));
}

/** Follows merges that are still in effect; returns the id itself if there are none. */
function mergedInto(db: Database, kind: string, id: unknown): unknown {
  const seen = new Set<unknown>();
  let at = id;
  while (!seen.has(at)) {
    seen.add(at);
    at =
      db
        .prepare(
          `SELECT m.target_id FROM name_merges AS m, json_each(m.sources, '$.entries') AS s
            WHERE m.kind = ? AND m.undone_at IS NULL AND json_extract(s.value, '$.id') = ?
            ORDER BY m.id DESC LIMIT 1`,
        )
        .pluck()
        .get(kind, at) ?? at;
  }
  return at;
}

import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

/** The results that a list contains. A document without a patient, or with an undecided one, adds none. */
export interface LabFilter {
  patientIds: readonly number[];
  /** Printed names; null for all. */
  names: readonly string[] | null;
  from: string | undefined;
  to: string | undefined;
  orphans: boolean;
}

interface Branch {
  sql: string;
  values: (string | number)[];
}

/** A search by name with up to this many results is sorted in memory; with more, the date index is scanned. */
const MAX_SORTED_RESULTS = 40_000;
/** Up to this many patients get their own SELECT, so that each one can use its index. */
const MAX_PATIENT_BRANCHES = 100;

export type LabListRepository = ReturnType<typeof createLabListRepository>;

/** Lists ids of lab results, newest first, those without a date last. */
export function createLabListRepository(db: Database) {
  return bindFirst(db, { count: countResults, ids: listResultIds });
}

function countResults(db: Database, filter: LabFilter): number {
  const branches = branchesOf(filter, 'count(*) AS n', true);
  if (branches.length === 0) return 0;
  return db
    .prepare(`SELECT sum(n) FROM (${branches.map(({ sql }) => sql).join(' UNION ALL ')})`)
    .pluck()
    .get(...branches.flatMap(({ values }) => values)) as number;
}

/** `total` is the counted number of results, which decides between sorting and an index scan. */
function listResultIds(
  db: Database,
  filter: LabFilter,
  total: number,
  { limit, offset }: { limit: number; offset: number },
): number[] {
  const isSorted = filter.names !== null && total <= MAX_SORTED_RESULTS;
  const by = isSorted ? '+l.test_date DESC, l.id DESC' : 'l.test_date DESC, l.id DESC';
  const branches = branchesOf(filter, 'l.id, l.test_date', isSorted).map(({ sql, values }) => ({
    sql: `SELECT * FROM (${sql} ORDER BY ${by} LIMIT ?)`,
    values: [...values, limit + offset],
  }));
  if (branches.length === 0) return [];
  return db
    .prepare(
      `SELECT id FROM (${branches.map(({ sql }) => sql).join(' UNION ALL ')}) ORDER BY test_date DESC, id DESC
        LIMIT ? OFFSET ?`,
    )
    .pluck()
    .all(...branches.flatMap(({ values }) => values), limit, offset) as number[];
}

/** One SELECT without order for each patient; one for all if they are many. */
function branchesOf(filter: LabFilter, columns: string, sorted: boolean): Branch[] {
  const condition = conditionOf(filter, sorted);
  const { patientIds } = filter;
  return patientIds.length > MAX_PATIENT_BRANCHES
    ? [
        {
          sql: `SELECT ${columns} FROM lab_results AS l WHERE l.patient_id IN (SELECT value
              FROM json_each(?))${condition.sql}`,
          values: [JSON.stringify(patientIds), ...condition.values],
        },
      ]
    : patientIds.map((id) => ({
        sql: `SELECT ${columns} FROM lab_results AS l WHERE l.patient_id = ?${condition.sql}`,
        values: [id, ...condition.values],
      }));
}

function conditionOf({ names, from, to, orphans }: LabFilter, sorted: boolean): Branch {
  const parts: Branch[] = [
    ...(names
      ? [
          {
            // The plus keeps SQLite from using the index of names if the date index provides the order.
            sql: `${sorted ? '' : '+'}l.test_name_original IN (SELECT value FROM json_each(?))`,
            values: [JSON.stringify(names)],
          },
        ]
      : []),
    ...(from ? [{ sql: 'l.test_date >= ?', values: [from] }] : []),
    ...(to ? [{ sql: 'l.test_date <= ?', values: [to] }] : []),
    ...(orphans ? [{ sql: 'l.document_id IS NULL', values: [] }] : []),
  ];
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(''), values: parts.flatMap(({ values }) => values) };
}

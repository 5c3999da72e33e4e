import type { Database } from '../../platform/database/connection.ts';

/**
 * Which results a list holds: of these patients and, where `unsortedOf` is not null, of documents that have no patient
 * yet.
 */
export interface LabFilter {
  patientIds: readonly number[];
  /** Uploader of the unassigned documents, or everyone's. */
  unsortedOf: number | 'everybody' | null;
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

/**
 * Up to this many hits of a name are sorted, along an index that holds all that is needed; more are walked by date,
 * since then every few rows are a hit.
 */
const SORTED = 40_000;
/** Up to this many patients are walked side by side. */
const BRANCHES = 100;

/** Ids of lab results, newest first, those without a date last. */
export function createLabListRepository(db: Database) {
  function conditionOf({ names, from, to, orphans }: LabFilter, sorted: boolean): Branch {
    const parts: [string, (string | number)[]][] = [
      ...(names
        ? [
            [
              `${sorted ? '' : '+'}l.test_name_original IN (SELECT value FROM json_each(?))`,
              [JSON.stringify(names)],
            ] as [string, string[]],
          ]
        : []),
      ...(from ? [['l.test_date >= ?', [from]] as [string, string[]]] : []),
      ...(to ? [['l.test_date <= ?', [to]] as [string, string[]]] : []),
      ...(orphans ? [['l.document_id IS NULL', []] as [string, []]] : []),
    ];
    return { sql: parts.map(([sql]) => ` AND ${sql}`).join(''), values: parts.flatMap(([, values]) => values) };
  }

  /** One SELECT without order a patient (or one for all when they are many), and one for unsorted documents. */
  function branchesOf(filter: LabFilter, columns: string, sorted: boolean): Branch[] {
    const condition = conditionOf(filter, sorted);
    const { patientIds, unsortedOf } = filter;
    const ofPatients: Branch[] =
      patientIds.length > BRANCHES
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
    if (unsortedOf === null) return ofPatients;
    const whose = unsortedOf === 'everybody' ? '' : ' AND d.uploaded_by_user_id = ?';
    return [
      ...ofPatients,
      {
        sql: `SELECT ${columns} FROM lab_results AS l JOIN documents AS d ON d.id = l.document_id
          WHERE l.patient_id IS NULL${whose}${condition.sql}`,
        values: [...(unsortedOf === 'everybody' ? [] : [unsortedOf]), ...condition.values],
      },
    ];
  }

  return {
    count(filter: LabFilter): number {
      const branches = branchesOf(filter, 'count(*) AS n', true);
      if (branches.length === 0) return 0;
      return db
        .prepare(`SELECT sum(n) FROM (${branches.map(({ sql }) => sql).join(' UNION ALL ')})`)
        .pluck()
        .get(...branches.flatMap(({ values }) => values)) as number;
    },

    /** `total` is what `count` said: it decides between sorting and walking. */
    ids(filter: LabFilter, total: number, { limit, offset }: { limit: number; offset: number }): number[] {
      const isSorted = filter.names !== null && total <= SORTED;
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
    },
  };
}

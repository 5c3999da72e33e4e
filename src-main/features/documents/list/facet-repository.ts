import type { Database } from '../../../platform/database/connection.ts';
import type { Condition } from './list-query.ts';

/** A value of a facet with its number of documents; null for documents without a value. */
export interface FacetValue {
  value: string | number | null;
  count: number;
}

const FACET_COLUMNS = {
  types: 'd.doc_type',
  statuses: 'd.status',
  doctors: 'd.doctor_id',
  facilities: 'd.facility_id',
  specialties: 'd.norm_specialty_id',
  events: 'x.event_id',
  years: 'd.event_date',
} as const;
export type FacetName = keyof typeof FACET_COLUMNS;

/** Counts the documents of each value of a facet, most frequent first. */
export function countFacet(db: Database, name: FacetName, where: Condition, limit: number): FacetValue[] {
  const { sql, values } = where;
  const grouped = (from: string): FacetValue[] =>
    db
      .prepare(`SELECT ${FACET_COLUMNS[name]} AS value, count(*) AS count FROM ${from} WHERE ${sql} GROUP BY 1`)
      .all(...values) as FacetValue[];
  if (name === 'years') return mostFrequent(yearsOf(grouped('documents AS d')), limit);
  if (name !== 'events') return mostFrequent(grouped('documents AS d'), limit);
  // A document counts for each of its events.
  const { n } = db
    .prepare(
      `SELECT count(*) AS n FROM documents AS d WHERE ${sql} AND d.event_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM event_documents AS x WHERE x.document_id = d.id)`,
    )
    .get(...values) as { n: number };
  const byEvent = grouped('event_documents AS x CROSS JOIN documents AS d ON d.id = x.document_id');
  return mostFrequent([...byEvent, ...(n > 0 ? [{ value: null, count: n }] : [])], limit);
}

/** Counts the documents of each tag, most frequent first. */
export const countTags = (db: Database, { sql, values }: Condition, limit: number): FacetValue[] =>
  mostFrequent(
    db
      .prepare(
        `SELECT t.tag AS value, count(*) AS count FROM document_tags AS t CROSS
          JOIN documents AS d ON d.id = t.document_id
        WHERE ${sql} GROUP BY t.tag`,
      )
      .all(...values) as FacetValue[],
    limit,
  );

/** Most frequent first, then by value; null before other values of the same count. */
function mostFrequent(values: FacetValue[], limit: number): FacetValue[] {
  const less = (a: FacetValue['value'], b: FacetValue['value']): boolean => a === null || (b !== null && a < b);
  return values.sort((a, b) => b.count - a.count || (less(a.value, b.value) ? -1 : 1)).slice(0, limit);
}

/**
 * Sums days to years. Grouping by day uses the index of dates, which is faster than computing the year of every row.
 */
function yearsOf(days: readonly FacetValue[]): FacetValue[] {
  const years = new Map<string | null, number>();
  for (const { value, count } of days) {
    const year = value === null ? null : String(value).slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + count);
  }
  return [...years].map(([value, count]) => ({ value, count }));
}

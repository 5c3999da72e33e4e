import type { DocumentSort } from '../../../../src-shared/contract/documents.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { createForeignWrites } from '../../../platform/database/row-changes.ts';
import { aliasKey } from '../../names/service.ts';
import {
  all,
  filterConditions,
  sortedStatements,
  visibleTo,
  walksOwnIndex,
  type Condition,
  type ListFilters,
  type Visibility,
} from './list-query.ts';
import type { SearchQuery } from './search-query.ts';

export interface Page {
  sort: DocumentSort;
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}
export interface Hit {
  id: number;
  rank: number;
}

/** Relative weight of a hit in title, body, english, people, labels. */
const WEIGHTS = '8.0, 1.0, 2.0, 6.0, 4.0';
/** A beginning of words longer than those that the full text has lists of (migration 0001: up to six letters). */
const LONG_BEGINNING = /[^\s"]{7,}"?\s*\*/u;
/** A word in more documents than this says little: the newest of them are ranked, not all. */
const RANKED_HITS = 2000;
/** Documents under a tag from which on it counts as common. */
const COMMON_TAG = 2000;
const KEPT_COUNTS = 500;
/** A letter about a visit comes within two weeks, what follows it from the same house within three months. */
const NEAR_DAYS = 14;
const RELATED_DAYS = 92;
const NEAR_SHOWN = 12;

const COUNTED = {
  types: 'd.doc_type',
  statuses: 'd.status',
  doctors: 'd.doctor_id',
  facilities: 'd.facility_id',
  specialties: 'd.norm_specialty_id',
  events: 'x.event_id',
  years: 'd.event_date',
} as const;
/** Facets that the index of a patient answers; the others walk the index of their own column, also for one patient. */
const BY_PATIENT: ReadonlySet<string> = new Set(['specialties', 'years']);

interface FacetValue {
  value: string | number | null;
  count: number;
}

export type ListRepository = ReturnType<typeof createListRepository>;

/** Finds the ids of list pages and counts; rows are read by id afterwards. */
export function createListRepository(db: Database) {
  /** Totals by condition, until a document changes: the exact total of a common word costs more than its page. */
  const counts = new Map<string, number>();
  const facets = new Map<string, FacetValue[]>();
  const hasForeignWrites = createForeignWrites(db);
  const forget = (): void => {
    counts.clear();
    facets.clear();
  };

  const specialtyIds = (values: string[]): (string | number)[] =>
    values.flatMap((value): (string | number)[] => {
      if (value === '__blank__') return [value];
      const key = aliasKey('specialties', value);
      const rows = db
        .prepare(`SELECT id FROM norm_specialties WHERE canonical_code IN (?, ?) OR canonical_display = ? OR id = ?
      UNION SELECT entry_id FROM name_aliases WHERE kind = 'specialties' AND alias_key = ?`)
        .all(value, key.replaceAll(' ', '-'), value, /^\d+$/.test(value) ? Number(value) : -1, key) as { id: number }[];
      return rows.length ? rows.map((row) => row.id) : [-1];
    });
  const areCommonTags = (tags: string[]): boolean =>
    (
      db
        .prepare('SELECT count(*) AS n FROM document_tags WHERE tag IN (SELECT value FROM json_each(?))')
        .get(JSON.stringify(tags)) as { n: number }
    ).n > COMMON_TAG;
  const conditionOf = (
    visibility: Visibility,
    filters: ListFilters,
    walk: boolean,
    sort: DocumentSort | null = null,
  ): Condition =>
    all([
      visibleTo(visibility, filters.patient_id, { walk }),
      ...filterConditions(filters, { specialtyIds, areCommonTags }, sort),
    ]);

  const counted = (sql: string, values: (string | number)[]): number => {
    const key = JSON.stringify([sql, values]);
    if (hasForeignWrites()) forget();
    const known = counts.get(key);
    if (known !== undefined) return known;
    const total = (db.prepare(sql).get(...values) as { n: number }).n;
    if (counts.size >= KEPT_COUNTS) counts.clear();
    counts.set(key, total);
    return total;
  };
  const facetCondition = (
    visibility: Visibility,
    filters: ListFilters,
    match: string | null,
    walk: boolean,
  ): Condition =>
    all([
      conditionOf(visibility, filters, walk),
      ...(match === null
        ? []
        : [{ sql: 'd.id IN (SELECT rowid FROM documents_fts WHERE documents_fts MATCH ?)', values: [match] }]),
    ]);
  function keptFacet(question: unknown[], count: () => FacetValue[]): FacetValue[] {
    if (hasForeignWrites()) forget();
    const key = JSON.stringify(question);
    const known = facets.get(key) ?? count();
    if (facets.size >= KEPT_COUNTS) facets.clear();
    facets.set(key, known);
    return known;
  }
  const isFiltered = (filters: ListFilters): boolean =>
    Object.entries(filters).some(([name, value]) => name !== 'patient_id' && value !== undefined);

  /** One page along the sort's index, then the rows that have no value. */
  const walk = (where: Condition, { sort, order, limit, offset }: Page): number[] => {
    const { valued, blank } = sortedStatements(sort, order, where);
    const found = (db.prepare(valued).all(...where.values, limit, offset) as { id: number }[]).map((row) => row.id);
    if (blank === null || found.length === limit) return found;
    // How many come before the blank ones is needed only on the pages where those begin.
    const before = found.length
      ? offset + found.length
      : counted(valued.replace(/^SELECT d\.id/, 'SELECT count(*) AS n').replace(/ ORDER BY .*$/, ''), where.values);
    const rest = db.prepare(blank).all(...where.values, limit - found.length, Math.max(0, offset - before)) as {
      id: number;
    }[];
    return [...found, ...rest.map((row) => row.id)];
  };

  const repository = {
    /** Forgets kept totals; called after every change of a document. */
    changed: forget,

    count(visibility: Visibility, filters: ListFilters): number {
      const where = conditionOf(visibility, filters, isFiltered(filters));
      return counted(`SELECT count(*) AS n FROM documents AS d WHERE ${where.sql}`, where.values);
    },

    ids(visibility: Visibility, filters: ListFilters, page: Page): number[] {
      return walk(conditionOf(visibility, filters, walksOwnIndex(page.sort, filters.patient_id), page.sort), page);
    },

    search(
      visibility: Visibility,
      filters: ListFilters,
      query: SearchQuery,
      page: Omit<Page, 'sort' | 'order'> & Partial<Page>,
    ): { hits: Hit[]; total: number } {
      const where = conditionOf(visibility, filters, true);
      const from = 'documents_fts JOIN documents AS d ON d.id = documents_fts.rowid WHERE documents_fts MATCH ?';
      const total = counted(`SELECT count(*) AS n FROM ${from} AND ${where.sql}`, [query.match, ...where.values]);
      if (page.sort) {
        const within = {
          sql: `${where.sql} AND d.id IN (SELECT rowid FROM documents_fts WHERE documents_fts MATCH ?)`,
          values: [...where.values, query.match],
        };
        return { hits: walk(within, page as Page).map((id) => ({ id, rank: 0 })), total };
      }
      if (total <= RANKED_HITS) {
        const hits = db
          .prepare(
            `SELECT documents_fts.rowid AS id, bm25(documents_fts, ${WEIGHTS}) AS rank FROM ${from} AND ${where.sql} ORDER BY rank, d.event_date DESC, d.id DESC LIMIT ? OFFSET ?`,
          )
          .all(query.match, ...where.values, page.limit, page.offset) as Hit[];
        return { hits, total };
      }
      return { hits: repository.newestHits(where, query, page), total };
    },

    /** Hits of a common word: newest first, in windows that are ranked by themselves, so that every page costs the same. */
    newestHits(where: Condition, query: SearchQuery, { limit, offset }: { limit: number; offset: number }): Hit[] {
      const rows = db
        .prepare(
          `SELECT documents_fts.rowid AS id FROM documents_fts JOIN documents AS d ON d.id = documents_fts.rowid WHERE documents_fts MATCH ? AND ${where.sql} ORDER BY documents_fts.rowid DESC LIMIT ? OFFSET ?`,
        )
        .all(query.match, ...where.values, limit, offset) as { id: number }[];
      return rows.map((row, index) => ({ id: row.id, rank: -1 / (offset + index + 1) }));
    },

    /** A line of context around the best hit of each document, hits between U+E000 and U+E001. */
    snippets(query: SearchQuery, ids: number[]): Map<number, string> {
      if (ids.length === 0) return new Map();
      const among = `IN (${ids.map(() => '?').join(',')})`,
        isBeginning = LONG_BEGINNING.test(query.match);
      // Full text looks its words up for each row that is asked for alone, and a long beginning of words costs what all their documents cost: once will do.
      const where = isBeginning ? `rowid BETWEEN ? AND ? AND +rowid ${among}` : `rowid ${among}`;
      const rows = db
        .prepare(
          `SELECT rowid AS id, snippet(documents_fts, -1, '\uE000', '\uE001', '…', 18) AS snippet FROM documents_fts WHERE documents_fts MATCH ? AND ${where}`,
        )
        .all(query.match, ...(isBeginning ? [Math.min(...ids), Math.max(...ids)] : []), ...ids) as {
        id: number;
        snippet: string;
      }[];
      return new Map(rows.map((row) => [row.id, row.snippet]));
    },

    /** Documents of the same patient that share the event, or the doctor or facility around the same time; nearest first. */
    near(visibility: Visibility, id: number): number[] {
      const where = visibleTo(visibility, undefined, { walk: true });
      return (
        db
          .prepare(`SELECT d.id FROM documents AS me JOIN documents AS d ON d.patient_id = me.patient_id AND d.id <> me.id
        WHERE me.id = ? AND ${where.sql} AND (d.event_id = me.event_id OR abs(julianday(d.event_date) - julianday(me.event_date)) <= ${NEAR_DAYS}
          OR (abs(julianday(d.event_date) - julianday(me.event_date)) <= ${RELATED_DAYS} AND (d.doctor_id = me.doctor_id OR d.facility_id = me.facility_id)))
        ORDER BY d.event_id = me.event_id DESC, abs(julianday(d.event_date) - julianday(me.event_date)), d.id DESC LIMIT ${NEAR_SHOWN}`)
          .all(id, ...where.values) as { id: number }[]
      ).map((row) => row.id);
    },

    /** Newest hits while a person types. */
    quick(visibility: Visibility, patientId: number | undefined, query: SearchQuery, limit: number): number[] {
      const where = visibleTo(visibility, patientId, { walk: true });
      return (
        db
          .prepare(
            `SELECT documents_fts.rowid AS id FROM documents_fts JOIN documents AS d ON d.id = documents_fts.rowid WHERE documents_fts MATCH ? AND ${where.sql} ORDER BY documents_fts.rowid DESC LIMIT ?`,
          )
          .all(query.match, ...where.values, limit) as { id: number }[]
      ).map((row) => row.id);
    },

    /** Values of one facet with their number of documents, most frequent first. */
    facet(
      name: keyof typeof COUNTED,
      visibility: Visibility,
      filters: ListFilters,
      match: string | null,
      limit: number,
    ): FacetValue[] {
      const { sql, values } = facetCondition(
        visibility,
        filters,
        match,
        filters.patient_id === undefined || !BY_PATIENT.has(name),
      );
      return keptFacet([name, sql, values, limit], () => {
        const grouped = (from: string): FacetValue[] =>
          db
            .prepare(`SELECT ${COUNTED[name]} AS value, count(*) AS count FROM ${from} WHERE ${sql} GROUP BY 1`)
            .all(...values) as FacetValue[];
        if (name === 'years') return mostFrequent(yearsOf(grouped('documents AS d')), limit);
        if (name !== 'events') return mostFrequent(grouped('documents AS d'), limit);
        // A document counts for each event that it stands in.
        const { n } = db
          .prepare(
            `SELECT count(*) AS n FROM documents AS d WHERE ${sql} AND d.event_id IS NULL AND NOT EXISTS (SELECT 1 FROM event_documents AS x WHERE x.document_id = d.id)`,
          )
          .get(...values) as { n: number };
        return mostFrequent(
          [
            ...grouped('event_documents AS x CROSS JOIN documents AS d ON d.id = x.document_id'),
            ...(n > 0 ? [{ value: null, count: n }] : []),
          ],
          limit,
        );
      });
    },

    tagFacet(visibility: Visibility, filters: ListFilters, match: string | null, limit: number): FacetValue[] {
      const { sql, values } = facetCondition(visibility, filters, match, true);
      return keptFacet(['tags', sql, values, limit], () =>
        mostFrequent(
          db
            .prepare(
              `SELECT t.tag AS value, count(*) AS count FROM document_tags AS t CROSS JOIN documents AS d ON d.id = t.document_id WHERE ${sql} GROUP BY t.tag`,
            )
            .all(...values) as FacetValue[],
          limit,
        ),
      );
    },
  };
  return repository;
}

/** Most frequent first, then by value; the one that stands for none before the others. */
function mostFrequent(values: FacetValue[], limit: number): FacetValue[] {
  const less = (a: FacetValue['value'], b: FacetValue['value']): boolean => a === null || (b !== null && a < b);
  return values.sort((a, b) => b.count - a.count || (less(a.value, b.value) ? -1 : 1)).slice(0, limit);
}

/** Days to years. Grouped along the index of days, which costs less than taking every date apart. */
function yearsOf(days: readonly FacetValue[]): FacetValue[] {
  const years = new Map<string | null, number>();
  for (const { value, count } of days) {
    const year = value === null ? null : String(value).slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + count);
  }
  return [...years].map(([value, count]) => ({ value, count }));
}

import type { DocumentSort } from '../../../../src-shared/contract/documents.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { createQueryCache, databaseVersion } from '../../../platform/database/query-cache.ts';
import { aliasKey, VISIBLE_ALIAS } from '../../names/service.ts';
import { countFacet, countTags, type FacetName, type FacetValue } from './facet-repository.ts';
import {
  allOf,
  filterConditions,
  searchedFilters,
  sortedStatements,
  usesSortIndex,
  visibleTo,
  type Condition,
  type ListFilters,
  type Visibility,
  type SearchedDocuments,
} from './list-query.ts';
import type { SearchQuery } from './search-query.ts';
import { rankHits } from './ranking-repository.ts';
import { snippetExpression } from './text-index-repository.ts';

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

/** A prefix longer than the prefix indexes of the full-text table (migration 0001: up to six letters). */
const LONG_PREFIX = /[^\s"]{7,}"?\s*\*/u;
/** Hits of a page are read as one range of ids if it has fewer ids than this for each hit. */
const MAX_IDS_PER_HIT = 20;
/** If there are more hits, a search returns the newest instead of ranking all of them. */
const MAX_RANKED_HITS = 2000;
/** A tag of more documents than this counts as common. */
const COMMON_TAG_COUNT = 2000;
/** A letter about a visit arrives within two weeks, follow-up from the same facility within three months. */
const NEAR_DAYS = 14;
const RELATED_DAYS = 92;
const MAX_NEAR = 12;
/** Searches whose order and snippets are cached; one has a few ten kilobytes. */
const MAX_CACHED_SEARCHES = 40;
/** Searches whose hits are kept for their facets; those of a common word have several hundred kilobytes. */
const MAX_CACHED_HITS = 4;

const HITS = 'documents_fts JOIN documents AS d ON d.id = documents_fts.rowid WHERE documents_fts MATCH ?';

interface ListDeps {
  db: Database;
  /** Exact totals, cached until the next write, because counting a common word takes longer than reading a page. */
  cachedTotal(key: string, count: () => number): number;
  /** All hits of a search in their order, cached until the next write: each of its pages would rank them again. */
  cachedRanking(key: string, rank: () => readonly number[]): readonly number[];
  /** The snippets of a page of hits, cached until the next write, for who comes back from a document. */
  cachedSnippets(key: string, read: () => Snippets): Snippets;
}
type Snippets = ReadonlyMap<number, string>;

export type ListRepository = ReturnType<typeof createListRepository>;

/** Finds and counts the document ids of list pages; the rows are then read by id. */
export function createListRepository(db: Database) {
  const version = (): string | null => databaseVersion(db);
  const deps: ListDeps = {
    db,
    cachedTotal: createQueryCache(version),
    cachedRanking: createQueryCache(version, MAX_CACHED_SEARCHES),
    cachedSnippets: createQueryCache(version, MAX_CACHED_SEARCHES),
  };
  const cachedFacet = createQueryCache<FacetValue[]>(version);
  const cachedHits = createQueryCache<string>(version, MAX_CACHED_HITS);
  /** One facet of what a search finds; all facets of it share one reading of the text index. */
  const countOf = (
    name: string,
    where: Condition,
    match: string | null,
    limit: number,
    read: (where: Condition) => FacetValue[],
  ): FacetValue[] =>
    cachedFacet(JSON.stringify([name, where, match, limit]), () =>
      read(match === null ? where : allOf([where, isAmong(cachedHits(match, () => readHits(db, match)))])),
    );
  const facetCondition = (visibility: Visibility, filters: ListFilters, match: string | null, byIndex: boolean) =>
    conditionOf(deps, visibility, searchedFilters(filters, match !== null), byIndex);
  return {
    count(visibility: Visibility, filters: ListFilters): number {
      const where = conditionOf(deps, visibility, filters, hasFilters(filters));
      return countRows(deps, `documents AS d WHERE ${where.sql}`, where.values);
    },
    ids(visibility: Visibility, filters: ListFilters, page: Page): number[] {
      const useSortIndex = usesSortIndex(page.sort, filters.patient_id);
      return sortedIds(deps, conditionOf(deps, visibility, filters, useSortIndex, page.sort), page);
    },
    search: (
      visibility: Visibility,
      filters: ListFilters,
      query: SearchQuery,
      page: Omit<Page, 'sort' | 'order'> & Partial<Page>,
    ) => searchDocuments(deps, conditionOf(deps, visibility, searchedFilters(filters, true), true), query, page),
    snippets: (query: Pick<SearchQuery, 'match'>, ids: number[]) => snippetsOf(deps, query, ids),
    near: (visibility: Visibility, id: number) => nearDocuments(db, visibility, id),

    /** Number of documents that a query finds, of one patient or of all visible ones. */
    countHits: (visibility: Visibility, of: SearchedDocuments, query: Pick<SearchQuery, 'match'>): number =>
      countRows(deps, `${HITS} AND ${hitsOf(deps, visibility, of).sql}`, [
        query.match,
        ...hitsOf(deps, visibility, of).values,
      ]),
    /**
     * Folded words of all documents that begin with a letter. Not to be shown: documents of other people may be the only
     * ones with a word.
     */
    wordsWithFirstLetter: (letter: string): string[] =>
      db
        .prepare('SELECT term FROM documents_vocabulary WHERE term >= ? AND term < ?')
        .pluck()
        .all(letter, `${letter}\u{10FFFF}`) as string[],
    /** A folded word as the newest visible document prints it. */
    printedWord: (visibility: Visibility, of: SearchedDocuments, word: string): string => {
      const query = { match: `"${word}"`, phrases: [] };
      const ids = newestIds(db, hitsOf(deps, visibility, of), query, { limit: 1, offset: 0 });
      return /\uE000(.*?)\uE001/u.exec(snippetsOf(deps, query, ids).get(ids[0] ?? 0) ?? '')?.[1] ?? word;
    },

    /** Newest hits, for suggestions while the user types. */
    newestHits(visibility: Visibility, patientId: number | undefined, query: SearchQuery, limit: number): number[] {
      return newestIds(db, hitsOf(deps, visibility, patientId), query, { limit, offset: 0 });
    },

    /** Values of one facet with their number of documents, most frequent first. */
    facet(
      name: FacetName,
      visibility: Visibility,
      filters: ListFilters,
      match: string | null,
      limit: number,
    ): FacetValue[] {
      // Two facets use the patient's index; the others scan the index of their own column, even for one patient.
      const hasPatientIndex = name === 'specialties' || name === 'years';
      const where = facetCondition(visibility, filters, match, filters.patient_id === undefined || !hasPatientIndex);
      return countOf(name, where, match, limit, (of) => countFacet(db, name, of, limit));
    },
    tagFacet(visibility: Visibility, filters: ListFilters, match: string | null, limit: number): FacetValue[] {
      const where = facetCondition(visibility, filters, match, true);
      return countOf('tags', where, match, limit, (of) => countTags(db, of, limit));
    },
  };
}

const hitsOf = (deps: ListDeps, visibility: Visibility, of: SearchedDocuments): Condition =>
  conditionOf(
    deps,
    visibility,
    of === 'decided' ? { decidedOnly: true } : searchedFilters({ patient_id: of }, true),
    true,
  );

const hasFilters = (filters: ListFilters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'patient_id' && value !== undefined);

const matching = (match: string): Condition => ({
  sql: 'd.id IN (SELECT rowid FROM documents_fts WHERE documents_fts MATCH ?)',
  values: [match],
});

/** The ids of all hits, of whichever patient, as a JSON array. */
const readHits = (db: Database, match: string): string =>
  db
    .prepare('SELECT json_group_array(rowid) FROM documents_fts WHERE documents_fts MATCH ?')
    .pluck()
    .get(match) as string;

const isAmong = (ids: string): Condition => ({ sql: 'd.id IN (SELECT value FROM json_each(?))', values: [ids] });

function conditionOf(
  { db }: ListDeps,
  visibility: Visibility,
  filters: ListFilters,
  useSortIndex: boolean,
  sort: DocumentSort | null = null,
): Condition {
  const lookups = {
    specialtyIds: (values: string[]) => specialtyIds(db, values, visibility),
    entryIds: (kind: 'doctors' | 'facilities', values: string[]) => entryIds(db, kind, values, visibility),
    areCommonTags: (tags: string[]) => areCommonTags(db, tags),
  };
  return allOf([
    visibleTo(visibility, filters.patient_id, { useSortIndex }),
    ...filterConditions(filters, lookups, sort),
  ]);
}

/** Specialties by code, name, visible alias or id; -1, which matches nothing, for an unknown one. */
const specialtyIds = (
  db: Database,
  values: string[],
  { userId, patientIds, isAdmin }: Visibility,
): (string | number)[] =>
  values.flatMap((value): (string | number)[] => {
    if (value === '__blank__') return [value];
    const key = aliasKey('specialties', value);
    const rows = db
      .prepare(
        `SELECT id FROM norm_specialties
          WHERE canonical_code IN (@value, @code) OR canonical_display = @value OR id = @id
        UNION SELECT entry_id FROM name_aliases AS a
          WHERE kind = 'specialties' AND alias_key = @key AND ${VISIBLE_ALIAS}`,
      )
      .all({
        value,
        code: key.replaceAll(' ', '-'),
        id: /^\d+$/.test(value) ? Number(value) : -1,
        key,
        patients: JSON.stringify(patientIds),
        user: userId,
        admin: Number(isAdmin),
      }) as { id: number }[];
    return rows.length ? rows.map((row) => row.id) : [-1];
  });

/** Doctors or facilities by id, name or visible alias; -1, which matches nothing, for an unknown one. */
const entryIds = (
  db: Database,
  kind: 'doctors' | 'facilities',
  values: string[],
  { userId, patientIds, isAdmin }: Visibility,
): (string | number)[] =>
  values.flatMap((value): (string | number)[] => {
    if (value === '__blank__') return [value];
    if (/^\d{1,15}$/.test(value)) return [Number(value)];
    const ids = db
      .prepare(
        `SELECT id FROM ${kind} WHERE @value IN (name, canonical_display)
        UNION SELECT entry_id FROM name_aliases AS a WHERE kind = @kind AND alias_key = @key AND ${VISIBLE_ALIAS}`,
      )
      .pluck()
      .all({
        value,
        kind,
        key: aliasKey(kind, value),
        patients: JSON.stringify(patientIds),
        user: userId,
        admin: Number(isAdmin),
      }) as number[];
    return ids.length ? ids : [-1];
  });

function areCommonTags(db: Database, tags: string[]): boolean {
  const { n } = db
    .prepare('SELECT count(*) AS n FROM document_tags WHERE tag IN (SELECT value FROM json_each(?))')
    .get(JSON.stringify(tags)) as { n: number };
  return n > COMMON_TAG_COUNT;
}

const countRows = ({ db, cachedTotal }: ListDeps, from: string, values: (string | number)[]): number =>
  cachedTotal(
    JSON.stringify([from, values]),
    () => (db.prepare(`SELECT count(*) AS n FROM ${from}`).get(...values) as { n: number }).n,
  );

/** One page along the index of the sort, followed by the rows without a value. */
function sortedIds(deps: ListDeps, where: Condition, { sort, order, limit, offset }: Page): number[] {
  const { from, valued, withoutValue } = sortedStatements({ sort, order, limit }, where);
  const found = (deps.db.prepare(valued).all(...where.values, offset) as { id: number }[]).map(({ id }) => id);
  if (withoutValue === null || found.length === limit) return found;
  // The number of rows with a value is needed only on pages that reach the rows without one.
  const before = found.length ? offset + found.length : countRows(deps, from, where.values);
  const rest = deps.db
    .prepare(withoutValue)
    .all(...where.values, limit - found.length, Math.max(0, offset - before)) as { id: number }[];
  return [...found, ...rest.map(({ id }) => id)];
}

/** Hits by rank, or by the requested sort; hits of a very common word are not ranked, the newest come first. */
function searchDocuments(
  deps: ListDeps,
  where: Condition,
  query: SearchQuery,
  page: Omit<Page, 'sort' | 'order'> & Partial<Page>,
): { hits: Hit[]; total: number } {
  const { limit, offset } = page;
  const total = countRows(deps, `${HITS} AND ${where.sql}`, [query.match, ...where.values]);
  if (page.sort) {
    const ids = sortedIds(deps, allOf([where, matching(query.match)]), page as Page);
    return { hits: ids.map((id) => ({ id, rank: 0 })), total };
  }
  if (total > MAX_RANKED_HITS) {
    const ids = newestIds(deps.db, where, query, { limit, offset });
    return { hits: rankedHits(ids, offset), total };
  }
  const ranked = deps.cachedRanking(JSON.stringify([query, where]), () => rankedIds(deps.db, where, query));
  return { hits: rankedHits(ranked.slice(offset, offset + limit), offset), total };
}

function rankedIds(db: Database, where: Condition, query: SearchQuery): number[] {
  const ids = db
    .prepare(`SELECT documents_fts.rowid AS id FROM ${HITS} AND ${where.sql} ORDER BY d.event_date DESC, d.id DESC`)
    .pluck()
    .all(query.match, ...where.values) as number[];
  return rankHits(db, query.phrases, ids);
}

/** Hits with a rank by position: the score of FTS5 reveals how many documents of all patients have a word (ADR 0060). */
const rankedHits = (ids: readonly number[], offset: number): Hit[] =>
  ids.map((id, index) => ({ id, rank: -1 / (offset + index + 1) }));

/** Hits in the order of their ids, newest first, so that each page takes the same time, however common the word. */
const newestIds = (
  db: Database,
  where: Condition,
  query: SearchQuery,
  { limit, offset }: { limit: number; offset: number },
): number[] =>
  (
    db
      .prepare(
        `SELECT documents_fts.rowid AS id FROM ${HITS} AND ${where.sql} ORDER BY documents_fts.rowid DESC
          LIMIT ${limit} OFFSET ?`,
      )
      .all(query.match, ...where.values, offset) as { id: number }[]
  ).map(({ id }) => id);

/**
 * A line of context of each document, from its own words if they have a hit, otherwise around the best hit; hits are
 * between U+E000 and U+E001.
 */
function snippetsOf({ db, cachedSnippets }: ListDeps, { match }: Pick<SearchQuery, 'match'>, ids: number[]): Snippets {
  return ids.length === 0
    ? new Map()
    : cachedSnippets(JSON.stringify([match, ids]), () => readSnippets(db, match, ids));
}

function readSnippets(db: Database, match: string, ids: number[]): Snippets {
  const among = `IN (${ids.map(() => '?').join(',')})`;
  const range = [Math.min(...ids), Math.max(...ids)] as const;
  // FTS5 evaluates the query for every rowid that it probes, a long prefix slowly, so those that are close to each other
  // are read as one range.
  const isRange = LONG_PREFIX.test(match) || range[1] - range[0] < ids.length * MAX_IDS_PER_HIT;
  const where = isRange ? `rowid BETWEEN ? AND ? AND +rowid ${among}` : `rowid ${among}`;
  const rows = db
    .prepare(
      `SELECT rowid AS id, ${snippetExpression(db, 'body')} AS body, ${snippetExpression(db, null)} AS best
      FROM documents_fts WHERE documents_fts MATCH ? AND ${where}`,
    )
    .all(match, ...(isRange ? range : []), ...ids) as {
    id: number;
    body: string;
    best: string;
  }[];
  return new Map(rows.map(({ id, body, best }) => [id, body.includes('\uE000') ? body : best]));
}

/**
 * Documents of the same patient with the same event, or around the same date; for the same doctor or facility, within a
 * longer period.
 */
function nearDocuments(db: Database, visibility: Visibility, id: number): number[] {
  const where = visibleTo(visibility, undefined, { useSortIndex: true });
  const days = 'abs(julianday(d.event_date) - julianday(me.event_date))';
  return (
    db
      .prepare(
        `SELECT d.id FROM record_documents AS me JOIN record_documents AS d ON d.patient_id = me.patient_id AND d.id <> me.id
        WHERE me.id = ? AND ${where.sql} AND (d.event_id = me.event_id OR ${days} <= ${NEAR_DAYS}
          OR (${days} <= ${RELATED_DAYS} AND (d.doctor_id = me.doctor_id OR d.facility_id = me.facility_id)))
        ORDER BY d.event_id = me.event_id DESC, ${days}, d.id DESC LIMIT ${MAX_NEAR}`,
      )
      .all(id, ...where.values) as { id: number }[]
  ).map((row) => row.id);
}

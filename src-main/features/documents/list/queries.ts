import { extname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import type { DocumentNaming } from '../../../../src-shared/contract/document-naming.ts';
import type { documents as contract, DocumentSort } from '../../../../src-shared/contract/documents.ts';
import type { Input, ReplyInput } from '../../../../src-shared/contract/endpoint.ts';
import type { documentDetail, documentListItem, stageEvent } from '../../../../src-shared/contract/rows.ts';
import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { orNotFound } from '../../../platform/kernel/or-not-found.ts';
import { documentName } from '../../../platform/vault/layout.ts';
import type { Visibility } from './list-query.ts';
import type { ListRepository } from './list-repository.ts';
import { toDisplayBox } from '../../../../src-shared/medical/place-on-page.ts';
import type { RowRepository } from '../row-repository.ts';
import { findNearHits } from './near-hits.ts';
import { parseSearch, SearchSyntaxError, type SearchOptions, type SearchQuery } from './search-query.ts';
import type { WriteRepository } from '../write-repository.ts';
import type { NameLabels } from './label-repository.ts';

/** `decidedOnly` is for other features. */
type ListQuery = Input<typeof contract.list>['query'] & { decidedOnly?: boolean };
type FacetQuery = Input<typeof contract.facets>['query'];
type ListReply = ReplyInput<typeof contract.list>;
type PageWords = ReplyInput<typeof contract.pages>['pages'][number];
type Facet = ReplyInput<typeof contract.facets>['types'][number];

const MAX_FACET_VALUES = 200;
const MAX_SUGGESTED_NAMES = 5;
const MAX_FAILED = 500;

export interface QueryDeps {
  access: AccessRules;
  list: ListRepository;
  rows: RowRepository;
  repository: WriteRepository;
  labels: NameLabels;
  synonyms: Synonyms['of'];
  words: Synonyms['words'];
}

export type DocumentQueries = ReturnType<typeof createQueries>;

/** Read-only document queries. */
export function createQueries(deps: QueryDeps) {
  return {
    ...bindFirst(deps, {
      list: listDocuments,
      failed: listFailed,
      facets: countFacets,
      suggest: suggestWhileTyping,
      nearHits: nearHitsOf,
      relevant: listRelevant,
      get: getDocument,
      pages: readPages,
      stages: listStages,
      suggestedFilename: suggestFilename,
    }),
    /** List items in the order of the ids, without an access check. Readers share them. */
    byIds: (ids: number[]): Readonly<z.input<typeof documentListItem>>[] => deps.rows.listItems(ids),
    /** Doubtful lab results of these patients, without an access check. */
    doubtfulResults: deps.rows.doubtfulResults,
  };
}

const visibilityOf = ({ access }: QueryDeps, user: UserCaller): Visibility => ({
  userId: user.userId,
  patientIds: access.visiblePatients(user.userId),
  isAdmin: user.role === 'admin',
});

function listDocuments(
  deps: QueryDeps,
  { q, sort, order, limit, offset, ...filters }: ListQuery,
  user: UserCaller,
): ListReply {
  const { list, rows, synonyms } = deps;
  const visibility = visibilityOf(deps, user);
  const query = searchOf(q, { synonyms });
  if (query === 'no_words') return { items: [], total: 0, limit, offset };
  if (query === null) {
    const by: DocumentSort = sort ?? 'event_date';
    const ids = list.ids(visibility, filters, {
      sort: by,
      order: order ?? (by === 'event_date' || by === 'created_at' ? 'desc' : 'asc'),
      limit,
      offset,
    });
    return { items: rows.listItems(ids), total: list.count(visibility, filters), limit, offset };
  }
  const { hits, total } = list.search(visibility, filters, query, {
    limit,
    offset,
    ...(sort && { sort, order: order ?? 'asc' }),
  });
  return { items: withSnippets(deps, query, hits), total, limit, offset };
}

/** List items, each with a snippet and a rank. */
function withSnippets(
  { list, rows }: QueryDeps,
  query: SearchQuery,
  hits: { id: number; rank: number }[],
): z.input<typeof documentListItem>[] {
  const ids = hits.map((hit) => hit.id);
  const snippets = list.snippets(query, ids);
  const ranks = new Map(hits.map((hit) => [hit.id, hit.rank]));
  return rows
    .listItems(ids)
    .map((item) => ({ ...item, snippet: snippets.get(item.id) ?? '', rank: ranks.get(item.id) ?? 0 }));
}

function listFailed(deps: QueryDeps, user: UserCaller): ListReply {
  const { list, rows } = deps;
  const visibility = visibilityOf(deps, user);
  const filters = { status: ['failed'] };
  const ids = list.ids(visibility, filters, { sort: 'created_at', order: 'desc', limit: MAX_FAILED, offset: 0 });
  return { items: rows.listItems(ids), total: list.count(visibility, filters), limit: MAX_FAILED, offset: 0 };
}

function countFacets(
  deps: QueryDeps,
  { q, ...filters }: FacetQuery,
  user: UserCaller,
): ReplyInput<typeof contract.facets> {
  const { list, labels, synonyms } = deps;
  const visibility = visibilityOf(deps, user);
  const match = matchOf(searchOf(q, { synonyms }));
  const facet = (name: Parameters<ListRepository['facet']>[0], label: (value: string) => string): Facet[] =>
    list.facet(name, visibility, filters, match, MAX_FACET_VALUES).map(({ value, count }) => ({
      value: value === null ? '__blank__' : String(value),
      label: value === null ? '' : label(String(value)),
      count,
    }));
  const asIs = (value: string) => value;
  return {
    types: facet('types', asIs),
    statuses: facet('statuses', asIs),
    years: facet('years', asIs),
    doctors: facet('doctors', labels.of('doctors')),
    facilities: facet('facilities', labels.of('facilities')),
    specialties: facet('specialties', labels.of('norm_specialties')),
    events: facet('events', labels.of('events')),
    tags: list
      .tagFacet(visibility, filters, match, MAX_FACET_VALUES)
      .map(({ value, count }) => ({ value: String(value), label: String(value), count })),
  };
}

function suggestWhileTyping(
  deps: QueryDeps,
  { q, patient_id, limit }: Input<typeof contract.suggest>['query'],
  user: UserCaller,
): ReplyInput<typeof contract.suggest> {
  const { list, labels, synonyms } = deps;
  const visibility = visibilityOf(deps, user);
  const query = searchOf(q, { asYouType: true, synonyms });
  if (query === null || query === 'no_words') return { documents: [], doctors: [], facilities: [], tests: [] };
  const hits = list.newestHits(visibility, patient_id, query, limit).map((id) => ({ id, rank: 0 }));
  const { patientIds } = visibility;
  const patients = patient_id === undefined ? patientIds : patientIds.filter((id) => id === patient_id);
  return {
    documents: withSnippets(deps, query, hits).map(
      ({ id, patient_id, patient_name, patient_undecided, snippet, ...naming }) => ({
        ...(naming satisfies DocumentNaming),
        id,
        patient_id: patient_undecided ? null : patient_id,
        patient_name: patient_undecided ? null : patient_name,
        snippet: snippet ?? '',
      }),
    ),
    doctors: labels.like('doctors', q, visibility, patients, MAX_SUGGESTED_NAMES),
    facilities: labels.like('facilities', q, visibility, patients, MAX_SUGGESTED_NAMES),
    tests: labels.testsLike([q, ...synonyms(q).map(({ text }) => text)], patients, MAX_SUGGESTED_NAMES),
  };
}

const nearHitsOf = (
  deps: QueryDeps,
  { q, patient_id }: Input<typeof contract.nearHits>['query'],
  user: UserCaller,
): ReplyInput<typeof contract.nearHits> => findNearHits(deps, q, patient_id, visibilityOf(deps, user));

const listRelevant = (deps: QueryDeps, id: number, user: UserCaller): ReplyInput<typeof contract.relevant> => ({
  items: deps.rows.listItems(deps.list.near(visibilityOf(deps, user), id)),
});

/** Reads a document; links to documents that the user may not see are omitted. */
const getDocument = ({ access, rows }: QueryDeps, id: number, user: UserCaller): z.input<typeof documentDetail> =>
  orNotFound(
    rows.detail(id, (belonging) => access.may(user, 'read', belonging)),
    'document.not_found',
  );

/** Generates a file name of date, type and facility, doctor or specialty: `20251112_lab-test_synlabor.pdf`. */
function suggestFilename({ rows, repository }: QueryDeps, id: number): { suggested_filename: string } {
  const row = orNotFound(rows.listItems([id])[0], 'document.not_found');
  const record = orNotFound(repository.get(id), 'document.not_found');
  const from = row.facility_name ?? row.doctor_name ?? row.specialty_display;
  const stem = from ? `${(row.doc_type ?? 'document').replaceAll('_', '-')}_${from}` : record.filename_stem;
  return {
    suggested_filename: documentName({
      eventDate: row.event_date,
      stem,
      docType: row.doc_type,
      ext: extname(row.original_filename),
    }),
  };
}

const listStages = (
  { rows }: QueryDeps,
  id: number,
): { document_id: number; events: z.input<typeof stageEvent>[] } => ({
  document_id: id,
  events: rows.stages(id),
});

/** Reads words with their boxes on the displayed page. */
const readPages = ({ repository }: QueryDeps, id: number): ReplyInput<typeof contract.pages> => ({
  pages: repository.pages(id).map((data) => pageOnDisplay(JSON.parse(gunzipSync(data).toString()) as PageText)),
});

function pageOnDisplay({ page, width, height, source, confidence, words, toDisplay }: PageText): PageWords {
  return {
    page,
    width,
    height,
    source,
    confidence,
    words: words.map(({ text, x, y, w, h }): [string, number, number, number, number] => [
      text,
      ...(toDisplay === null ? ([x, y, w, h] as const) : toDisplayBox([x, y, w, h], toDisplay)),
    ]),
  };
}

/** The full-text expression; for a query without words, an empty phrase, which matches nothing. */
function matchOf(query: SearchQuery | null | 'no_words'): string | null {
  if (query === null) return null;
  return query === 'no_words' ? '""' : query.match;
}

/** The parsed search line; null without a line. @throws `search.syntax` */
function searchOf(line: string | undefined, options: SearchOptions): SearchQuery | null | 'no_words' {
  if (line === undefined || line.trim() === '') return null;
  try {
    return parseSearch(line, options) ?? 'no_words';
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    // While the user types "-rash" there is nothing to show yet, and no error either.
    if (options.asYouType) return 'no_words';
    throw fail('search.syntax', undefined, error);
  }
}

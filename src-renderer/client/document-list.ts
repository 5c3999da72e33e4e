import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';
import { toLiveSearch } from './search-line.ts';
import type { DocumentSort } from '../../src-shared/contract/documents.ts';
import { isDay, isId, isOneOf, pickSearch } from './search-params.ts';

/**
 * The search parameters of the list's address: filters, with the same names in the address and in the API, and what
 * changes only how the list looks.
 */
export const LIST_SEARCH = [
  'patient',
  'type',
  'date_from',
  'date_to',
  'status',
  'q',
  'specialty',
  'doctor_id',
  'facility_id',
  'event_id',
  'tag',
  'sort',
  'order',
  'layout',
  'preview',
] as const;
export type ListSearch = Partial<Record<(typeof LIST_SEARCH)[number], string>>;

const SORTS: Record<DocumentSort, true> = {
  event_date: true,
  original_filename: true,
  doc_type: true,
  doctor: true,
  facility: true,
  patient: true,
  specialty: true,
  status: true,
  created_at: true,
};

/** The parameters in an address of the list; values that the API would refuse are ignored. */
export const pickListSearch = (search: Record<string, unknown>): ListSearch =>
  pickSearch(search, LIST_SEARCH, {
    patient: isId,
    date_from: isDay,
    date_to: isDay,
    sort: isOneOf(...Object.keys(SORTS)),
    order: isOneOf('asc', 'desc'),
    preview: isId,
  });

const PAGE = 50;

/**
 * The search parameters that are sent to the server. The router keeps others that an address brings along, which the
 * server would refuse.
 */
export function filtersOf(search: ListSearch): Record<string, string> {
  const {
    patient,
    sort: _sort,
    order: _order,
    layout: _layout,
    preview: _preview,
    ...filters
  } = pickSearch(search, LIST_SEARCH);
  return Object.fromEntries(
    Object.entries({ patient_id: patient, ...filters, q: filters.q && toLiveSearch(filters.q) }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

/** Pages of the document list. */
export function documentListQuery(search: ListSearch) {
  const query = {
    ...filtersOf(search),
    ...(search.sort && { sort: search.sort }),
    ...(search.order && { order: search.order }),
  };
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.documentLists, query],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      call(
        contract.documents.list,
        { query: { ...query, limit: String(PAGE), offset: String(pageParam) } as never },
        signal,
      ),
    getNextPageParam: (last) =>
      last.offset + last.items.length < last.total ? last.offset + last.items.length : undefined,
  });
}

/** How long the page waits for its first rows before it is drawn without them, in ms. */
const PATIENCE_MS = 150;

/**
 * Asks for the first rows while the scripts that show them load, and before whatever else these ask for. A page that is
 * drawn with its rows at once is there sooner than one that is drawn twice.
 */
export async function loadFirstRows(client: QueryClient, search: ListSearch): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([client.prefetchInfiniteQuery(documentListQuery(search)), patience]);
}

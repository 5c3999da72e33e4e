import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { toLiveSearch } from '../../../client/search-line.ts';

/** The search parameters of the list's address. */
export interface ListSearch {
  patient?: string;
  type?: string;
  date_from?: string;
  date_to?: string;
  status?: string;
  q?: string;
  specialty?: string;
  doctor_id?: string;
  facility_id?: string;
  event_id?: string;
  tag?: string;
  sort?: string;
  order?: string;
  layout?: string;
  preview?: string;
}

const PAGE = 50;

/** Search parameters that remove all filters. */
export const NO_FILTERS = {
  type: undefined,
  doctor_id: undefined,
  facility_id: undefined,
  specialty: undefined,
  event_id: undefined,
  status: undefined,
  tag: undefined,
  date_from: undefined,
  date_to: undefined,
  q: undefined,
};
export const isFiltered = (search: ListSearch): boolean =>
  (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => search[name]);

/** The search parameters that are sent to the server. */
export function filtersOf({
  patient,
  sort: _sort,
  order: _order,
  layout: _layout,
  preview: _preview,
  ...filters
}: ListSearch): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ patient_id: patient, ...filters, q: filters.q && toLiveSearch(filters.q) }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

export function useDocumentList(search: ListSearch) {
  const query = {
    ...filtersOf(search),
    ...(search.sort && { sort: search.sort }),
    ...(search.order && { order: search.order }),
  };
  return useInfiniteQuery({
    queryKey: [...cacheKeys.documentLists, query],
    placeholderData: keepPreviousData,
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

/** Filter values with counts over all of the patient's documents, independent of other filters. */
export function useFacets(search: ListSearch) {
  const query = search.patient === undefined ? {} : { patient_id: search.patient };
  return useQuery({
    queryKey: [...cacheKeys.documentFacets, query],
    queryFn: ({ signal }) => call(contract.documents.facets, { query }, signal),
    staleTime: 30_000,
  });
}

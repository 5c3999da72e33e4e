import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { documentListQuery, type ListSearch } from '../../../client/document-list.ts';

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

export const useDocumentList = (search: ListSearch) =>
  useInfiniteQuery({ ...documentListQuery(search), placeholderData: keepPreviousData });

/** Filter values with counts over all of the patient's documents, independent of other filters. */
export function useFacets(search: ListSearch) {
  const query = search.patient === undefined ? {} : { patient_id: search.patient };
  return useQuery({
    queryKey: [...cacheKeys.documentFacets, query],
    queryFn: ({ signal }) => call(contract.documents.facets, { query }, signal),
    staleTime: 30_000,
  });
}

import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ImagingStudy, ListedStudy } from '../../../src-shared/contract/imaging.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { pickSearch } from '../../client/search-params.ts';
import { STUDY_SEARCH, type StudySearch } from '../../client/study-search.ts';

const PAGE = 50;
/** Earlier studies that can be compared. */
const MAX_PRIORS = 50;

/** Search parameters that remove all filters. */
export const NO_FILTERS = {
  modality: undefined,
  report_status: undefined,
  q: undefined,
  date_from: undefined,
  date_to: undefined,
};
export const isFiltered = (search: StudySearch): boolean =>
  (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => search[name]);

/** The listed studies, page by page. The router keeps unknown parameters of the address, which the API would refuse. */
export function useStudies(search: StudySearch) {
  const { patient, ...filters } = pickSearch(search, STUDY_SEARCH);
  const query = { patient_id: patient, ...filters };
  return useInfiniteQuery({
    queryKey: [...cacheKeys.imaging, 'list', query],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      call(
        contract.imaging.list,
        { query: { ...query, limit: String(PAGE), offset: String(pageParam) } as never },
        signal,
      ),
    getNextPageParam: (last) =>
      last.offset + last.items.length < last.total ? last.offset + last.items.length : undefined,
  });
}

export const studyQuery = (id: number) =>
  queryOptions({
    queryKey: [...cacheKeys.imaging, 'one', id],
    queryFn: ({ signal }) => call(contract.imaging.get, { params: { id: String(id) } }, signal),
  });

export const useStudy = (id: number) => useQuery(studyQuery(id));

/** Where the frames of a series are along the normal of its images, in mm. */
export function usePositions(study: number, series: number | null) {
  return useQuery({
    queryKey: [...cacheKeys.imaging, 'positions', study, series],
    enabled: series !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const params = { id: String(study), series_id: String(series) };
      return (await call(contract.imaging.frames, { params }, signal)).positions;
    },
  }).data;
}

/** The other studies of the same person with images, the latest first. */
export function usePriors(study: ImagingStudy | undefined): ListedStudy[] {
  const patient = study?.patient_id ?? null;
  const { data } = useQuery({
    queryKey: [...cacheKeys.imaging, 'priors', patient],
    enabled: patient !== null,
    queryFn: ({ signal }) =>
      call(contract.imaging.list, { query: { patient_id: String(patient), limit: String(MAX_PRIORS) } }, signal),
  });
  return (data?.items ?? []).filter(({ id, num_images }) => id !== study?.id && num_images > 0);
}

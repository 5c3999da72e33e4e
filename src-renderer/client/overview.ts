import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** What needs attention, for one patient or for all; shared by the rail and the Today page. */
export const overviewQuery = (patient: string | undefined) =>
  queryOptions({
    queryKey: [...cacheKeys.today, patient ?? 'all'],
    queryFn: ({ signal }) =>
      call(contract.today.overview, { query: patient === undefined ? {} : { patient_id: patient } }, signal),
  });

export const useOverview = (patient: string | undefined) => useQuery(overviewQuery(patient));

/** The pipeline state; the live stream updates it, and polling replaces the stream while it is down. */
export function usePipelineStatus(live: boolean) {
  return useQuery({
    queryKey: cacheKeys.pipeline,
    queryFn: ({ signal }) => call(contract.pipeline.status, {}, signal),
    refetchInterval: live ? false : 3000,
  });
}

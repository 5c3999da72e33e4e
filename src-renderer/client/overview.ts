import { useQuery } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** What needs the person, of one patient or of everyone; shared by the rail and Today. */
export function useOverview(patient: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.today, patient ?? 'all'],
    queryFn: ({ signal }) =>
      call(contract.today.overview, { query: patient === undefined ? {} : { patient_id: patient } }, signal),
  });
}

/** What the pipeline does; the live stream keeps it current, asking again only while that is down. */
export function usePipelineStatus(live: boolean) {
  return useQuery({
    queryKey: cacheKeys.pipeline,
    queryFn: ({ signal }) => call(contract.pipeline.status, {}, signal),
    refetchInterval: live ? false : 3000,
  });
}

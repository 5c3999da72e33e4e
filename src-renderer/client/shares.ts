import { useQuery } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** How often the list is fetched again while it is shown: recipients change it from outside. */
const LIST_MS = 5_000;

/** The shares of a patient, or of all whom the user may see, newest first. */
export function useShares(patient: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.shares, 'list', patient ?? 'all'],
    refetchInterval: LIST_MS,
    queryFn: ({ signal }) =>
      call(contract.shares.list, { query: patient === undefined ? {} : { patient_id: patient } }, signal),
  });
}

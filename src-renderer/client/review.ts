import { useQuery } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** What a user has to decide, for one patient or for all. */
export function useReview(patient: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.review, patient ?? 'all'],
    queryFn: ({ signal }) =>
      call(contract.review.list, { query: patient === undefined ? {} : { patient_id: patient } }, signal),
  });
}

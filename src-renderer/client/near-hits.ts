import { useQuery } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';
import { toApiSearch } from './search-line.ts';

/** What a search without hits may have meant, for one patient or for all; asks nothing for an empty line. */
export function useNearHits(line: string | undefined, patient: string | undefined) {
  const q = line?.trim() ?? '';
  return useQuery({
    queryKey: [...cacheKeys.suggestions, 'near', patient ?? 'all', q],
    enabled: q !== '',
    queryFn: ({ signal }) =>
      call(
        contract.documents.nearHits,
        { query: { q: toApiSearch(q), ...(patient !== undefined && { patient_id: patient }) } },
        signal,
      ),
  });
}

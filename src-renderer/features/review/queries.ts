import { useQuery } from '@tanstack/react-query';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** A document with the places of its values, for the crop beside a question. */
export function useDocumentPlaces(id: number | null) {
  return useQuery({
    queryKey: cacheKeys.document(id ?? 0, 'detail'),
    enabled: id !== null,
    queryFn: ({ signal }) => call(contract.documents.get, { params: { id: String(id) } }, signal),
    select: ({ evidence, lab_results }) => ({ evidence, lab_results }),
  }).data;
}

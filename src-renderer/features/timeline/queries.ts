import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** More than this a sheet does not list; it then leads to the list of documents. */
export const LISTED = 50;

/** Loads a patient's timeline, in full without a range. The previous data stays visible until the next has loaded. */
export function useTimeline(
  patient: string | undefined,
  range: { from: string; to: string } | null,
  specialty: string | undefined,
) {
  return useQuery({
    queryKey: [...cacheKeys.timeline, patient, range, specialty ?? null],
    enabled: patient !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(contract.timeline.get, { query: { patient_id: patient, ...range, specialty } }, signal),
  });
}

export function useEvent(id: number) {
  return useQuery({
    queryKey: cacheKeys.event(id),
    queryFn: ({ signal }) => call(contract.events.get, { params: { id: String(id) } }, signal),
  });
}

/** Documents between two days, for a place of the axis where the server only counted. */
export function useDocumentsBetween(
  patient: string,
  from: string,
  to: string,
  specialty: string | undefined,
  wanted: boolean,
) {
  const query = { patient_id: patient, date_from: from, date_to: to, specialty, limit: String(LISTED) };
  return useQuery({
    queryKey: [...cacheKeys.documentLists, 'between', query],
    enabled: wanted,
    queryFn: ({ signal }) => call(contract.documents.list, { query }, signal),
  });
}

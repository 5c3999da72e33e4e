import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** Documents that a sheet lists at most; its link leads to the full list. */
export const MAX_LISTED = 50;

type Range = { from: string; to: string } | null;

const timelineQuery = (patient: string, range: Range, specialty: string | undefined) =>
  queryOptions({
    queryKey: [...cacheKeys.timeline, patient, range, specialty ?? null],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(contract.timeline.get, { query: { patient_id: patient, ...range, specialty } }, signal),
  });

/** Loads a patient's timeline, in full without a range. The previous data stays visible until the next has loaded. */
export const useTimeline = (patient: string, range: Range, specialty: string | undefined) =>
  useQuery(timelineQuery(patient, range, specialty));

/** Loads the timelines of several patients, in their order. */
export const useTimelines = (patients: readonly string[], range: Range, specialty: string | undefined) =>
  useQueries({ queries: patients.map((patient) => timelineQuery(patient, range, specialty)) });

export function useEvent(id: number) {
  return useQuery({
    queryKey: cacheKeys.event(id),
    queryFn: ({ signal }) => call(contract.events.get, { params: { id: String(id) } }, signal),
  });
}

/** Documents between two days, for a cell for which the server only sent counts. */
export function useDocumentsBetween(
  patient: string,
  from: string,
  to: string,
  specialty: string | undefined,
  enabled: boolean,
) {
  const query = { patient_id: patient, date_from: from, date_to: to, specialty, limit: String(MAX_LISTED) };
  return useQuery({
    queryKey: [...cacheKeys.documentLists, 'between', query],
    enabled,
    queryFn: ({ signal }) => call(contract.documents.list, { query }, signal),
  });
}

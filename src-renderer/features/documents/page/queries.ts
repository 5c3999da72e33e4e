import { useQuery } from '@tanstack/react-query';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { addressOf, call, contract, failureOf, OWN_HEADERS } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';

/** Cache key of the document with all its rows. */
export const documentKey = (id: number) => cacheKeys.document(id, 'detail');

/** How often a document is fetched while one of its translations is waited for. */
const TRANSLATION_MS = 1_500;
const isTranslating = ({ translation, region_translations: regions }: DocumentDetail): boolean =>
  [translation, ...regions].some((one) => one?.status === 'queued' || one?.status === 'running');

export function useDocument(id: number) {
  return useQuery({
    queryKey: documentKey(id),
    queryFn: ({ signal }) => call(contract.documents.get, { params: { id: String(id) } }, signal),
    refetchInterval: ({ state }) => (state.data && isTranslating(state.data) ? TRANSLATION_MS : false),
  });
}

/** The words of all pages. */
export function usePages(id: number) {
  return useQuery({
    queryKey: cacheKeys.document(id, 'pages'),
    queryFn: ({ signal }) => call(contract.documents.pages, { params: { id: String(id) } }, signal),
    select: (reply) => reply.pages,
  });
}

export function useStages(id: number) {
  return useQuery({
    queryKey: cacheKeys.document(id, 'stages'),
    queryFn: ({ signal }) => call(contract.documents.stages, { params: { id: String(id) } }, signal),
    select: (reply) => reply.events,
  });
}

/** The pipeline state; live messages keep it current. */
export function usePipeline() {
  return useQuery({
    queryKey: cacheKeys.pipeline,
    queryFn: ({ signal }) => call(contract.pipeline.status, {}, signal),
  });
}

/** The specialties of a patient's documents, most frequent first. */
export function useSpecialties(patientId: number | null) {
  const query = patientId === null ? {} : { patient_id: String(patientId) };
  return useQuery({
    queryKey: [...cacheKeys.documentFacets, query],
    staleTime: 30_000,
    queryFn: ({ signal }) => call(contract.documents.facets, { query }, signal),
    select: (facets) => facets.specialties.map(({ label }) => label),
  });
}

/** Known doctors and facilities that match a typed text. */
export function useSuggestions(text: string, patientId: number | null) {
  const q = text.trim();
  return useQuery({
    queryKey: [...cacheKeys.suggestions, 'names', patientId, q],
    enabled: q.length > 1,
    staleTime: 60_000,
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      call(
        contract.documents.suggest,
        { query: { q, limit: '8', ...(patientId === null ? {} : { patient_id: String(patientId) }) } },
        signal,
      ),
  });
}

/** Whether a page failed to load because the file is missing; checked again when `version` changes. */
export function useFileMissing(id: number, page: number | null, version: string) {
  return useQuery({
    queryKey: [...cacheKeys.document(id, 'missing'), page, version],
    enabled: page !== null,
    queryFn: async ({ signal }) => {
      const answer = await fetch(
        addressOf(contract.documents.pageImage, { params: { id, page }, query: { width: 64, v: version } }),
        { headers: OWN_HEADERS, signal },
      );
      return !answer.ok && failureOf(answer.status, await answer.text()).code === 'document.file_missing';
    },
  });
}

export function useCandidates(id: number, enabled: boolean) {
  return useQuery({
    queryKey: cacheKeys.document(id, 'candidates'),
    enabled: enabled,
    queryFn: ({ signal }) => call(contract.documents.findCandidates, { params: { id: String(id) } }, signal),
    select: (reply) => reply.candidates,
  });
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';

/** Maximum number of orphaned results per request. */
const MAX_ORPHANS = '500';
/** Maximum number of documents offered for an orphaned result. */
const MAX_TARGET_DOCUMENTS = '100';

/** All tests of a patient with their last result. */
export function useSummary(patient: string) {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'summary', patient],
    staleTime: 30_000,
    queryFn: ({ signal }) => call(contract.labs.summary, { query: { patient_id: patient } }, signal),
  });
}

/** The results of one test; the previous ones stay visible until the next have loaded. */
export function useSeries(patient: string, test: string | undefined, unit: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'series', patient, test, unit ?? null],
    enabled: test !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.labs.series, { query: { patient_id: patient, test: test ?? '', unit } }, signal),
  });
}

export function useOrphans(patient: string) {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'orphans', patient],
    queryFn: ({ signal }) =>
      call(contract.labs.orphans, { query: { patient_id: patient, limit: MAX_ORPHANS } }, signal),
  });
}

/** Documents to which a result can be linked: those of the same day, then the latest. */
export function useTargetDocuments(result: LabResult) {
  const patient = String(result.patient_id ?? '');
  return useQuery({
    queryKey: [...cacheKeys.documents, 'places', patient, result.test_date],
    queryFn: async ({ signal }) => {
      const list = (query: { date_from?: string; date_to?: string }) =>
        call(
          contract.documents.list,
          { query: { patient_id: patient, limit: MAX_TARGET_DOCUMENTS, ...query } },
          signal,
        );
      const [ofDay, latest] = await Promise.all([
        result.test_date === null ? null : list({ date_from: result.test_date, date_to: result.test_date }),
        list({}),
      ]);
      return [...new Map([...(ofDay?.items ?? []), ...latest.items].map((item) => [item.id, item])).values()];
    },
  });
}

/** What needs attention in the results of each person. */
export function useHousehold() {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'household'],
    queryFn: ({ signal }) => call(contract.labs.household, {}, signal),
  });
}

/** Links a result to a document. */
export function useAttachResult() {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: ({ result, documentId }: { result: LabResult; documentId: number }) =>
      call(contract.labs.update, { params: { id: String(result.id) }, body: { document_id: documentId } }),
    onError: showError,
    onSuccess: async (attached) => {
      for (const queryKey of [cacheKeys.labs, cacheKeys.documents]) await client.invalidateQueries({ queryKey });
      const document = attached.document_filename ?? '';
      show({ text: ({ t, testName }) => t('attached', { ns: 'labs', name: testName(attached), document }) });
    },
  });
}

/** Deletes a result, with Undo. */
export function useDeleteResult() {
  const client = useQueryClient();
  const { begin } = useToasts();
  const fetchAgain = () => client.invalidateQueries({ queryKey: cacheKeys.labs });
  return useMutation({
    mutationFn: ({ id }: LabResult) => call(contract.labs.remove, { params: { id: String(id) } }),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: async ({ trash_id }, result, change) => {
      await fetchAgain();
      change.done({
        text: ({ t, testName }) => t('deleted', { ns: 'labs', name: testName(result) }),
        undo: () => call(contract.trash.restore, { params: { id: String(trash_id) } }).then(fetchAgain),
      });
    },
  });
}

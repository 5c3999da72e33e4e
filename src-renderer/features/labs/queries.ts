import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useToasts } from '../../ui/toasts.tsx';

/** Results that the queue of orphans fetches at once. */
const ORPHANS = '500';
/** Documents that are offered to an orphan. */
const PLACES = '100';

/** Every test of a patient with its last result. */
export function useSummary(patient: string) {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'summary', patient],
    staleTime: 30_000,
    queryFn: ({ signal }) => call(contract.labs.summary, { query: { patient_id: patient } }, signal),
  });
}

/** One test over time; what was shown stays until the next has come. */
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
    queryFn: ({ signal }) => call(contract.labs.orphans, { query: { patient_id: patient, limit: ORPHANS } }, signal),
  });
}

/** Documents on which a result may hang: those of its day, then the latest. */
export function usePlacesFor(result: LabResult) {
  const patient = String(result.patient_id ?? '');
  return useQuery({
    queryKey: [...cacheKeys.documents, 'places', patient, result.test_date],
    queryFn: async ({ signal }) => {
      const list = (query: { date_from?: string; date_to?: string }) =>
        call(contract.documents.list, { query: { patient_id: patient, limit: PLACES, ...query } }, signal);
      const [ofDay, latest] = await Promise.all([
        result.test_date === null ? null : list({ date_from: result.test_date, date_to: result.test_date }),
        list({}),
      ]);
      return [...new Map([...(ofDay?.items ?? []), ...latest.items].map((item) => [item.id, item])).values()];
    },
  });
}

/** Hangs a result on a document. */
export function useAttachResult() {
  const { t } = useTranslation('labs');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  return useMutation({
    mutationFn: ({ result, documentId }: { result: LabResult; documentId: number }) =>
      call(contract.labs.update, { params: { id: String(result.id) }, body: { document_id: documentId } }),
    onError: (error) => show({ text: vocabulary.error(error), tone: 'bad' }),
    onSuccess: async (attached) => {
      for (const queryKey of [cacheKeys.labs, cacheKeys.documents]) await client.invalidateQueries({ queryKey });
      show({
        text: t('attached', {
          name: attached.test_name_canonical ?? attached.test_name_original,
          document: attached.document_filename ?? '',
        }),
      });
    },
  });
}

/** Deletes a result, which can be taken back. */
export function useDeleteResult() {
  const { t } = useTranslation('labs');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const fetchAgain = () => client.invalidateQueries({ queryKey: cacheKeys.labs });
  return useMutation({
    mutationFn: ({ id }: LabResult) => call(contract.labs.remove, { params: { id: String(id) } }),
    onError: (error) => show({ text: vocabulary.error(error), tone: 'bad' }),
    onSuccess: async ({ trash_id }, result) => {
      await fetchAgain();
      show({
        text: t('deleted', { name: result.test_name_canonical ?? result.test_name_original }),
        undo: () =>
          call(contract.trash.restore, { params: { id: String(trash_id) } }).then(fetchAgain, (error: unknown) =>
            show({ text: vocabulary.error(error), tone: 'bad' }),
          ),
      });
    },
  });
}

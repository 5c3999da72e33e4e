import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { call, contract } from '../../app/api.ts';
import { cacheKeys } from '../../app/cache-keys.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { useToasts } from '../../ui/toasts.tsx';

/** Results that the queue of orphans fetches at once. */
const ORPHANS = '500';

/** Every test of a patient with its last result. */
export function useSummary(patient: string) {
  return useQuery({ queryKey: [...cacheKeys.labs, 'summary', patient], staleTime: 30_000, queryFn: ({ signal }) => call(contract.labs.summary, { query: { patient_id: patient } }, signal) });
}

/** One test over time; what was shown stays until the next has come. */
export function useSeries(patient: string, test: string | undefined, unit: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.labs, 'series', patient, test, unit ?? null], enabled: test !== undefined, staleTime: 30_000, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(contract.labs.series, { query: { patient_id: patient, test: test ?? '', unit } }, signal),
  });
}

export function useOrphans(patient: string) {
  return useQuery({ queryKey: [...cacheKeys.labs, 'orphans', patient], queryFn: ({ signal }) => call(contract.labs.orphans, { query: { patient_id: patient, limit: ORPHANS } }, signal) });
}

/** Deletes a result, which can be taken back. */
export function useDeleteResult() {
  const { t } = useTranslation('labs');
  const words = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const fetchAgain = () => client.invalidateQueries({ queryKey: cacheKeys.labs });
  return useMutation({
    mutationFn: ({ id }: LabResult) => call(contract.labs.remove, { params: { id: String(id) } }),
    onError: (error) => show({ text: words.error(error), tone: 'bad' }),
    onSuccess: async ({ trash_id }, result) => {
      await fetchAgain();
      show({
        text: t('deleted', { name: result.test_name_canonical ?? result.test_name_original }),
        undo: () => call(contract.trash.restore, { params: { id: String(trash_id) } }).then(fetchAgain, (error: unknown) => show({ text: words.error(error), tone: 'bad' })),
      });
    },
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../ui/toasts.tsx';
import { fieldsOf, labChangesOf, type LabValues } from './lab-values.ts';

interface Action {
  act: () => Promise<unknown>;
  text: string;
  undo: () => Promise<unknown>;
}

/** Adds, changes and removes results of the document; each can be taken back. `failure` is why the last one did not go through. */
export function useLabActions(document: DocumentDetail) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.labs, cacheKeys.documentLists, cacheKeys.today, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.document(document.id) });
  };
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const run = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onSuccess: async (_, { text, undo }) => {
      show({ text, undo: () => undo().then(refresh, showError) });
      await refresh();
    },
  });
  const params = (id: number) => ({ id: String(id) });
  const remove = (id: number) => call(contract.labs.remove, { params: params(id) });
  return {
    busy: run.isPending,
    failure: run.error,
    forget: run.reset,
    /** A new result, or the changes of one; `done` is called once it is stored. */
    save(row: LabResult | null, values: LabValues, done: () => void): void {
      if (!row) {
        let id = 0;
        run.mutate(
          {
            act: async () => {
              id = (await call(contract.labs.create, { body: { document_id: document.id, ...fieldsOf(values) } })).id;
            },
            text: t('row_added'),
            undo: () => remove(id),
          },
          { onSuccess: done },
        );
        return;
      }
      const { changes, undo } = labChangesOf(row, values);
      if (Object.keys(changes).length === 0) return done();
      const send = (body: typeof changes) => call(contract.labs.update, { params: params(row.id), body });
      run.mutate({ act: () => send(changes), text: t('row_changed'), undo: () => send(undo) }, { onSuccess: done });
    },
    remove(row: LabResult): void {
      let trashId = 0;
      run.mutate(
        {
          act: async () => {
            trashId = (await remove(row.id)).trash_id;
          },
          text: t('removed', { name: row.test_name_canonical ?? row.test_name_original }),
          undo: () => call(contract.trash.restore, { params: params(trashId) }),
        },
        { onError: showError },
      );
    },
  };
}

/** Tests of the document's patient with the unit and range of their last result, for entering new ones; asked when a form opens. */
export function useKnownTests(patientId: number | null) {
  return (
    useQuery({
      queryKey: [...cacheKeys.labs, 'summary', String(patientId)],
      enabled: patientId !== null,
      staleTime: 30_000,
      queryFn: ({ signal }) => call(contract.labs.summary, { query: { patient_id: String(patientId) } }, signal),
    }).data?.items ?? []
  );
}

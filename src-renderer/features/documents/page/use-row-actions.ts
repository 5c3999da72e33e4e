import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../ui/toasts.tsx';
import {
  CHILD_ENDPOINTS,
  changesOf,
  valuesOf,
  type ChildKind,
  type ChildRow,
  type ChildValues,
} from './child-kinds.ts';

interface Action {
  act: () => Promise<unknown>;
  text: string;
  undo: () => Promise<unknown>;
}

export type RowActions = ReturnType<typeof useRowActions>;

/** Adds, changes and removes a row of the document; each can be taken back. `failure` is why the last one did not go through. */
export function useRowActions(kind: ChildKind, document: DocumentDetail) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const { create, update, remove } = CHILD_ENDPOINTS[kind];
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.documentLists, cacheKeys.today, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.document(document.id) });
  };
  const run = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onSuccess: async (_, { text, undo }) => {
      show({
        text,
        undo: () => undo().then(refresh, (error: unknown) => show({ text: vocabulary.error(error), tone: 'bad' })),
      });
      await refresh();
    },
  });
  const params = (id: number) => ({ id: String(id) });
  const removed = (id: number) => call(remove, { params: params(id) });
  return {
    busy: run.isPending,
    failure: run.error,
    forget: run.reset,
    /** A new row, or the changes of one; `done` is called once it is stored. */
    save(row: ChildRow | null, values: ChildValues, done: () => void): void {
      const before = valuesOf(kind, row);
      const changes = changesOf(before, values);
      if (row && Object.keys(changes).length === 0) return done();
      let id = row?.id ?? 0;
      run.mutate(
        row
          ? {
              act: () => call(update, { params: params(id), body: changes } as never),
              text: t('row_changed'),
              undo: () => call(update, { params: params(id), body: changesOf(values, before) } as never),
            }
          : {
              act: async () => {
                id = (
                  (await call(create, { body: { document_id: document.id, ...changes } } as never)) as { id: number }
                ).id;
              },
              text: t('row_added'),
              undo: () => removed(id),
            },
        { onSuccess: done },
      );
    },
    remove(row: ChildRow, name: string): void {
      let trashId = 0;
      run.mutate(
        {
          act: async () => {
            trashId = (await removed(row.id)).trash_id;
          },
          text: t('removed', { name }),
          undo: () => call(contract.trash.restore, { params: params(trashId) }),
        },
        { onError: (error) => show({ text: vocabulary.error(error), tone: 'bad' }) },
      );
    },
  };
}

import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import type { Message } from '../../../client/words.ts';
import {
  CHILD_ENDPOINTS,
  changesOf,
  valuesOf,
  type ChildKind,
  type ChildRow,
  type ChildValues,
} from './child-kinds.ts';
import { useRowMutation } from './use-row-mutation.ts';

export type RowActions = ReturnType<typeof useRowActions>;

const idParams = (id: number) => ({ id: String(id) });

/** Adds, changes and removes rows of one kind, each with Undo. `failure` is the error of the last attempt. */
export function useRowActions(kind: ChildKind, document: DocumentDetail) {
  const { create, update, remove } = CHILD_ENDPOINTS[kind];
  const { mutation, showError } = useRowMutation(document.id, [
    cacheKeys.documentLists,
    cacheKeys.today,
    cacheKeys.trash,
  ]);
  const removeRow = (id: number) => call(remove, { params: idParams(id) });
  const addRow = (values: ChildValues, done: () => void): void => {
    let id = 0;
    const act = async (): Promise<void> => {
      const body = { document_id: document.id, ...changesOf(valuesOf(kind, null), values) };
      id = ((await call(create, { body } as never)) as { id: number }).id;
    };
    mutation.mutate(
      { act, text: ({ t }) => t('row_added', { ns: 'document' }), undo: () => removeRow(id) },
      { onSuccess: done },
    );
  };
  return {
    busy: mutation.isPending,
    failure: mutation.error,
    reset: mutation.reset,
    /** Saves a new row, or the changes of an existing one; `done` is called once it is stored. */
    save(row: ChildRow | null, values: ChildValues, done: () => void): void {
      if (!row) return addRow(values, done);
      const before = valuesOf(kind, row);
      const changes = changesOf(before, values);
      if (Object.keys(changes).length === 0) return done();
      const send = (body: ChildValues) => call(update, { params: idParams(row.id), body } as never);
      const undo = () => send(changesOf(values, before));
      const text: Message = ({ t }) => t('row_changed', { ns: 'document' });
      mutation.mutate({ act: () => send(changes), text, undo }, { onSuccess: done });
    },
    remove(row: ChildRow, name: string): void {
      let trashId = 0;
      const act = async (): Promise<void> => {
        trashId = (await removeRow(row.id)).trash_id;
      };
      const undo = () => call(contract.trash.restore, { params: idParams(trashId) });
      const text: Message = ({ t }) => t('removed', { ns: 'document', name });
      mutation.mutate({ act, text, undo }, { onError: showError });
    },
  };
}

import { useQuery } from '@tanstack/react-query';
import type { LabChanges, LabResult } from '../../../../src-shared/contract/labs.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import type { Message } from '../../../client/words.ts';
import { fieldsOf, labChangesOf, reopenedOf, type LabValues } from './lab-values.ts';
import { useRowMutation } from './use-row-mutation.ts';

const idParams = (id: number) => ({ id: String(id) });

/** Adds, changes and removes results of the document, each with Undo. `failure` is the error of the last attempt. */
export function useLabActions(document: DocumentDetail) {
  const { mutation, showError } = useRowMutation(document.id, [
    cacheKeys.labs,
    cacheKeys.documentLists,
    cacheKeys.today,
    cacheKeys.trash,
  ]);
  const removeResult = (id: number) => call(contract.labs.remove, { params: idParams(id) });
  const addResult = (values: LabValues, done: () => void): void => {
    let id = 0;
    const act = async (): Promise<void> => {
      id = (await call(contract.labs.create, { body: { document_id: document.id, ...fieldsOf(values) } })).id;
    };
    mutation.mutate(
      { act, text: ({ t }) => t('row_added', { ns: 'document' }), undo: () => removeResult(id) },
      { onSuccess: done },
    );
  };
  return {
    busy: mutation.isPending,
    failure: mutation.error,
    reset: mutation.reset,
    /** Saves a new result, or the changes of an existing one; `done` is called once it is stored. */
    save(row: LabResult | null, values: LabValues, done: () => void): void {
      if (!row) return addResult(values, done);
      const { changes, undo } = labChangesOf(row, values);
      if (Object.keys(changes).length === 0) return done();
      const send = (body: typeof changes) => call(contract.labs.update, { params: idParams(row.id), body });
      mutation.mutate(
        { act: () => send(changes), text: ({ t }) => t('row_changed', { ns: 'document' }), undo: () => send(undo) },
        { onSuccess: done },
      );
    },
    /** Settles the doubts about a result: it is as on the page. */
    confirm(row: LabResult): void {
      const send = (body: LabChanges) => call(contract.labs.update, { params: idParams(row.id), body });
      const act = () => send({ confirmed: true });
      const undo = () => send({ reopened: reopenedOf(row) });
      const text: Message = ({ t, testName }) => t('confirmed', { ns: 'doubt', name: testName(row) });
      mutation.mutate({ act, text, undo }, { onError: showError });
    },
    remove(row: LabResult): void {
      let trashId = 0;
      const act = async (): Promise<void> => {
        trashId = (await removeResult(row.id)).trash_id;
      };
      const text: Message = ({ t, testName }) => t('removed', { ns: 'document', name: testName(row) });
      const undo = () => call(contract.trash.restore, { params: idParams(trashId) });
      mutation.mutate({ act, text, undo }, { onError: showError });
    },
  };
}

/** Tests of the patient with the unit and range of their last result, offered when a user enters a new one. */
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

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { undoMove } from '../../../client/undo-move.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { changeOf, type Change, type EditableField, type FieldValue } from './changes.ts';
import { documentKey } from './queries.ts';

/** A change with the document before it. */
type DocumentChange = Change & { from: DocumentDetail };

/**
 * Saves a field immediately, shows it optimistically, and offers undo. If a value is rejected, the error is shown at
 * the field.
 */
export function useEdits(document: DocumentDetail) {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { begin } = useToasts();
  const [rejection, setRejection] = useState<{ change: Change; error: unknown } | null>(null);
  const key = documentKey(document.id);
  const send = (body: DocumentChanges) =>
    call(contract.documents.update, { params: { id: String(document.id) }, body });
  const undo = async ({ field, undo: body, from }: DocumentChange): Promise<DocumentDetail> => {
    if (field !== 'patient_id') return send(body);
    await undoMove(from);
    return call(contract.documents.get, { params: { id: String(document.id) } });
  };
  const showSaved = (next: DocumentDetail): void => {
    client.setQueryData(key, next);
    for (const queryKey of [cacheKeys.documentLists, cacheKeys.documentFacets, cacheKeys.today])
      void client.invalidateQueries({ queryKey });
  };
  const edit = useMutation({
    mutationFn: ({ body }: DocumentChange) => send(body),
    onMutate: async ({ preview }) => {
      setRejection(null);
      await client.cancelQueries({ queryKey: key });
      const before = client.getQueryData<DocumentDetail>(key);
      client.setQueryData<DocumentDetail>(key, (now) => (now ? { ...now, ...preview } : now));
      return { before, pending: begin() };
    },
    onError: (error, change, context) => {
      if (context?.before) client.setQueryData(key, context.before);
      context?.pending.drop();
      setRejection({ change, error });
    },
    onSuccess: (next, change, { pending }) => {
      showSaved(next);
      pending.done({
        text: ({ t }) =>
          t('changed', { ns: 'document', field: t(`field_${change.field as 'doc_type'}`, { ns: 'document' }) }),
        undo: () => undo(change).then(showSaved),
      });
    },
  });
  return {
    rejection: rejection && {
      field: rejection.change.field,
      message:
        vocabulary.fieldError(rejection.error, ...Object.keys(rejection.change.body)) ??
        vocabulary.error(rejection.error),
    },
    change(field: EditableField, value: FieldValue): void {
      const change = changeOf(document, field, value);
      if (change) edit.mutate({ ...change, from: document });
    },
  };
}

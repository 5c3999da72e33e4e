import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../ui/toasts.tsx';

export interface UndoableAction {
  act: () => Promise<unknown>;
  text: string;
  /** Null for an action that needs no Undo. */
  undo: (() => Promise<unknown>) | null;
}

/** Runs actions on rows of a document. Each shows a toast, most with Undo; the document and `queryKeys` reload afterwards. */
export function useRowMutation(documentId: number, queryKeys: readonly (readonly unknown[])[]) {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.document(documentId) });
  };
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const mutation = useMutation({
    mutationFn: ({ act }: UndoableAction) => act(),
    onSuccess: async (_, { text, undo }) => {
      show({ text, ...(undo && { undo: () => undo().then(refresh, showError) }) });
      await refresh();
    },
  });
  return { mutation, showError };
}

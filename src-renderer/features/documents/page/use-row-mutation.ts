import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useToasts } from '../../../client/toasts.tsx';
import type { Message } from '../../../client/words.ts';

export interface UndoableAction {
  act: () => Promise<unknown>;
  text: Message;
  /** Null for an action that needs no Undo. */
  undo: (() => Promise<unknown>) | null;
}

/** Runs actions on rows of a document. Each shows a toast, most with Undo; the document and `queryKeys` reload afterwards. */
export function useRowMutation(documentId: number, queryKeys: readonly (readonly unknown[])[]) {
  const client = useQueryClient();
  const { begin, showError } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.document(documentId) });
  };
  const mutation = useMutation({
    mutationFn: ({ act }: UndoableAction) => act(),
    onMutate: begin,
    onError: (_, __, change) => change?.drop(),
    onSuccess: async (_, { text, undo }, change) => {
      change.done({ text, ...(undo && { undo: () => undo().then(refresh) }) });
      await refresh();
    },
  });
  return { mutation, showError };
}

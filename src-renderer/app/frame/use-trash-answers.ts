import { useQueryClient } from '@tanstack/react-query';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useRestore } from '../../client/restore.ts';
import { useUploads, type Sending } from './uploads.tsx';

/** What the answers to a question about files in the trash do. */
export function useTrashAnswers({ id, trashed }: Sending) {
  const { update, sendAgain } = useUploads();
  const client = useQueryClient();
  const restoreItem = useRestore();

  async function restore(): Promise<void> {
    try {
      // Several documents may have been deleted with one event or patient.
      for (const trashId of new Set(trashed.map(({ trash_id }) => trash_id))) await restoreItem(trashId);
      update(id, { state: 'restored', trashed: [] });
    } catch (error) {
      update(id, { state: 'failed', trashed: [], error });
    }
    await Promise.all(
      [
        cacheKeys.documents,
        cacheKeys.documentLists,
        cacheKeys.today,
        cacheKeys.review,
        cacheKeys.patients,
        cacheKeys.labs,
        cacheKeys.trash,
      ].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  }

  return {
    restore,
    keep: () => update(id, { state: 'kept', trashed: [] }),
    addAsNew: () => sendAgain(id),
  };
}

import { useQueryClient } from '@tanstack/react-query';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';

export interface CachedList {
  /** Milliseconds; when it was fetched. */
  updatedAt: number;
  ids: readonly number[];
}

/** The documents before and after one, in the newest list that holds it; null at its ends and where no list does. */
export function neighboursOf(
  lists: readonly CachedList[],
  id: number,
): { previous: number | null; next: number | null } {
  const list = lists
    .filter(({ ids }) => ids.includes(id))
    .reduce<CachedList | null>((newest, each) => (newest && newest.updatedAt >= each.updatedAt ? newest : each), null);
  const at = list?.ids.indexOf(id) ?? -1;
  return { previous: list?.ids[at - 1] ?? null, next: list?.ids[at + 1] ?? null };
}

/** Reads the neighbours of a document from the lists that were shown before; asks nothing of the server. */
export function useNeighbours(id: number): () => ReturnType<typeof neighboursOf> {
  const client = useQueryClient();
  return () =>
    neighboursOf(
      client
        .getQueryCache()
        .findAll({ queryKey: cacheKeys.documentLists })
        .map(({ state }) => {
          const data = state.data as { pages?: { items: DocumentListItem[] }[] } | undefined;
          return {
            updatedAt: state.dataUpdatedAt,
            ids: (data?.pages ?? []).flatMap(({ items }) => items.map((item) => item.id)),
          };
        }),
      id,
    );
}

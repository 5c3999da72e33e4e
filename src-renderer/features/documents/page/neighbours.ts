import { useQueryClient } from '@tanstack/react-query';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';

export interface CachedList {
  /** When the list was fetched, in milliseconds. */
  updatedAt: number;
  ids: readonly number[];
}

/** The previous and next document in the newest list that contains `id`; null at its ends or without such a list. */
export function neighboursOf(
  lists: readonly CachedList[],
  id: number,
): { previous: number | null; next: number | null } {
  const list = lists
    .filter(({ ids }) => ids.includes(id))
    .reduce<CachedList | null>((newest, list) => (newest && newest.updatedAt >= list.updatedAt ? newest : list), null);
  const at = list?.ids.indexOf(id) ?? -1;
  return { previous: list?.ids[at - 1] ?? null, next: list?.ids[at + 1] ?? null };
}

/** Returns the neighbours of a document from cached lists, without a request. */
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

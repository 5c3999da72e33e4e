import { useQueryClient } from '@tanstack/react-query';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';

export interface CachedList {
  /** When the list was fetched, in milliseconds. */
  updatedAt: number;
  /** The documents loaded so far. */
  ids: readonly number[];
  /** How many documents the list has. */
  total: number;
}
export interface Neighbours {
  previous: number | null;
  next: number | null;
  /** Position of the document, from 1, and the length of the list; null without a list. */
  position: { at: number; total: number } | null;
}

/** The previous and next document in the newest list that contains `id`; null at its ends or without such a list. */
export function neighboursOf(lists: readonly CachedList[], id: number): Neighbours {
  const list = lists
    .filter(({ ids }) => ids.includes(id))
    .reduce<CachedList | null>((newest, list) => (newest && newest.updatedAt >= list.updatedAt ? newest : list), null);
  const at = list?.ids.indexOf(id) ?? -1;
  return {
    previous: list?.ids[at - 1] ?? null,
    next: list?.ids[at + 1] ?? null,
    position: list && { at: at + 1, total: list.total },
  };
}

/** Returns the neighbours of a document from cached lists, without a request. */
export function useNeighbours(id: number): () => Neighbours {
  const client = useQueryClient();
  return () =>
    neighboursOf(
      client
        .getQueryCache()
        .findAll({ queryKey: cacheKeys.documentLists })
        .map(({ state }) => {
          const data = state.data as { pages?: { items: DocumentListItem[]; total: number }[] } | undefined;
          return {
            updatedAt: state.dataUpdatedAt,
            ids: (data?.pages ?? []).flatMap(({ items }) => items.map((item) => item.id)),
            total: data?.pages?.[0]?.total ?? 0,
          };
        }),
      id,
    );
}

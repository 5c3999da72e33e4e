import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allRows, type ListName, type RowOf, type Rows } from './queries.ts';
import { PHONE_KEY } from './source/open-backups.ts';
import type { QueryRequest, BackupSource } from './source/source.ts';
import { useSearchState } from './use-search-state.ts';

/** Returns the open row of a list: the one in the address, wherever it is in the list, else the first one. */
export function useActiveRow<N extends ListName>(
  source: BackupSource,
  name: N,
  request: QueryRequest<N>,
  rows: Rows<RowOf<N>>,
  idOf: (row: RowOf<N>) => string,
): { index: number; row: RowOf<N> | undefined; open: (index: number) => void } {
  const { search, set } = useSearchState();
  const { item } = search;
  const [active, setActive] = useState(0);
  const here = rows.at(active);
  const isHere = here !== undefined && (item === undefined || idOf(here) === item);
  // The address may name a row that no page has loaded yet: look up its place once.
  const { data: located } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'place', name, request, item],
    enabled: item !== undefined && rows.total !== undefined && !isHere,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const all = await allRows(source, name, request, undefined, signal),
        index = all.findIndex((row) => idOf(row) === item);
      return { index, row: all[index] };
    },
  });
  const place =
    !isHere && located && located.index >= 0 ? located : { index: active, row: isHere || located ? here : undefined };
  return {
    ...place,
    open: (index) => {
      setActive(index);
      const row = rows.at(index);
      set({ item: row && idOf(row) });
    },
  };
}

import { useNavigate, useSearch } from '@tanstack/react-router';

/** What of the address the views of a backup share: the item that is open, words that filter, and what else a view keeps there. */
export function useSearchState() {
  const search = useSearch({ from: '/frame/phones/$id' });
  const navigate = useNavigate({ from: '/phones/$id' });
  const set = (change: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return { search, set };
}

import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * The search parameters that the views of a backup share: the open item, the filter text, and state of a single view.
 */
export function useSearchState() {
  const search = useSearch({ from: '/frame/phones/$id' });
  const navigate = useNavigate({ from: '/phones/$id' });
  const set = (change: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return { search, set };
}

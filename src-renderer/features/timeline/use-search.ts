import { useNavigate, useSearch } from '@tanstack/react-router';

/** The parameters of the timeline's address, and a function that changes some of them. */
export function useTimelineSearch() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/timeline' });
  const set = (part: Partial<typeof search>): void =>
    void navigate({ to: '/timeline', search: (before) => ({ ...before, ...part }), replace: true });
  return { search, set };
}

export type Search = ReturnType<typeof useTimelineSearch>['search'];

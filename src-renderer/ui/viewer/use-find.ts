import { useDeferredValue, useMemo, useState } from 'react';
import { findText, firstHitFrom, type Hit } from './find.ts';
import type { ViewerPage } from './page.ts';

export interface FindState {
  open: boolean;
  query: string;
  hits: readonly Hit[];
  at: number;
  /** Number of requests to open the bar; each one focuses the field again. */
  focusRequests: number;
  show: () => void;
  close: () => void;
  setQuery: (query: string) => void;
  step: (direction: 1 | -1) => Hit | null;
}

/** Text search over the pages, starting at the current one. With `initial` the bar is open at once. */
export function useFind(pages: readonly ViewerPage[], initial: string, currentPage: number): FindState {
  const [open, setOpen] = useState(initial !== '');
  const [query, setQueryState] = useState(initial);
  const [focusRequests, setFocusRequests] = useState(0);
  const [selected, setSelected] = useState<number | null>(null);
  const [startPage, setStartPage] = useState(currentPage);
  const deferredQuery = useDeferredValue(query);
  const hits = useMemo(() => (open ? findText(pages, deferredQuery) : []), [open, pages, deferredQuery]);
  const at = Math.min(selected ?? firstHitFrom(hits, startPage), Math.max(hits.length - 1, 0));

  return {
    open,
    query,
    hits,
    at,
    focusRequests,
    show: () => {
      setOpen(true);
      setFocusRequests(focusRequests + 1);
      setStartPage(currentPage);
    },
    close: () => {
      setOpen(false);
      setSelected(null);
    },
    setQuery: (next) => {
      setQueryState(next);
      setSelected(null);
      setStartPage(currentPage);
    },
    step: (direction) => {
      if (hits.length === 0) return null;
      const next = (at + direction + hits.length) % hits.length;
      setSelected(next);
      return hits[next] ?? null;
    },
  };
}
